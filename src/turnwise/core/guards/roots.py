"""The roots of the guard language (law 2.11): how each is read from a state."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from turnwise.core.guards.scope import Root
from turnwise.core.guards.types import to_stored
from turnwise.core.state import State, ToolHistory


def _message_text(state: State) -> str | None:
    text = state.doing.message if state.doing is not None else None
    return text if text is not None and text.strip() else None


def _button(state: State) -> str | None:
    return state.doing.button if state.doing is not None else None


def _fault(part: str) -> Callable[[State], str | None]:
    def read(state: State) -> str | None:
        fault = state.doing.fault if state.doing is not None else None
        return (getattr(fault, part) or None) if fault is not None else None

    return read


def _form_status(state: State) -> str | None:
    form = state.frames[-1].form
    return form.status if form is not None else None


def _scope_outcome(_state: State) -> None:
    return None


def _last_tool(state: State) -> str | None:
    return state.tools.last[-1].tool if state.tools.last else None


def moment_of(at_ms: int) -> datetime:
    """A time in milliseconds as a moment."""
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _today(state: State) -> str:
    """The day that it is, in the conversation's time zone."""
    return moment_of(state.at_ms).astimezone(ZoneInfo(state.time_zone)).date().isoformat()


TIME_ZONE = "time zone"
"""The conversation's time zone: what conversions between moments and days read. No guard can name it."""


def time_zone(state: State) -> str:
    """The name of the conversation's time zone."""
    return state.time_zone


ROOTS: dict[str, Root] = {
    "message.text": Root("string", _message_text),
    "message.button": Root("string", _button),
    "tools.last": Root("string", _last_tool),
    "turns": Root("int", lambda state: state.frames[-1].turns),
    "errors": Root("int", lambda state: state.errors),
    "form.status": Root("string", _form_status),
    "scope.outcome": Root("string", _scope_outcome),
    "error.kind": Root("string", _fault("kind")),
    "error.message": Root("string", _fault("message")),
    "error.tool": Root("string", _fault("tool")),
    "now": Root("timestamp", lambda state: state.at_ms, moment_of),
    "today": Root("date", _today),
}


CLOCK_ROOTS = ("now", "today")
"""The roots that change by time alone, which judges nothing again."""


def told(key: str, value: Any) -> Any:
    """The value of a root as it is shown: a moment as its text, all else as it is."""
    root = ROOTS.get(key)
    if root is None or root.convert is None or value is None or isinstance(value, str):
        return value
    return to_stored(root.convert(value))


SEQUENCE_LONGEST = 64
"""The longest sequence and the widest window: as many uses as are kept (law 1.1)."""

Pattern = tuple[tuple[str, ...], ...]
"""A tool sequence: per position the tools that fill it; an empty text among them leaves it out."""


def was_used(tools: ToolHistory, tool: str, within: int | None) -> bool:
    """True if the tool was used, or was among the last `within` uses."""
    if within is None:
        return tool in tools.counts
    return any(use.tool == tool for use in tools.last[-within:])


def ended_with(tools: ToolHistory, pattern: Pattern) -> bool:
    """True if the last uses, in their true order and with repeats, are this sequence."""
    uses = [use.tool for use in tools.last]
    ends = {len(uses)}
    for allowed in reversed(pattern):
        left_out = ends if "" in allowed else set[int]()
        ends = left_out | {end - 1 for end in ends if end > 0 and uses[end - 1] in allowed}
    return bool(ends)


def counted(tool: str) -> Callable[[State], Any]:
    """How often a tool was used."""
    return lambda state: state.tools.counts.get(tool, 0)


def visited(node: str) -> Callable[[State], Any]:
    """How often a node was entered."""
    return lambda state: state.visits.get(node, 0)
