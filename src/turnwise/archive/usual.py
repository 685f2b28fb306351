"""Counts how often the subject of an answer occurs in all conversations of its flow."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.archive.edge_counts import FlowCounts
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import State
from turnwise.why.answer import Answer, Fact, Subject
from turnwise.why.kinds import words

_DID = {
    "transition": Phrase("was taken"),
    "node": Phrase("was entered"),
    "tool": Phrase("was called"),
    "event": Phrase("came"),
    "timer": Phrase("came due"),
    "schedule": Phrase("fired"),
    "field": Phrase("was set"),
}
"""What is counted, by the kind of subject."""


def with_usual_count(answer: Answer, counts: FlowCounts, state: State) -> Answer:
    """Return an answer with a second fact: in how many of the counted conversations its subject was used. If uses of
    the subject are not counted, the fact is about the subject of the first fact.
    """
    first, *others = answer.facts
    subject = next((one for one in (answer.subject, *first.about) if one.kind in _DID), None)
    values = _values(counts, state, subject) if subject is not None else {}
    kind = "usual" if subject is not None else "usual_not_counted"
    fact = Fact(kind, words(kind, values), (subject,) if subject is not None else (), values=values)
    return replace(answer, facts=(first, fact, *others))


def _values(counts: FlowCounts, state: State, subject: Subject) -> dict[str, Any]:
    kind, name = subject.kind, subject.name
    versions, used = counts.versions(), counts.versions(kind, name)
    count, total = counts.count_of(kind, name), counts.conversations()
    later = [number for number in versions if used and number > max(used)]
    here = versions.get(state.version, 0)
    return {
        "kind": kind,
        "name": name,
        "did": _DID[kind],
        "count": count,
        "total": total,
        "share": _share(count, total),
        "own": _own(state, kind, name),
        "erased": _erased(counts.count_of("erased", "")),
        "since": min(later, default=None),
        "version": state.version if len(versions) > 1 and not later and used else None,
        "here": _share(used.get(state.version, 0), here),
        "by_version": {str(number): [used.get(number, 0), of] for number, of in versions.items()},
    }


def _own(state: State, kind: str, name: str) -> str:
    """Return how often a tool was used, or a node entered, in the conversation itself, where that is more than once."""
    counts = [one.tools.counts if kind == "tool" else one.visits for one in state.frames]
    count = sum(one.get(name, 0) for one in counts) if kind in ("tool", "node") else 0
    return phrase("{count} times", count=count) if count > 1 else ""


def _erased(count: int) -> str:
    return phrase("{count} conversations" if count > 1 else "{count} conversation", count=count) if count else ""


def _share(count: int, total: int) -> str:
    """Return a share in words: `3 % of 120 conversations (4)`."""
    if total == 1:
        return Phrase("the only conversation so far" if count else "no conversation so far")
    if count in (0, total):
        return phrase("all of {total} conversations" if count else "none of {total} conversations", total=total)
    percent = count * 100 / total
    text = "{percent} % of {total} conversations ({count})"
    text = "less than {percent} % of {total} conversations ({count})" if percent < 1 else text
    text = "more than {percent} % of {total} conversations ({count})" if percent > 99 else text
    return phrase(text, percent=min(99, max(1, round(percent))), total=total, count=count)
