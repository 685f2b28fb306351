"""Renders decisions as text: the verdict line, candidates, conditions, missing values, needs.

It chooses no colours: each line names its topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, assert_never

from msgspec.structs import replace

from turnwise.core.explain.item_lists import change_of_items
from turnwise.core.explain.tree import operands, value_now
from turnwise.core.guards.types import shown
from turnwise.core.state import BrokenOff
from turnwise.core.state.events import NothingSet
from turnwise.core.trace import (
    Considered,
    Decision,
    Failure,
    Group,
    GuardCode,
    Leaf,
    Need,
    Operand,
    Outcome,
    Verdict,
    VerdictKind,
)
from turnwise.core.values import REDACTED
from turnwise.flow.late_pattern import late_pattern

OFFERED = "offered to the model"
"""What is written of a transition that the model may choose."""
BROKEN_OFF: dict[BrokenOff, str] = {
    "stopped": "the form was stopped",
    "cancelled": "the form was cancelled",
    "handed_off": "the form was handed over before it was confirmed",
    "left": "the same message asked to stop, or for a person",
}
"""Why the ways out of a form that broke off are not judged, but those that read its status."""
MARKS: dict[VerdictKind, str] = {"held": "✓", "not_held": "✗", "unknown": "?", "error": "!"}
"""The sign of each verdict."""
_GROUPS = {"all": "all of", "any": "any of", "not": "not", "if": "if, then, else"}
_NO_CANDIDATES = {
    "before": "before the work",
    "after": "after the work",
    "tool": "after a tool",
    "calls": "after all calls of the reply",
    "error": "for what failed",
    "timer": "for this timer",
    "event": "for this event",
    "choice": "to choose from",
}
_NO_RESULT = {"not_called": "was not called", "forgotten": "its result is no longer kept"}


def verdict_line(
    node: str,
    moment: str,
    candidates: tuple[Considered, ...],
    failure: Failure | None = None,
    nothing_set: tuple[NothingSet, ...] = (),
    operator: str = "",
    reason: str = "",
) -> str:
    """Return the sentence for a decision. `failure` is what an `error` moment was judged for, `nothing_set` lists the
    fields in which the move set nothing, `operator` is the person who decided, for a `reason`: not for that of the
    transition, whose guard may not hold.
    """
    head, rest = line_parts(node, moment, candidates)
    rest = "" if operator else rest
    chosen = (f"chosen by {operator}, a person" + (f": {reason}" if reason else ""),) if operator else ()
    failed = (failure.summary,) if failure is not None else ()
    also = (*chosen, *failed, *(event.text for event in nothing_set))
    return "; ".join((f"{head}: {rest}" if rest else head, *also))


def line_parts(node: str, moment: str, candidates: tuple[Considered, ...]) -> tuple[str, str]:
    """Return the two parts of the sentence for a decision: what happened, and why."""
    for candidate in candidates:
        if candidate.outcome == "taken":
            return _taken(node, candidate)
        if candidate.outcome == "blocked":
            to = f" to {candidate.target}" if candidate.target else ""
            why = candidate.failure.summary if candidate.failure is not None else candidate.by
            return f"stayed in {node}", f"{candidate.id}{to} held, but {why}"
    return f"stayed in {node}", _why_stayed(node, moment, candidates)


def _why_stayed(node: str, moment: str, candidates: tuple[Considered, ...]) -> str:
    found = [candidate for candidate in candidates if not candidate.is_mirror]
    judged = judged_of(candidates)
    if not judged and any(candidate.by in BROKEN_OFF.values() for candidate in found):
        return f"{found[0].by}, and no transition reads form.status"
    if not judged:
        is_same = found and moment != "event"
        return "no candidate changed since it was judged" if is_same else f"no candidates {_NO_CANDIDATES[moment]}"
    errors = [candidate.id for candidate in judged if candidate.outcome == "error"]
    in_error = f"; in error: {', '.join(errors)}" if errors else ""
    offered = [candidate.id for candidate in judged if candidate.outcome == "outranked"]
    if offered:
        return f"{OFFERED}: {', '.join(offered)}{in_error}"
    count = "1 candidate, which did not hold" if len(judged) == 1 else f"{len(judged)} candidates, none held"
    nearest = nearest_candidate(node, candidates)
    return f"{count}{in_error}" + (f"; nearest is {what_it_lacks(nearest)}" if nearest is not None else "")


def nearest_candidate(node: str, candidates: tuple[Considered, ...]) -> Considered | None:
    """Return the candidate that was nearest to holding, of a decision in which none held; `None` where no way is known
    that would make one hold. An exception is never the nearest, and a guard that reads nothing but the message is not
    near: any message may be next.
    """
    judged = judged_of(candidates)
    if any(candidate.outcome in _CHOSEN for candidate in judged):
        return None
    others = [one for one in judged if (one.target != node or one.action != "to") and not _is_never_near(one)]
    nearest = min(others, key=_distance, default=None)
    return nearest if nearest is not None and lacking(nearest) else None


def _is_never_near(candidate: Considered) -> bool:
    if candidate.is_exception:
        return True
    read = operands(candidate.verdict) if candidate.verdict is not None else ()
    return {one.name.partition(".")[0] for one in read} == {"message"}


def what_it_lacks(candidate: Considered) -> str:
    """Return what a candidate that did not hold needs: `→ profiler, which lacks user.name`."""
    name = f"→ {candidate.target}" if candidate.target else candidate.id
    return f"{name}, which {lacking(candidate)}"


_CHOSEN: tuple[Outcome, ...] = ("taken", "blocked", "outranked")


def judged_of(candidates: tuple[Considered, ...]) -> list[Considered]:
    """Return the candidates that were judged, without those that only describe others."""
    return [candidate for candidate in candidates if not candidate.is_mirror and candidate.outcome != "not_reached"]


def _taken(node: str, candidate: Considered) -> tuple[str, str]:
    because = candidate.because
    reason = f": {because}" if because else ""
    match candidate.action:
        case "to" if candidate.target == node and candidate.level == "enter":
            return f"stayed in {node}", "its own enter_when holds"
        case "to" if candidate.planned:
            return f"stayed in {node}", f"goes to {candidate.target} with the next message, by {candidate.id}{reason}"
        case "to":
            return f"{node} → {candidate.target} by {candidate.id}", because
        case "stay":
            return f"held in {node} by {candidate.id}", because
        case "block":
            return f"blocked in {node} by {candidate.id}", because
        case "end":
            return f"ended from {node} by {candidate.id}", because
        case "call":
            return f"opened a scope from {node} by {candidate.id}", because
        case "return":
            return f"closed the scope of {node} by {candidate.id}", because
    assert_never(candidate.action)


def candidate_line(candidate: Considered) -> str:
    """Return what would become of a candidate: `would not hold: it lacks user.name`."""
    match candidate.outcome:
        case "taken":
            return "would be taken"
        case "outranked":
            return f"would hold, and be {outranked(candidate)}"
        case "blocked":
            return f"would hold, and be blocked: {candidate.by}"
        case "not_reached":
            return f"would not be judged: {candidate.by}"
        case "false" | "unknown" | "error":
            lacks = lacking(candidate)
            return "would not hold" + (f": it {lacks}" if lacks else "")
    assert_never(candidate.outcome)


def outranked(candidate: Considered) -> str:
    """Return why a candidate that held was not taken: `outranked by refused`."""
    is_other = not candidate.is_mirror and candidate.by != OFFERED
    return f"outranked by {candidate.by}" if is_other else f"outranked, {candidate.by}"


def _distance(candidate: Considered) -> tuple[int, int, int, int]:
    """Return how far a candidate was from holding, as a key for sorting.

    A missing value is nearer than another value, and a guard is nearer the more of its conditions hold.
    """
    held = -_held(candidate.verdict)
    if candidate.needs:
        needed = candidate.needs[0]
        return (0, sum(need.now is not None for need in needed), len(needed), held)
    return (1, 0, 0, held) if candidate.in_words else (2, 0, 0, held)


def _held(verdict: Verdict | None) -> int:
    """Return how many of the conditions of a guard hold."""
    if isinstance(verdict, Group):
        return sum(_held(part) for part in verdict.parts)
    return int(verdict is not None and verdict.verdict == "held")


def lacking(candidate: Considered) -> str:
    """Return in words what the nearest candidate lacks to hold; empty if no way is proved."""
    if not candidate.needs:
        return "waits for " + ", or ".join(ways_in_words(candidate)) if candidate.in_words else ""
    needed = candidate.needs[0]
    if all(need.now is None for need in needed):
        return "lacks " + ", ".join([need.field for need in needed])
    return "needs " + ", ".join(dict.fromkeys([need.text for need in needed]))


def holding(candidate: Considered) -> str:
    """Return the conditions by which a guard held, with the values that they read: `u.n > 5: u.n is 9`.

    An empty text where no value can be named: texts of any length and secrets are left out.
    """
    held = list(_held_parts(candidate.verdict)) if candidate.verdict is not None else []
    rules = [rule for rule in holding_rules(candidate) if _COMPARISON.search(rule)]  # a value says equality itself
    read = {one.name: value_now(one, f"{one.name} ") for leaf in held for one in leaf.operands if _is_shown(one)}
    if not read or len(read) > _MOST_HELD:
        return ""
    return (f"{' and '.join(rules)}: " if rules else "") + ", ".join(read.values())


def holding_rules(candidate: Considered) -> list[str]:
    """Return the conditions by which a guard held, without those that read secrets."""
    held = _held_parts(candidate.verdict) if candidate.verdict is not None else ()
    return list(dict.fromkeys(leaf.text for leaf in held))


_COMPARISON = late_pattern(r"[<>]|!=|\bin\b|\.\w+\(")
_MOST_HELD = 3
"""The most values of a guard that are named in one sentence."""


def _is_shown(read: Operand) -> bool:
    return read.how != "missing" and read.name not in _LONG and not _is_test(read)


def _held_parts(verdict: Verdict) -> Iterator[Leaf]:
    """Yield the conditions that made a guard hold: all parts of `&&`, the first part of `||` that held."""
    match verdict:
        case Leaf():
            if verdict.verdict == "held" and not any(one.value == REDACTED for one in verdict.operands):
                yield verdict
        case Group(op="any"):
            yield from next((list(_held_parts(one)) for one in verdict.parts if one.verdict == "held"), ())
        case Group(op="not"):
            (part,) = verdict.parts
            if isinstance(part, Leaf):
                yield from _held_parts(replace(part, verdict="held", text=f"not {part.text}"))
        case Group(op="if"):
            test, then, other = verdict.parts
            yield from _held_parts(then if test.verdict == "held" else other)
        case Group():
            for one in verdict.parts:
                yield from _held_parts(one)


def ways_in_words(candidate: Considered) -> list[str]:
    """Return the ways of `in_words`, each with the values that it reads now: `form.status == "confirmed" (is stopped)`.

    Left out are texts of any length, secrets, and a function that is true or false: its rule says which.
    """
    read = {one.name: one for one in operands(candidate.verdict)} if candidate.verdict is not None else {}
    shown_ = [one for one in read.values() if one.name not in _LONG and one.value != REDACTED and not _is_test(one)]
    return [_with_values(way, [one for one in shown_ if _is_named(one.name, way)]) for way in candidate.in_words]


_LONG = ("message.text", "error.message")


def _is_test(value: Operand) -> bool:
    return isinstance(value.value, bool) and value.name.endswith(")")


def _is_named(name: str, way: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", way) is not None


def _with_values(way: str, read: list[Operand]) -> str:
    is_bare = len(read) == 1 and all(rule.startswith(read[0].name) for rule in way.split(" && "))
    values = [value_now(one, "" if is_bare else f"{one.name} ") for one in read]
    return f"{way} ({', '.join(values)})" if values else way


# several lines -----------------------------------------------------------------------------------

Topic = Literal["", "decision", "missing"] | VerdictKind | Outcome


class Line(NamedTuple):
    """A line: its text, its topic, and a text that stands beside it."""

    text: str
    """The text of the line."""
    topic: Topic = ""
    """What the line is about, by which a terminal chooses its colour."""
    aside: str = ""
    """A text that stands beside it; empty without one."""


def lines_of_decision(decision: Decision, transition: str = "") -> Iterator[Line]:
    """Yield the lines of a decision with its candidates, or with those that a name stands for: a transition, or the
    node that they lead to. A candidate that was not judged has one line, unless it is asked for.
    """
    yield Line(decision.line if decision.hypothetical else f"{decision.moment}: {decision.line}", "decision")
    if decision.failure is not None and decision.failure.at:
        yield Line(f"  at {decision.failure.at}", "error")
    if decision.erased:
        yield Line(f"  {decision.erased}", "missing")
    for candidate in decision.about(transition) if transition else decision.candidates:
        if not transition and candidate.outcome == "not_reached":
            yield _head(candidate, candidate.outcome)
        else:
            yield from lines_of_candidate(candidate, "would be taken" if decision.hypothetical else "taken")
    if decision.mirror_disagrees is not None:
        both = decision.mirror_disagrees
        yield Line(f"  ! the rules say {both.rules}, the code chose {both.code}", "missing")


def lines_of_candidate(candidate: Considered, taken: str = "taken") -> Iterator[Line]:
    """Yield the lines of a candidate: outcome, tree, missing values, needs. `taken` is the word for the winner."""
    yield _head(candidate, taken if candidate.outcome == "taken" else candidate.outcome)
    if candidate.failure is not None:
        yield Line(f"    ! {candidate.failure.text}", "error")
    if candidate.verdict is not None:
        yield from _tree(candidate.verdict, "    ")
    if candidate.missing:
        yield Line(f"    missing: {', '.join(candidate.missing)}", "missing")
    for needed in candidate.needs:
        yield Line("    would hold with: " + ", ".join(map(_needed, needed)))
    for words in candidate.in_words:
        yield Line(f"    would need: {words}")
    if candidate.code is not None:
        yield Line(f"    {candidate.code.name}: {_result(candidate.code)}")


def _head(candidate: Considered, outcome: str) -> Line:
    target = f" → {candidate.target}" if candidate.target else f" ({candidate.action})"
    by = f", {candidate.by}" if candidate.by and candidate.failure is None else ""
    if outcome == "outranked" and by:
        outcome, by = outranked(candidate), ""
    elif candidate.planned and outcome == "taken":
        outcome = "planned, to be made with the next message"
    because = f" “{candidate.because}”" if candidate.because else ""
    return Line(f"  {candidate.id}{target}{because}: {outcome}{by}", candidate.outcome)


def _tree(verdict: Verdict, margin: str) -> Iterator[Line]:
    mark = f"{margin}{MARKS[verdict.verdict]} "
    if isinstance(verdict, Group):
        yield Line(f"{mark}{_GROUPS[verdict.op]}", verdict.verdict)
        for part in verdict.parts:
            yield from _tree(part, margin + "  ")
        return
    error = f" — {verdict.error}" if verdict.error else ""
    operands = ", ".join(map(_operand, verdict.operands))
    yield Line(f"{mark}{verdict.text}{error}", verdict.verdict, f"   {operands}")


def _operand(operand: Operand) -> str:
    if operand.how == "missing":
        return f"{operand.name} is {'empty' if operand.value == [] else 'missing'}"
    how = {"supposed": " (supposed)", "default": " (by default)"}.get(operand.how, "")
    origin = f" ({operand.how}, turn {operand.turn})" if operand.turn else how
    return f"{operand.name} is {shown(operand.value)}{origin}"


def _result(code: GuardCode) -> str:
    if code.call != "called":
        return _NO_RESULT[code.call]
    reads = ", ".join(f"{name} = {_value(value)}" for name, value in code.reads.items())
    return (code.error or f"returned {code.returned!r}") + (f"; read {reads}" if reads else "")


def _value(value: Any) -> str:
    return "(nothing)" if value is None else shown(value)


def _needed(need: Need) -> str:
    return change_of_items(need.field, need.value, need.now) or f"{need.field} = {_value(need.value)}"
