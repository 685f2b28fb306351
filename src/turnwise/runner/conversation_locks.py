"""Exclusive access to a conversation: one event after another, in order of arrival (law 3.10).

Chats of one process that share a store object share the locks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from turnwise.runner.ports import Store
from turnwise.runner.turn_tasks import Caller, TurnTasks


class Owners:
    """Conversations and who is at work on each. Chats in several threads may ask at once."""

    def __init__(self) -> None:
        self._owners: dict[str, object] = {}

    def take(self, conversation: str, owner: object) -> bool:
        """Make a conversation one's own; false where it is another's."""
        return self._owners.setdefault(conversation, owner) is owner

    def give_back(self, conversation: str) -> None:
        """Let others have it."""
        self._owners.pop(conversation, None)

    def has(self, conversation: str) -> bool:
        """True if somebody is at work on it."""
        return conversation in self._owners


_KNOWN: WeakKeyDictionary[Store, Owners] = WeakKeyDictionary()


def owners_of(store: Store) -> Owners:
    """What all chats over a store object have in common; a store that nobody can refer to weakly is one chat's."""
    try:
        return _KNOWN.setdefault(store, Owners())
    except TypeError:
        return Owners()


Done = TypeVar("Done")
LONGEST_PAUSE_S = 0.02
"""The longest time between two looks at a conversation that another chat over the same store object has."""


class Busy(Exception):
    """Somebody is at work on a conversation, and who came does not wait."""


class _Lane:
    """The queue of one conversation: a lock, and how many are in it or wait for it."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class Lanes:
    """The conversations of a chat that are worked on, each with those who wait for it. A conversation that rests
    has no lane.
    """

    def __init__(self, store: Store) -> None:
        self.owners = owners_of(store)
        self._lanes: dict[str, _Lane] = {}
        self._later: set[asyncio.Task[None]] = set()
        self._tasks = TurnTasks()

    async def alone(
        self,
        conversation: str,
        work: Callable[[], Coroutine[Any, Any, Done]],
        *,
        waits: bool = True,
        caller: Caller | None = None,
    ) -> Done:
        """Run `work` while nobody else works on a conversation. Raises `Busy` if somebody does and `waits` is false.

        A caller who is cancelled while waiting leaves the queue, and nothing is done. One who is cancelled later leaves
        the work running: it keeps the conversation to its end.
        """
        lane = self._lanes.get(conversation)
        if lane is None:
            lane = self._lanes[conversation] = _Lane()
        elif not waits:
            raise Busy
        lane.users += 1
        try:
            await lane.lock.acquire()
        except BaseException:
            self._leave(conversation, lane)
            raise
        try:
            await self._owned(conversation, waits=waits)
        except BaseException:
            self._free(conversation, lane)
            raise

        def at_end() -> None:
            self.owners.give_back(conversation)
            self._free(conversation, lane)

        return await self._tasks.run(work(), caller or Caller(), at_end)

    def _free(self, conversation: str, lane: _Lane) -> None:
        """Let the next one in the queue have the conversation."""
        lane.lock.release()
        self._leave(conversation, lane)

    def _leave(self, conversation: str, lane: _Lane) -> None:
        lane.users -= 1
        if not lane.users and self._lanes.get(conversation) is lane:
            del self._lanes[conversation]

    async def _owned(self, conversation: str, *, waits: bool) -> None:
        """Have a conversation for this chat, after another one over the same store object."""
        pause_s = 0.001
        while not self.owners.take(conversation, self):
            if not waits:
                raise Busy
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def busy(self) -> frozenset[str]:
        """The conversations that are worked on here now."""
        return frozenset(self._lanes)

    def is_owned(self, conversation: str) -> bool:
        """Whether this chat or another one over the same store object is at work on a conversation."""
        return self.owners.has(conversation)

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on that nobody waits for but `drain`."""
        task = asyncio.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    def reset(self) -> None:
        """Give up all conversations: the loop of their work is closed."""
        for conversation in self._lanes:
            self.owners.give_back(conversation)
        self._lanes.clear()
        self._later.clear()

    async def drain(self) -> None:
        """Wait for all who are in a lane now, and for what goes on by itself."""
        for lane in list(self._lanes.values()):
            async with lane.lock:
                pass
        while self._later:
            await asyncio.wait(self._later)
