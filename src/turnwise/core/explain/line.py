"""The verdict line: one sentence made from data, that says what came of a decision and what was nearest."""

from __future__ import annotations

from turnwise.core.events.decided import NothingSet
from turnwise.core.trace import Considered, Failure, Group, Verdict

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
