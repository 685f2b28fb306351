"""Linked tools: what a flow declares, which ones a node may use, and a tool as the work of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from turnwise.core.guards import Env, Evaluate
from turnwise.core.state.effects import ToolSpec
from turnwise.flow.model import Field, SequencePosition, Tool


class QuestionPart(Struct, frozen=True):
    """A part of an approval question: a fixed text, or one that is computed from arguments."""

    text: str | Callable[[Env], str | None]
    """The text, or the function that computes it, which returns `None` where it has no value."""
    reads: tuple[str, ...] = ()
    """The arguments from which the text is computed."""
    is_value: bool = False
    """True where the part is the value of an argument, and nothing else."""


class ApprovalQuestion(Struct, frozen=True):
    """The question that an author wrote for the approval of a tool's calls."""

    parts: tuple[QuestionPart, ...]

    @property
    def named(self) -> frozenset[str]:
        """The arguments that the question reads; the others are listed below it."""
        return frozenset(name for part in self.parts for name in part.reads)


class LinkedTool(Struct, frozen=True):
    """A tool that the flow declares: its arguments, its description for models, and its approval question."""

    tool: Tool
    """Its declaration."""
    args: Mapping[str, Field]
    """Its arguments by name."""
    spec: ToolSpec
    """Its description for models."""
    ask: ApprovalQuestion | None = None
    """Its approval question, if the author wrote one."""


class Toolbox(Struct, frozen=True):
    """All tools that a node may use; `core.tools` selects those that are allowed now (law 4.1)."""

    specs: Mapping[str, ToolSpec]
    """The declared tools that the policy allows, then the generated ones for records."""
    reads: Mapping[str, tuple[str, ...]]
    """The fields that the generated tools return, by tool."""
    writes: Mapping[str, tuple[str, ...]]
    """The fields that the generated tools set, by tool."""
    denied: tuple[str, ...] = ()
    """The patterns of tools that are refused."""
    sequence: tuple[SequencePosition, ...] = ()
    """The order in which tools must be used, if the node demands one."""
    opens: Mapping[str, str] = {}
    """The scopes by the tools that open them."""
    finish: str = ""
    """The tool that closes the scope around the node; empty outside of scopes."""


class LinkedToolWork(Struct, frozen=True):
    """A tool as the work of a node: its arguments as closures, and the record or field that takes its result."""

    tool: LinkedTool
    """The tool that it runs."""
    arguments: Mapping[str, Evaluate]
    """The arguments as closures, by name."""
    result_target: str = ""
    """The record or field that takes its result."""
    at: str = ""
    """Where the flow says it, as `file:line:column`."""
