"""The transcript in a request to a model: messages, replies, tool calls and results, from the journal.

Whatever a crash or a limit left behind, it is well-formed: every call has its result, right behind it, and no result
is without its call (law 3.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.external_events import data_shown
from turnwise.core.machine import Machine
from turnwise.core.prompts.markers import APPLICATION, data_without_marks, marked_as_of_person, without_marks
from turnwise.core.secrets import (
    Values,
    message_without_values,
    redacted_call,
    redacted_result,
    secret_arguments,
    secret_places,
)
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call, Message
from turnwise.core.state.kinds import ERASED
from turnwise.core.values import REDACTED


class Line(Struct, frozen=True, gc=False):
    """A message of a transcript, with the journal position and turn of its event."""

    seq: int
    """The journal position of the message's event."""
    turn: int
    """The number of the turn of the message's event."""
    message: Message
    """The message as the model receives it."""


Secrets = Mapping[int, list[tuple[int, int]]]
"""Where messages have secret words: start and end (exclusive) of each, in characters, by the journal position of the
message."""

NO_RESULT = "there is no result: the conversation went on without it"
"""What a model reads in place of the result of a call that has none."""
_MODEL_TEXTS = ("reply", "cut")
NOT_RUN_YET = "it waits for approval: it has not been run yet"
"""The result of a call that waits for approval, until it has one."""

_WITH_CALL = (e.ToolReturned, e.ToolFailed, e.CallRefused, e.CallHeld)


def is_in_transcript(event: e.AnyEvent) -> bool:
    """Return whether an event appears in a transcript."""
    kind = type(event)
    if kind in _MESSAGES:
        return kind not in _WITH_CALL or (isinstance(event, _WITH_CALL) and bool(event.call))
    return kind in (e.WordsHidden, e.CallApproved) or (type(event) is e.ModelReplied and bool(event.calls))


def lines(machine: Machine, state: State, entries: Iterable[e.Entry], earlier: Sequence[Line] = ()) -> tuple[Line, ...]:
    """Return the transcript of the frame in charge, without secrets: the `earlier` lines, then those of `entries`."""
    found = tuple(entries)
    builder = TranscriptBuilder(machine, earlier, state.frame.id, opening_message(state))
    builder.add(found, secret_places(machine, state, found))
    return builder.lines()


def opening_message(state: State) -> int:
    """Return the journal position of the outside message that was passed into the open scope; 0 without one."""
    return state.frame.scope.message if state.frame.scope is not None else 0


class TranscriptBuilder:
    """Builds the transcript of a frame from journal entries that are added in order.
    A late result is placed behind its call. `message` is the position of the message outside that the frame knows.
    """

    def __init__(self, machine: Machine, earlier: Sequence[Line] = (), frame: int = 0, message: int = 0) -> None:
        self.machine = machine
        self.frame = frame
        self.message = message
        self.earlier = earlier
        self._found: list[Line] = []
        self._results: dict[str, Message] = {}
        self._secret: dict[str, Values] = {}
        self._approved: dict[str, dict[str, Any]] = {}
        self._is_called = False

    def add(self, entries: Iterable[e.Entry], secrets: Secrets) -> None:
        """Add entries, in order; `secrets` has the places of secret words in them."""
        get, frame, message = _MESSAGES.get, self.frame, self.message
        for entry in entries:
            if entry.frame != frame and entry.seq != message:
                continue
            event = entry.event
            made = get(type(event))
            if made is not None:
                self._take(entry, event, made(event, secrets.get(entry.seq, ()) if secrets else ()))
            elif type(event) is e.ModelReplied:
                self._replied(entry, event)
            elif type(event) is e.CallApproved and event.is_edited:
                call = redacted_call(self.machine, Call(event.call, event.tool, event.arguments))
                self._approved[event.call] = call.arguments

    def _take(self, entry: e.Entry, event: e.AnyEvent, message: Message) -> None:
        if message.role == "tool":
            if not message.call:
                return
            if type(event) is e.ScopeClosed and not self._has_call(message.call):
                self._found.append(Line(entry.seq, entry.turn, _note(event)))
                return
            if isinstance(event, e.ToolReturned):
                if self.machine.has_secrets:
                    message = replace(message, result=redacted_result(self.machine, event.tool, message.result))
                if message.call in self._approved:
                    message = replace(message, result=_changed(self._approved[message.call], message.result))
            secret = self._secret.get(message.call)
            self._results[message.call] = message_without_values(message, secret) if secret else message
        elif type(event) is e.EventReceived or (type(event) is e.EventHeld and event.inside):
            self._found.append(Line(entry.seq, entry.turn, _happened(self.machine, event)))
        elif self._is_called and type(event) is e.Said and event.kind in _MODEL_TEXTS:
            last = self._found[-1]
            self._found[-1] = replace(last, message=replace(last.message, text=without_marks(event.text)))
        else:
            self._found.append(Line(entry.seq, entry.turn, message))
        self._is_called = False

    def _has_call(self, call: str) -> bool:
        """Return whether the call that opened a scope is here: it may have been erased while the scope was open."""
        known = (one.message.calls for found in (self._found, self.earlier) for one in reversed(found))
        return any(one.id == call for calls in known for one in calls)

    def _replied(self, entry: e.Entry, event: e.ModelReplied) -> None:
        self._is_called = bool(event.calls)
        if event.calls:
            calls = event.calls
            if self.machine.has_secrets:
                secret = {one.id: secret_arguments(self.machine, one.tool, one.arguments) for one in calls}
                self._secret |= secret
                calls = tuple([redacted_call(self.machine, one) for one in calls])
            self._found.append(Line(entry.seq, entry.turn, Message("agent", calls=calls, thoughts=event.thoughts)))

    def lines(self) -> tuple[Line, ...]:
        """Return the lines of the entries that were added so far."""
        new = _with_results(self._found, self._results)
        if self._results and not self._results.keys() <= {*map(_call_of, new)}:
            return (*_settled(self.earlier, self._results), *new)
        return (*self.earlier, *new)


_call_of = attrgetter("message.call")


def _settled(earlier: Sequence[Line], results: Mapping[str, Message]) -> Iterable[Line]:
    """Yield the earlier lines, with the tool results that arrived late."""
    for line in earlier:
        late = results.get(line.message.call) if line.message.role == "tool" else None
        yield line if late is None else replace(line, message=late)


def _with_results(found: Iterable[Line], results: Mapping[str, Message]) -> list[Line]:
    """Return each line, and after a message with calls their results."""
    whole: list[Line] = []
    for line in found:
        whole.append(line)
        for call in line.message.calls:
            message = results.get(call.id) or _no_result(call.id, call.tool, NO_RESULT)
            whole.append(Line(line.seq, line.turn, message))
    return whole


# the parts ---------------------------------------------------------------------------------------


def _user(text: str, secrets: Iterable[tuple[int, int]]) -> Message:
    for start, end in secrets if text != ERASED else ():
        text = text[:start] + REDACTED + text[end:]
    return Message("user", without_marks(text))


def _result(event: e.ToolReturned) -> Message:
    return Message("tool", call=event.call, tool=event.tool, result=data_without_marks(event.result))


def _changed(arguments: dict[str, Any], result: Any) -> dict[str, Any]:
    """Return the result of a call that was approved with other arguments than the model gave; it names them."""
    return {"note": "the arguments were changed when it was approved", "arguments": arguments, "result": result}


def _no_result(call: str, tool: str, reason: str) -> Message:
    return Message("tool", call=call, tool=tool, result=_failure(without_marks(reason)), is_error=True)


def _failure(reason: str) -> dict[str, Any]:
    return {"success": False, "error": reason}


def _closed(event: e.ScopeClosed) -> Message:
    """What stays of a scope: the result of the call that opened it, or a note of the application."""
    if not event.call:
        return _note(event)
    result = {"success": True, "outcome": event.outcome, "summary": without_marks(event.summary)}
    return Message("tool", call=event.call, tool=event.tool, result=result)


def _note(event: e.ScopeClosed) -> Message:
    return Message("agent", f"{APPLICATION} {without_marks(event.summary)}")


def _happened(machine: Machine, event: e.EventReceived | e.EventHeld) -> Message:
    """Tell of an event of another system, in the words of the application."""
    data = data_without_marks(data_shown(machine, event.name, event.data, REDACTED))
    shown = f": {encode(data).decode()}" if data else ""
    return Message("agent", f"{APPLICATION} event {event.name}{shown}")


def _answer(event: e.CallAnswered) -> Message:
    is_error = not event.result["success"]
    return Message("tool", call=event.call, tool=event.tool, result=data_without_marks(event.result), is_error=is_error)


_MESSAGES: dict[type, Callable[[Any, Iterable[tuple[int, int]]], Message]] = {
    e.UserSaid: lambda event, secrets: _user(event.text, secrets),
    e.UserChose: lambda event, secrets: _user(event.value, secrets),
    e.EventReceived: lambda event, _: Message("agent", event.name),
    e.EventHeld: lambda event, _: Message("agent", event.name),
    e.Said: lambda event, _: Message("agent", without_marks(event.text)),
    e.OperatorSaid: lambda event, _: Message(
        "agent",
        marked_as_of_person(event.display or event.operator, event.text),
        person=event.display or event.operator,
    ),
    e.ToolReturned: lambda event, _: _result(event),
    e.ToolFailed: lambda event, _: _no_result(event.call, event.tool, event.reason),
    e.CallRefused: lambda event, _: _no_result(event.call, event.tool, event.text),
    e.CallAnswered: lambda event, _: _answer(event),
    e.CallHeld: lambda event, _: _no_result(event.call, event.tool, NOT_RUN_YET),
    e.CallQueued: lambda event, _: _no_result(event.call, event.tool, NOT_RUN_YET),
    e.ScopeClosed: lambda event, _: _closed(event),
}
"""How each kind of event becomes a message; a reply of a model with calls is added by `_replied`."""
TRANSCRIPT_EVENTS = (*_MESSAGES, e.ModelReplied, e.WordsHidden, e.CallApproved)
"""What may be a part of a transcript."""
