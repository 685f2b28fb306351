"""Commands as people write them in scenarios: `set(user.age, 45); affirm`. Read and written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

from turnwise.core.state import commands as c
from turnwise.flow.diagnostic import nearest

_COMMAND = re.compile(r"\s*([a-z_]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_BARE: dict[str, type[Any]] = {
    "affirm": c.Affirm,
    "deny": c.Deny,
    "skip": c.Skip,
    "repeat": c.Repeat,
    "wait": c.Wait,
    "cancel": c.Cancel,
    "restart": c.Restart,
    "undo": c.Undo,
    "hand_over": c.HandOver,
    "edit": c.Edit,
    "help": c.Help,
}
_TOOL_USE = 'write it like think {"about": "x"} => "done"'
_CONSTANTS = {"true": True, "false": False, "null": None}


class NotationError(Exception):
    """A command or a use of a tool that cannot be read."""


def read_commands(text: str) -> tuple[c.AnyCommand, ...]:
    """The commands of a line, with semicolons between them. Raises `NotationError`."""
    return tuple(read_command(part) for part in _split(text, ";") if part.strip())


def read_command(text: str) -> c.AnyCommand:
    """One command."""
    found = _COMMAND.fullmatch(text)
    if found is None:
        raise NotationError(f"{text.strip()!r} is no command, write it like set(user.age, 45)")
    name, arguments = found.groups()
    values = [part.strip() for part in _split(arguments, ",")] if arguments and arguments.strip() else []
    return _made(name, values, text.strip())


def read_tool_use(text: str) -> tuple[str, dict[str, Any], Any]:
    """The tool, arguments and result of `think {"about": "x"} => "done"`. Raises `NotationError`."""
    head, _, result = text.partition("=>")
    name, _, arguments = head.strip().partition(" ")
    try:
        given: Any = json.loads(arguments) if arguments.strip() else {}
        came_out: Any = json.loads(result) if result.strip() else None
    except json.JSONDecodeError as error:
        raise NotationError(f"{text!r} is no use of a tool: {error}; {_TOOL_USE}") from None
    if not name or not isinstance(given, dict):
        raise NotationError(f"{text!r} is no use of a tool; {_TOOL_USE}")
    return name, cast("dict[str, Any]", given), came_out


def write_command(command: c.AnyCommand) -> str:
    """A command as `read_command` reads it."""
    name = c.name_of(command)
    match command:
        case c.Set(field=field, value=value, correction=correction):
            tail = ", correction" if correction else ""
            return f"set({field or '?'}, {_written(value)}{tail})"
        case c.Add(field=field, item=item) | c.Remove(field=field, item=item):
            return f"{name}({field}, {_written(item)})"
        case c.Clear(field=field) | c.Edit(field=field) | c.Help(field=field):
            return f"{name}({field})" if field else name
        case c.Start(target=target):
            return f"start({target})"
        case c.Ask(text=text):
            return f"ask({_written(text)})"
        case _:
            return name


def write_commands(commands: Iterable[c.AnyCommand]) -> str:
    """Commands in one line."""
    return "; ".join(write_command(command) for command in commands) or "nothing"


def _made(name: str, values: list[str], text: str) -> c.AnyCommand:
    if not values and name in _BARE:
        return _BARE[name]()
    maker = _MAKERS.get((name, len(values)))
    found = maker(*values) if maker is not None else None
    if found is None:
        hint = nearest(name, c.COMMAND_NAMES)
        raise NotationError(f"{text!r} is no command; {hint or 'write it like set(user.age, 45)'}")
    return found


def _set(field: str, value: str, word: str = "") -> c.Set | None:
    if word not in ("", "correction"):
        return None
    return c.Set(field="" if field == "?" else field, value=read_value(value), correction=bool(word))


def _add(field: str, item: str) -> c.Add:
    return c.Add(field=field, item=read_value(item))


def _remove(field: str, item: str) -> c.Remove:
    return c.Remove(field=field, item=read_value(item))


def _ask(question: str) -> c.Ask:
    return c.Ask(text=str(read_value(question)))


def _on_field(made: type[c.Clear | c.Edit | c.Help]) -> Callable[[str], c.AnyCommand]:
    def make(field: str) -> c.AnyCommand:
        return made(field=field)

    return make


def _start(target: str) -> c.Start:
    return c.Start(target=target)


_MAKERS: dict[tuple[str, int], Callable[..., c.AnyCommand | None]] = {
    ("set", 2): _set,
    ("set", 3): _set,
    ("add", 2): _add,
    ("remove", 2): _remove,
    ("clear", 1): _on_field(c.Clear),
    ("edit", 1): _on_field(c.Edit),
    ("help", 1): _on_field(c.Help),
    ("start", 1): _start,
    ("ask", 1): _ask,
}


def read_value(text: str) -> Any:
    """A value: JSON, or a bare text."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _split(text: str, separator: str) -> list[str]:
    """The parts between separators that stand outside quotes and brackets."""
    parts, depth, quoted, begin = list[str](), 0, False, 0
    for place, character in enumerate(text):
        if character == '"' and text[place - 1 : place] != "\\":
            quoted = not quoted
        elif not quoted and character in "([{":
            depth += 1
        elif not quoted and character in ")]}":
            depth -= 1
        elif character == separator and not quoted and not depth:
            parts.append(text[begin:place])
            begin = place + 1
    parts.append(text[begin:])
    return parts
