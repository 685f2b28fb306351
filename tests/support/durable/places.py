"""Places at which a process can kill itself: counted, so that every one of a run can be hit."""

from __future__ import annotations

import mmap
import os
import signal
from collections.abc import Sequence
from typing import Any

from turnwise.api.app import App
from turnwise.core.state.effects import AnyEffect
from turnwise.core.state.events import ResultEvent
from turnwise.runner.services import Task

PLACES = (
    "before a transaction",
    "in a transaction",
    "after a transaction",
    "before an effect",
    "in a tool",
    "after an effect",
    "after a turn",
)
_COUNT_BYTES = 8


class Shared:
    """Numbers that outlive the process that wrote them: how often each place was reached."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _COUNT_BYTES * len(PLACES))

    def add(self, place: str) -> None:
        """One more."""
        begin = _COUNT_BYTES * PLACES.index(place)
        self._memory[begin : begin + _COUNT_BYTES] = (self.count(place) + 1).to_bytes(_COUNT_BYTES)

    def count(self, place: str) -> int:
        """How often a place was reached."""
        begin = _COUNT_BYTES * PLACES.index(place)
        return int.from_bytes(self._memory[begin : begin + _COUNT_BYTES])

    @property
    def counts(self) -> dict[str, int]:
        """How often each was."""
        return {place: self.count(place) for place in PLACES}


class Fate:
    """Kills this process with SIGKILL when a place is reached for the n-th time; `place` empty means any."""

    def __init__(self, place: str = "", after: int = 0, shared: Shared | None = None) -> None:
        self.place = place
        self.left = after
        self.shared = shared or Shared()

    def reach(self, place: str) -> None:
        """Count, and die here if it is time."""
        self.shared.add(place)
        if self.place in ("", place):
            self.die()

    def die(self) -> None:
        """Die here if it is the time that was chosen."""
        if self.left:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, app: App, store: Any) -> None:
        """Reach the places of a store and of the effects of a chat."""
        self._watch_writer(store)
        self._watch_effects(app)

    def _watch_writer(self, store: Any) -> None:
        writer = store._writer
        together = writer._together
        if hasattr(store, "round_trips"):
            self._watch_postgres(writer)
            return

        def watched(items: Sequence[Any], *more: Any) -> Any:
            self.reach("before a transaction")
            done = together(items, *more, lambda _: self.reach("in a transaction"))
            self.reach("after a transaction")
            return done

        writer._together = watched  # type: ignore[method-assign]

    def _watch_postgres(self, writer: Any) -> None:
        """A transaction is sent as a whole: "in a transaction" is after its statements and before its end is sent."""
        together, connected = writer._together, writer._connected

        def watched(items: Sequence[Any], **more: Any) -> Any:
            self.reach("before a transaction")
            done = together(items, **more)
            self.reach("after a transaction")
            return done

        def watched_connection() -> Any:
            db = connected()
            if "execute" not in vars(db):
                execute = db.execute

                def executed(sql: str, *values: Any, **more: Any) -> Any:
                    if sql == "COMMIT":
                        self.reach("in a transaction")
                    return execute(sql, *values, **more)

                db.execute = executed
            return db

        writer._together, writer._connected = watched, watched_connection

    def _watch_effects(self, app: App) -> None:
        performer = app.runtime.performer
        perform = performer.perform

        async def watched(effect: AnyEffect, task: Task) -> ResultEvent:
            self.reach("before an effect")
            done = await perform(effect, task)
            self.reach("after an effect")
            return done

        performer.perform = watched  # type: ignore[method-assign]
