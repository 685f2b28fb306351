"""A decision in words, line by line: candidates, trees of verdicts, what is missing, what would make them hold.

It chooses no colours: each line says what it is about, and who shows it knows how.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from turnwise.core.explain.line import outranked
from turnwise.core.guards.types import shown
from turnwise.core.trace import Considered, Decision, Failure, Group, Operand, Verdict

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
