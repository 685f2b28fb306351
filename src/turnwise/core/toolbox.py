"""Linked tools: what a flow declares, which ones a node may use, and a tool as the work of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from turnwise.core.guards import Env, Evaluate
from turnwise.core.state.effects import ToolSpec
from turnwise.flow.model import Field, SequencePosition, Tool


class QuestionPart(Struct, frozen=True):
    """A part of an approval question: a fixed text, or a text computed from the call's arguments."""

    text: str | Callable[[Env], str | None]
    """The text, or the function that computes it, which returns `None` if there is no value."""
    reads: tuple[str, ...] = ()
    """The names of the arguments from which the text is computed."""
    is_value: bool = False
    """True if the part is only the value of an argument."""


class ApprovalQuestion(Struct, frozen=True):
    """The question that the author wrote for approving calls of a tool."""

    parts: tuple[QuestionPart, ...]
    """The parts of the question's text, in order."""

    @property
    def named(self) -> frozenset[str]:
        """The names of the arguments that the question reads; all others are listed below it."""
        return frozenset(name for part in self.parts for name in part.reads)


class LinkedTool(Struct, frozen=True):
    """A compiled tool of the flow: its arguments, its description for models, and its approval question."""

    tool: Tool
    """The declaration of the tool."""
    args: Mapping[str, Field]
    """The arguments of the tool, by name."""
    spec: ToolSpec
    """The description of the tool for models."""
    ask: ApprovalQuestion | None = None
    """The approval question that the author wrote; `None` for the usual one."""


class Toolbox(Struct, frozen=True):
    """All tools that a node may use; `core.tools` selects those that are allowed now (law 4.1)."""

    specs: Mapping[str, ToolSpec]
    """The descriptions of the tools, by name: declared ones that the policy allows, then generated ones."""
    reads: Mapping[str, tuple[str, ...]]
    """The addresses of the fields that generated tools return, by tool."""
    writes: Mapping[str, tuple[str, ...]]
    """The addresses of the fields that generated tools set, by tool."""
    denied: tuple[str, ...] = ()
    """The patterns of the names of tools that are refused."""
    sequence: tuple[SequencePosition, ...] = ()
    """The order in which tools must be used; empty if the node requires none."""
    opens: Mapping[str, str] = {}
    """The scopes that tools open, by tool."""
    finish: str = ""
    """The tool that closes the scope around the node; empty outside of scopes."""


class LinkedToolWork(Struct, frozen=True):
    """A tool call that is the work of a node: the closures of its arguments, and where its result is stored."""

    tool: LinkedTool
    """The tool that the node runs."""
    arguments: Mapping[str, Evaluate]
    """The closures that compute the arguments, by name."""
    result_target: str = ""
    """The record or field that stores the result; empty for none."""
    at: str = ""
    """Where the call stands in the flow, as `file:line:column`."""
