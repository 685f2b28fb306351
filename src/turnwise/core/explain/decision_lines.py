"""Renders decisions in several lines: the verdict, the candidates with their conditions, missing values and needs.

It chooses no colours: each line names its topic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from turnwise.core.explain.item_lists import change_of_items
from turnwise.core.explain.text import why_outranked
from turnwise.core.guards.types import value_text
from turnwise.core.trace import Considered, Decision, Group, GuardCode, Need, Operand, Outcome, Verdict, VerdictKind

MARKS: dict[VerdictKind, str] = {"held": "✓", "not_held": "✗", "unknown": "?", "error": "!"}
"""The sign of each verdict."""
_GROUPS = {"all": "all of", "any": "any of", "not": "not", "if": "if, then, else"}
_NO_RESULT = {"not_called": "was not called", "forgotten": "its result is no longer kept"}

Topic = Literal["", "decision", "missing"] | VerdictKind | Outcome
"""What a line is about: empty for none, the whole decision, a missing value, a verdict or an outcome."""


class Line(NamedTuple):
    """A line of an explanation: its text, its topic, and a text beside it."""

    text: str
    """The main text of the line."""
    topic: Topic = ""
    """What the line is about, by which a terminal chooses a colour; empty for none."""
    aside: str = ""
    """A text that is shown beside the line; empty without one."""


def lines_of_decision(decision: Decision, transition: str = "") -> Iterator[Line]:
    """Yield the lines of a decision, with all candidates or those named `transition` (a transition or its target).

    A candidate that was not judged has one line, unless it is asked for.
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
    """Yield the lines that explain a candidate: outcome, conditions, missing values, what would make it hold. `taken`
    is the word for the outcome `taken`.
    """
    yield _head(candidate, taken if candidate.outcome == "taken" else candidate.outcome)
    if candidate.failure is not None:
        yield Line(f"    ! {candidate.failure.text}", "error")
    if candidate.verdict is not None:
        yield from _tree(candidate.verdict, "    ")
    if candidate.missing:
        yield Line(f"    not known: {', '.join(candidate.missing)}", "missing")
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
        outcome, by = why_outranked(candidate), ""
    elif candidate.planned and outcome == "taken":
        outcome = "planned, to be made with the next message"
    elif outcome == "unknown":
        outcome = "not known"
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
        return f"{operand.name} is {'empty' if operand.value == [] else 'not known'}"
    how = {"supposed": " (supposed)", "default": " (by default)"}.get(operand.how, "")
    origin = f" ({operand.how}, turn {operand.turn})" if operand.turn else how
    return f"{operand.name} is {value_text(operand.value)}{origin}"


def _result(code: GuardCode) -> str:
    if code.call != "called":
        return _NO_RESULT[code.call]
    reads = ", ".join(f"{name} = {_value(value)}" for name, value in code.reads.items())
    return (code.error or f"returned {code.returned!r}") + (f"; read {reads}" if reads else "")


def _value(value: Any) -> str:
    return "(nothing)" if value is None else value_text(value)


def _needed(need: Need) -> str:
    return change_of_items(need.field, need.value, need.now) or f"{need.field} = {_value(need.value)}"
