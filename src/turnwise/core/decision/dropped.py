"""Drops calls that cannot run any more: the model gets the reason for each, and the turn warns of it (law 3.6)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.secrets import redacted_call
from turnwise.core.state.effects import Call
from turnwise.core.state.events import CallRefused, Ended, Moved
from turnwise.core.turn import StepBuilder
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Tool

_LONGEST: Final = 200
"""How much of the arguments a warning shows, in characters."""


def drop(step: StepBuilder, call: Call, why: str) -> None:
    """Refuse a call that was not made before its turn ended or moved on, and warn about it; `why` is the reason in
    words.
    """
    tool = call.tool[:60]
    step.emit(CallRefused(call.id, tool, "dropped", f"not run: {why}"))
    step.warn("calls_not_run", f"{tool} {_shown(step, call)} was not run: {why}")


def drop_rest(step: StepBuilder, what: str = "the scope was closed") -> None:
    """Refuse the remaining calls of a model's reply; `what` says in words what came before them, such as the closing of
    a scope.
    """
    for call in step.doing.calls:
        drop(step, call, f"{what} before its turn came")


def drop_held(step: StepBuilder, why: str) -> None:
    """Refuse all calls that wait for approval and those behind them, as the node is left, and tell the user so who had
    been asked to approve one. `why` is the reason in words.
    """
    for request in reversed(step.state.frame.waiting_calls):
        for call in request.behind:
            drop(step, call, why)
        drop(step, Call(request.call, request.tool, request.arguments), why)
        if request.tool in step.machine.tools:
            say_dropped(step, request.tool)


def say_dropped(step: StepBuilder, tool: str) -> None:
    """Send the user a text that a call waiting for approval is not made."""
    what = tool_in_words(step.machine.tools[tool].tool)
    step.say(step.machine.language.text("consent_dropped", what=what), "refused")


def tool_in_words(tool: Tool) -> str:
    """Return a tool's name for users: its title, or the first sentence of its description `about`."""
    first = _SENTENCE.split(tool.about.strip(), maxsplit=1)[0]
    return (tool.title or first or tool.name.replace("_", " ")).rstrip(".")


_SENTENCE = late_pattern(r"(?<=[.!?])\s+|\n\s*\n|;\s")
"""What separates sentences."""


def why_dropped(step: StepBuilder) -> str:
    """Return why the remaining calls of a reply are not run, in words: the last event that stopped them."""
    for entry in reversed(step.entries):
        match entry.event:
            case Moved(target=target):
                return f"the conversation moved to '{target}' before its turn came"
            case Ended():
                return "the conversation ended before its turn came"
            case _:
                pass
    return "the turn ended before its turn came"


def _shown(step: StepBuilder, call: Call) -> str:
    arguments: dict[str, Any] = redacted_call(step.machine, replace(call, wrong="")).arguments
    text = encode(arguments).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
