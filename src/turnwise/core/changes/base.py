"""What several changes need."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core import events as e
from turnwise.core.state import KEPT_USES, State, ToolHistory, ToolUse, TurnState


def doing_of(state: State) -> TurnState:
    """What belongs to the turn that is under way."""
    assert state.doing is not None, "no turn is under way"
    return state.doing


def without(table: dict[str, Any], key: str) -> dict[str, Any]:
    """A table without a key."""
    return {k: v for k, v in table.items() if k != key} if key in table else table


def used(state: State, entry: e.Entry, tool: str) -> State:
    """A tool was used: its count, and its place among the last uses (law 1.1)."""
    counts = {**state.tools.counts, tool: state.tools.counts.get(tool, 0) + 1}
    last = (*state.tools.last, ToolUse(tool, entry.turn, state.node))[-KEPT_USES:]
    return replace(state, tools=ToolHistory(counts, last))
