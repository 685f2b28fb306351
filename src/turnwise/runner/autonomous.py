"""Autonomous flows go on by themselves (law 2.8): after a turn of theirs the next one begins, until somebody is needed.

What keeps a run alive over a crash is a timer that each such turn arms, a little later than the next turn begins; where
the process lives on, nobody waits for that timer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from turnwise.core.state.events import Continued
from turnwise.core.step.receive import awaits_continuation
from turnwise.core.turn import Refusal
from turnwise.errors import TurnwiseError
from turnwise.runner.conversation_locks import Lanes
from turnwise.runner.ports import Accepted, Duplicate, Store

PAUSE_S = 0.02
"""How long a run waits for whoever is at work on its conversation, where a flow refuses to let it queue."""
LONGEST_PAUSE_S = 0.5
"""How often one looks at a run that another process drives."""

_log = logging.getLogger("turnwise.runner")

Submit = Callable[[str, Continued], Awaitable[Accepted | Duplicate | Refusal]]


class Runs:
    """The runs that this process drives, each by one task."""

    def __init__(self, store: Store, lanes: Lanes, submit: Submit) -> None:
        self.store = store
        self.lanes = lanes
        self._submit = submit
        self._driven: dict[str, asyncio.Event] = {}

    def begin(self, conversation: str) -> None:
        """See to it that a run goes on."""
        if conversation not in self._driven:
            over = self._driven[conversation] = asyncio.Event()
            self.lanes.later(self._drive(conversation, over))

    def reset(self) -> None:
        """Drive nothing: the loop of the runs is closed."""
        self._driven.clear()

    async def _drive(self, conversation: str, over: asyncio.Event) -> None:
        try:
            while True:
                done = await self._submit(conversation, Continued())
                if isinstance(done, Refusal) and done.code == "busy":
                    await asyncio.sleep(PAUSE_S)
                elif not (isinstance(done, Accepted) and awaits_continuation(done.state)):
                    return
        except TurnwiseError as failure:
            _log.warning("%s: the run stops here for now: %s", conversation, failure)
        finally:
            self._driven.pop(conversation, None)
            over.set()

    async def wait(self, conversation: str) -> None:
        """Wait while a run goes on, whichever process drives it; one that it cannot drive itself is left."""
        pause_s, driven = 0.002, 0
        while True:
            state = await self.store.load(conversation)
            is_at_work = state is not None and state.doing is not None and state.doing.kind == "continued"
            if not (awaits_continuation(state) or is_at_work or conversation in self._driven):
                return
            if awaits_continuation(state) and conversation not in self._driven:
                if state is None or state.seq == driven:
                    return
                driven = state.seq
                self.begin(conversation)
            over = self._driven.get(conversation)
            if over is not None:
                await over.wait()
                continue
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
