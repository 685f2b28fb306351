"""Drops calls that cannot run any more: each is told to the model, and the turn warns of it (law 3.6)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.secrets import redacted_call
from turnwise.core.state.effects import Call
from turnwise.core.state.events import CallRefused, Ended, Moved, Said
from turnwise.core.turn import Turn

_LONGEST: Final = 200
"""How much of the arguments a warning shows, in characters."""


def drop(turn: Turn, call: Call, why: str) -> None:
    """Refuse a call that its turn never came for, and warn of it."""
    tool = call.tool[:60]
    turn.emit(CallRefused(call.id, tool, "dropped", f"not run: {why}"))
    turn.warn("calls_not_run", f"{tool} {_shown(turn, call)} was not run: {why}")


def drop_held(turn: Turn, why: str) -> None:
    """Refuse all calls that wait for approval, and those behind them, before the conversation leaves their node. The
    user is told, as a question about them is open.
    """
    for request in reversed(turn.state.waiting_calls):
        for call in request.behind:
            drop(turn, call, why)
        drop(turn, Call(request.call, request.tool, request.arguments), why)
        tool = turn.machine.tools.get(request.tool)
        if tool is not None:
            what = (tool.tool.about or request.tool.replace("_", " ")).rstrip(".")
            turn.emit(Said(turn.machine.language.text("consent_dropped", what=what), "refused"))


def why_dropped(turn: Turn) -> str:
    """Return why the remaining calls of a reply are not run: the last thing that stopped them."""
    for entry in reversed(turn.entries):
        match entry.event:
            case Moved(target=target):
                return f"the conversation moved to '{target}' before its turn came"
            case Ended():
                return "the conversation ended before its turn came"
            case _:
                pass
    return "the turn ended before its turn came"


def _shown(turn: Turn, call: Call) -> str:
    arguments: dict[str, Any] = redacted_call(turn.machine, replace(call, wrong="")).arguments
    text = encode(arguments).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
