"""Linked tools: what a flow declares, which ones a node may use, and a tool as the work of a node."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from turnwise.core.guards import Evaluate
from turnwise.core.state.effects import ToolSpec
from turnwise.flow.model import Field, SequencePosition, Tool


class LinkedTool(Struct, frozen=True):
    """A tool that the flow declares: its arguments, and its description for models."""

    tool: Tool
    args: Mapping[str, Field]
    spec: ToolSpec


class Toolbox(Struct, frozen=True):
    """All tools that a node may use; `core.tools` selects those that are allowed now (law 4.1).

    `specs` are the declared tools that the policy allows, then the generated ones for records. `reads` and
    `writes` are the fields, by address, that the generated tools return or set. `denied` are refused patterns.
    """

    specs: Mapping[str, ToolSpec]
    reads: Mapping[str, tuple[str, ...]]
    writes: Mapping[str, tuple[str, ...]]
    denied: tuple[str, ...] = ()
    sequence: tuple[SequencePosition, ...] = ()


class LinkedToolWork(Struct, frozen=True):
    """A tool as the work of a node: its arguments as closures, and the record or field that takes its result."""

    tool: LinkedTool
    arguments: Mapping[str, Evaluate]
    into: str = ""
    at: str = ""
    """Where the flow says it, as `file:line:column`."""
