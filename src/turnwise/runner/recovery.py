"""Runs turns without a caller: recovers turns of processes that ended, and drives autonomous runs (law 2.8).

It runs no turn itself. A timer that each turn of an autonomous run arms, a little later than the next turn begins,
keeps the run alive over a crash; where the process lives on, that timer does not fire.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from turnwise.core.state.events import Continued
from turnwise.core.step.receive import awaits_continuation
from turnwise.core.turn import Refusal
from turnwise.errors import FlowUnavailable, StoreUnavailable, TurnwiseError
from turnwise.runner.conversation_locks import ConversationLocks
from turnwise.runner.ports import Accepted, Duplicate, Store
from turnwise.runner.turns import Turns

MOST_AT_ONCE = 100
"""How many turns that were cut off are recovered at once."""
PAUSE_S = 0.02
"""How many seconds a run waits while another event is at work on its conversation, where the flow refuses to queue it.
"""
LONGEST_PAUSE_S = 0.5
"""The longest time between two looks at a run that another process drives, in seconds."""

_log = logging.getLogger("turnwise.runner")


class Recovery:
    """Finds conversations with an interrupted turn, and finishes the turn; one that cannot continue is skipped."""

    def __init__(self, store: Store, turns: Turns, locks: ConversationLocks) -> None:
        self.store = store
        self.turns = turns
        self.locks = locks
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        self._under_way: set[str] = set()
        self._hopeless: set[str] = set()
        """Conversations whose turn cannot continue in this process."""

    def reset(self) -> None:
        """Drop work in progress, after its event loop was closed."""
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        self._under_way.clear()

    async def finish(self) -> None:
        """Finish all interrupted turns, and wait for them."""
        await asyncio.gather(*(self._recover(conversation) for conversation in await self._cut_off()))

    async def begin(self) -> None:
        """Start finishing interrupted turns in the background."""
        for conversation in await self._cut_off():
            self.locks.run_in_background(self._recover(conversation))

    async def _cut_off(self) -> list[str]:
        """Return conversations with an interrupted turn that this app is not processing and may continue."""
        busy = self.locks.busy() | self._under_way | self._hopeless
        found = await self.store.cut_off(self._hopeless)
        return [one for one in found if one not in busy and not self.locks.is_owned(one)]

    async def _recover(self, conversation: str) -> None:
        self._under_way.add(conversation)
        try:
            async with self._slots:
                found = await self.locks.run_locked(conversation, lambda: self.turns.finish(conversation))
            if isinstance(found, Refusal) and found.code != "busy":
                self._hopeless.add(conversation)
        except StoreUnavailable as failure:
            _log.warning("%s: a turn that was cut off cannot go on yet: %s", conversation, failure)
        except FlowUnavailable as failure:
            self._hopeless.add(conversation)
            self.turns.machines.kept.note_needed(failure.fingerprint, conversation)
            _log.error("%s: a turn that was cut off cannot go on: %s", conversation, failure)
        except Exception as error:  # noqa: BLE001  one conversation must not keep the others from continuing
            self._hopeless.add(conversation)
            trace = None if isinstance(error, TurnwiseError) else error
            _log.error("%s: a turn that was cut off cannot go on: %s", conversation, error, exc_info=trace)
        finally:
            self._under_way.discard(conversation)


class AutonomousRuns:
    """Drives autonomous runs, one task each: when a turn ends, the task submits the next one."""

    def __init__(
        self,
        store: Store,
        locks: ConversationLocks,
        submit: Callable[[str, Continued], Awaitable[Accepted | Duplicate | Refusal]],
    ) -> None:
        self.store = store
        self.locks = locks
        self._submit = submit
        self._driven: dict[str, asyncio.Event] = {}

    def begin(self, conversation: str) -> None:
        """Start to drive the autonomous run of a conversation, unless this process already does."""
        if conversation not in self._driven:
            ended = self._driven[conversation] = asyncio.Event()
            self.locks.run_in_background(self._drive(conversation, ended))

    def reset(self) -> None:
        """Drop all runs, after their event loop was closed."""
        self._driven.clear()

    async def _drive(self, conversation: str, ended: asyncio.Event) -> None:
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
            ended.set()

    async def wait(self, conversation: str) -> None:
        """Wait until the autonomous run of a conversation ends, whichever process drives it, or cannot continue."""
        pause_s, tried_at = 0.002, 0
        while True:
            state = await self.store.load(conversation)
            is_at_work = state is not None and state.doing is not None and state.doing.kind == "continued"
            if not (awaits_continuation(state) or is_at_work or conversation in self._driven):
                return
            if awaits_continuation(state) and conversation not in self._driven:
                if state is None or state.seq == tried_at:
                    return
                tried_at = state.seq
                self.begin(conversation)
            ended = self._driven.get(conversation)
            if ended is not None:
                await ended.wait()
                continue
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
