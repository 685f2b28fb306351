"""Checks the whole reply of a model before the user sees it, and replaces the reply by another text where a check
holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from turnwise.core.candidates import Block, Candidate
from turnwise.core.guards import Env, GuardFault
from turnwise.core.guards.python import call_guard
from turnwise.core.guards.scope import REPLY_TEXT
from turnwise.core.state import State
from turnwise.core.turn import StepBuilder
from turnwise.flow.guard import text_of


class Reply(Struct, frozen=True):
    """The reply of a model, as the argument of a Python function that checks it."""

    text: str
    """The text of the reply."""


def guarded_reply(step: StepBuilder, text: str) -> str:
    """Return the text of a reply, or the text that replaces it if a check fails, with a warning."""
    guard = step.node.reply_guard
    why = _problem(step, guard, text) if guard is not None and text.strip() else ""
    if guard is None or not why or not isinstance(guard.action, Block):
        return text
    step.warn("reply_replaced", f"a reply of the model was replaced: {why}")
    return step.fill(guard.action.text)


def guarded_beginning(step: StepBuilder, text: str) -> str:
    """Return the checked beginning of a reply that was cut off; empty if only whole replies are shown."""
    return text if step.node.reply_guard is None else ""


def _problem(step: StepBuilder, guard: Candidate, text: str) -> str:
    """Return why a reply is replaced, empty if it is not. A check that fails replaces it, since its result is
    unknown.
    """
    if guard.code is not None:
        names = step.machine.scope(step.state.frame.node).names
        run = call_guard(guard.code, names, step.state, given={"reply": Reply(text)})
        return f"{run.guard} failed: {run.error}" if run.error else f"{run.guard} holds" if run.returned else ""
    if guard.guard is None:
        return ""
    expression = text_of(guard.guard.expression)
    try:
        return f"{expression} holds" if guard.guard.test(Env(step.state.values, _WithReply(step.state, text))) else ""
    except GuardFault as error:
        return f"{expression} failed: {error}"


class _WithReply:
    """The roots of a state, and the reply."""

    def __init__(self, state: State, text: str) -> None:
        self._state = state
        self._text = text

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """Return the value of a root."""
        return self._text if key == REPLY_TEXT else self._state.get(key, read)
