"""The flow: what an author writes, as frozen plain data. Every front door yields these classes.

Names are the keys of the documents, units stand in the names. Nothing here runs, and nothing refers
to code: a Python function is named, never held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwise.flow.diagnostic import NOWHERE, Span

FieldType = Literal[
    "string",
    "integer",
    "number",
    "boolean",
    "date",
    "time",
    "datetime",
    "duration",
    "email",
    "phone",
    "choice",
    "list",
]
Moment = Literal["before", "tool", "after", "error", "timer", "choice"]
MatchMode = Literal["direct_then_model", "direct", "model"]


def _table() -> Any:
    """An empty mapping as default."""
    return field(default_factory=dict[str, Any])


def _span() -> Any:
    """Where a part stands in its document: never part of equality, fingerprint or codec."""
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition object of seed 001, kept as it was written."""

    type: str
    value: str = ""
    window: int | None = None
    description: str = ""
    span: Span = _span()


Guard = str | tuple[Condition, ...]
"""A guard as written: text of the guard language, or condition objects that must all hold."""


@dataclass(frozen=True, slots=True)
class Option:
    """An allowed answer, and further words that mean it."""

    value: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """One typed value that a flow knows, or one argument of a tool."""

    name: str
    type: FieldType = "string"
    of: FieldType | None = None
    options: tuple[Option, ...] = ()
    min: float | str | None = None
    max: float | str | None = None
    pattern: str = ""
    about: str = ""
    default: Any = None
    value: str = ""
    secret: bool = False
    validate: Guard = ""
    refuse: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Record:
    """A named group of fields, addressed as `record.field`."""

    name: str
    fields: tuple[Field, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Retry:
    """How often failed work is tried again, and how long to wait between the attempts."""

    times: int = 0
    pause_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that nodes may use; code or an MCP server supplies it."""

    name: str
    about: str = ""
    args: tuple[Field, ...] = ()
    kind: Literal["read", "effect"] = "read"
    confirm: bool = False
    timeout_s: float | None = None
    retry: Retry = Retry()
    on_crash: Literal["again", "check", "unknown"] = "again"
    expects: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class McpServer:
    """A server of the Model Context Protocol that supplies tools: a command to start, or an address."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SequencePosition:
    """One position of a tool sequence: any one of `tools`, which may be left out where optional."""

    tools: tuple[str, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ToolPolicy:
    """Which tools a node allows, forbids, and demands in order."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    sequence: tuple[SequencePosition, ...] = ()
    enforce: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ToolWork:
    """A tool as the work of a node: which, with which arguments, and the record for its result."""

    name: str
    arguments: Mapping[str, str] = _table()
    into: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Collect:
    """Fields that are filled from what the user says while a node works."""

    fields: tuple[str, ...]
    mode: Literal["conversational", "form"] = "conversational"
    expose: Literal["all", "next"] = "all"
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Stop:
    """Answers that end a form, and what is said then."""

    values: tuple[str, ...]
    say: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class FormField:
    """One question of a form. `key` is its name on the wire where that is no field name."""

    field: str
    ask: str = ""
    help: str = ""
    required: bool = True
    asked: bool = True
    options: tuple[Option, ...] = ()
    other: bool = False
    buttons: Mapping[str, str] = _table()
    ask_when: Guard = ""
    stop: Stop | None = None
    match: MatchMode = "direct_then_model"
    validate: Guard = ""
    refuse: str = ""
    rephrase: tuple[str, ...] = ()
    then: Literal["", "skip", "default", "hand_over"] = ""
    key: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Confirm:
    """How a form lets its answers be confirmed: summary template, button labels, way to edit."""

    summary: str = ""
    buttons: Mapping[str, str] = _table()
    edit: Literal["chooser", "first"] = "chooser"
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that are asked in order, may be confirmed, and may end early."""

    fields: tuple[FormField, ...] = ()
    questions: str = ""
    confirm: Confirm | None = None
    statement: str = ""
    handoff: str = ""
    acknowledge: str = ""
    wording: Literal["fixed", "model"] = "fixed"
    fresh: bool = False
    prefill: Literal["", "ask", "trust"] = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ScopeLimits:
    """When an inner conversation closes by itself."""

    turns: int | None = None
    idle_s: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What an inner conversation leaves behind: a template, or a model's text with it as fallback."""

    template: str = ""
    model: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """An inner conversation: what it takes in, runs, gives back, and leaves behind."""

    inherits: tuple[str, ...] = ()
    input: tuple[Field, ...] = ()
    returns: str = ""
    summary: Summary = Summary()
    limits: ScopeLimits = ScopeLimits()
    tool: str = ""
    on_return: Literal["resume", "re-enter", "replace"] = "resume"
    keep_s: float | None = None
    records: tuple[Record, ...] = ()
    start: str = ""
    nodes: tuple[Node, ...] = ()
    flow: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Offer:
    """A scope that a node proposes to the user, and the words for it."""

    scope: str
    opener: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Transition:
    """A way out of a node: when it is judged, its guard, and exactly one action."""

    id: str = ""
    at: Moment = "after"
    when: Guard = ""
    guard: str = ""
    mirror: bool = False
    because: str = ""
    priority: int = 100
    delay_s: float | None = None
    set: Mapping[str, Any] = _table()
    reply: Literal["now", "next"] = "now"
    to: str = ""
    call: str = ""
    stay: bool = False
    block: str = ""
    return_: bool = False
    end: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Node:
    """One place a conversation can be: its work, what it may read, write and use, its ways out."""

    name: str
    description: str = ""
    persona: str = ""
    model: str = ""
    say: str = ""
    prompt: str = ""
    form: Form | None = None
    tool: ToolWork | None = None
    scope: Scope | None = None
    entry: str = ""
    collect: Collect | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    tools: ToolPolicy | None = None
    enter_when: Guard = ""
    set: Mapping[str, Any] = _table()
    set_on_leave: Mapping[str, Any] = _table()
    offer: Offer | None = None
    once: str = ""
    end: str = ""
    retry: Retry = Retry()
    timeout_s: float | None = None
    transitions: tuple[Transition, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Overlay:
    """A dated change of persona and prompt."""

    name: str
    starts: str = ""
    ends: str = ""
    every: Literal["", "year"] = ""
    time_zone: str = ""
    persona_name: str = ""
    persona: str = ""
    addendum: str = ""
    priority: int = 100
    span: Span = _span()


@dataclass(frozen=True, slots=True)
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
    input: Mapping[str, Mapping[str, Any]] = _table()
    quiet: str = ""
    missed: Literal["skip", "once", "each"] = "skip"
    interrupt: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
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
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Keep:
    """How many days events and decisions stay whole; `None` keeps them."""

    events: int | None = None
    decisions: int | None = None


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands that are exposed everywhere, and what `start` may start."""

    names: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Flow:
    """A whole flow."""

    name: str
    start: str = ""
    version: int = 1
    title: str = ""
    description: str = ""
    time_zone: str = "UTC"
    language: str = "en"
    texts: Mapping[str, Any] = _table()
    persona: str = ""
    prompt: str = ""
    model: str = ""
    fallback: str = ""
    autonomous: bool = False
    busy: Literal["queue", "reject"] = "queue"
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
    span: Span = _span()
