"""Decisions in words: the verdict line, and the lines for candidates, conditions, what is missing and what would help.

It chooses no colours: each line says what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from turnwise.core.guards.types import shown
from turnwise.core.state.events.decided import NothingSet
from turnwise.core.trace import Considered, Decision, Failure, Group, Operand, Verdict

_ACTIONS = {"stay": "held in {node} by {id}", "block": "blocked in {node} by {id}", "end": "ended from {node} by {id}"}


def verdict_line(
    node: str,
    moment: str,
    candidates: tuple[Considered, ...],
    failure: Failure | None = None,
    nothing_set: tuple[NothingSet, ...] = (),
) -> str:
    """The sentence for a decision; `failure` is what an `error` moment was judged for, `nothing_set` lists the fields
    in which the move set nothing.
    """
    line = _line(node, moment, candidates)
    also = (*((failure.summary,) if failure is not None else ()), *(event.text for event in nothing_set))
    return "; ".join((line, *also)) if also else line


def _line(node: str, moment: str, candidates: tuple[Considered, ...]) -> str:
    for candidate in candidates:
        if candidate.outcome == "taken":
            return _taken(node, candidate)
        if candidate.outcome == "blocked":
            to = f" to {candidate.target}" if candidate.target else ""
            why = candidate.failure.summary if candidate.failure is not None else candidate.by
            return f"stayed in {node}: {candidate.id}{to} held, but {why}"
    found = [candidate for candidate in candidates if not candidate.is_mirror]
    judged = [candidate for candidate in found if candidate.outcome != "not_reached"]
    if not judged:
        what = "no candidate changed since it was judged" if found else f"no candidates {_WHEN[moment]}"
        return f"stayed in {node}: {what}"
    errors = [candidate.id for candidate in judged if candidate.outcome == "error"]
    in_error = f"; in error: {', '.join(errors)}" if errors else ""
    offered = [candidate.id for candidate in judged if candidate.outcome == "outranked"]
    if offered:
        return f"stayed in {node}: offered to the model: {', '.join(offered)}{in_error}"
    count = "1 candidate, which did not hold" if len(judged) == 1 else f"{len(judged)} candidates, none held"
    count += in_error
    others = [candidate for candidate in judged if candidate.target != node or candidate.action != "to"]
    if not others:
        return f"stayed in {node}: {count}"
    nearest = min(others, key=_distance)
    lacking = _lacking(nearest)
    return f"stayed in {node}: {count}" + (f"; nearest is {_name(nearest)}, which {lacking}" if lacking else "")


_WHEN = {
    "before": "before the work",
    "after": "after the work",
    "tool": "after a tool",
    "error": "for what failed",
    "timer": "for this timer",
    "choice": "to choose from",
}


def candidate_line(candidate: Considered) -> str:
    """Return what would come of a candidate: `would not hold: it lacks user.name`."""
    match candidate.outcome:
        case "taken":
            return "would be taken"
        case "outranked":
            return f"would hold, and be {outranked(candidate)}"
        case "blocked":
            return f"would hold, and be blocked: {candidate.by}"
        case "not_reached":
            return f"would not be judged: {candidate.by}"
        case _:
            lacking = _lacking(candidate)
            return "would not hold" + (f": it {lacking}" if lacking else "")


def _taken(node: str, candidate: Considered) -> str:
    reason = f": {candidate.because}" if candidate.because else ""
    if candidate.action == "to":
        if candidate.target == node and candidate.level == "enter":
            return f"stayed in {node}: its own enter_when holds"
        if candidate.planned:
            return f"stayed in {node}: goes to {candidate.target} with the next message, by {candidate.id}{reason}"
        return f"{node} → {candidate.target} by {candidate.id}{reason}"
    return _ACTIONS[candidate.action].format(node=node, id=candidate.id) + reason


OFFERED = "offered to the model"


def outranked(candidate: Considered) -> str:
    """Say of a candidate that held and was not taken which one was: `outranked by refused`."""
    is_other = not candidate.is_mirror and candidate.by != OFFERED
    return f"outranked by {candidate.by}" if is_other else f"outranked, {candidate.by}"


def _name(candidate: Considered) -> str:
    return f"→ {candidate.target}" if candidate.target else candidate.id


def _distance(candidate: Considered) -> tuple[int, int, int, int]:
    """How far a candidate was from holding: what is missing is nearer than what is otherwise, and what
    holds in most of its parts is nearer than what has yet to begin.
    """
    held = -_held(candidate.verdict)
    if candidate.needs:
        needed = candidate.needs[0]
        return (0, sum(need.now is not None for need in needed), len(needed), held)
    return (1, 0, 0, held) if candidate.in_words else (2, 0, 0, held)


def _held(verdict: Verdict | None) -> int:
    """How many of the conditions of a guard hold."""
    if isinstance(verdict, Group):
        return sum(_held(part) for part in verdict.parts)
    return int(verdict is not None and verdict.verdict == "held")


def _lacking(candidate: Considered) -> str:
    """The first way that was proved to make a candidate hold; an empty text where none is known."""
    if candidate.needs:
        needed = candidate.needs[0]
        if all(need.now is None for need in needed):
            return "lacks " + ", ".join(need.field for need in needed)
        return "needs " + ", ".join(dict.fromkeys(need.text for need in needed))
    return "waits for " + ", or ".join(candidate.in_words) if candidate.in_words else ""


MARKS = {"held": "✓", "not_held": "✗", "unknown": "?", "error": "!"}
_GROUPS = {"all": "all of", "any": "any of", "not": "not", "if": "if, then, else"}


class Line(NamedTuple):
    """A line: its text, what it tells (a verdict, an outcome, `missing`, or nothing), and what stands aside."""

    text: str
    about: str = ""
    aside: str = ""


def lines_of_decision(decision: Decision, transition: str = "") -> Iterator[Line]:
    """A decision with its candidates, or those that a name stands for: a transition, or the node that they lead to. A
    candidate that was not judged has one line, unless it is asked for.
    """
    yield Line(decision.line if decision.hypothetical else f"{decision.moment}: {decision.line}", "decision")
    if decision.failure is not None and decision.failure.at:
        yield Line(f"  at {decision.failure.at}", "error")
    for candidate in decision.about(transition) if transition else decision.candidates:
        if not transition and candidate.outcome == "not_reached":
            yield _head(candidate, candidate.outcome)
        else:
            yield from lines_of_candidate(candidate, "would be taken" if decision.hypothetical else "taken")
    if decision.mirror_disagrees is not None:
        both = decision.mirror_disagrees
        yield Line(f"  ! the rules say {both.rules}, the code chose {both.code}", "missing")


def lines_of_candidate(candidate: Considered, taken: str = "taken") -> Iterator[Line]:
    """A candidate: its outcome, its tree, what is missing, and what would make it hold. `taken` is the
    word for one that holds before all others.
    """
    yield _head(candidate, taken if candidate.outcome == "taken" else candidate.outcome)
    if candidate.failure is not None:
        yield from _failure(candidate.failure, 4)
    if candidate.verdict is not None:
        yield from _tree(candidate.verdict, 4)
    if candidate.missing:
        yield Line(f"    missing: {', '.join(candidate.missing)}", "missing")
    for needed in candidate.needs:
        changes = ", ".join(f"{need.field} = {_value(need.value)}" for need in needed)
        yield Line(f"    would hold with: {changes}")
    for words in candidate.in_words:
        yield Line(f"    would need: {words}")
    yield from _code(candidate)


def _head(candidate: Considered, outcome: str) -> Line:
    target = f" → {candidate.target}" if candidate.target else f" ({candidate.action})"
    by = f", {candidate.by}" if candidate.by and candidate.failure is None else ""
    if outcome == "outranked" and by:
        outcome, by = outranked(candidate), ""
    elif candidate.planned and outcome == "taken":
        outcome = "planned, to be made with the next message"
    because = f" “{candidate.because}”" if candidate.because else ""
    return Line(f"  {candidate.id}{target}{because}: {outcome}{by}", candidate.outcome)


def _failure(failure: Failure, margin: int) -> Iterator[Line]:
    yield Line(f"{' ' * margin}! {failure.text}", "error")


def _value(value: Any) -> str:
    return "(nothing)" if value is None else shown(value)


def _tree(verdict: Verdict, margin: int) -> Iterator[Line]:
    mark = f"{' ' * margin}{MARKS[verdict.verdict]} "
    if isinstance(verdict, Group):
        yield Line(f"{mark}{_GROUPS[verdict.op]}", verdict.verdict)
        for part in verdict.parts:
            yield from _tree(part, margin + 2)
        return
    operands = ", ".join(_operand(operand) for operand in verdict.operands)
    error = f" — {verdict.error}" if verdict.error else ""
    yield Line(f"{mark}{verdict.text}{error}", verdict.verdict, f"   {operands}")


def _operand(operand: Operand) -> str:
    if operand.how == "missing":
        return f"{operand.name} is missing"
    origin = f" ({operand.how}, turn {operand.turn})" if operand.turn else " (supposed)" * (operand.how == "supposed")
    return f"{operand.name} is {shown(operand.value)}{origin}"


_NO_RESULT = {"not_called": "was not called", "forgotten": "what it gave is no longer kept"}


def _code(candidate: Considered) -> Iterator[Line]:
    code = candidate.code
    if code is None:
        return
    if code.call != "called":
        yield Line(f"    {code.name}: {_NO_RESULT[code.call]}")
        return
    reads = ", ".join(f"{name} = {_value(value)}" for name, value in code.reads.items())
    result = code.error or f"gave {code.returned!r}"
    yield Line(f"    {code.name}: {result}" + (f"; read {reads}" if reads else ""))
