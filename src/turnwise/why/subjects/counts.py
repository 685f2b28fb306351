"""How often something happened in a conversation, and in which turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

from turnwise.core.state import events as e
from turnwise.flow.model import Moment
from turnwise.runner.stored import with_pauses
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
    of_kind = [
        one for one in _COUNTS if kind in one.kinds and not (one.is_of_forms and name not in query.machine.forms_of)
    ]
    entries = [entry async for entry in query.back()][::-1] if of_kind else []
    gone = {entry.seq: undo.turn async for entry, undo in taken_back(query.back())} if of_kind else {}
    facts = [(one, await _fact(query, one, entries, gone)) for one in of_kind]
    return [fact for one, fact in facts if not one.is_optional or fact.values["count"]]


async def _fact(query: Query, count: _Count, entries: Sequence[e.Entry], gone: Mapping[int, int]) -> Fact:
    name = query.subject.name
    found = [entry async for entry in with_pauses(entries) if await _is_one(query, count, entry)]
    found = [one for one, before in zip(found, [None, *found], strict=False) if not _is_repeated(one, before)]
    refused = [one for one in found if count.is_of_calls and _is_refused(one.event)]
    undos = [gone[one.seq] for one in found if one.seq in gone]
    values: dict[str, Any] = {
        "name": count.called.format(name=name),
        "did": count.did if found else count.did_not,
        "count": len(found),
        "times": _often(len(found)) if found else "",
        "where": query.where,
        "turns": _turns(found) if not count.has_values else "",
        "given": _values(query, found) if count.has_values else "",
        "changed": _changed(found) if count.has_values else "",
        "refused": _refused(refused, found),
        "tokens": sum(_tokens(one.event) for one in found) or None,
        "undone": len(undos) or None,
        "by": undos_in_words(undos),
    }
    return query.end.standing("counted", query.subject, **values)


async def _is_one(query: Query, count: _Count, entry: e.Entry) -> bool:
    event, name = entry.event, query.subject.name
    if isinstance(event, e.Decided):
        return "transition" in count.kinds and event.taken >= 0 and await _taken(query, entry, event) == name
    return count.is_one(event, name)


async def _taken(query: Query, entry: e.Entry, decided: e.Decided) -> str:
    """Return the transition that a decision took, by the version of the flow at that time; none where the `enter_when`
    of the node in charge only keeps it.
    """
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
    that. Calls may be refused; questions are counted only of fields for which a form asks. An optional
    count is named only where there was one.
    """

    kinds: tuple[SubjectKind, ...]
    called: str
    did: str
    did_not: str
    is_one: Callable[[e.AnyEvent, str], bool]
    has_values: bool = False
    is_of_calls: bool = False
    is_of_forms: bool = False
    is_optional: bool = False


def _is_set(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.FieldSet) and event.field == name


def _is_missed(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.Missed) and event.field == name


def _is_asked(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.Said) and event.question == "field" and event.field == name and event.kind != "reminder"


def _is_entry(event: e.AnyEvent, name: str) -> bool:
    match event:
        case e.Started(node=node, is_entered=True) | e.Moved(target=node):
            return node == name
        case _:
            return False


def _is_call(event: e.AnyEvent, name: str) -> bool:
    match event:
        case e.ToolReturned(tool=tool) | e.ToolUsed(tool=tool) | e.ToolFailed(tool=tool, not_run=False):
            return tool == name
        case e.CallAnswered(tool=tool) | e.CallRefused(tool=tool):
            return tool == name
        case _:
            return False


def _is_any_call(event: e.AnyEvent, _name: str) -> bool:
    """Return whether an event is what a call of any tool came to."""
    return _is_call(event, getattr(event, "tool", ""))


def _is_failure(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.ToolFailed) and event.tool == name


def _is_refused(event: e.AnyEvent) -> bool:
    return isinstance(event, e.CallRefused) or (isinstance(event, e.CallAnswered) and not event.result["success"])


def _is_refused_call(event: e.AnyEvent, name: str) -> bool:
    return _is_refused(event) and (not name or _is_call(event, name))


def _is_failed_call(event: e.AnyEvent, _name: str) -> bool:
    return isinstance(event, e.ToolFailed) and not event.not_run


def _is_refused_value(event: e.AnyEvent, _name: str) -> bool:
    match event:
        case e.CommandRefused(field=name):
            return bool(name)
        case e.Faulted(fault=fault):
            return fault.kind == "write" and bool(fault.subject)
        case _:
            return isinstance(event, e.GiveBackRefused)


def _is_of_model(event: e.AnyEvent, _name: str) -> bool:
    return isinstance(event, e.ModelReplied | e.ModelFailed) or (
        isinstance(event, e.Understood) and event.by == "model"
    )


def _tokens(event: e.AnyEvent) -> int:
    return event.tokens_in + event.tokens_out if isinstance(event, e.ModelReplied | e.Understood) else 0


def _is_cancel(event: e.AnyEvent, _name: str) -> bool:
    return isinstance(event, e.CommandApplied) and event.command == "cancel"


def _is_restart(event: e.AnyEvent, _name: str) -> bool:
    return isinstance(event, e.CommandApplied) and event.command == "restart"


def _is_operator_said(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.OperatorSaid) and name in ("", event.operator)


def _is_stale(event: e.AnyEvent, _name: str) -> bool:
    return isinstance(event, e.Warned) and event.code == "stale_button"


def _is_firing(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.TimerFired) and event.timer == name


def _no_event(_event: e.AnyEvent, _name: str) -> bool:
    return False


def _any_of(*types: type[e.AnyEvent]) -> Callable[[e.AnyEvent, str], bool]:
    return lambda event, _name: isinstance(event, types)


_ANSWER = "an answer about {name}"

_COUNTS: tuple[_Count, ...] = (
    _Count(("field",), "{name}", "was set", "was not set", _is_set, has_values=True),
    _Count(("field", "question"), "{name}", "was asked for", "was not asked for", _is_asked, is_of_forms=True),
    _Count(("field", "question"), _ANSWER, "was not understood", "", _is_missed, is_optional=True),
    _Count(("field", "question"), "a value for {name}", "was refused", "", refuses_value, is_optional=True),
    _Count(("node",), "{name}", "was entered", "was not entered", _is_entry),
    _Count(("transition",), "{name}", "was taken", "was not taken", _no_event),
    _Count(("tool",), "{name}", "was called", "was not called", _is_call, is_of_calls=True),
    _Count(("tool",), "{name}", "failed", "", _is_failure, is_optional=True),
    _Count(("timer",), "{name}", "came due", "did not come due", _is_firing),
    _Count(("model",), "the model", "was called", "was not called", _is_of_model),
    _Count(("model",), "a tool", "was called", "", _is_any_call, is_of_calls=True, is_optional=True),
    _Count(("model",), "the model", "failed", "", _any_of(e.ModelFailed), is_optional=True),
    _Count(("person",), "a person", "took over", "did not take over", _any_of(e.TakenOver)),
    _Count(("person",), "{name}", "wrote", "", _is_operator_said, is_optional=True),
    _Count(("form",), "the form", "was cancelled", "", _is_cancel, is_optional=True),
    _Count(("form",), "a form", "began anew", "", _is_restart, is_optional=True),
    _Count(("conversation",), "the user", "wrote", "did not write", _any_of(e.UserSaid, e.UserChose)),
    _Count(("conversation",), "a button", "was pressed", "", _any_of(e.UserChose), is_optional=True),
    _Count(("conversation",), "a button", "was refused", "", _is_stale, is_optional=True),
    _Count(("conversation",), "an answer", "was not understood", "", _any_of(e.Missed), is_optional=True),
    _Count(("conversation",), "a value", "was refused", "", _is_refused_value, is_optional=True),
    _Count(("conversation",), "a call", "was refused", "", _is_refused_call, is_optional=True),
    _Count(("conversation",), "a call", "failed", "", _is_failed_call, is_optional=True),
    _Count(("conversation",), "a turn", "failed", "", _any_of(e.Failed), is_optional=True),
    _Count(("conversation",), "an undo", "was made", "", _any_of(e.Undone), is_optional=True),
)
"""What is counted of each kind of subject."""
