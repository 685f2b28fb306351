"""A store that cannot be written for a while: tried again, then the turn is refused, and the same key may come
again. Nothing is lost, nothing is half written, nothing happens twice.
"""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneChat, flow_of, names
from turnwise.errors import StoreFailed
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.model_port import ModelReply
from turnwise.stores.sqlite import SqliteStore

RETRY_S = 0.15
LONG = " ".join(map(str, range(900)))
"""A message that takes pages of its own, though it is compressed."""

FLOW = """
flow: talk
start: home
nodes:
  home: {prompt: Talk.}
"""


class Locked:
    """Another process that writes for too long."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("BEGIN IMMEDIATE")

    async def end(self) -> None:
        self.db.execute("ROLLBACK")
        self.db.close()


class Full:
    """A disk that takes no more pages."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store

    async def begin(self) -> Full:
        await self.store.write(lambda db: db.execute("PRAGMA max_page_count = 1"))
        return self

    async def end(self) -> None:
        await self.store.write(lambda db: db.execute("PRAGMA max_page_count = 1000000"))


async def locked(chat: tw.Chat) -> Locked:
    return Locked(chat.runtime.store.path)  # type: ignore[attr-defined]


async def full(chat: tw.Chat) -> Full:
    return await Full(chat.runtime.store).begin()  # type: ignore[arg-type]


TROUBLES: dict[str, tuple[Callable[[tw.Chat], Awaitable[Locked | Full]], str]] = {
    "locked": (locked, "the database is locked by another process (database is locked)"),
    "full": (full, "the disk is full (database or disk is full)"),
}


def opened(place: Path, model: Any = None, **more: Any) -> OneChat:
    more = {"store_retry_s": RETRY_S, "understand": lambda _message, _allowed: (), **more}
    return OneChat(flow_of(FLOW), store=f"sqlite:///{place / 'x.db'}", model=model or ScriptedModel(["…"] * 20), **more)


async def keys_of(chat: tw.Chat) -> list[tuple[str, int]]:
    found = chat.runtime.store.reader.all("SELECT key, turn FROM inbox ORDER BY rowid")  # type: ignore[attr-defined]
    return [(key, turn) for key, turn in found]


@pytest.mark.law("3.1", "3.8")
@pytest.mark.parametrize("name", TROUBLES)
def test_a_turn_is_refused_and_the_same_key_may_come_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    begin, reason = TROUBLES[name]

    async def whole() -> None:
        async with opened(tmp_path) as chat:
            await chat.say("hello", key="k1")
            before = await chat.journal()
            trouble = await begin(chat)
            began_s = time.monotonic()
            refused = await chat.say(LONG, key="k2")
            assert time.monotonic() - began_s >= RETRY_S / 2
            assert refused.refused == "store_unavailable"
            assert refused.text == "Sorry, I cannot note this down right now. Please send it again in a moment."
            assert (refused.number, refused.buttons, names(refused)) == (0, (), [])
            assert await chat.journal() == before
            assert await chat.replay()
            await trouble.end()
            taken = await chat.say(LONG, key="k2")
            assert (taken.refused, taken.is_duplicate, taken.number) == (None, False, 2)
            assert (await chat.say(LONG, key="k2")).is_duplicate
            assert await keys_of(chat) == [("k1", 1), ("k2", 2)]
            assert await chat.replay()

    asyncio.run(whole())
    path = tmp_path / "x.db"
    told = [one.getMessage() for one in caplog.records if one.name == "turnwise.runner"]
    assert told == [f"main: an event was refused: {path}: {reason}"]


@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_that_passes_is_not_noticed(tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str) -> None:
    async def whole() -> None:
        async with opened(tmp_path, store_retry_s=20.0) as chat:
            await chat.say("hello")
            if name == "locked":
                trouble = await locked(chat)
                saying = asyncio.ensure_future(chat.say("again"))
                asyncio.get_running_loop().call_later(0.05, trouble.db.execute, "ROLLBACK")
            else:
                saying = asyncio.ensure_future(chat.say("again"))
            assert (await saying).number == 2

    asyncio.run(whole())
    assert caplog.records == []


def test_a_conversation_cannot_begin_while_the_store_is_locked(tmp_path: Path) -> None:
    async def whole() -> None:
        chat = opened(tmp_path)
        trouble = await locked(chat)
        assert (await chat.say("hello", key="k")).refused == "store_unavailable"
        assert await chat.runtime.store.conversations() == ()
        await trouble.end()
        assert (await chat.say("hello", key="k")).number == 1
        await chat.close()

    asyncio.run(whole())


class FillingModel:
    """A model in whose call the disk fills."""

    def __init__(self) -> None:
        self.chat: tw.Chat | None = None
        self.trouble: Locked | Full | None = None
        self.calls = 0

    async def reply(self, _request: Any) -> ModelReply:
        self.calls += 1
        await asyncio.sleep(0)  # as a model does: what was decided until here is committed
        if self.chat is not None:
            self.trouble, self.chat = await full(self.chat), None
        return ModelReply(f"{self.calls}: {LONG}")


@pytest.mark.law("3.1", "3.8")
def test_a_disk_that_fills_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    """The event is kept, its end is not: the same key finds the turn finished, by going on from where it was."""
    model = FillingModel()

    async def whole() -> None:
        async with opened(tmp_path, model) as chat:
            await chat.say("hello", key="k1")
            model.chat = chat
            refused = await chat.say("again", key="k2")
            assert refused.refused == "store_unavailable"
            assert await keys_of(chat) == [("k1", 1), ("k2", 2)]
            state = await chat.state()
            assert state.doing is not None
            assert (await chat.say("no room", key="k3")).refused == "store_unavailable"
            assert model.trouble is not None
            await model.trouble.end()
            found = await chat.say("again", key="k2")
            assert (found.is_duplicate, found.number) == (True, 2)
            assert found.text.startswith(f"{model.calls}: 0 1 2")
            assert names(found).count("turn_ended") == 1
            assert "turn_restarted" in names(found)
            assert [one.seq for one in await chat.journal()] == list(range(1, (await chat.state()).seq + 1))
            assert (await chat.say("and on", key="k3")).number == 3
            assert await chat.replay()

    asyncio.run(whole())


def test_a_lock_in_the_middle_of_a_turn_that_lasts(tmp_path: Path) -> None:
    """Another process locks the file between the first commit and the last."""
    held: list[Locked] = []

    class Locking(FillingModel):
        async def reply(self, _request: Any) -> ModelReply:
            if self.chat is not None:
                await self.chat.runtime.store.write(lambda _db: None)  # type: ignore[attr-defined]
                assert (await self.chat.runtime.store.receipt("main", "k2")) is not None
                held.append(await locked(self.chat))
                self.chat = None
            return ModelReply("…")

    model = Locking()

    async def whole() -> None:
        async with opened(tmp_path, model) as chat:
            await chat.say("hello", key="k1")
            model.chat = chat
            assert (await chat.say("again", key="k2")).refused == "store_unavailable"
            await held[0].end()
            assert (await chat.say("again", key="k2")).is_duplicate
            assert await chat.replay()

    asyncio.run(whole())


def test_a_small_disk_that_is_full(tmp_path: Path) -> None:
    """A real one, where the system lets a test have it."""
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", place], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        asyncio.run(_filled(place))
    finally:
        subprocess.run(["umount", place], check=True)


async def _filled(place: Path) -> None:
    async with opened(place) as chat:
        taken = 0
        for number in range(500):
            turn = await chat.say(f"{number} {LONG}", key=f"k{number}")
            if turn.refused:
                break
            taken += 1
        assert turn.refused == "store_unavailable"
        assert 5 < taken < 500
        assert await chat.replay()
        state = await chat.state()
        assert state.turn in (taken, taken + 1), "the disk may fill in the middle of a turn: it goes on later"
        assert (await keys_of(chat))[:taken] == [(f"k{number}", number + 1) for number in range(taken)]
        assert (await chat.say(f"{taken} {LONG}", key=f"k{taken}")).refused == "store_unavailable"
        mounting = ["mount", "-o", "remount,size=8m", place]
        await asyncio.to_thread(subprocess.run, mounting, check=True)
        assert (await chat.say(f"{taken} {LONG}", key=f"k{taken}")).number == taken + 1
        assert await chat.replay()
    with closing(sqlite3.connect(place / "x.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# opening ------------------------------------------------------------------------------------------


@pytest.fixture
def exclusive(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another process that lets nobody in, on a file that is not ready yet."""
    db = sqlite3.connect(tmp_path / "x.db", isolation_level=None, check_same_thread=False)
    db.execute("BEGIN EXCLUSIVE")
    yield db
    db.close()


def test_a_file_that_stays_locked_cannot_be_opened(tmp_path: Path, exclusive: sqlite3.Connection) -> None:
    began_s = time.monotonic()
    with pytest.raises(StoreFailed) as raised:
        opened(tmp_path)
    assert str(raised.value) == f"{tmp_path / 'x.db'}: {TROUBLES['locked'][1]}"
    assert RETRY_S / 2 < time.monotonic() - began_s < 400 * RETRY_S
    exclusive.execute("ROLLBACK")


def test_a_file_that_is_locked_for_a_moment_is_opened(tmp_path: Path, exclusive: sqlite3.Connection) -> None:
    threading.Timer(0.05, exclusive.execute, ["ROLLBACK"]).start()
    asyncio.run(opened(tmp_path, store_retry_s=20.0).close())


def test_how_long_it_is_tried_is_a_setting_of_five_seconds(tmp_path: Path) -> None:
    assert tw.open(flow_of(FLOW), store=f"sqlite:///{tmp_path / 'x.db'}").runtime.store.retry_s == 5.0  # type: ignore[attr-defined]
    assert opened(tmp_path, store_retry_s=7.5).runtime.store.retry_s == 7.5  # type: ignore[attr-defined]


def test_reading_waits_for_a_lock_that_keeps_readers_out(tmp_path: Path) -> None:
    path = tmp_path / "x.db"

    async def whole() -> None:
        async with opened(tmp_path) as chat:
            await chat.say("hello")
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE conversation SET at_ms = at_ms")
        with pytest.raises(StoreFailed, match="the database is locked by another process"):
            opened(tmp_path)
        db.execute("ROLLBACK")
        db.close()
        async with opened(tmp_path) as chat:
            assert (await chat.say("again")).number == 2

    asyncio.run(whole())
