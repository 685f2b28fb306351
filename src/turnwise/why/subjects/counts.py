"""How often something happened in a conversation, and in which turns: the first fact where that is the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

from turnwise.core.state import events as e
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, SubjectKind
from turnwise.why.facts.builder import listed
from turnwise.why.path import on_path
from turnwise.why.query import Query

_MOST_TIMES = 8
"""How many turns or values are listed: the last."""

_DID: dict[SubjectKind, tuple[str, str, str]] = {
    "field": ("", "was set", "was not set"),
    "question": ("", "was asked for", "was not asked for"),
    "node": ("", "was entered", "was not entered"),
    "transition": ("", "was taken", "was not taken"),
    "tool": ("", "was called", "was not called"),
    "timer": ("", "came due", "did not come due"),
    "model": ("the model", "was called", "was not called"),
    "person": ("a person", "took over", "did not take over"),
    "message": ("the user", "wrote", "did not write"),
}
"""What is counted of each kind of subject: its name where it has none, what it did, and that it did not."""


class _Time(NamedTuple):
    """One time that something happened: the entry, and the value that was set or the tokens that were used."""

    entry: e.Entry
    value: Any = None
    is_refused: bool = False


async def counted(query: Query) -> Fact | None:
    """Return how often the subject of a question happened in the conversation so far, also in turns that were undone;
    `None` for a subject that does not happen, such as the end.
    """
    kind, name = query.subject.kind, query.subject.name
    if kind not in _DID:
        return None
    found = [one async for entry in query.back() for one in await _times(query, entry)][::-1]
    found = [one for one, before in zip(found, [None, *found], strict=False) if not _is_repeated(one, before)]
    refused = [one for one in found if one.is_refused]
    kept = {entry.seq async for entry in on_path(query.back())}
    called, did, did_not = _DID[kind]
    values: dict[str, Any] = {
        "name": called or name,
        "did": did if found else did_not,
        "count": len(found),
        "times": _often(len(found)) if found else "",
        "where": query.where,
        "turns": _turns(found) if kind != "field" else "",
        "given": _values(query, found) if kind == "field" else "",
        "changed": _changed(found) if kind == "field" else "",
        "refused": _refused(refused, found),
        "tokens": sum(one.value or 0 for one in found) or None if kind == "model" else None,
        "undone": sum(one.entry.seq not in kept for one in found) or None,
    }
    return query.end.standing("counted", query.subject, **values)


def _is_repeated(one: _Time, before: _Time | None) -> bool:
    """Return whether a value was set once more in a turn that had set it: at each node that read the message."""
    if before is None or not isinstance(one.entry.event, e.FieldSet):
        return False
    return (one.entry.turn, one.value) == (before.entry.turn, before.value)


def _refused(refused: Sequence[_Time], of: Sequence[_Time]) -> str:
    """Return in words how many calls of a tool were refused, and in which turns."""
    if len(refused) == len(of):
        return "" if not of else "refused" if len(of) == 1 else "refused each time"
    return f"refused {_often(len(refused))}, {_turns(refused)}" if refused else ""


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _turns(times: Sequence[_Time]) -> str:
    """Return in words in which turns something happened, and how often in each."""
    counts = Counter(one.entry.turn for one in times)
    named = [f"{turn} ({_often(count)})" if count > 1 < len(counts) else str(turn) for turn, count in counts.items()]
    if not named:
        return ""
    last = "the last " if len(named) > _MOST_TIMES else ""
    return f"{last}in turn{'s' if len(named) > 1 else ''} {listed(named[-_MOST_TIMES:])}"


def _values(query: Query, times: Sequence[_Time]) -> str:
    """Return in words which values were set."""
    name = query.subject.name
    shown = [f"{query.end.value(name, one.value)} in turn {one.entry.turn}" for one in times[-_MOST_TIMES:]]
    return ("at last " if len(times) > _MOST_TIMES else "") + ", then ".join(shown)


def _changed(times: Sequence[_Time]) -> str:
    changes = sum(one.value != other.value for one, other in pairwise(times))
    return _often(changes) if changes else ""


async def _times(query: Query, entry: e.Entry) -> Iterable[_Time]:
    """Return the times that an entry is one of the subject: none, or one."""
    event, kind, name = entry.event, query.subject.kind, query.subject.name
    if isinstance(event, e.Decided):
        is_it = kind == "transition" and event.taken >= 0 and await _taken(query, entry, event) == name
        return [_Time(entry)] if is_it else []
    found = _of_tool(entry, name) if kind == "tool" else _of_model(entry) if kind == "model" else None
    if found is not None:
        return [found]
    return [_Time(entry, getattr(event, "value", None))] if _is_of(event, kind, name) else []


def _is_of(event: e.AnyEvent, kind: SubjectKind, name: str) -> bool:
    match event:
        case e.FieldSet(field=field):
            return kind == "field" and field == name
        case e.Said(question="field", field=field):
            return kind == "question" and field == name
        case e.Started(node=node, is_entered=True) | e.Moved(target=node):
            return kind == "node" and node == name
        case e.TimerFired(timer=timer):
            return kind == "timer" and timer == name
        case e.TakenOver():
            return kind == "person"
        case e.UserSaid() | e.UserChose():
            return kind == "message"
        case _:
            return False


def _of_tool(entry: e.Entry, name: str) -> _Time | None:
    match entry.event:
        case e.ToolReturned(tool=tool) | e.ToolUsed(tool=tool) | e.ToolFailed(tool=tool, not_run=False) if tool == name:
            return _Time(entry)
        case e.CallAnswered(tool=tool, result=result) if tool == name:
            return _Time(entry, is_refused=not result["success"])
        case e.CallRefused(tool=tool) if tool == name:
            return _Time(entry, is_refused=True)
        case _:
            return None


def _of_model(entry: e.Entry) -> _Time | None:
    match entry.event:
        case e.ModelReplied() | e.Understood(by="model") as event:
            return _Time(entry, event.tokens_in + event.tokens_out)
        case e.ModelFailed():
            return _Time(entry)
        case _:
            return None


async def _taken(query: Query, entry: e.Entry, decided: e.Decided) -> str:
    """Return the transition that a decision took, by the version of the flow at that time; none where the `enter_when`
    of the node in charge only keeps it.
    """
    turn = await query.history.turn(entry.turn)
    machine = turn.machine if turn is not None else query.machine
    taken = machine.candidates(decided.node, cast("Moment", decided.moment)).all[decided.taken]
    return "" if taken.level == "enter" and taken.target == decided.node else taken.id
