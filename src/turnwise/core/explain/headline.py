"""Summarises a decision: headline, detail, one line for a transcript; and an act of a person in one line."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.explain.text import line_parts, nearest_candidate, what_it_lacks
from turnwise.core.field_titles import capital
from turnwise.core.state import Person
from turnwise.core.state import events as e
from turnwise.core.trace import Considered, Decision, Outcome
from turnwise.flow.durations import in_words

Happened = Literal["moved", "stayed", "blocked", "ended", "error"]
"""What a decision came to; `error` is a stay in which a candidate was in error."""


class Headline(Struct, frozen=True):
    """A short description of a decision."""

    happened: Happened
    """What the decision led to; `error` means that nothing was taken and a candidate was in error."""
    mark: Outcome
    """The outcome of the candidate that was taken or blocked, else of one in error, else of the nearest one."""
    headline: str
    """What happened, in words, such as `Moved to profiler`."""
    detail: str
    """The rest of the sentence for the decision, without what the headline has."""
    seam: str
    """The sentence that the chat shows between two messages."""
    target: str = ""
    """The node that was entered; empty if none was."""
    transition: str = ""
    """The name of the transition that was taken; empty if none was."""
    because: str = ""
    """The author's reason for the transition that was taken; empty if there is none."""
    nearest: str = ""
    """The name of the transition that came closest to being taken; empty if none did."""


def headline(decision: Decision) -> Headline:
    """Return the short description of a decision."""
    node, candidates = decision.node, decision.candidates
    taken = decision.candidate(decision.taken) if decision.taken else None
    head, _ = line_parts(node, decision.moment, candidates)
    is_own_entry = taken is not None and taken.level == "enter" and taken.target == node
    if taken is not None and taken.action in ("to", "end") and not taken.planned and not is_own_entry:
        where = f"Moved to {taken.target}" if taken.target else f"Ended from {node}"
        why = taken.because or taken.id
        seam = f"{node} → {taken.target}: {why}" if taken.target else f"ended from {node}: {why}"
        happened: Happened = "moved" if taken.target else "ended"
        return Headline(happened, "taken", where, decision.line, seam, taken.target, taken.id, taken.because)
    title, detail = capital(head), decision.line[len(head) :].removeprefix(": ").removeprefix("; ")
    if taken is not None:
        happened = "blocked" if taken.action == "block" else "stayed"
        target = taken.target if taken.planned else ""
        return Headline(happened, "taken", title, detail, decision.line, target, taken.id, taken.because)
    nearest = nearest_candidate(node, candidates)
    mark = _mark(candidates, nearest)
    happened = "blocked" if mark == "blocked" else "error" if mark == "error" else "stayed"
    seam = f"stayed in {node}: {what_it_lacks(nearest)}" if nearest is not None else decision.line
    return Headline(happened, mark, title, detail, seam, nearest=nearest.id if nearest is not None else "")


def _mark(candidates: tuple[Considered, ...], nearest: Considered | None) -> Outcome:
    found: set[Outcome] = {candidate.outcome for candidate in candidates}
    if "error" in found:
        return "error"
    if "blocked" in found:
        return "blocked"
    judged = nearest or next((candidate for candidate in candidates if candidate.outcome != "not_reached"), None)
    return judged.outcome if judged is not None else "not_reached"


def act_of_person(event: Any, at_ms: int, person: Person | None) -> str:
    """Return in words what an operator did by an event at `at_ms`, empty if nothing (law 6.10). `person` is the wait
    for a person before the event.
    """
    match event:
        case e.TakenOver(operator=operator, instead_of=before, display=display):
            waited = f" after {in_words((at_ms - person.since_ms) / 1000)}" if person is not None else ""
            waited = f" from {person.display or before}" if person is not None and before else waited
            return f"{display or operator} took over{waited}"
        case e.GivenBack(operator=operator, display=display):
            done = [f"set {', '.join(event.set)}"] if event.set else []
            done += [f"took {event.transition}"] if event.transition else []
            done += [f"ended it as {event.end}"] if event.end else []
            return ", ".join([f"{display or operator or 'the person'} gave the conversation back", *done])
        case _:
            return ""
