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
from turnwise.core.migration.verdict import Renaming
from turnwise.core.retain import Retention
from turnwise.errors import UnknownTransition, WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Flow
from turnwise.runner.plain import NoData, plain
from turnwise.runner.ports import Clock, Model, Store, StreamingModel

DEFAULT = "main"
"""The conversation that is meant where none is named."""

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
    """The use of a tool, with what was given and came out as data."""
    if arguments is not None and not _is(arguments, Mapping):
        raise WrongArgument("arguments", arguments, "a mapping from names to values")
    given = {
        _text("a name in arguments", name): _data(f"arguments[{name!r}]", v) for name, v in (arguments or {}).items()
    }
    return e.ToolUsed(_text("tool", tool), given, _data("result", result))


def fired(timer: str, visit: int | None) -> e.TimerFired:
    """A timer that comes due."""
    return e.TimerFired(_text("timer", timer), _number("visit", visit))


def undone(to: int | None) -> e.UndoAsked:
    """Turns that are taken back."""
    return e.UndoAsked(_number("to", to))


# where, and which --------------------------------------------------------------------------------


def named(conversation: str, key: str = "", time_zone: str = "") -> str:
    """The name of a conversation; its other names are checked along."""
    _kept_text("key", key)
    _text("time_zone", time_zone)
    return _name("conversation", conversation)


def past(conversation: str, turn: int | None = None, *, argument: str = "turn") -> str:
    """The name of a conversation of which a past turn is asked."""
    _number(argument, turn)
    return named(conversation)


def followed(conversation: str, after: int) -> str:
    """The name of a conversation that is followed from a position on."""
    if _number("after", after) is None:
        raise WrongArgument("after", after, "an int")
    return named(conversation)


def any_or_all(conversation: str | None, transition: str = "", progress: object = None) -> str | None:
    """The name of a conversation, or `None` for all of them."""
    _text("transition", transition)
    told(progress)
    return None if conversation is None else named(conversation)


def copied(conversation: str, source: str, turn: int | None) -> str:
    """The name of a new conversation, as another was at the end of a turn."""
    _name("source", source)
    return past(conversation, turn)


def taken_in(data: bytes, conversation: str) -> str:
    """The name under which a file is taken in; empty for its own."""
    if not _is(data, bytes | bytearray):
        raise WrongArgument("data", data, "the bytes of a file, as export gives them")
    return named(conversation) if _text("conversation", conversation) else ""


def supposed(values: Mapping[str, Any] | None, rules: Mapping[str, str] | None, flow: Any) -> None:
    """What is supposed: values by field, guards by transition, a flow."""
    for name, given, what in (("values", values, "fields to values"), ("rules", rules, "transitions to guards")):
        if given is not None and not _is(given, Mapping):
            raise WrongArgument(name, given, f"a mapping from {what}")
        for key in given or {}:
            _text(f"a name in {name}", key)
    for name, rule in (rules or {}).items():
        _text(f"rules[{name!r}]", rule)
    if flow is not None and not _is(flow, Flow | Machine):
        raise WrongArgument("flow", flow, "a Flow, as load gives it")


def goes_on(flow: Machine) -> None:
    """The version to which conversations are moved."""
    if not _is(flow, Machine):
        raise WrongArgument("flow", flow, "a machine, as link gives it")


def renamed(renaming: Renaming | None, conversation: str | None, progress: object = None) -> None:
    """New names of nodes and fields, and the conversation that is meant or `None` for all."""
    any_or_all(conversation, progress=progress)
    if renaming is None:
        return
    if not _is(renaming, Renaming):
        raise WrongArgument("renaming", renaming, "a tw.Renaming")
    for name, given in (("nodes", renaming.nodes), ("fields", renaming.fields)):
        if not _is(given, Mapping) or not all(_is(one, str) for pair in given.items() for one in pair):
            raise WrongArgument(f"renaming.{name}", given, "a mapping from old names to new ones")


def told(progress: object) -> None:
    """Who is told how far long work is, or nobody."""
    if progress is not None and not callable(progress):
        raise WrongArgument("progress", progress, "a function of two numbers: how many are done, and of how many")


def kept_for(retention: Retention) -> Retention:
    """How long events and decisions are kept."""
    if not _is(retention, Retention):
        raise WrongArgument("retention", retention, "a tw.Retention")
    return retention


def asked(conversation: str, turn: int | None, transition: str) -> str:
    """The name of a conversation of which a decision is asked: in a past turn, about a transition or none."""
    _text("transition", transition)
    return past(conversation, turn)


def known_transition(machine: Machine, transition: str) -> None:
    """Raises `UnknownTransition` for one that the flow does not have."""
    known = machine.transitions()
    if transition and transition not in known:
        raise UnknownTransition(transition, nearest(transition, known))


# parts -------------------------------------------------------------------------------------------

_PORTS: dict[str, tuple[type, str]] = {
    "store": (Store, "a store, or the address of one, such as 'memory://'"),
    "model": (Model, "a model, or the name of one, such as 'openai:gpt-5-mini'"),
    "clock": (Clock, "a clock, such as tw.ManualClock()"),
}


def parts(understand: object, **ports: object) -> None:
    """What a chat is made of has the methods that will be called; `None` stands for the usual part."""
    if understand is not None and not callable(understand):
        raise WrongArgument("understand", understand, "a function of a message and what is exposed")
    for name, part in ports.items():
        port, expected = _PORTS[name]
        port = StreamingModel if port is Model and hasattr(part, "stream") else port
        needed = [method for method in vars(port) if not method.startswith("_")]
        missing = [method for method in needed if not callable(getattr(part, method, None))]
        if part is not None and (missing or _is(part, type)):
            calls = ", ".join(f"{method}()" for method in missing or needed[:1])
            raise WrongArgument(name, part, f"{expected}, with {calls}")


def stored(store: Any) -> None:
    """A store, or its address."""
    if store is None:
        raise WrongArgument("store", store, _PORTS["store"][1])
    parts(None, store=None if _is(store, str) else store)


def _name(argument: str, given: str) -> str:
    if not _kept_text(argument, given).strip():
        raise WrongArgument(argument, given, "a name that is not empty")
    return given


def _text(name: str, given: str) -> str:
    if not _is(given, str):
        raise WrongArgument(name, given, "a str")
    return given


def _kept_text(name: str, given: str) -> str:
    """A text that a file can keep: half of a pair of surrogates is no letter."""
    try:
        _text(name, given).encode()
    except UnicodeEncodeError:
        raise WrongArgument(name, given, "a text of whole letters") from None
    return given


def _data(name: str, given: Any) -> Any:
    try:
        found = plain(given)
    except NoData as error:
        raise WrongArgument(name, given, f"JSON data ({error})") from None
    if found.replaced:
        raise WrongArgument(name, given, "JSON data of whole letters")
    return found.data


def _number(name: str, given: int | None) -> int | None:
    if given is not None and (not _is(given, int) or _is(given, bool)):
        raise WrongArgument(name, given, "an int or None")
    return given


def _is(given: object, kind: Any) -> bool:
    """True for what has the kind; callers may not check types, so what they are said to give is not believed."""
    return isinstance(given, kind)
