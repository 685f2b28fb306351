"""The transcript that a model is shown, from the entries of a journal: what was said, by whom, with calls and results.

Whatever a crash or a limit left behind, it is well-formed: every call has its result, right behind it, and no result
is without its call (law 3.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from turnwise.core import events as e
from turnwise.core.data import as_object
from turnwise.core.machine import Machine
from turnwise.core.messages import Call, Message
from turnwise.core.state import State
from turnwise.core.values import REDACTED

Line = tuple[int, Message]
"""A message, and the journal position where it stands."""
Secrets = Mapping[int, list[tuple[int, int]]]

NO_RESULT = "there is no result: the conversation went on without it"
"""What stands for the result of a call that never came to one."""
STEP = 64
"""A window that is full begins at a multiple of this position, so that many calls in a row begin alike."""

_MODEL_TEXTS = ("reply", "cut")
_WITH_CALL = (e.ToolReturned, e.ToolFailed, e.CallRefused)


def is_part(event: e.AnyEvent) -> bool:
    """True for what a transcript is made of."""
    kind = type(event)
    if kind in _MESSAGES:
        return not isinstance(event, _WITH_CALL) or bool(event.call)
    return isinstance(event, e.ModelReplied) and bool(event.calls)


def lines(machine: Machine, state: State, entries: Iterable[e.Entry], earlier: Sequence[Line] = ()) -> tuple[Line, ...]:
    """What was said in some entries, behind what was said before them, without the words of secrets. A result that
    comes late takes its place behind its call.
    """
    secrets = secret_places(machine, state)
    found: list[Line] = []
    results: dict[str, Message] = {}
    is_called = False
    for entry in entries:
        event = entry.event
        made = _MESSAGES.get(type(event))
        if made is not None:
            message = made(event, secrets.get(entry.seq, ()))
            if message.role == "tool":
                results[message.call] = message
            elif is_called and isinstance(event, e.Said) and event.kind in _MODEL_TEXTS:
                found[-1] = (found[-1][0], replace(found[-1][1], text=event.text))
            else:
                found.append((entry.seq, message))
            is_called = False
        elif isinstance(event, e.ModelReplied):
            is_called = bool(event.calls)
            if is_called:
                found.append((entry.seq, Message("agent", calls=tuple([_told(machine, one) for one in event.calls]))))
    new = tuple(_with_results(found, results))
    is_late = not results.keys() <= {one.call for _, one in new}
    return (*_settled(earlier, results), *new) if is_late else (*earlier, *new)


def _settled(earlier: Sequence[Line], results: Mapping[str, Message]) -> Iterable[Line]:
    """What was said before, with results that came late."""
    for seq, message in earlier:
        yield seq, results.get(message.call, message) if message.role == "tool" else message


def _with_results(found: Iterable[Line], results: Mapping[str, Message]) -> Iterable[Line]:
    """Each message, and behind the calls of one their results."""
    for seq, message in found:
        yield seq, message
        for call in message.calls:
            missing = Message("tool", call=call.id, tool=call.tool, result=_failure(NO_RESULT), is_error=True)
            yield seq, results.get(call.id, missing)


def window(found: Sequence[Line], most: int) -> tuple[Message, ...]:
    """The last messages, at most so many. It begins with no result, and as often as it can where the one before
    began: providers know again what they have read.
    """
    if len(found) > most:
        begin = len(found) - most
        step = (found[begin][0] // STEP + 1) * STEP
        later = next((n for n in range(begin, len(found)) if found[n][0] >= step), len(found))
        begin = later if len(found) - later >= (most + 1) // 2 else begin
        found = found[begin:]
    first = next((n for n, (_, message) in enumerate(found) if message.role != "tool"), len(found))
    return tuple([message for _, message in found[first:]])


# the parts ---------------------------------------------------------------------------------------


def _user(text: str, secrets: Iterable[tuple[int, int]]) -> Message:
    for start, end in secrets:
        text = text[:start] + REDACTED + text[end:]
    return Message("user", text)


def _result(event: e.ToolReturned) -> Message:
    return Message("tool", call=event.call, tool=event.tool, result=event.result)


def _no_result(call: str, tool: str, reason: str) -> Message:
    return Message("tool", call=call, tool=tool, result=_failure(reason), is_error=True)


def _failure(reason: str) -> dict[str, Any]:
    return {"success": False, "error": reason}


def _answer(event: e.CallAnswered) -> Message:
    is_error = not event.result["success"]
    return Message("tool", call=event.call, tool=event.tool, result=event.result, is_error=is_error)


_MESSAGES: dict[type, Callable[[Any, Iterable[tuple[int, int]]], Message]] = {
    e.UserSaid: lambda event, secrets: _user(event.text, secrets),
    e.UserChose: lambda event, secrets: _user(event.value, secrets),
    e.Said: lambda event, _: Message("agent", event.text),
    e.ToolReturned: lambda event, _: _result(event),
    e.ToolFailed: lambda event, _: _no_result(event.call, event.tool, event.reason),
    e.CallRefused: lambda event, _: _no_result(event.call, event.tool, event.text),
    e.CallAnswered: lambda event, _: _answer(event),
}
"""How each part of a transcript is told, but a model's calls."""


def _told(machine: Machine, call: Call) -> Call:
    """A call without the secrets that it wrote."""
    tool = machine.tools.get(call.tool)
    if tool is not None:
        secret = {name for name, arg in tool.args.items() if arg.secret}
        return replace(call, arguments=_redacted(call.arguments, secret)) if secret else call
    begin = call.tool.partition("_")[2] + "."
    secret = {name[len(begin) :] for name, field in machine.fields.items() if field.secret and name.startswith(begin)}
    if not secret:
        return call
    given = _redacted(call.arguments, secret)
    inner = {key: (value, as_object(value)) for key, value in given.items()}
    return replace(call, arguments={k: v if o is None else _redacted(o, secret) for k, (v, o) in inner.items()})


def _redacted(values: dict[str, Any], secret: set[str]) -> dict[str, Any]:
    return {key: REDACTED if key in secret else value for key, value in values.items()}


def secret_places(machine: Machine, state: State) -> dict[int, list[tuple[int, int]]]:
    """Where the words of secret values stand, by the position of their message, the last first."""
    if not machine.has_secrets:
        return {}
    places = [value.place for name, value in state.values.items() if machine.fields[name].secret]
    found: dict[int, list[tuple[int, int]]] = {}
    for seq, start, end in sorted((place for place in places if place is not None), reverse=True):
        behind = found.setdefault(seq, [])
        if behind and behind[-1][0] < end:
            behind[-1] = (start, max(end, behind[-1][1]))
        else:
            behind.append((start, end))
    return found
