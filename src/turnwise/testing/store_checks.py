"""What the contract of stores is made of: tests that get a fresh store, and what they look at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from turnwise.core.codec import encode_state
from turnwise.core.fold import fold_all
from turnwise.core.state import State
from turnwise.errors import Conflict
from turnwise.runner.ports import Commit, Store
from turnwise.testing.journals import Journal


class Opens(Protocol):
    """Opens the store that is tested."""

    def open(self, place: Path) -> Store:
        """A store on the data at a place."""
        ...


def with_store(test: Callable[[Any, Store], Awaitable[None]]) -> Callable[[Any, Path], None]:
    """A test that gets a fresh store."""

    def run(self: Opens, tmp_path: Path) -> None:
        async def opened() -> None:
            store = self.open(tmp_path)
            try:
                await test(self, store)
            finally:
                await store.close()

        asyncio.run(opened())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def with_two_stores(test: Callable[[Any, Store, Store], Awaitable[None]]) -> Callable[[Any, Path], None]:
    """A test that gets two stores on the same data."""

    def run(self: Opens, tmp_path: Path) -> None:
        async def opened() -> None:
            one, other = self.open(tmp_path), self.open(tmp_path)
            try:
                await test(self, one, other)
            finally:
                await one.close()
                await other.close()

        asyncio.run(opened())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


async def refused(store: Store, conversation: str, commit: Commit, kind: type[Conflict] = Conflict) -> None:
    """Try to write what must be refused, in this way."""
    found = await result_of(store.commit(conversation, commit))
    assert type(found) is kind, f"{kind.__name__} was expected, and it came to {found!r}"


async def written(store: Store, conversation: str, commits: Sequence[Commit]) -> None:
    """Write commits one after another."""
    for commit in commits:
        await store.commit(conversation, commit)


async def holds(store: Store, conversation: str, journal: Journal) -> None:
    """The store holds this journal and its state, and nothing else of this conversation."""
    assert await store.entries(conversation) == journal.entries
    await leads_to(store, conversation, journal.state)


async def leads_to(store: Store, conversation: str, state: State | None) -> None:
    """The state that is loaded is this one, and the fold of the journal."""
    loaded, folded = await store.load(conversation), fold_all(await store.entries(conversation))
    assert _encoded(loaded) == _encoded(state) == _encoded(folded)


def _encoded(state: State | None) -> bytes:
    return encode_state(state) if state is not None else b""


async def result_of(writing: Awaitable[None]) -> Conflict | None:
    """Why a commit was refused; `None` where it was written."""
    try:
        await writing
    except Conflict as conflict:
        return conflict
    return None
