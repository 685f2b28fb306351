"""The port of metrics: what a meter receives while turns run, and the wrappers that measure for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from time import perf_counter
from typing import Any, Literal

from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, CallModel, RunTool, Understand
from turnwise.core.turn import Refusal
from turnwise.errors import UnknownConversation
from turnwise.runner.ports import Accepted, Duplicate

Phase = Literal["lock", "understanding", "model", "tool", "commit"]
"""What a turn waits for: the turn before it in the same conversation, an effect, or the store."""
Outcome = Literal["completed", "failed", "error", "superseded"]
"""How a turn ends: as the flow says, with a failure in the journal, with an error, or in another process."""
Attempted = Literal["delivered", "waiting", "failed"]
"""What comes of an attempt to deliver: it was accepted, is to be repeated, or was the last one."""
Served = Accepted | Duplicate | Refusal
"""The answer to a submitted event, by which turns are counted."""

_PHASES: dict[type[AnyEffect], Phase] = {Understand: "understanding", CallModel: "model", RunTool: "tool"}
"""The phase of each effect that may take long."""


class Meter(ABC):
    """Receives measurements of the turns of one app: times, outcomes, and what effects use.
    Its methods must neither wait nor raise, and get no name of a conversation: series per conversation would grow
    without end.
    """

    now_s = staticmethod(perf_counter)
    """Returns the time of a clock that never goes back, in seconds."""

    @abstractmethod
    def phase_ended(self, phase: Phase, since_s: float) -> None:
        """Record that a phase of a turn ends, which began at `since_s`, in seconds of `now_s`."""

    @abstractmethod
    def turn_ended(self, outcome: Outcome, since_s: float) -> None:
        """Record that a turn ends whose event came at `since_s`, in seconds of `now_s`."""

    @abstractmethod
    def refused(self, code: str) -> None:
        """Record that an event was refused, with the code of the refusal."""

    @abstractmethod
    def performed(self, result: e.ResultEvent) -> None:
        """Record the result of an effect: its tokens, cost, or failure."""

    @abstractmethod
    def claimed(self) -> None:
        """Record that a turn claims its conversation, since it needs more than one commit."""

    @abstractmethod
    def recovered(self) -> None:
        """Record that a turn ends which was taken over from a dead process."""

    @abstractmethod
    def attempted(self, outcome: Attempted) -> None:
        """Record the outcome of an attempt to send a delivery."""

    # what measures -----------------------------------------------------------------------------

    def measured_event(
        self, work: Callable[[], Coroutine[Any, Any, Served]]
    ) -> Callable[[], Coroutine[Any, Any, Served]]:
        """Return a function that does the work on an event and measures its time and outcome.
        The work begins when the lock of its conversation is free.
        """
        came_s = self.now_s()

        async def measured() -> Served:
            self.phase_ended("lock", came_s)
            try:
                done = await work()
            except UnknownConversation:  # no turn began
                raise
            except Exception:
                self.turn_ended("error", came_s)
                raise
            if isinstance(done, Accepted):
                self.turn_ended(_outcome(done), came_s)
            elif isinstance(done, Refusal):
                self.refused(done.code)
            return done

        return measured

    async def measure_effect(self, effect: AnyEffect, performing: Awaitable[e.ResultEvent]) -> e.ResultEvent:
        """Wait for the result of an effect, which `performing` gives, and measure its time."""
        began_s = self.now_s()
        result = await performing
        phase = _PHASES.get(type(effect))
        if phase is not None:
            self.phase_ended(phase, began_s)
            self.performed(result)
        return result


def _outcome(done: Accepted) -> Outcome:
    kinds = {type(one.event) for one in done.entries}
    return "superseded" if e.TurnRestarted in kinds else "failed" if e.Failed in kinds else "completed"
