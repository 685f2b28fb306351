"""What the façade is given, checked at the call: arguments become events, or the error says what is expected.

What has the wrong kind raises `WrongArgument`. What the flow or the conversation does not know is refused later,
with the turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from turnwise.core import events as e
from turnwise.core.commands import AnyCommand
from turnwise.core.machine import Machine
from turnwise.errors import UnknownTransition, WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.runner.ports import Clock, Model, Store

_COMMANDS = get_args(AnyCommand)


# events ------------------------------------------------------------------------------------------


def said(text: str) -> e.UserSaid:
    """A message."""
    return e.UserSaid(_text("text", text))


def chosen(button: str | e.Button, position: int | None) -> e.UserChose:
    """The press of a button, named by value, label, or as the turn gave it."""
    if isinstance(button, e.Button):
        button = button.value
    if not _is(button, str):
        raise WrongArgument("button", button, "a Button, or its value or label as a str")
    return e.UserChose(button, _number("position", position))


def commanded(commands: Iterable[AnyCommand]) -> e.Commands:
    """Commands from elsewhere."""
    if not _is(commands, Iterable) or _is(commands, str | bytes | Mapping):
        raise WrongArgument("commands", commands, "a list of commands, such as [tw.commands.Set(…)]")
    given = tuple(commands)
    for place, command in enumerate(given):
        if not _is(command, _COMMANDS):
            raise WrongArgument(f"commands[{place}]", command, "a command, such as tw.commands.Set(…)")
    return e.Commands(given)


def used(tool: str, arguments: Mapping[str, Any] | None, result: Any) -> e.ToolUsed:
    """The use of a tool."""
    if arguments is not None and not _is(arguments, Mapping):
        raise WrongArgument("arguments", arguments, "a mapping from names to values")
    return e.ToolUsed(_text("tool", tool), dict(arguments or {}), result)


def fired(timer: str, visit: int | None) -> e.TimerFired:
    """A timer that comes due."""
    return e.TimerFired(_text("timer", timer), _number("visit", visit))


def undone(to: int | None) -> e.UndoAsked:
    """Turns that are taken back."""
    return e.UndoAsked(_number("to", to))


# where, and which --------------------------------------------------------------------------------


def named(conversation: str, key: str = "", time_zone: str = "") -> str:
    """The name of a conversation; its other names are checked along."""
    _text("key", key)
    _text("time_zone", time_zone)
    if not _text("conversation", conversation).strip():
        raise WrongArgument("conversation", conversation, "a name that is not empty")
    return conversation


def asked(machine: Machine, turn: int | None, transition: str) -> None:
    """What is asked about a past turn: a number, and a transition of the flow or none."""
    _number("turn", turn)
    known = machine.transitions()
    if _text("transition", transition) and transition not in known:
        raise UnknownTransition(transition, nearest(transition, known))


# parts -------------------------------------------------------------------------------------------

_PORTS: dict[str, tuple[type, str]] = {
    "store": (Store, "a store, or the address of one, such as 'memory://'"),
    "model": (Model, "a model"),
    "clock": (Clock, "a clock, such as tw.ManualClock()"),
}


def parts(understand: object, **ports: object) -> None:
    """What a chat is made of has the methods that will be called; `None` stands for the usual part."""
    if understand is not None and not callable(understand):
        raise WrongArgument("understand", understand, "a function of a message and what is exposed")
    for name, part in ports.items():
        port, expected = _PORTS[name]
        needed = [method for method in vars(port) if not method.startswith("_")]
        missing = [method for method in needed if not callable(getattr(part, method, None))]
        if part is not None and missing:
            raise WrongArgument(name, part, f"{expected}, with {', '.join(f'{method}()' for method in missing)}")


def _text(name: str, given: str) -> str:
    if not _is(given, str):
        raise WrongArgument(name, given, "a str")
    return given


def _number(name: str, given: int | None) -> int | None:
    if given is not None and (not _is(given, int) or _is(given, bool)):
        raise WrongArgument(name, given, "an int or None")
    return given


def _is(given: object, kind: Any) -> bool:
    """True for what has the kind; callers may not check types, so what they are said to give is not believed."""
    return isinstance(given, kind)
