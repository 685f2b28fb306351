"""The transcript that a model is shown, from the entries of a journal: what was said, by whom, with calls and results.

Whatever a crash or a limit left behind, it is well-formed: every call has its result, right behind it, and no result
is without its call (law 3.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from turnwise.core import events as e
from turnwise.core.data import as_object
from turnwise.core.machine import Machine
from turnwise.core.messages import Call, Message
from turnwise.core.state import State
from turnwise.core.values import REDACTED

Secrets = Mapping[int, list[tuple[int, int]]]

NO_RESULT = "there is no result: the conversation went on without it"
"""What stands for the result of a call that never came to one."""

_MODEL_TEXTS = ("reply", "cut")


def is_part(event: e.AnyEvent) -> bool:
    """True for what a transcript is made of."""
    match event:
        case e.UserSaid() | e.UserChose() | e.Said():
            return True
        case e.ModelReplied(calls=calls):
            return bool(calls)
        case e.ToolReturned(call=call) | e.ToolFailed(call=call) | e.CallRefused(call=call):
            return bool(call)
        case e.CallAnswered():
            return True
        case _:
            return False


def transcript(machine: Machine, state: State, entries: Iterable[e.Entry]) -> tuple[Message, ...]:
    """What was said in some entries, in order, without the words of secrets."""
    secrets = secret_places(machine, state)
    found: list[Message] = []
    results: dict[str, Message] = {}
    is_called = False
    for entry in entries:
        message, was_called = _message(secrets, entry), is_called
        is_called = False
        match entry.event:
            case e.ModelReplied(calls=calls) if calls:
                found.append(Message("agent", calls=tuple([_told(machine, call) for call in calls])))
                is_called = True
            case e.Said(text=text, kind=kind) if was_called and kind in _MODEL_TEXTS:
                found[-1] = replace(found[-1], text=text)
            case _ if message is not None and message.role == "tool":
                results[message.call] = message
            case _ if message is not None:
                found.append(message)
            case _:
                is_called = was_called
    return tuple(_with_results(found, results))


def _message(secrets: Secrets, entry: e.Entry) -> Message | None:
    match entry.event:
        case e.UserSaid(text=said) | e.UserChose(value=said):
            for start, end in secrets.get(entry.seq, ()):
                said = said[:start] + REDACTED + said[end:]
            return Message("user", said)
        case e.Said(text=text):
            return Message("agent", text)
        case e.ToolReturned(call=call, tool=tool, result=result) if call:
            return Message("tool", call=call, tool=tool, result=result)
        case e.ToolFailed(call=call, tool=tool, reason=reason) if call:
            return Message("tool", call=call, tool=tool, result=_failure(reason), is_error=True)
        case e.CallRefused(call=call, tool=tool, text=text) if call:
            return Message("tool", call=call, tool=tool, result=_failure(text), is_error=True)
        case e.CallAnswered(call=call, tool=tool, result=result):
            return Message("tool", call=call, tool=tool, result=result, is_error=not result["success"])
        case _:
            return None


def _failure(reason: str) -> dict[str, Any]:
    return {"success": False, "error": reason}


def _with_results(found: list[Message], results: Mapping[str, Message]) -> Iterable[Message]:
    """Each message, and behind the calls of one their results."""
    for message in found:
        yield message
        for call in message.calls:
            missing = Message("tool", call=call.id, tool=call.tool, result=_failure(NO_RESULT), is_error=True)
            yield results.get(call.id, missing)


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
    inner = {key: (value, as_object(value)) for key, value in call.arguments.items()}
    return replace(call, arguments={k: v if o is None else _redacted(o, secret) for k, (v, o) in inner.items()})


def _redacted(values: dict[str, Any], secret: set[str]) -> dict[str, Any]:
    return {key: REDACTED if key in secret else value for key, value in values.items()}


def secret_places(machine: Machine, state: State) -> dict[int, list[tuple[int, int]]]:
    """Where the words of secret values stand, by the position of their message, the last first."""
    places = [value.place for name, value in state.values.items() if machine.fields[name].secret]
    found: dict[int, list[tuple[int, int]]] = {}
    for seq, start, end in sorted((place for place in places if place is not None), reverse=True):
        behind = found.setdefault(seq, [])
        if behind and behind[-1][0] < end:
            behind[-1] = (start, max(end, behind[-1][1]))
        else:
            behind.append((start, end))
    return found
