"""The notation of scenarios: commands (`set(user.age, 45); affirm`), tool uses, calls, replies and results.

Each is read, written and compared here; nothing is played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, cast, get_args

from turnwise.api.open import Turn
from turnwise.core.secrets import Values, without_values
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.flow.diagnostic import nearest
from turnwise.runner.model_port import CallMade, ModelReply

FAILS = "fails"
"""The word for a call that failed."""
IN_DOUBT = "in doubt"
"""The words for a tool call that may have run."""
NONE = "none"
"""The word where a turn has nothing of what an expectation is about."""
NOTHING = "nothing"
"""The word for an understanding that proposes no commands."""
_COMMAND = re.compile(r"\s*([a-z_]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_CALL = re.compile(r"->\s*([^\s{\"\[]+)\s*(.*)", re.DOTALL)
_TOOL_USE = 'write it like think {"about": "x"} => "done"'
_CALL_FORM = 'write it like -> think {"about": "x"}'
_CALL_SEEN = f"{_TOOL_USE}, or with failed, in doubt, refused or held behind it"
_WORDS = "the script says that it fails"
_GAVE = "=> "
_ENDS = ("failed", IN_DOUBT, "refused", "held")
_CONSTANTS = {"true": True, "false": False, "null": None}


class NotationError(Exception):
    """A command, a tool use or a call cannot be read."""


def read_value(text: str) -> Any:
    """Return the value that a text means: its JSON, or the text itself if it is no JSON."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_event(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the data of an event of another system. Raises `NotationError`."""
    name, _, written = text.strip().partition(" ")
    try:
        data: Any = json.loads(written) if written.strip() else {}
    except json.JSONDecodeError:
        data = None
    if not name or not isinstance(data, dict):
        raise NotationError(f'{text.strip()!r} is no event, write it like payment_received {{"amount": 20}}')
    return name, cast("dict[str, Any]", data)


# commands ----------------------------------------------------------------------------------------


def read_commands(text: str) -> tuple[c.AnyCommand, ...]:
    """Return the commands of a line, which semicolons separate. Raises `NotationError`."""
    return tuple(read_command(part) for part in split_parts(text, ";") if part.strip())


def read_command(text: str) -> c.AnyCommand:
    """Return the command that a text means. Raises `NotationError`."""
    found = _COMMAND.fullmatch(text)
    if found is None:
        raise NotationError(f"{text.strip()!r} is no command, write it like set(user.age, 45)")
    name, arguments = found.groups()
    values = [part.strip() for part in split_parts(arguments, ",")] if arguments and arguments.strip() else []
    command = _command(name, values)
    if command is None:
        hint = nearest(name, get_args(c.CommandName))
        raise NotationError(f"{text.strip()!r} is no command; {hint or 'write it like set(user.age, 45)'}")
    return command


def _command(name: str, values: list[str]) -> c.AnyCommand | None:
    match name, values:
        case "set", [field, value, *more] if more in ([], [""], ["correction"]):
            field = "" if field == "?" else field
            return c.Set(field=field, value=read_value(value), correction=more == ["correction"])
        case (("add" | "remove"), [field, item]):
            return c.COMMANDS[name](field=field, item=read_value(item))
        case (("change" | "move" | "copy"), _):
            return _item_command(name, values)
        case (("clear" | "edit" | "help" | "why"), [field]):
            return c.COMMANDS[name](field=field)
        case "start", [target, *more] if len(more) <= 1:
            return c.Start(target=target, input=_input(*more))
        case "ask", [question]:
            return c.Ask(text=str(read_value(question)))
        case (("set" | "add" | "remove" | "clear" | "start" | "ask"), _):
            return None
        case _, []:
            return c.COMMANDS[name]() if name in c.COMMANDS else None
        case _:
            return None


def _input(given: str = "{}") -> dict[str, Any]:
    """The input of a scope, as JSON. Raises `NotationError`."""
    found = read_value(given)
    if isinstance(found, dict):
        return cast("dict[str, Any]", found)
    raise NotationError(f"{given!r} is no input of a scope: write its fields as JSON")


def _item_command(name: str, values: list[str]) -> c.AnyCommand | None:
    match name, values:
        case "change", [field, item, part, value]:
            return c.Change(field=field, item=_item_ref(item), name=part, value=read_value(value))
        case "move", [field, item, to]:
            return c.Move(field=field, item=_item_ref(item), to=_whole(to))
        case "copy", [field, item, *more] if len(more) <= 2:
            return _copy(field, item, *more)
        case _:
            return None


def _item_ref(text: str) -> c.ItemRef:
    """An item of a list of records: its id, its position, or values that it has. Raises `NotationError`."""
    found = read_value(text)
    if isinstance(found, str | int) and not isinstance(found, bool):
        return found
    if isinstance(found, dict):
        return cast("dict[str, Any]", found)
    raise NotationError(f"{text!r} names no item: write its id, its position, or values that it has, as JSON")


def _whole(text: str) -> int:
    found = read_value(text)
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    raise NotationError(f"{text!r} is no whole number")


def _copy(field: str, item: str, *more: str) -> c.Copy:
    values = [read_value(one) for one in more]
    count = next((one for one in values if isinstance(one, int)), 1)
    changes = [cast("dict[str, Any]", one) for one in values if isinstance(one, dict)]
    return c.Copy(field=field, item=_item_ref(item), count=count, changes=changes[0] if changes else {})


def write_command(command: c.AnyCommand) -> str:
    """Return a command in the notation of `read_command`."""
    name = c.name_of(command)
    match command:
        case c.Set(field=field, value=value, correction=correction):
            return f"set({field or '?'}, {_written(value)}{', correction' if correction else ''})"
        case c.Add(field=field, item=item) | c.Remove(field=field, item=item):
            return f"{name}({field}, {_written(item)})"
        case c.Change(field=field, item=item, name=part, value=value):
            return f"change({field}, {_written(item)}, {part}, {_written(value)})"
        case c.Move(field=field, item=item, to=to):
            return f"move({field}, {_written(item)}, {to})"
        case c.Copy(field=field, item=item, count=count, changes=changes):
            more = [str(count)] if count != 1 else []
            more += [_written(changes)] if changes else []
            return f"copy({', '.join([field, _written(item), *more])})"
        case c.Clear(field=field) | c.Edit(field=field) | c.Help(field=field) | c.Why(field=field):
            return f"{name}({field})" if field else name
        case c.Start(target=target, input=given):
            return f"start({target}, {_written(given)})" if given else f"start({target})"
        case c.Ask(text=text):
            return f"ask({_written(text)})"
        case _:
            return name


def write_commands(commands: Iterable[c.AnyCommand]) -> str:
    """Return commands in one line, separated by semicolons."""
    return "; ".join(write_command(command) for command in commands) or "nothing"


def split_parts(text: str, separator: str) -> list[str]:
    """Return the parts of a text between separators outside of quotes and brackets."""
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


# calls of tools ----------------------------------------------------------------------------------


def read_tool_use(text: str) -> tuple[str, dict[str, Any], Any]:
    """Return the tool, arguments and result of `think {"about": "x"} => "done"`. Raises `NotationError`."""
    head, _, result = text.partition("=>")
    name, _, arguments = head.strip().partition(" ")
    try:
        used: Any = json.loads(arguments) if arguments.strip() else {}
        output: Any = json.loads(result) if result.strip() else None
    except json.JSONDecodeError as error:
        raise NotationError(f"{text!r} is no use of a tool: {error}; {_TOOL_USE}") from None
    if not name or not isinstance(used, dict):
        raise NotationError(f"{text!r} is no use of a tool; {_TOOL_USE}")
    return name, cast("dict[str, Any]", used), output


class EndedCall(NamedTuple):
    """A tool call, and how it ended."""

    tool: str
    """The name of the tool."""
    arguments: dict[str, Any] | None
    """The arguments of the call by name; `None` if the line leaves them out."""
    end: str | None
    """The end of the call, as a line writes it; `None` if the line leaves it out."""

    @property
    def line(self) -> str:
        """The call in the notation of `read_call`."""
        arguments = None if self.arguments is None else _written(self.arguments)
        return " ".join(part for part in (self.tool, arguments, self.end) if part is not None)

    def without(self, hidden: Values) -> EndedCall:
        """Return the call with the values in `hidden` removed from its arguments and result; an error text never has
        them.
        """
        found = self.with_result(lambda result: without_values(result, hidden))
        return found._replace(arguments=without_values(self.arguments, hidden))

    def with_result(self, change: Callable[[Any], Any]) -> EndedCall:
        """Return the call with its result changed by a function; unchanged if it has no result."""
        if self.end is None or not self.end.startswith(_GAVE):
            return self
        return self._replace(end=_GAVE + _written(change(json.loads(self.end.removeprefix(_GAVE)))))

    def is_met_by(self, other: EndedCall) -> bool:
        """Return whether the other call has this tool, and the arguments and end that this one specifies."""
        kind = next((word for word in _ENDS if other.end is not None and other.end.startswith(word)), None)
        has_arguments = self.arguments in (None, other.arguments)
        return self.tool == other.tool and has_arguments and self.end in (None, other.end, kind)


def calls_of(turn: Turn) -> list[EndedCall]:
    """Return the tool calls of a turn, in the order in which they ended."""
    made = dict(_made(turn))
    found: list[EndedCall] = []
    for event in turn.events:
        match event:
            case e.ToolReturned(result=result) | e.CallAnswered(result=result):
                end = _GAVE + _written(result)
            case e.ToolFailed(reason=reason, in_doubt=in_doubt):
                end = f"{'in doubt' if in_doubt else 'failed'} {' '.join(reason.split())}"
            case e.CallRefused(reason=reason):
                end = f"refused {reason}"
            case e.CallHeld():
                end = "held"
            case _:
                continue
        found.append(EndedCall(event.tool, made.get(event.call or getattr(event, "effect", "")), end))
    return found


def _made(turn: Turn) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The arguments of each call: as they were run, else as the model gave them."""
    for request in turn.before.waiting_calls if turn.before is not None else ():
        yield request.call, request.arguments
        yield from ((later.id, None if later.wrong else later.arguments) for later in request.behind)
    for event in turn.events:
        if isinstance(event, e.ModelReplied):
            yield from ((call.id, None if call.wrong else call.arguments) for call in event.calls)
        elif isinstance(event, e.CallHeld):
            yield event.call or event.effect, event.arguments
        elif isinstance(event, e.EffectAsked) and isinstance(event.effect, RunTool):
            yield event.effect.call or event.effect.id, event.effect.arguments


def read_calls(text: str) -> list[EndedCall]:
    """Return the calls of some lines; indented lines continue the one before. Raises `NotationError`."""
    if text == NONE:
        return []
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and line[:1] in (" ", "\t"):
            lines[-1] += "\n" + line
        elif line.strip():
            lines.append(line)
    return [read_call(line) for line in lines]


def read_call(line: str) -> EndedCall:
    """Return the call of a line. Raises `NotationError`."""
    tool, _, rest = line.strip().partition(" ")
    rest, arguments = rest.strip(), None
    try:
        if rest.startswith("{"):
            arguments, place = json.JSONDecoder().raw_decode(rest)
            rest = rest[place:].strip()
        end = _GAVE + _written(json.loads(rest[2:])) if rest.startswith("=>") else None
    except json.JSONDecodeError as error:
        raise NotationError(f"{line!r} is no call: {error}; {_CALL_SEEN}") from None
    if end is None and any(rest == word or rest.startswith(f"{word} ") for word in _ENDS):
        end = " ".join(rest.split())
    if end is None and rest:
        raise NotationError(f"{line!r} is no call; {_CALL_SEEN}")
    return EndedCall(tool, cast("dict[str, Any] | None", arguments), end)


def calls_text(turn: Turn) -> str:
    """Return the tool calls of a turn as text, one a line."""
    return "\n".join(call.line for call in calls_of(turn)) or NONE


# scripted replies and results --------------------------------------------------------------------


class ScriptedFailure(NamedTuple):
    """A scripted failure of a tool or model."""

    words: str = _WORDS
    """The error text of the failure."""
    in_doubt: bool = False
    """True if the call may have taken effect nevertheless."""


class ScriptedResult(NamedTuple):
    """A scripted result of a tool."""

    value: Any
    """What the tool returns, as JSON data."""


def read_reply(text: str) -> ModelReply | ScriptedFailure:
    """Return the scripted reply of a model: its text, then each call in a line: `-> think {"about": "x"}`.

    A text in place of the object is what the model wrote for the arguments. Raises `NotationError`.
    """
    failure = _failure(text, FAILS)
    if failure is not None:
        return failure
    said, *calls = re.split(r"(?m)^(?=->)", text)
    return ModelReply(said.strip("\n"), calls=tuple([_call(one) for one in calls]))


def read_result(text: str) -> ScriptedResult | ScriptedFailure:
    """Return the scripted result of a tool: JSON, or `fails` or `in doubt` with a reason. Raises `NotationError`."""
    failure = _failure(text, FAILS) or _failure(text, IN_DOUBT)
    if failure is not None:
        return failure
    try:
        return ScriptedResult(json.loads(text))
    except json.JSONDecodeError as error:
        raise NotationError(f"a result is JSON (a text in quotes), or 'fails' and why: {error}") from None


def _failure(text: str, word: str) -> ScriptedFailure | None:
    if text != word and not text.startswith(f"{word} "):
        return None
    return ScriptedFailure(text[len(word) :].strip() or _WORDS, word == IN_DOUBT)


def _call(text: str) -> CallMade:
    """A call, whose arguments may continue in indented lines."""
    first, *more = text.rstrip("\n").split("\n")
    if any(line and line[0] not in " \t" for line in more):
        raise NotationError("what is said stands before the calls; arguments that go on are indented")
    found = _CALL.fullmatch("\n".join([first, *more]))
    if found is None:
        raise NotationError(f"{first!r} is no call; {_CALL_FORM}")
    try:
        arguments: Any = json.loads(found[2]) if found[2].strip() else {}
    except json.JSONDecodeError as error:
        raise NotationError(f"the arguments of {first!r} are no JSON: {error}; {_CALL_FORM}") from None
    if not isinstance(arguments, dict | str):
        raise NotationError(f"the arguments of {first!r} are no object; {_CALL_FORM}")
    return CallMade(found[1], cast("dict[str, Any] | str", arguments))
