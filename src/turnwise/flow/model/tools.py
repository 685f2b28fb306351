"""Tools, MCP servers, and which tools a node may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from turnwise.flow import short_forms as short
from turnwise.flow.call_sites import call_site
from turnwise.flow.declare import Takes, converter, hidden, key, part
from turnwise.flow.diagnostic import Diagnostic, Span
from turnwise.flow.frozen import frozen
from turnwise.flow.kinds import ARGUMENT_NAME, TOOL_NAME, Duration, Many, Name, Named, Object, Table, Text, one_of
from turnwise.flow.model.values import Field
from turnwise.flow.model.words import (
    REFERENCE,
    REFERENCES,
    SECONDS,
    TEXTS,
    AnySpan,
    Approver,
    Naming,
    OnCrash,
    ToolKind,
)

PAUSE: Takes[AnySpan, float] = converter(Duration())
"""The converter of a time span to seconds."""
ARGUMENTS: Takes[Sequence[Field], tuple[Field, ...]] = converter(Named("Field", ARGUMENT_NAME))
"""The converter of the arguments of a tool."""
TOOL: Takes[Naming, str] = converter(Name(TOOL_NAME))
"""The converter of a tool, or its name, to the name."""
DESTINATIONS: Takes[Mapping[Any, Naming], Mapping[str, str]] = converter(Table(Text(), is_named=True))
"""The converter of the records or fields that take results, by tool."""
POSITIONS: Takes[Sequence[Any], tuple[SequencePosition, ...]] = converter(Many(Object("SequencePosition"), single=True))
"""The converter of the positions of a tool sequence."""


@part("how failed work is retried")
class Retry:
    """How often failed work is retried, and the pause between the attempts."""

    times: int = key("how many further attempts are made", default=0)
    pause_s: float = key("the wait between two attempts", converter=PAUSE, default=0.0, name="pause")


@part("a tool")
class Tool:
    """The declaration of a tool that nodes may use; code or an MCP server implements it."""

    name: str
    """The name of the tool, unique in the flow."""
    about: str = key("the description for the model: what it does", default="")
    args: tuple[Field, ...] = key("its arguments: a type, or a field", converter=ARGUMENTS, default=())
    kind: ToolKind = key("whether it changes the world", one_of(ToolKind), default="read")
    confirm: bool = key("each call is approved before it runs", default=False)
    ask: str = key(
        "the question that asks for approval; `{{ }}` reads the arguments of the call by name, and records", default=""
    )
    approver: Approver = key("who approves a call", one_of(Approver), default="user")
    approve_within_s: float | None = key(
        "after how long a call that waits for approval is declined",
        converter=SECONDS,
        default=None,
        name="approve_within",
    )
    timeout_s: float | None = key(
        "after how long a call counts as failed", converter=SECONDS, default=None, name="timeout"
    )
    retry: Retry = key("how failed calls are retried", Object("Retry"), default=Retry())
    on_crash: OnCrash = key("what happens to a call that a crash interrupted", one_of(OnCrash), default="again")
    expects: str = key("a commitment that the checker must prove, such as `confirmed`", default="")
    into: str = key("the record or field that takes its results", converter=REFERENCE, default="")
    title: str = key("what it does, in words for users; the first sentence of `about`, if left out", default="")
    faults: tuple[Diagnostic, ...] = hidden(default=())
    """The diagnostics found when the tool was made."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a server that supplies tools")
class McpServer:
    """A server of the Model Context Protocol that implements tools: a command to start it, or its address.

    `env` and `token` name variables of the environment: no secret stands in a flow.
    """

    name: str
    """The name of the server, unique in the flow."""
    command: tuple[str, ...] = key("the command that starts it", converter=TEXTS, default=())
    url: str = key("the address of the server", default="")
    env: tuple[str, ...] = key("variables of the environment that the command is given", converter=TEXTS, default=())
    token: str = key("the variable of the environment with the bearer token of the address", default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a position of a tool sequence", short.POSITION, is_bare=True)
class SequencePosition:
    """One position of a tool sequence: one of `tools` must be used, or may be if it is optional."""

    tools: tuple[str, ...] = key("the tools, any of which fills it", converter=REFERENCES)
    optional: bool = key("it may be left out", default=False)


@part("which tools a node allows", short.TOOL_POLICY, is_bare=True)
class ToolPolicy:
    """Which tools a node allows and denies, and the order that it requires."""

    allow: tuple[str, ...] = key("tools, with wildcards", converter=REFERENCES, default=())
    deny: tuple[str, ...] = key("tools that are not allowed, with wildcards", converter=REFERENCES, default=())
    sequence: tuple[SequencePosition, ...] = key(
        "tools that must be used in this order", converter=POSITIONS, default=()
    )
    enforce: bool = key(
        "true: calls out of the sequence are refused, even where a `sequence_match` waits for it", default=False
    )
    into: Mapping[str, str] = key(
        "by tool: the record or field that takes its results here, instead of the tool's own `into`",
        converter=DESTINATIONS,
        factory=dict[str, str],
    )
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a tool as the work of a node", short.TOOL_WORK, is_bare=True)
class ToolWork:
    """A tool call as the work of a node: the tool, its arguments, and the field or record that stores its result."""

    name: str = key("the name of the tool", converter=TOOL)
    arguments: Mapping[str, str] = key(
        "its arguments as expressions", Table(Text()), factory=dict[str, str], name="with"
    )
    into: str = key(
        "the record or field that takes its result, instead of the tool's own `into`", converter=REFERENCE, default=""
    )
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@frozen
class PythonTool:
    """A tool that is a Python function: its declaration, and the function.

    `takes_call` names the parameter for the `ToolCall`, empty without one. `check` reports after a crash whether a
    call was made.
    """

    tool: Tool
    """The declaration of the tool."""
    function: Callable[..., Any]
    """The function that implements the tool."""
    takes_call: str = ""
    """The name of the parameter that receives the `ToolCall`; empty without one."""
    check: Callable[..., Any] | None = None
    """The function that finds out, after a crash, whether a call was made; `None` without one."""
    source: str = ""
    """The source of the function; empty if there is none."""
    file: str = ""
    """The file of the source; empty without one."""
    line: int = 0
    """The line of the file at which the source begins, from 1; 0 without one."""
    is_async: bool = False
    """True if a call of the function returns an awaitable."""

    @property
    def name(self) -> str:
        """The name of the tool in the flow."""
        return self.tool.name

    def __turnwise__(self) -> Tool:
        """Return the declaration of the tool."""
        return self.tool

    def __call__(self, *args: Any, **given: Any) -> Any:
        """Call the function as it was written."""
        return self.function(*args, **given)
