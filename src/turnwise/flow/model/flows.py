"""The class `Flow`, and settings for all of its conversations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from turnwise.flow import short_forms as short
from turnwise.flow.call_sites import call_site
from turnwise.flow.code import PythonGuard
from turnwise.flow.converters import functions
from turnwise.flow.declare import Takes, converter, hidden, key, part
from turnwise.flow.diagnostic import Span
from turnwise.flow.frozen import put
from turnwise.flow.kinds import TOOL_NAME, Anything, Integer, Many, Name, Named, Object, Table, Text, one_of
from turnwise.flow.model.budgets import BUDGETS, PRICES, Budget, Price
from turnwise.flow.model.nodes import NODES, PERSON_WORK, WAYS_OUT, Node, PersonWork, Transition
from turnwise.flow.model.settings import ReplyGuard, Settings
from turnwise.flow.model.tools import McpServer, PythonTool, Tool
from turnwise.flow.model.values import RECORDS, Record
from turnwise.flow.model.words import (
    REFERENCE,
    REFERENCES,
    SECONDS,
    SPAN,
    TEXTS,
    Busy,
    Function,
    LogLevel,
    Missed,
    Recurrence,
    Values,
)

INPUT: Takes[Mapping[str, Mapping[str, Any]], Mapping[str, Mapping[str, Any]]] = converter(Table(Table(Anything())))
"""The converter of the inputs of a schedule: per period, values by field."""
FIXED_TEXTS: Takes[Mapping[str, Any], Mapping[str, Any]] = converter(Table(Anything()))
"""The converter of fixed texts and phrases by key."""
COMMANDS: Takes[Commands | Values, Commands] = converter(Object("Commands"))
"""The converter of the commands that are allowed at every node, or a list of them."""
TOOLS: Takes[Sequence[Tool | Callable[..., Any]], tuple[Tool, ...]] = converter(Named("Tool", TOOL_NAME))
"""The converter of a list of tools; a function stands for its tool."""
SERVERS: Takes[Sequence[McpServer], tuple[McpServer, ...]] = converter(Named("McpServer", TOOL_NAME))
"""The converter of a list of MCP servers."""
OVERLAYS: Takes[Sequence[Overlay], tuple[Overlay, ...]] = converter(Named("Overlay"))
"""The converter of a list of overlays."""
IMPORTS: Takes[Sequence[Import], tuple[Import, ...]] = converter(Many(Object("Import")))
"""The converter of a list of imports."""
SCHEDULES: Takes[Sequence[Schedule], tuple[Schedule, ...]] = converter(Named("Schedule"))
"""The converter of a list of schedules."""


@part("a dated change of persona")
class Overlay:
    """A change of persona and prompt that is active between two dates."""

    name: str
    """The name of the overlay, unique in the flow."""
    starts: str = key("first day or moment", default="", name="from")
    ends: str = key("last day or moment", default="", name="to")
    every: Recurrence = key("whether it comes back each year", one_of(Recurrence), default="")
    time_zone: str = key("the time zone of its dates; the conversation's where left out", default="")
    persona_name: str = key("the agent's name while it is active", default="", name="name")
    persona: str = key("the persona in place of the flow's", default="")
    addendum: str = key("what is added to the persona", default="")
    priority: int = key("of several active ones the lowest number wins", default=100)
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a recurring trigger")
class Schedule:
    """Something that happens at certain times: by a cron line, at times of day every n days, or after idle time."""

    name: str
    """The name of the schedule, unique in the flow."""
    cron: str = key("when, as a cron line in the conversation's time zone", default="")
    at: tuple[str, ...] = key("times of day, in the conversation's time zone", converter=TEXTS, default=())
    every_s: float | None = key(
        "on every so many days or weeks from the anchor, at the times of `at`",
        converter=SECONDS,
        default=None,
        name="every",
    )
    anchor: str = key("the date from which `every` counts", default="")
    idle_s: float | None = key(
        "how long after the last message it is due", converter=SECONDS, default=None, name="idle"
    )
    call: str = key("the scope that it opens", converter=REFERENCE, default="")
    offer: str = key("the scope that it proposes", converter=REFERENCE, default="")
    opener: str = key("the question that proposes the scope", default="")
    instruct: str = key("a text for the next reply", default="")
    input: Mapping[str, Mapping[str, Any]] = key(
        "the input of the scope, by period: a day, an ISO week, a month, a year, or `default`",
        converter=INPUT,
        factory=dict[str, Any],
        name="with",
    )
    quiet: str = key("hours in which it does not fire, such as `22:00-08:00`: it fires at their end", default="")
    missed: Missed = key("what happens to times that were missed", one_of(Missed), default="once")
    grace_s: float | None = key(
        "how late it may fire and not count as late, so that `skip` fires, and how long an open question holds a"
        " `call`; `2h`, where left out",
        converter=SECONDS,
        default=None,
        name="grace",
    )
    pause_s: float | None = key(
        "how long the user must not have written before it fires; `2m` for a `call`, where left out",
        converter=SECONDS,
        default=None,
        name="pause",
    )
    interrupt: bool = key("it also fires while a scope is open", default=False)
    priority: int = key("of several due at once the lowest number fires first", default=100)
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("the bounds of a conversation")
class Limits:
    """The limits of a conversation (laws 1.1, 2.7, 2.8, 3.6)."""

    moves: int = key("the most moves in a turn", Integer(1), default=4)
    run_moves: int = key("the most moves of an autonomous run", Integer(1), default=1000)
    model_calls: int = key("the most model calls in a turn", Integer(1), default=12)
    tool_calls: int = key("the most tool calls in a turn", Integer(1), default=24)
    frames: int = key("the most frames: open scopes and the root", Integer(1), default=8)
    message_chars: int = key("the most characters of a message", Integer(1), default=10_000)
    strings: int = key("the most characters of a stored text", Integer(1), default=10_000)
    lists: int = key("the most items of a stored list", Integer(1), default=200)
    list_bytes: int = key("the most bytes of a stored list of records, as JSON", Integer(1), default=262_144)
    questions: int = key("the most questions of a form whose questions are data", Integer(1), default=200)
    person_wait_s: float = key(
        "how long the conversation waits for a person", converter=SPAN, default=600.0, name="person_wait"
    )
    window: int = key("the most turns that a model sees before the present one", Integer(1), default=20)
    reply_chars: int = key(
        "the most characters of one reply of a model, its calls included", Integer(1), default=100_000
    )
    summary_chars: int = key("the most characters of a summary that a model writes", Integer(1), default=500)
    result_chars: int = key("the most characters of a tool's result", Integer(1), default=100_000)
    budgets: tuple[Budget, ...] = key("budgets of money, tokens and time", converter=BUDGETS, default=())
    prices: tuple[Price, ...] = key(
        "the prices of models, by their names; `*` is every other", converter=PRICES, default=()
    )
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("how long things stay whole")
class Keep:
    """For how many days events, and the values that decisions read, are kept; `None` is for ever."""

    events: int | None = key("after how many days events are erased; never, where left out", Integer(0), default=None)
    decisions: int | None = key(
        "after how many days the values that decisions read are erased; never, where left out", Integer(0), default=None
    )


@part("the commands that are exposed everywhere", short.COMMANDS, is_bare=True)
class Commands:
    """The commands that users may give at every node, and the scopes that `start` may open."""

    names: tuple[str, ...] = key("the commands that are allowed at every node", converter=TEXTS, default=())
    start: tuple[str, ...] = key("the scopes that `start` may open", converter=REFERENCES, default=())
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("parts of another document")
class Import:
    """The parts that a flow takes from another document, by name."""

    source: str = key("the path of the document, relative to this one", Text(), name="from")
    names: tuple[str, ...] = key(
        "what is taken: a name, `tools.name` where several parts bear it, or `name as other`",
        converter=TEXTS,
    )
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


FlowFunction = PythonGuard | PythonTool
"""A function that a flow names."""


def _keep_functions(made: Flow) -> None:
    """Keep the functions among the tools beside the data of the flow."""
    given: Any = made.tools
    tools = cast("Sequence[Any]", given) if isinstance(given, list | tuple) else ()
    put(made, "code", functions(made.code))
    put(made, "code", (*made.code, *[tool for tool in tools if isinstance(tool, PythonTool)]))


@part("a flow", first=("flow", "version", "title", "description"), prepare=_keep_functions)
class Flow:
    """A flow: the definition of conversations, with records, tools, nodes and transitions."""

    name: str = key("the name of the flow", Name(), name="flow")
    start: str = key("its first node", converter=REFERENCE, default="", required=True)
    version: int = key("its version number", default=1)
    title: str = key("its title", default="")
    description: str = key("what it is for", default="")
    time_zone: str = key("the time zone of its dates; a text may read it from fields", default="UTC")
    language: str = key("the language of its fixed texts and phrases; a text may read it from fields", default="en")
    texts: Mapping[str, Any] = key(
        "fixed texts and phrases that replace the shipped ones, for all languages or below the code of one",
        converter=FIXED_TEXTS,
        factory=dict[str, Any],
    )
    persona: str = key("the persona: who speaks", default="")
    prompt: str = key("instructions for nodes that have none", default="")
    model: str = key("the name of the model", default="")
    settings: Settings = key("settings of the model", Object("Settings"), default=Settings())
    guard_reply: ReplyGuard | None = key("a check of each reply of a model", Object("ReplyGuard"), default=None)
    fallback: str = key("the reply when nothing else was said", default="")
    autonomous: bool = key("it does not wait for the user between prompts", default=False)
    log: LogLevel = key(
        "from which level on its decisions, calls and failures are logged", one_of(LogLevel), default=""
    )
    busy: Busy = key("what happens to a message that comes during a turn", one_of(Busy), default="queue")
    commands: Commands = key("the commands that are allowed at every node", converter=COMMANDS, default=Commands())
    person: PersonWork | None = key(
        "the handover where the user asks for a person (`hand_over`)", converter=PERSON_WORK, default=None
    )
    limits: Limits = key("limits of turns, values and spending", Object("Limits"), default=Limits())
    keep: Keep = key("how long events are kept", Object("Keep"), default=Keep())
    records: tuple[Record, ...] = key(
        "the records of the conversation, with their fields", converter=RECORDS, default=()
    )
    events: tuple[Record, ...] = key(
        "events of other systems, each with the fields of its data", converter=RECORDS, default=()
    )
    tools: tuple[Tool, ...] = key("tools", converter=TOOLS, default=())
    mcp: tuple[McpServer, ...] = key("MCP servers that supply tools", converter=SERVERS, default=())
    nodes: tuple[Node, ...] = key("nodes", converter=NODES, default=())
    transitions: tuple[Transition, ...] = key(
        "transitions out of every node outside of scopes", converter=WAYS_OUT, default=()
    )
    overlays: tuple[Overlay, ...] = key(
        "changes of persona and prompt between two dates", converter=OVERLAYS, default=()
    )
    schedules: tuple[Schedule, ...] = key("what happens at certain times", converter=SCHEDULES, default=())
    imports: tuple[Import, ...] = key("parts of other documents", converter=IMPORTS, default=())
    code: Sequence[Function] = hidden(default=())
    """The Python guards and functions that a program gave to the flow."""
    files: Sequence[str] = hidden(default=())
    """The files of the documents from which parts were imported."""
    is_read: bool = hidden(default=False, init=False)
    """True if the flow was read from a document, false if a program made it."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""
