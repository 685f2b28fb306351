"""Understanding by a model (law 3.4): one structured request with the allowed fields, whose reply is parsed to
commands.

The model proposes; each command is checked like any other. What it claims beside them is kept and not believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast, get_args

from msgspec import ValidationError, convert
from msgspec.structs import replace

from turnwise.core.call_names import UNDERSTANDING_TOOL
from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.commands.item_support import given_values, input_of_item
from turnwise.core.commands.quotes import place_of
from turnwise.core.commands.support import with_objections
from turnwise.core.commands.unasked import Unasked, may_be_given_unasked
from turnwise.core.prompts import ModelRequest
from turnwise.core.prompts.command_schemas import command_schemas
from turnwise.core.prompts.item_commands import (
    ITEM_RULES,
    as_item_command,
    choice_fields,
    choice_text,
    list_text,
    lists_of_items,
    options_text,
)
from turnwise.core.prompts.markers import without_marks
from turnwise.core.state.commands import Add, AnyCommand, Edit, ItemCommand, Set
from turnwise.core.state.effects import Call, Message, ToolSpec
from turnwise.core.values.json_data import as_list, as_object
from turnwise.core.values.schema import object_schema

TOOL_NAME = UNDERSTANDING_TOOL
"""The name of the tool by whose call a model proposes commands."""
SaysOther = Callable[[str, Any, str, AllowedInput], bool]
"""A function that returns whether words mean another value of a field (by its address) than a model understood; for a
list of records the value is the command (an `edit` where it chooses an item), and the words are the whole message."""

UNUSUAL_VALUES = (98765431, "0001-01-01", "04:58", "04:59", "0001-01-01T04:59")
"""A number, day, time and moment that no user means: words that the rules read as another value are such words, and
what they were quoted for was compared before.
"""
_KINDS = get_args(AnyCommand)
_WITH_FIELD = ("set", "clear", "add", "change", "remove", "move", "copy", "edit", "help", "why")
_MOST_COMMANDS = 50

_TASK = """You read one message of a user and say what it means, as commands. You do not answer the user.
Propose only what the message itself says. What it does not mention stays as it is: leave it out.
Never guess a value, and never clear a field unless the user takes the value back. A value that the message does not \
speak of, such as "unknown", "null" or "N/A", is no value.
Give each command the exact words of the message that it comes from: a command whose words are not there is refused.
`affirm` is only a plain yes, with the words that say yes. It is no yes where the message asks something, doubts,
sets a condition, limits or changes what was asked ("yes, but only 40", "yes, what does it cost?", "I think so"), or
says yes to something else.
A changed mind within the message counts with its last word.
`set` with `correction` replaces a value that the user knows to be there."""
_COMMANDS = {
    "set": "a field is given a value",
    "clear": "a field's value is taken back",
    "add": "an item for a list",
    "change": "one value of an item of a list",
    "remove": "an item that is to leave a list",
    "move": "an item to another place of its list",
    "copy": "an item of a list once more, or several times",
    "affirm": "yes, to what was asked",
    "deny": "no, to what was asked",
    "edit": "an answer is to be changed, without its new value",
    "skip": "this question is to be left out",
    "back": "the question before this one again",
    "help": "what is meant is not clear to the user",
    "why": "why something was asked, said or done",
    "repeat": "say that again",
    "wait": "one moment",
    "cancel": "stop this",
    "restart": "begin again",
    "undo": "take the last step back",
    "start": "begin something else, by its name",
    "hand_over": "a person shall take over",
    "ask": "a question to be answered aside, in `text`",
}


def understanding_request(
    message: str, allowed: AllowedInput, before: Iterable[Message], model: str, *, node: str
) -> ModelRequest:
    """Return the request to the model `model` to understand a message at a node: the task, what is allowed, the
    messages before.
    """
    task = f"{_TASK}\n{ITEM_RULES}" if lists_of_items(allowed) else _TASK
    return ModelRequest(
        node=node,
        instructions=(task, without_marks(_text_of_allowed(allowed))),
        transcript=(*before, Message("user", without_marks(message))),
        tools=(_tool(allowed),),
        must_call=TOOL_NAME,
        language=allowed.language,
        model=model,
    )


def _text_of_allowed(allowed: AllowedInput) -> str:
    """Return the fields that may be filled, and what is open. What changes from message to message comes last, so that
    providers can keep the rest.
    """
    lines = ["Fields:", *[_line(field) for field in allowed.fields]] if allowed.fields else []
    lines.append("Commands: " + "; ".join(f"{name}: {_COMMANDS[name]}" for name in allowed.commands))
    if allowed.starts:
        lines.append(f"May be started: {', '.join(allowed.starts)}")
        lines += [f"- {one.scope}, as in: {phrase}" for one in allowed.begins for phrase in one.gapped]
    known = [field for field in allowed.fields if field.value is not None and not field.field.parts]
    if known:
        lines.append("Values now: " + "; ".join(f"{field.address} is {field.value!r}" for field in known))
    if choice := choice_text(allowed):
        lines.append(choice)
    elif allowed.asked:
        lines.append(f"The question that is open is for: {allowed.asked}")
    elif allowed.question:
        lines.append(f"Open is: {allowed.question}")
    return "\n".join(lines)


def _line(field: AllowedField) -> str:
    if field.field.parts:
        return list_text(field)
    options = f"; one of: {options_text(field.field.options)}" if field.field.options else ""
    return f"- {field.address} ({field.field.type}): {field.title}{options}"


def _tool(allowed: AllowedInput) -> ToolSpec:
    """Return the schema of what may be proposed: just the allowed commands, fields and types."""
    parameters = object_schema(()) | {
        "properties": {"commands": {"type": "array", "items": {"anyOf": list(command_schemas(allowed))}}},
        "required": ["commands"],
    }
    return ToolSpec(TOOL_NAME, "say what the message means; an empty list where it means none of this", parameters)


def read_understanding(
    calls: Iterable[Call],
    message: str,
    allowed: AllowedInput,
    said_before: str = "",
    says_other: SaysOther = lambda _words, _value, _field, _allowed: False,
) -> tuple[tuple[AnyCommand, ...], dict[str, Any]]:
    """Return the commands that a model proposed in its calls, and its other claims by name. Commands that the message
    does not support carry an objection; `said_before` is the text that was sent to the user just before, `says_other`
    compares a value with the words that it is quoted for. Raises `ValueError` where the model proposed nothing that can
    be read.
    """
    call = next((one for one in calls if one.tool == TOOL_NAME), None)
    if call is None:
        raise ValueError("the model did not say what it understood")
    if call.wrong:
        raise ValueError(f"what the model understood cannot be read: {call.wrong}")
    given = as_list(call.arguments.get("commands"))
    if given is None:
        raise ValueError("the model did not give a list of commands")
    claims = {key: value for key, value in call.arguments.items() if key != "commands"}
    found: list[AnyCommand] = []
    misquoted: list[bool] = []
    unread: list[Any] = []
    for one in given[:_MOST_COMMANDS]:
        command, is_misquoted = _command(one, message, allowed)
        if command is None:
            unread.append(one)
        else:
            found.append(command)
            misquoted.append(is_misquoted)
    commands = with_objections(found, misquoted, message, allowed, said_before)
    commands = tuple(_unless_other(one, message, allowed, says_other) for one in commands)
    unasked = Unasked(message, allowed, commands, said_before)
    commands = tuple(_unless_beside(one, unasked, says_other) for one in commands)
    return commands, claims | ({"unread": unread} if unread else {})


def _unless_other(command: AnyCommand, message: str, allowed: AllowedInput, says_other: SaysOther) -> AnyCommand:
    """Return a command, with an objection if the words that it quotes mean another value."""
    if isinstance(command, Edit) and not command.objection:
        return _unless_other_choice(command, message, allowed, says_other)
    if command.objection or not isinstance(command, Set | ItemCommand):
        return command
    words = message if command.words is None else message[slice(*command.words)]
    shown = allowed.field(command.field)
    if shown is not None and shown.field.parts:
        is_other = says_other(message, command, command.field, allowed)
        is_other = is_other or _gives_other(command, words, shown, allowed, says_other)
    elif isinstance(command, Set | Add):
        value = command.value if isinstance(command, Set) else command.item
        is_other = says_other(words, value, command.field, allowed)
    else:
        return command
    return replace(command, objection="unsupported") if is_other else command


def _unless_other_choice(command: Edit, message: str, allowed: AllowedInput, says_other: SaysOther) -> Edit:
    """Return the choice of an item, with an objection if the item is none of those shown, or the message names another
    one of them; any other wish to edit as it is.
    """
    address = allowed.choosing[0] if allowed.choosing is not None else ""
    if not address or not command.field.startswith(f"{address}["):
        return command
    is_shown = command.field in choice_fields(allowed)
    is_other = not is_shown or says_other(message, command, address, allowed)
    return replace(command, objection="unsupported") if is_other else command


def _unless_beside(command: AnyCommand, unasked: Unasked, says_other: SaysOther) -> AnyCommand:
    """Return a command, with an objection if another question is open and the message does not name its value."""
    if command.objection or not isinstance(command, Set | ItemCommand):
        return command
    shown = unasked.allowed.field(command.field)
    if shown is None or not may_be_given_unasked(shown, unasked.allowed):
        return command
    if shown.field.parts:
        given = given_values(command, shown, unasked.allowed)
        is_named = all(unasked.is_named_in_item(command, field, value) for field, value in given)
        return command if is_named else replace(command, objection="not_named")
    if not isinstance(command, Set | Add):
        return command
    words = unasked.message if command.words is None else unasked.message[slice(*command.words)]
    is_read = any(says_other(words, one, command.field, unasked.allowed) for one in UNUSUAL_VALUES)
    return command if unasked.is_named(command, shown, is_read=is_read) else replace(command, objection="not_named")


def _gives_other(
    command: Set | ItemCommand, words: str, shown: AllowedField, allowed: AllowedInput, says_other: SaysOther
) -> bool:
    """Return whether the words of a command about items mean another value than one that it gives."""
    inside = input_of_item(shown, allowed)
    given = given_values(command, shown, allowed)
    return any(says_other(words, value, field.address, inside) for field, value in given)


def _command(given: Any, message: str, allowed: AllowedInput) -> tuple[AnyCommand | None, bool]:
    """Return one command, `None` where it is none, and whether it quotes words that the message does not have."""
    values = as_object(given)
    if values is None:
        return None, False
    name = values.get("command")
    parts = {key: value for key, value in values.items() if key not in ("command", "words", "objection")}
    if name not in _WITH_FIELD:
        parts.pop("field", None)
    if name in ("add", "remove") and "item" not in parts and "value" in parts:
        parts["item"] = parts["value"]
    parts = as_item_command(parts, allowed)
    if name == "why":
        parts = {key: value for key, value in parts.items() if key == "field"}
    given_words = values.get("words")
    quoted = given_words if isinstance(given_words, str) else ""
    is_quoting = bool(quoted.strip())
    words = place_of(quoted, message) if is_quoting else None
    try:
        return convert({**parts, "type": name, "words": words}, AnyCommand), is_quoting and words is None
    except (ValidationError, TypeError):
        return None, False


def commands_of(found: object) -> tuple[AnyCommand, ...]:
    """Return the commands that a host's own function returned. Raises `TypeError` for anything else."""
    if not isinstance(found, Iterable) or isinstance(found, str | bytes):
        kind = type(found).__name__
        raise TypeError(f"understand returned {kind}, expected a list of commands, [] where there is none")
    items = tuple(cast("Iterable[Any]", found))
    for one in items:
        if not isinstance(one, _KINDS):
            kind = type(one).__name__
            raise TypeError(f"understand returned a list with {kind}, expected commands such as tw.commands.Set")
    return items
