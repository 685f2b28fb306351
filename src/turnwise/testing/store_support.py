"""Helpers of the store contract: a fresh store per test, and commits as a runner makes them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from turnwise.core.state import State, Timer
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_state
from turnwise.core.state.fold import fold, fold_all
from turnwise.core.state.retention import DAY_MS
from turnwise.errors import Conflict
from turnwise.runner.ports import Commit, Receipt, Store

NOON_MS = 1_767_960_000_000
"""When conversations of the tests begin, in milliseconds since 1970: noon of 9 January 2026, UTC."""

_FENCES = count(1)


class Journal:
    """A conversation for tests, which makes its own commits; its state is always the state after the last entry.

    `day` is the day of the next commits.
    """

    def __init__(self, flow: str = "talk", version: str = "") -> None:
        self.flow = flow
        self.fingerprint = f"fingerprint of {flow}{version}"
        self.entries: tuple[e.Entry, ...] = ()
        self.state: State | None = None
        self.day = 0
        self.fence = 0
        """The fencing token of the turn that was opened or taken over last."""

    @property
    def known(self) -> State:
        """The state after the last entry; an error if the conversation has not begun."""
        assert self.state is not None, "the conversation has not begun"
        return self.state

    @property
    def seq(self) -> int:
        """The position of the last entry; 0 before the first one."""
        return len(self.entries)

    def begin(self, text: str = "", key: str = "", *, timers: Sequence[Timer] = ()) -> Commit:
        """Return the commit of the first turn, as a whole; arguments as in `turn`."""
        opening = e.Started(self.flow, 1, self.fingerprint, "home")
        return self._commit((opening, *self._served(text or "hello", timers)), turn=1, key=key)

    def turn(self, text: str, key: str = "", *, timers: Sequence[Timer] = (), frame: int = 0) -> Commit:
        """Return the commit of a whole turn with a message, in the frame with the number `frame`; `key` is its
        idempotency key, `timers` are those that are armed after it.
        """
        return self._commit(self._served(text, timers), turn=self.known.turn + 1, key=key, frame=frame)

    def scope(self, text: str, keep_ms: int) -> Commit:
        """Return the commit of a whole turn in which a scope opens, something is said inside, and the scope closes; its
        words are kept for `keep_ms` after that.
        """
        turn, inside = self.known.turn + 1, self.seq + 2
        kept = e.KeptWords(inside, keep_ms)
        first = self._commit((e.UserSaid("begin"), e.ScopeOpened("quiz", "quiz/ask", "node")), turn=turn)
        words = self._commit((e.Said(text),), turn=turn, frame=inside)
        closed = e.ScopeClosed("quiz", "completed", "it was a quiz", "node", keep=kept)
        last = self._commit((closed, e.Said("and back"), e.TurnEnded("message")), turn=turn)
        return replace(last, entries=(*first.entries, *words.entries, *last.entries))

    def undo(self) -> Commit:
        """Return the commit of a whole turn with an undo that takes back no other turn."""
        undone = e.Undone(self.known.turn, self.known)
        return self._commit((e.UndoAsked(), undone, e.TurnEnded("message")), turn=self.known.turn + 1)

    def awaits(self, queue: str, operator: str = "") -> Commit:
        """Return the commit of a whole turn after which a person is awaited, or (`operator`) is in charge."""
        person = e.TakenOver(operator) if operator else e.UserSaid("a person, please")
        awaited = () if operator else (e.PersonAwaited(queue, "about it"),)
        return self._commit((person, *awaited, e.TurnEnded("person")), turn=self.known.turn + 1)

    def gives_back(self) -> Commit:
        """Return the commit of a whole turn in which the operator gives the conversation back."""
        return self._commit((e.GivenBack("done"), e.TurnEnded("message")), turn=self.known.turn + 1)

    def open(self, text: str, key: str = "") -> Commit:
        """Return the first of several commits of a turn, which claims the conversation."""
        turn = self.state.turn + 1 if self.state is not None else 1
        self.fence = next(_FENCES)
        begin = (e.Started(self.flow, 1, self.fingerprint, "home"),) if self.state is None else ()
        return self._commit((*begin, e.UserSaid(text)), turn=turn, key=key)

    def go_on(self, text: str) -> Commit:
        """Return a commit in the middle of a turn."""
        return self._commit((e.Said(text),), turn=self.known.turn, part="next")

    def end(self, *, timers: Sequence[Timer] = ()) -> Commit:
        """Return the last of several commits of a turn."""
        return self._commit((e.TurnEnded("message", tuple(timers)),), turn=self.known.turn, part="next")

    def take_over(self) -> Commit:
        """Return the commit by which a process takes over the open turn of another one."""
        self.fence = next(_FENCES)
        return replace(self._commit((e.TurnRestarted(),), turn=self.known.turn), part="takeover")

    def snapshot(self) -> Commit:
        """Return the commit of a turn that ends with a snapshot of the state in the journal."""
        commit = self.turn("and once more")
        last = self.known
        entry = e.Entry(last.seq + 1, last.turn, last.at_ms, e.Snapshot(replace(last, seq=last.seq + 1)))
        self.entries = (*self.entries, entry)
        self.state = fold(last, entry)
        return replace(commit, entries=(*commit.entries, entry), state=self.state)

    def note(self, fact: e.Note) -> Commit:
        """Return the commit of a fact that is recorded after the turn."""
        return self._commit((fact,), turn=self.known.turn)

    def copy(self) -> Journal:
        """Return a copy of the journal, as another process knows the conversation."""
        other = Journal(self.flow)
        other.entries, other.state, other.day, other.fence = self.entries, self.state, self.day, self.fence
        return other

    def _served(self, text: str, timers: Sequence[Timer]) -> tuple[e.AnyEvent, ...]:
        decided = e.Decided("home", "before", "f", reads=([text, "direct", 1, 1],))
        return (e.UserSaid(text), decided, e.Said(f"you said {text}"), e.TurnEnded("message", tuple(timers)))

    def _commit(
        self, events: Sequence[e.AnyEvent], *, turn: int, key: str = "", part: str = "first", frame: int = 0
    ) -> Commit:
        at_ms = NOON_MS + self.day * DAY_MS
        entries = tuple(e.Entry(self.seq + place, turn, at_ms, event, frame) for place, event in enumerate(events, 1))
        self.entries += entries
        self.state = fold_all(entries, self.state)
        is_end = self.known.doing is None
        receipt = Receipt(key, f"body of {key}", turn) if key else None
        assert part in ("first", "next")
        return Commit(entries, part, self.known if is_end else None, receipt, self.fence)


class Opens(Protocol):
    """A test class that can open the store under test."""

    def open(self, place: Path) -> Store:
        """Return a store on the data in a folder."""
        ...


def with_store(test: Callable[[Any, Store], Awaitable[None]]) -> Callable[[Any, Path], None]:
    """Return a test that receives a new store on an empty folder."""
    return _with_stores(test, 1)


def with_two_stores(test: Callable[[Any, Store, Store], Awaitable[None]]) -> Callable[[Any, Path], None]:
    """Return a test that receives two stores on the same new data, as two processes have them."""
    return _with_stores(test, 2)


def with_three_stores(test: Callable[[Any, Store, Store, Store], Awaitable[None]]) -> Callable[[Any, Path], None]:
    """Return a test that receives three stores on the same new data, as three processes have them."""
    return _with_stores(test, 3)


def _with_stores(test: Callable[..., Awaitable[None]], number: int) -> Callable[[Any, Path], None]:
    def run(self: Opens, tmp_path: Path) -> None:
        async def opened() -> None:
            async with AsyncExitStack() as stack:
                stores = [self.open(tmp_path) for _ in range(number)]
                for store in reversed(stores):
                    stack.push_async_callback(store.close)
                await test(self, *stores)

        asyncio.run(opened())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


async def refused(store: Store, conversation: str, commit: Commit, kind: type[Conflict] = Conflict) -> None:
    """Raise `AssertionError` unless the store refuses a commit with this kind of conflict."""
    found = await result_of(store.commit(conversation, commit))
    assert type(found) is kind, f"{kind.__name__} was expected, and it came to {found!r}"


async def written(store: Store, conversation: str, commits: Sequence[Commit]) -> None:
    """Write commits one after another."""
    for commit in commits:
        await store.commit(conversation, commit)


async def holds(store: Store, conversation: str, journal: Journal) -> None:
    """Raise `AssertionError` unless the store has this journal and its state, and nothing else of the conversation."""
    assert await store.entries(conversation) == journal.entries
    await leads_to(store, conversation, journal.state)


async def leads_to(store: Store, conversation: str, state: State | None) -> None:
    """Raise `AssertionError` unless the loaded state equals this one and the fold of the journal."""
    loaded, folded = await store.load(conversation), fold_all(await store.entries(conversation))
    assert _encoded(loaded) == _encoded(state) == _encoded(folded)


def _encoded(state: State | None) -> bytes:
    return encode_state(state) if state is not None else b""


async def result_of(writing: Awaitable[None]) -> Conflict | None:
    """Return the conflict that refused a commit; `None` if it was written."""
    try:
        await writing
    except Conflict as conflict:
        return conflict
    return None
