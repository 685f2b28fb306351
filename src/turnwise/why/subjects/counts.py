"""How often something happened in a conversation, and in which turns."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

from turnwise.core.state import events as e
from turnwise.flow.model import Moment
from turnwise.runner.stored import PAUSE, with_pauses
from turnwise.why.answer import Fact, SubjectKind
from turnwise.why.facts.builder import listed
from turnwise.why.path import taken_back
from turnwise.why.query import Query
from turnwise.why.subjects.setbacks import refuses_value
from turnwise.why.subjects.uses import undos_in_words

_MOST_TIMES = 8
"""How many turns or values are listed: the last."""


async def counted(query: Query) -> list[Fact]:
    """Return how often the subject of a question happened in the conversation so far, also in turns that were undone,
    and how often what can go wrong with it, where it did; none where nothing of it can be counted, as of the end.
    """
    name, kind = query.subject.name, query.subject.kind
    is_asked = name in query.machine.forms_of
    counts = [one for one in _COUNTS if kind in one.kinds and (is_asked or not one.is_of_forms)]
    types = {type_ for one in counts for type_ in one.types}
    entries = [entry async for entry in query.back(*types)][::-1] if counts else []
    gone = {entry.seq: undo.turn async for entry, undo in taken_back(query.back(e.Undone, *types))} if entries else {}
    found: list[Fact] = []
    for one in counts:
        own = await _matching(query, one, entries)
        found += [_fact(query, one, own, gone)] if own or not one.is_optional else []
    return found


async def _matching(query: Query, count: _Count, entries: Sequence[e.Entry]) -> list[e.Entry]:
    """Return the entries that are counted, without a value that was set once more by the same message."""
    name, types, is_one = query.subject.name, count.types, count.is_one
    if "transition" in count.kinds:
        return [one async for one in with_pauses(entries) if await _taken(query, one) == name]
    if len(entries) > PAUSE:
        await asyncio.sleep(0)
    found = [one for one in entries if type(one.event) in types and (is_one is None or is_one(one.event, name))]
    if not count.has_values:
        return found
    return [one for one, before in zip(found, [None, *found], strict=False) if not _is_repeated(one, before)]


def _fact(query: Query, count: _Count, found: Sequence[e.Entry], gone: Mapping[int, int]) -> Fact:
    refused = [one for one in found if _is_refused(one.event)] if count.is_of_calls else []
    undos = [gone[one.seq] for one in found if one.seq in gone] if gone else []
    values: dict[str, Any] = {
        "name": count.called.format(name=query.subject.name),
        "did": count.did if found else count.did_not,
        "count": len(found),
        "times": _often(len(found)) if found else "",
        "where": query.where,
        "turns": _turns(found) if not count.has_values else "",
        "given": _values(query, found) if count.has_values else "",
        "changed": _changed(found) if count.has_values else "",
        "refused": _refused(refused, found),
        "tokens": sum([_tokens(one.event) for one in found]) or None,
        "undone": len(undos) or None,
        "by": undos_in_words(undos),
    }
    return query.end.standing("counted", query.subject, **values)


async def _taken(query: Query, entry: e.Entry) -> str:
    """Return the transition that a decision took, by the version of the flow at that time; none where the `enter_when`
    of the node in charge only keeps it.
    """
    decided = entry.event
    if not isinstance(decided, e.Decided) or decided.taken < 0:
        return ""
    turn = await query.history.stored_turn(entry.turn)
    machine = await query.history.machines.shown_of_state(turn.after) if turn is not None else query.machine
    taken = machine.candidates(decided.node, cast("Moment", decided.moment)).all[decided.taken]
    return "" if taken.level == "enter" and taken.target == decided.node else taken.id


# in words -----------------------------------------------------------------------------------------


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _turns(found: Sequence[e.Entry]) -> str:
    """Return in words in which turns something happened, and how often in each."""
    counts = Counter(one.turn for one in found)
    named = [f"{turn} ({_often(count)})" if count > 1 < len(counts) else str(turn) for turn, count in counts.items()]
    if not named:
        return ""
    last = "the last " if len(named) > _MOST_TIMES else ""
    return f"{last}in turn{'s' if len(named) > 1 else ''} {listed(named[-_MOST_TIMES:])}"


def _values(query: Query, found: Sequence[e.Entry]) -> str:
    """Return in words which values were set."""
    name = query.subject.name
    shown = [f"{query.end.value(name, _value(one))} in turn {one.turn}" for one in found[-_MOST_TIMES:]]
    return ("at last " if len(found) > _MOST_TIMES else "") + ", then ".join(shown)


def _changed(found: Sequence[e.Entry]) -> str:
    changes = sum(_value(one) != _value(other) for one, other in pairwise(found))
    return _often(changes) if changes else ""


def _refused(refused: Sequence[e.Entry], of: Sequence[e.Entry]) -> str:
    """Return in words how many calls of a tool were refused, and in which turns."""
    if len(refused) == len(of):
        return "" if not of else "refused" if len(of) == 1 else "refused each time"
    return f"refused {_often(len(refused))}, {_turns(refused)}" if refused else ""


def _value(entry: e.Entry) -> Any:
    return entry.event.value if isinstance(entry.event, e.FieldSet) else None


def _is_repeated(one: e.Entry, before: e.Entry | None) -> bool:
    """Return whether a value was set once more in a turn that had set it: at each node that read the message."""
    if before is None or not isinstance(one.event, e.FieldSet) or one.event.field != getattr(before.event, "field", ""):
        return False
    return (one.turn, _value(one)) == (before.turn, _value(before))


# what is counted ----------------------------------------------------------------------------------


class _Count(NamedTuple):
    """What is counted of some kinds of subjects: what it is called, what it did, that it did not, and which events are
    that: their types, and which of these. Calls may be refused; questions are counted only of fields for which a form
    asks. An optional count is named only where there was one.
    """

    kinds: tuple[SubjectKind, ...]
    called: str
    did: str
    did_not: str
    types: tuple[type[e.AnyEvent], ...]
    is_one: Callable[[Any, str], bool] | None = None
    has_values: bool = False
    is_of_calls: bool = False
    is_of_forms: bool = False
    is_optional: bool = False


def _is_of_field(event: e.FieldSet | e.Missed, name: str) -> bool:
    return event.field == name


def _is_asked(event: e.Said, name: str) -> bool:
    return event.question == "field" and event.field == name and event.kind != "reminder"


def _is_entry(event: e.Started | e.Moved, name: str) -> bool:
    return event.target == name if isinstance(event, e.Moved) else event.is_entered and event.node == name


def _is_call(event: _CallResult, name: str) -> bool:
    return event.tool == name and _was_run(event, name)


def _was_run(event: _CallResult, _name: str) -> bool:
    return not (isinstance(event, e.ToolFailed) and event.not_run)


def _is_failure(event: e.ToolFailed, name: str) -> bool:
    return event.tool == name


def _is_refused(event: e.AnyEvent, _name: str = "") -> bool:
    return isinstance(event, e.CallRefused) or (isinstance(event, e.CallAnswered) and not event.result["success"])


def _is_refused_value(event: e.CommandRefused | e.Faulted | e.GiveBackRefused, _name: str) -> bool:
    match event:
        case e.CommandRefused(field=field):
            return bool(field)
        case e.Faulted(fault=fault):
            return fault.kind == "write" and bool(fault.subject)
        case _:
            return True


def _is_of_model(event: e.ModelReplied | e.ModelFailed | e.Understood, _name: str) -> bool:
    return not isinstance(event, e.Understood) or event.by == "model"


def _tokens(event: e.AnyEvent) -> int:
    return event.tokens_in + event.tokens_out if isinstance(event, e.ModelReplied | e.Understood) else 0


def _is_cancel(event: e.CommandApplied, _name: str) -> bool:
    return event.command == "cancel"


def _is_restart(event: e.CommandApplied, _name: str) -> bool:
    return event.command == "restart"


def _is_by(event: e.OperatorSaid, name: str) -> bool:
    return name in ("", event.operator)


def _is_stale(event: e.Warned, _name: str) -> bool:
    return event.code == "stale_button"


def _is_firing(event: e.TimerFired, name: str) -> bool:
    return event.timer == name


_CallResult = e.ToolReturned | e.ToolUsed | e.ToolFailed | e.CallAnswered | e.CallRefused
_CALL = (e.ToolReturned, e.ToolUsed, e.ToolFailed, e.CallAnswered, e.CallRefused)
_MODEL = (e.ModelReplied, e.ModelFailed, e.Understood)
_REFUSED_VALUE = (e.CommandRefused, e.Faulted, e.GiveBackRefused)
_REFUSAL = (*_REFUSED_VALUE, e.Warned)
_ANSWER, _VALUE = "an answer about {name}", "a value for {name}"

_COUNTS: tuple[_Count, ...] = (
    _Count(("field",), "{name}", "was set", "was not set", (e.FieldSet,), _is_of_field, has_values=True),
    _Count(
        ("field", "question"), "{name}", "was asked for", "was not asked for", (e.Said,), _is_asked, is_of_forms=True
    ),
    _Count(("field", "question"), _ANSWER, "was not understood", "", (e.Missed,), _is_of_field, is_optional=True),
    _Count(("field", "question"), _VALUE, "was refused", "", _REFUSAL, refuses_value, is_optional=True),
    _Count(("node",), "{name}", "was entered", "was not entered", (e.Started, e.Moved), _is_entry),
    _Count(("transition",), "{name}", "was taken", "was not taken", (e.Decided,)),
    _Count(("tool",), "{name}", "was called", "was not called", _CALL, _is_call, is_of_calls=True),
    _Count(("tool",), "{name}", "failed", "", (e.ToolFailed,), _is_failure, is_optional=True),
    _Count(("timer",), "{name}", "came due", "did not come due", (e.TimerFired,), _is_firing),
    _Count(("model",), "the model", "was called", "was not called", _MODEL, _is_of_model),
    _Count(("model",), "a tool", "was called", "", _CALL, _was_run, is_of_calls=True, is_optional=True),
    _Count(("model",), "the model", "failed", "", (e.ModelFailed,), is_optional=True),
    _Count(("person",), "a person", "took over", "did not take over", (e.TakenOver,)),
    _Count(("person",), "{name}", "wrote", "", (e.OperatorSaid,), _is_by, is_optional=True),
    _Count(("form",), "the form", "was cancelled", "", (e.CommandApplied,), _is_cancel, is_optional=True),
    _Count(("form",), "a form", "began anew", "", (e.CommandApplied,), _is_restart, is_optional=True),
    _Count(("conversation",), "the user", "wrote", "did not write", (e.UserSaid, e.UserChose)),
    _Count(("conversation",), "a button", "was pressed", "", (e.UserChose,), is_optional=True),
    _Count(("conversation",), "a button", "was refused", "", (e.Warned,), _is_stale, is_optional=True),
    _Count(("conversation",), "an answer", "was not understood", "", (e.Missed,), is_optional=True),
    _Count(("conversation",), "a value", "was refused", "", _REFUSED_VALUE, _is_refused_value, is_optional=True),
    _Count(
        ("conversation",), "a call", "was refused", "", (e.CallAnswered, e.CallRefused), _is_refused, is_optional=True
    ),
    _Count(("conversation",), "a call", "failed", "", (e.ToolFailed,), _was_run, is_optional=True),
    _Count(("conversation",), "a turn", "failed", "", (e.Failed,), is_optional=True),
    _Count(("conversation",), "an undo", "was made", "", (e.Undone,), is_optional=True),
)
"""What is counted of each kind of subject."""
