"""The flow as a whole, and what holds for all of its conversations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from turnwise.flow.code import PythonGuard
from turnwise.flow.converters import data, function, lenient, many, part_of, put, seconds, short, text, texts
from turnwise.flow.diagnostic import Span
from turnwise.flow.frozen import frozen
from turnwise.flow.model.nodes import Node, Transition, transition
from turnwise.flow.model.tools import McpServer, PythonTool, Tool
from turnwise.flow.model.values import Record, record
from turnwise.flow.model.words import (
    AnySpan,
    Busy,
    Function,
    Missed,
    Naming,
    Namings,
    Recurrence,
    Texts,
    hidden,
    span,
    table_of,
)


@lenient()
@frozen
class Overlay:
    """A dated change of persona and prompt."""

    name: str
    starts: str = ""
    ends: str = ""
    every: Recurrence = ""
    time_zone: str = ""
    persona_name: str = ""
    persona: str = ""
    addendum: str = ""
    priority: int = 100
    span: Span = span()


@lenient(every_s=seconds, idle_s=seconds, call=text, offer=text, input=data)
@frozen
class Schedule:
    """A recurring trigger: a cron line, every n-th week from an anchor, or idle time."""

    name: str
    cron: str = ""
    every_s: float | None = None
    anchor: str = ""
    idle_s: float | None = None
    call: str = ""
    offer: str = ""
    opener: str = ""
    instruct: str = ""
    input: Mapping[str, Mapping[str, Any]] = table_of()
    quiet: str = ""
    missed: Missed = "skip"
    interrupt: bool = False
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            cron: str = "",
            every_s: AnySpan | None = None,
            anchor: str = "",
            idle_s: AnySpan | None = None,
            call: Naming = "",
            offer: Naming = "",
            opener: str = "",
            instruct: str = "",
            input: Mapping[str, Mapping[str, Any]] = ...,
            quiet: str = "",
            missed: Missed = "skip",
            interrupt: bool = False,
            span: Span = ...,
        ) -> None: ...


@lenient()
@frozen
class Limits:
    """The named bounds of a conversation (laws 1.1, 2.7, 2.8, 3.6)."""

    moves: int = 4
    run_moves: int = 1000
    model_calls: int = 12
    tool_calls: int = 24
    frames: int = 8
    message_chars: int = 10_000
    strings: int = 10_000
    lists: int = 200
    window: int = 40
    reply_chars: int = 100_000
    result_chars: int = 100_000
    span: Span = span()


@lenient()
@frozen
class Keep:
    """How many days events and decisions stay whole; `None` keeps them."""

    events: int | None = None
    decisions: int | None = None


@lenient(names=texts, start=texts)
@frozen
class Commands:
    """The commands that are exposed everywhere, and what `start` may start."""

    names: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            names: Texts = (),
            start: Namings = (),
            span: Span = ...,
        ) -> None: ...


Code = PythonGuard | PythonTool
"""A function that a flow names."""


def _with_code(made: Flow, _aside: dict[str, Any]) -> None:
    """Tools that are given as functions are declared, and the functions kept beside the declarations."""
    given: Any = made.tools
    if given.__class__ in (list, tuple):
        tools: tuple[Any, ...] = tuple(given)
        put(made, "code", (*made.code, *[tool for tool in tools if isinstance(tool, PythonTool)]))
        put(made, "tools", tuple([part_of(tool) for tool in tools]))


@lenient(
    _with_code,
    start=text,
    texts=data,
    commands=short(Commands, texts),
    records=many(record),
    mcp=many(part_of),
    nodes=many(part_of),
    transitions=many(transition),
    overlays=many(part_of),
    schedules=many(part_of),
    imports=texts,
    code=many(function),
)
@frozen
class Flow:
    """A whole flow."""

    name: str
    start: str = ""
    version: int = 1
    title: str = ""
    description: str = ""
    time_zone: str = "UTC"
    language: str = "en"
    texts: Mapping[str, Any] = table_of()
    persona: str = ""
    prompt: str = ""
    model: str = ""
    fallback: str = ""
    autonomous: bool = False
    busy: Busy = "queue"
    commands: Commands = Commands()
    limits: Limits = Limits()
    keep: Keep = Keep()
    records: tuple[Record, ...] = ()
    tools: tuple[Tool, ...] = ()
    mcp: tuple[McpServer, ...] = ()
    nodes: tuple[Node, ...] = ()
    transitions: tuple[Transition, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    imports: tuple[str, ...] = ()
    code: tuple[Code, ...] = hidden(())
    is_read: bool = field(default=False, init=False, compare=False, repr=False)
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            start: Naming = "",
            version: int = 1,
            title: str = "",
            description: str = "",
            time_zone: str = "UTC",
            language: str = "en",
            texts: Mapping[str, Any] = ...,
            persona: str = "",
            prompt: str = "",
            model: str = "",
            fallback: str = "",
            autonomous: bool = False,
            busy: Busy = "queue",
            commands: Commands | Texts = Commands(),
            limits: Limits = Limits(),
            keep: Keep = Keep(),
            records: Sequence[Record | type[Any]] = (),
            tools: Sequence[Tool | Callable[..., Any]] = (),
            mcp: Sequence[McpServer] = (),
            nodes: Sequence[Node] = (),
            transitions: Sequence[Transition | Function] = (),
            overlays: Sequence[Overlay] = (),
            schedules: Sequence[Schedule] = (),
            imports: Texts = (),
            code: Sequence[Function] = (),
            span: Span = ...,
        ) -> None: ...
