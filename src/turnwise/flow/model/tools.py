"""Tools, who supplies them, and which of them a node may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwise.flow.converters import lenient, many, part_of, seconds, short, text, texts
from turnwise.flow.diagnostic import Diagnostic, Span
from turnwise.flow.frozen import frozen
from turnwise.flow.model.values import Field
from turnwise.flow.model.words import AnySpan, Naming, Namings, OnCrash, Texts, ToolKind, hidden, span, table_of


@lenient(pause_s=seconds)
@frozen
class Retry:
    """How often failed work is tried again, and how long to wait between the attempts."""

    times: int = 0
    pause_s: float = 0.0

    if TYPE_CHECKING:

        def __init__(
            self,
            times: int = 0,
            pause_s: AnySpan = 0.0,
        ) -> None: ...


@lenient(args=many(part_of), timeout_s=seconds)
@frozen
class Tool:
    """A tool that nodes may use; code or an MCP server supplies it."""

    name: str
    about: str = ""
    args: tuple[Field, ...] = ()
    kind: ToolKind = "read"
    confirm: bool = False
    timeout_s: float | None = None
    retry: Retry = Retry()
    on_crash: OnCrash = "again"
    expects: str = ""
    faults: tuple[Diagnostic, ...] = hidden(())
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            about: str = "",
            args: Sequence[Field] = (),
            kind: ToolKind = "read",
            confirm: bool = False,
            timeout_s: AnySpan | None = None,
            retry: Retry = Retry(),
            on_crash: OnCrash = "again",
            expects: str = "",
            faults: tuple[Diagnostic, ...] = (),
            span: Span = ...,
        ) -> None: ...


@lenient(command=texts, env=texts)
@frozen
class McpServer:
    """A server of the Model Context Protocol that supplies tools: a command to start, or an address.

    `env` names variables of the environment that a command is given, `token` the one that holds the bearer token of
    an address: no secret stands in a flow.
    """

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: tuple[str, ...] = ()
    token: str = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            command: Texts = (),
            url: str = "",
            env: Texts = (),
            token: str = "",
            span: Span = ...,
        ) -> None: ...


@lenient(tools=texts)
@frozen
class SequencePosition:
    """One position of a tool sequence: any one of `tools`, which may be left out where optional."""

    tools: tuple[str, ...]
    optional: bool = False

    if TYPE_CHECKING:

        def __init__(
            self,
            tools: Namings,
            optional: bool = False,
        ) -> None: ...


@lenient(allow=texts, deny=texts, sequence=many(short(SequencePosition, texts)))
@frozen
class ToolPolicy:
    """Which tools a node allows, forbids, and demands in order."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    sequence: tuple[SequencePosition, ...] = ()
    enforce: bool = False
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            allow: Namings = (),
            deny: Namings = (),
            sequence: Sequence[SequencePosition | Naming | Sequence[Naming]] = (),
            enforce: bool = False,
            span: Span = ...,
        ) -> None: ...


@lenient(name=text, into=text)
@frozen
class ToolWork:
    """A tool as the work of a node: which, with which arguments, and the record for its result."""

    name: str
    arguments: Mapping[str, str] = table_of()
    into: str = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: Naming,
            arguments: Mapping[str, str] = ...,
            into: Naming = "",
            span: Span = ...,
        ) -> None: ...


@frozen
class PythonTool:
    """A tool that is a function: what the flow says about it, and the function beside that.

    `takes_call` is the parameter that is given the `ToolCall`, empty where there is none. `check` says after a
    crash whether a call was made.
    """

    tool: Tool
    function: Callable[..., Any]
    takes_call: str = ""
    check: Callable[..., Any] | None = None
    source: str = ""
    file: str = ""
    line: int = 0
    is_async: bool = False

    @property
    def name(self) -> str:
        """The name by which the flow knows it."""
        return self.tool.name

    def __turnwise__(self) -> Tool:
        """The tool as the flow says it."""
        return self.tool

    def __call__(self, *args: Any, **given: Any) -> Any:
        """Call the function as it was written."""
        return self.function(*args, **given)
