"""How often something happened in a conversation, and in which turns: the first fact where that is the question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

from turnwise.core.state import SAID_BY_USER
from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, SubjectKind
from turnwise.why.facts.builder import listed
from turnwise.why.path import taken_back
from turnwise.why.phrases import MISSED, PRESS, RESTART, UNDO
from turnwise.why.query import Query
from turnwise.why.subjects.setbacks import refuses_value
from turnwise.why.subjects.uses import undos_in_words

_MOST_TIMES = 8
"""How many turns or values are listed: the last."""


async def counted(query: Query, question: str = "") -> Fact | None:
    """Return how often happened in the conversation so far what a question asks of its subject, also in turns that were
    undone; `None` where that is nothing that happens, such as the end.
    """
    name, of_kind = query.subject.name, _of_kind(query.subject.kind, question)
    if not of_kind:
        return None
    count = of_kind[0]
    if count.is_of_forms and name not in query.machine.forms_of:
        return None
    found = [entry async for entry in query.back() if await _is_one(query, count, entry)][::-1]
    found = _corrections(found) if count.is_correction else found
    found = [one for one, before in zip(found, [None, *found], strict=False) if not _is_repeated(one, before)]
    refused = [one for one in found if count.is_of_calls and _is_refused(one.event)]
    gone = {entry.seq: undo.turn async for entry, undo in taken_back(query.back())}
    undos = [gone[one.seq] for one in found if one.seq in gone]
    values: dict[str, Any] = {
        "name": count.called.format(name=name),
        "did": count.did if found else count.did_not,
        "what": WHAT.get((count.called, count.did), ""),
        "count": len(found),
        "times": _often(len(found)) if found else "",
        "where": query.where,
        "turns": _turns(found) if not count.has_values else "",
        "given": _values(query, found) if count.has_values else "",
        "changed": _changed(found) if count.has_values else "",
        "refused": _refused(refused, found),
        "tokens": sum(_tokens(one.event) for one in found) or None,
        "is_special": count.asked is not None,
        "undone": len(undos) or None,
        "by": undos_in_words(undos),
    }
    return query.end.standing("counted", query.subject, **values)


def counts_of_all(question: str) -> bool:
    """Return whether a question counts something of the whole conversation: calls, values or answers of any name."""
    return any(one.kinds == _OF_ALL for one in _of_kind("conversation", question))


def is_counted(kind: SubjectKind, question: str) -> bool:
    """Return whether what a question asks of a kind of subjects is counted: not what was refused or failed, where only
    what happened is.
    """
    found = _of_kind(kind, question)
    return bool(found) and (found[0].asked is not None or found[0].is_of_calls or _SETBACK.search(question) is None)


def _of_kind(kind: SubjectKind, question: str) -> list[_Count]:
    """Return what can be counted of a kind of subjects and is asked for, the more special first."""
    return [one for one in _COUNTS if kind in one.kinds and (one.asked is None or one.asked.search(question))]


async def _is_one(query: Query, count: _Count, entry: e.Entry) -> bool:
    event, name = entry.event, query.subject.name
    if isinstance(event, e.Decided):
        return "transition" in count.kinds and event.taken >= 0 and await _taken(query, entry, event) == name
    return count.is_one(event, name)


async def _taken(query: Query, entry: e.Entry, decided: e.Decided) -> str:
    """Return the transition that a decision took, by the version of the flow at that time; none where the `enter_when`
    of the node in charge only keeps it.
    """
    turn = await query.history.whole(entry.turn)
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
    that. With `asked` only where the question has such words. Calls may be refused; questions are counted only of
    fields for which a form asks.
    """

    kinds: tuple[SubjectKind, ...]
    called: str
    did: str
    did_not: str
    is_one: Callable[[e.AnyEvent, str], bool]
    asked: re.Pattern[str] | None = None
    has_values: bool = False
    is_of_calls: bool = False
    is_of_forms: bool = False
    is_correction: bool = False


def _corrections(found: Sequence[e.Entry]) -> list[e.Entry]:
    """Return which values that the user gave replaced another one."""
    last, corrections = dict[str, Any](), list[e.Entry]()
    for one in found:
        field = one.event.field if isinstance(one.event, e.FieldSet) else ""
        corrections += [one] if field in last and last[field] != _value(one) else []
        last[field] = _value(one)
    return corrections


def _is_said(event: e.AnyEvent, _name: str) -> bool:
    return isinstance(event, e.FieldSet) and event.how in SAID_BY_USER


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


def _is_failure(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.ToolFailed) and event.tool == name


def _is_any_call(event: e.AnyEvent, _name: str) -> bool:
    """Return whether an event is what a call of any tool came to."""
    return _is_call(event, getattr(event, "tool", ""))


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


def _is_firing(event: e.AnyEvent, name: str) -> bool:
    return isinstance(event, e.TimerFired) and event.timer == name


def _is_stale(event: e.AnyEvent, _name: str) -> bool:
    return isinstance(event, e.Warned) and event.code == "stale_button"


def _no_event(_event: e.AnyEvent, _name: str) -> bool:
    return False


def _any_of(*types: type[e.AnyEvent]) -> Callable[[e.AnyEvent, str], bool]:
    return lambda event, _name: isinstance(event, types)


_REFUSAL = r"refuse|reject|decline|in vain|abgelehnt|zurückgewiesen|verweigert|vergeblich|vergebens|umsonst"
_FAULT = r"fail|wrong|error|fehl|schief|scheiter"
_MISSED, _REFUSED, _FAILED = late_pattern(MISSED), late_pattern(_REFUSAL), late_pattern(_FAULT)
_SETBACK = late_pattern(f"{MISSED}|{_REFUSAL}|{_FAULT}")
_CALLS = r"\b(?:calls?|tools?|(?:werkzeug)?aufruf\w*|werkzeug\w*)\b"
_VALUES = r"\b(?:values?|answers?|entries|werte?|antwort\w*|angaben?)\b"
_CALL_REFUSED, _CALL_FAILED = (
    late_pattern(f"(?=.*{_CALLS}).*(?:{_REFUSAL})"),
    late_pattern(f"(?=.*{_CALLS}).*(?:{_FAULT})"),
)
_VALUE_REFUSED = late_pattern(f"(?=.*{_VALUES}).*(?:{_REFUSAL})")
_CORRECTED = late_pattern(r"correct\w*|chang\w* (?:\w+ )?(?:mind|answer)|korrigier\w*|umentschieden|meinung geändert")
_TOOL = late_pattern(r"\btools?\b|werkzeug")
_ASKED = late_pattern(r"\bask|gefragt|\bfrag")
_UNDONE = late_pattern(rf"\b(?:{UNDO}|undos|(?:go|goes|went|gone) back)\b")
_CANCELLED = late_pattern(r"cancel|abgebrochen")
_PRESSED = late_pattern(rf"\b(?:{PRESS})\b")
_BUTTON_REFUSED = late_pattern(
    rf"(?=.*\b(?:{PRESS})\b).*(?:refuse|reject|ignor|abgelehnt|(?:not|n't|nicht) (?:accepted|taken|angenommen))"
)
_ANSWER, _UNDERSTOOD = "an answer about {name}", "was understood whenever it came"

_RESTARTED = late_pattern(rf"\b(?:{RESTART})\b")
_WRITE = r"\b(?:wr[io]te\w*|writes|written|sen[dt]\w*|said|says?|geschrieben|schrieb\w*|geschickt|gesendet|gesagt)\b"
_WRITTEN, _WROTE = late_pattern(_WRITE), late_pattern(rf"(?=.*\b(?:messages?|nachricht\w*)\b).*{_WRITE}")

_OF_ALL: tuple[SubjectKind, ...] = ("conversation",)
"""Of what is counted whatever its name is."""

_COUNTS: tuple[_Count, ...] = (
    _Count(_OF_ALL, "a call", "was refused", "was not refused", _is_refused_call, _CALL_REFUSED),
    _Count(_OF_ALL, "a call", "failed", "did not fail", _is_failed_call, _CALL_FAILED),
    _Count(_OF_ALL, "a value", "was refused", "was not refused", _is_refused_value, _VALUE_REFUSED),
    _Count(_OF_ALL, "an answer", "was not understood", "was understood whenever it came", _any_of(e.Missed), _MISSED),
    _Count(_OF_ALL, "a value", "was corrected", "was not corrected", _is_said, _CORRECTED, is_correction=True),
    _Count(_OF_ALL, "a form", "began anew", "did not begin anew", _is_restart, _RESTARTED),
    _Count(_OF_ALL, "an undo", "was made", "was not made", _any_of(e.Undone), _UNDONE),
    _Count(_OF_ALL, "the user", "wrote", "did not write", _any_of(e.UserSaid), _WROTE),
    _Count(("person",), "{name}", "wrote", "did not write", _is_operator_said, _WRITTEN),
    _Count(("tool",), "a call of {name}", "was refused", "was not refused", _is_refused_call, _REFUSED),
    _Count(("field", "question"), _ANSWER, "was not understood", _UNDERSTOOD, _is_missed, _MISSED),
    _Count(("field", "question"), "a value for {name}", "was refused", "was not refused", refuses_value, _REFUSED),
    _Count(("field",), "{name}", "was asked for", "was not asked for", _is_asked, _ASKED, is_of_forms=True),
    _Count(("message",), "a button", "was refused", "was not refused", _is_stale, _BUTTON_REFUSED),
    _Count(("message",), "a button", "was pressed", "was not pressed", _any_of(e.UserChose), _PRESSED),
    _Count(("message", "turn"), "a message", "was not understood", _UNDERSTOOD, _any_of(e.Missed), _MISSED),
    _Count(("model",), "a tool", "was called", "was not called", _is_any_call, _TOOL, is_of_calls=True),
    _Count(("model",), "the model", "failed", "did not fail", _any_of(e.ModelFailed), _FAILED),
    _Count(("tool",), "{name}", "failed", "did not fail", _is_failure, _FAILED),
    _Count(("turn", "conversation"), "a turn", "failed", "did not fail", _any_of(e.Failed), _FAILED),
    _Count(("turn", "message"), "an undo", "was made", "was not made", _any_of(e.Undone), _UNDONE),
    _Count(("form", "turn"), "the form", "was cancelled", "was not cancelled", _is_cancel, _CANCELLED),
    _Count(("field",), "{name}", "was set", "was not set", _is_set, has_values=True),
    _Count(("question",), "{name}", "was asked for", "was not asked for", _is_asked, is_of_forms=True),
    _Count(("node",), "{name}", "was entered", "was not entered", _is_entry),
    _Count(("transition",), "{name}", "was taken", "was not taken", _no_event),
    _Count(("tool",), "{name}", "was called", "was not called", _is_call, is_of_calls=True),
    _Count(("timer",), "{name}", "came due", "did not come due", _is_firing),
    _Count(("model",), "the model", "was called", "was not called", _is_of_model),
    _Count(("person",), "a person", "took over", "did not take over", _any_of(e.TakenOver)),
    _Count(("message",), "the user", "wrote", "did not write", _any_of(e.UserSaid, e.UserChose)),
)
"""What can be counted, the more special first."""

WHAT = {
    ("a call", "was refused"): "not_possible",
    ("a call of {name}", "was refused"): "not_possible",
    ("a call", "failed"): "failed",
    ("{name}", "failed"): "failed",
    ("the model", "failed"): "model_failed",
    ("a value", "was refused"): "refused",
    ("a value for {name}", "was refused"): "refused",
    ("an answer", "was not understood"): "missed",
    (_ANSWER, "was not understood"): "missed",
    ("a message", "was not understood"): "missed",
    ("a value", "was corrected"): "corrected",
    ("a form", "began anew"): "restarted",
    ("an undo", "was made"): "undone",
    ("the user", "wrote"): "written",
    ("a button", "was refused"): "stale",
    ("a button", "was pressed"): "pressed",
    ("the form", "was cancelled"): "cancelled",
    ("{name}", "was set"): "set",
    ("{name}", "was asked for"): "asked",
    ("{name}", "was called"): "called",
    ("the model", "was called"): "model_called",
    ("a person", "took over"): "person",
}
"""What the sentence for the user says that is counted, by what it is called and what it did."""
