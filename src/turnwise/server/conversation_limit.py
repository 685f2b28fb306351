"""Limits how many stored conversations an owner may have, over all servers of a store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from turnwise.runner.ports import Store
from turnwise.server.problems import RequestFailed

SHARE_PER_PROCESS = 8
"""Each process begins at once at most an eighth of what is left, and at least one: what another process begins can be
counted only once it is stored.
"""


class _Begins:
    """The conversations that one owner begins in this process now."""

    def __init__(self) -> None:
        self.running = 0
        self.ended = 0
        self.inside = 0
        self.end = asyncio.Event()
        """Is set when the next one ends."""


class ConversationLimit:
    """The limit on stored conversations per owner, counted in the store whenever one begins."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._begins: dict[str, _Begins] = {}

    @asynccontextmanager
    async def counted(self, store: Store, owner: str, conversation: str) -> AsyncGenerator[None]:
        """Return a context in which an owner begins a conversation; waits while others that begin may use up the limit.
        Raises `RequestFailed` if the owner has too many, unless the conversation exists already.
        """
        begins = self._begins.setdefault(owner, _Begins())
        begins.inside += 1
        try:
            await self._wait(begins, store, owner, conversation)
            begins.running += 1
            try:
                yield
            finally:
                begins.running -= 1
                begins.ended += 1
                begins.end.set()
                begins.end = asyncio.Event()
        finally:
            begins.inside -= 1
            if not begins.inside:
                self._begins.pop(owner, None)

    async def _wait(self, begins: _Begins, store: Store, owner: str, conversation: str) -> None:
        while True:
            ended, end = begins.ended, begins.end
            left = self.most - await store.owned(owner)
            if left <= 0:
                if await store.entries(conversation, 0, 1):
                    return
                why = f"conversations is {self.most}, and '{owner}' has as many; delete one first"
                raise RequestFailed("too_many_conversations", why, limit="conversations")
            # one that ended during the look may not be in the number
            if begins.running + begins.ended - ended < max(1, left // SHARE_PER_PROCESS):
                return
            if begins.ended == ended:
                await end.wait()
