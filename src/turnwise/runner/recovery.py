"""The turns that were cut off when their process ended go on here, some at once. It runs no turn itself."""

from __future__ import annotations

import asyncio
import logging

from turnwise.core.turn import Refusal
from turnwise.errors import StoreUnavailable, TurnwiseError
from turnwise.runner.conversation_locks import Lanes
from turnwise.runner.ports import Store
from turnwise.runner.turns import Turns

MOST_REVIVED = 100
"""How many turns that were cut off go on at once."""

_log = logging.getLogger("turnwise.runner")


class Rescue:
    """Looks for conversations whose turn was cut off, and revives each; one that cannot go on is left alone."""

    def __init__(self, store: Store, turns: Turns, lanes: Lanes) -> None:
        self.store = store
        self.turns = turns
        self.lanes = lanes
        self._reviving = asyncio.Semaphore(MOST_REVIVED)
        self._revived: set[str] = set()
        self._hopeless: set[str] = set()
        """Conversations whose cut-off turn cannot go on in this process."""

    def reset(self) -> None:
        """Wait for nothing: the loop in which turns went on is closed."""
        self._reviving = asyncio.Semaphore(MOST_REVIVED)
        self._revived.clear()

    async def finish(self) -> None:
        """Bring all that are cut off to their ends."""
        await asyncio.gather(*(self._revive(conversation) for conversation in await self._cut_off()))

    async def begin(self) -> None:
        """The same in the background."""
        for conversation in await self._cut_off():
            self.lanes.later(self._revive(conversation))

    async def _cut_off(self) -> list[str]:
        """Those that nobody is at work on, and that might go on here."""
        busy = self.lanes.busy() | self._revived | self._hopeless
        return [one for one in await self.store.cut_off() if one not in busy and not self.lanes.is_owned(one)]

    async def _revive(self, conversation: str) -> None:
        self._revived.add(conversation)
        try:
            async with self._reviving:
                await self.lanes.alone(conversation, lambda: self._settle(conversation))
        except StoreUnavailable as failure:
            _log.warning("%s: a turn that was cut off cannot go on yet: %s", conversation, failure)
        except Exception as error:  # noqa: BLE001  one conversation must not keep the others from going on
            self._hopeless.add(conversation)
            trace = None if isinstance(error, TurnwiseError) else error
            _log.error("%s: a turn that was cut off cannot go on: %s", conversation, error, exc_info=trace)
        finally:
            self._revived.discard(conversation)

    async def _settle(self, conversation: str) -> None:
        settled = await self.turns.settled(conversation)
        if isinstance(settled, Refusal) and settled.code != "busy":
            self._hopeless.add(conversation)
