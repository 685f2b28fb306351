"""Arguments of a chat become events; arguments of `open` are checked for the methods that will be called.

An argument of the wrong kind raises `WrongArgument`, which says what the argument takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from turnwise.archive.arguments import check_number, check_text, is_of
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand
from turnwise.errors import WrongArgument
from turnwise.runner.json_data import NoData, plain
from turnwise.runner.ports import Clock, Model, Store, StreamingModel

_COMMANDS = get_args(AnyCommand)


# events ------------------------------------------------------------------------------------------


def message(text: str) -> e.UserSaid:
    """Make the event of a message."""
    return e.UserSaid(check_text("text", text))


def button_press(button: str | e.Button, position: int | None) -> e.UserChose:
    """Make the event of a button, named by its value, its label, or as the turn returned it."""
    if isinstance(button, e.Button):
        button = button.value
    if not is_of(button, str):
        raise WrongArgument("button", button, "a Button, or its value or label as a str")
    return e.UserChose(button, check_number("position", position))


def command_list(commands: Iterable[AnyCommand]) -> e.Commands:
    """Make the event of commands from elsewhere."""
    if not is_of(commands, Iterable) or is_of(commands, str | bytes | Mapping):
        raise WrongArgument("commands", commands, "a list of commands, such as [tw.commands.Set(…)]")
    found = tuple(commands)
    for place, command in enumerate(found):
        if not is_of(command, _COMMANDS):
            raise WrongArgument(f"commands[{place}]", command, "a command, such as tw.commands.Set(…)")
    return e.Commands(found)


def tool_use(tool: str, arguments: Mapping[str, Any] | None, result: Any) -> e.ToolUsed:
    """Make the event of a tool that the host's own code used; arguments and result become JSON data."""
    if arguments is not None and not is_of(arguments, Mapping):
        raise WrongArgument("arguments", arguments, "a mapping from names to values")
    data = {
        check_text("a name in arguments", name): _json_data(f"arguments[{name!r}]", value)
        for name, value in (arguments or {}).items()
    }
    return e.ToolUsed(check_text("tool", tool), data, _json_data("result", result))


def timer_fired(timer: str, visit: int | None) -> e.TimerFired:
    """Make the event of a timer that is due."""
    return e.TimerFired(check_text("timer", timer), check_number("visit", visit))


def undo_asked(to: int | None) -> e.UndoAsked:
    """Make the event that takes turns back."""
    return e.UndoAsked(check_number("to", to))


# parts -------------------------------------------------------------------------------------------

_PORTS: dict[str, tuple[type, str]] = {
    "store": (Store, "a store, or the address of one, such as 'memory://'"),
    "model": (Model, "a model, or the name of one, such as 'openai:gpt-5-mini'"),
    "clock": (Clock, "a clock, such as tw.ManualClock()"),
}


def check_parts(understand: object, **ports: object) -> None:
    """Check that each part has the methods that will be called; `None` stands for the default part."""
    if understand is not None:
        from turnwise.flow.describe import understanding_fault

        if expected := understanding_fault(understand):
            raise WrongArgument("understand", understand, expected)
    for name, part in ports.items():
        port, expected = _PORTS[name]
        port = StreamingModel if port is Model and hasattr(part, "stream") else port
        needed = [method for method in vars(port) if not method.startswith("_")]
        missing = [method for method in needed if not callable(getattr(part, method, None))]
        if part is not None and (missing or is_of(part, type)):
            calls = ", ".join(f"{method}()" for method in missing or needed[:1])
            raise WrongArgument(name, part, f"{expected}, with {calls}")


def check_store(store: Any) -> None:
    """Check a store, or its address."""
    if store is None:
        raise WrongArgument("store", store, _PORTS["store"][1])
    check_parts(None, store=None if is_of(store, str) else store)


def _json_data(name: str, value: Any) -> Any:
    try:
        found = plain(value)
    except NoData as error:
        raise WrongArgument(name, value, f"JSON data ({error})") from None
    if found.replaced:
        raise WrongArgument(name, value, "JSON data of whole letters")
    return found.data
