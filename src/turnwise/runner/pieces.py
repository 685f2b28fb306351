"""Sends the text of a model piece by piece: to the caller of the turn as it is, to observers without secret values."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.core.prompts import ModelRequest
from turnwise.core.secrets import StreamRedactor, secret_values, takes_secret
from turnwise.core.state import State
from turnwise.runner.model_port import Delta
from turnwise.runner.services import Task


class Pieces:
    """Sends the pieces of one reply's text while a model generates it.

    Observers receive nothing of a reply whose tool calls may give a secret field its value: only when these are made it
    is known which words are secret.
    """

    def __init__(self, task: Task, effect: str, request: ModelRequest) -> None:
        self._task = task
        self._state: State = task.state
        self._effect = effect
        machine = task.machine
        is_known = not takes_secret(machine, [tool.name for tool in request.tools])
        self._on_shown = task.on_shown if is_known else None
        self._held = StreamRedactor(secret_values(machine, task.state))

    @property
    def is_wanted(self) -> bool:
        """True if there is a receiver for the pieces."""
        return self._task.on_delta is not None or self._on_shown is not None

    def add(self, text: str) -> None:
        """Send a piece of text."""
        self._send(self._task.on_delta, text)
        if self._on_shown is not None:
            self._send(self._on_shown, self._held.add(text))

    def withdraw(self) -> None:
        """Withdraw all pieces that were sent so far."""
        self._held.end()
        for to in (self._task.on_delta, self._on_shown):
            if to is not None:
                to(Delta(self._state.node, self._effect, "", self._state.turn, is_whole=True))

    def end(self) -> None:
        """Send the text that was held back, at the end of the reply."""
        self._send(self._on_shown, self._held.end())

    def _send(self, to: Callable[[Delta], object] | None, text: str) -> None:
        if to is not None and text:
            to(Delta(self._state.node, self._effect, text, self._state.turn))
