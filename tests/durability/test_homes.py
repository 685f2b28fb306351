"""A chat in a second event loop or in a forked child, and a database file that is gone: one clear error, no hang."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import OneChat
from support.durable.running import run
from support.postgres import DATABASES
from turnwise.errors import ForkedProcess, StoreFailed, WrongEventLoop
from turnwise.stores.sqlite import SqliteStore
from turnwise.stores.sqlite.connect import TRANSIENT_ERRORS, reason

FLOW = tw.Flow("f", start="a", nodes=[tw.Node("a", prompt="Talk.")])


@pytest.fixture(params=["memory", "sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "memory://" if request.param == "memory" else f"sqlite:///{tmp_path / 'x.db'}"


def opened(address: str) -> OneChat:
    return OneChat(FLOW, store=address, model=tw.ScriptedModel(["One.", "Two.", "Three."]))


def test_one_chat_in_two_loops_is_an_error_at_the_first_call_and_at_closing(address: str) -> None:
    chat, errors = opened(address), list[BaseException]()
    ready, done = threading.Event(), threading.Event()

    async def there() -> None:
        await chat.say("one")
        ready.set()
        await asyncio.to_thread(done.wait, 60)
        await chat.close()

    other = threading.Thread(target=lambda: run(there()))
    other.start()
    assert ready.wait(60)
    for call in (lambda: chat.say("two"), chat.state, chat.app.drain, chat.close):
        with pytest.raises(WrongEventLoop, match="in use in another event loop") as found:
            run(call())
        errors.append(found.value)
    done.set()
    other.join()
    assert len(errors) == 4


class Stalling:
    """A model that never answers a message of the user."""

    async def reply(self, request: tw.ModelRequest) -> tw.ModelReply:
        if request.transcript:
            await asyncio.Event().wait()
        return tw.ModelReply("One.")


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
@pytest.mark.filterwarnings("ignore:.*was deleted while still open:ResourceWarning")
def test_a_turn_whose_loop_ended_is_taken_over_in_the_same_process(store: str, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'x.db'}" if store == "sqlite" else DATABASES.at(tmp_path)

    async def left_in_the_middle() -> None:
        app = tw.open(FLOW, store=address, model=Stalling())
        await app.chat("c").start()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(app.chat("c").say("hello"), 0.05)

    run(left_in_the_middle())
    gc.collect()  # the app is in a circle of references

    async def afterwards() -> str:
        async with tw.open(FLOW, store=address, model=tw.ScriptedModel(["Two.", "Three."])) as app:
            return (await asyncio.wait_for(app.chat("c").say("are you there?"), 60)).text

    assert run(afterwards()) in ("Two.", "Three.")


def test_loops_that_follow_one_another_may_use_one_chat(address: str) -> None:
    chat = opened(address)
    assert [run(chat.say(text)).text for text in ("one", "two")] == ["One.", "Two."]
    run(chat.close())


def in_child(work: Callable[[], object]) -> str:
    """What work in a forked child raised; fails where it hangs."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            work()
            words = "nothing"
        except BaseException as error:  # noqa: BLE001  the parent judges it
            words = f"{type(error).__name__}: {error}"
        os.write(writing, words.encode())
        os._exit(0)
    os.close(writing)
    killer = threading.Timer(20, os.kill, (pid, 9))
    killer.start()
    words = os.read(reading, 10_000).decode()
    killer.cancel()
    os.waitpid(pid, 0)
    os.close(reading)
    return words


def test_a_chat_of_the_parent_is_an_error_in_a_forked_child_and_closing_it_there_does_nothing(address: str) -> None:
    app = tw.open_sync(FLOW, store=address, model=tw.ScriptedModel(["One.", "Two.", "Three."]))
    blocking, chat = app.chat("main"), app.app.chat("main")
    blocking.say("one")
    words = "ForkedProcess: this app was opened before the process was forked; open another one in the child"
    assert in_child(lambda: blocking.say("two")) == words
    assert in_child(lambda: asyncio.run(chat.say("two"))) == words
    assert in_child(lambda: asyncio.run(chat.state())) == words
    assert in_child(app.close) == in_child(lambda: asyncio.run(app.app.close())) == "nothing"
    assert blocking.say("two").text == "Two."
    app.close()


def test_a_store_of_the_parent_is_an_error_in_a_forked_child(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "x.db")
    words = "ForkedProcess: this store was opened before the process was forked; open another one in the child"
    assert in_child(lambda: asyncio.run(store.load("a"))) == words
    assert in_child(lambda: asyncio.run(store.write(lambda _db: None))) == words
    assert in_child(lambda: asyncio.run(store.close())) == "nothing"
    run(store.close())
    assert issubclass(ForkedProcess, tw.TurnwiseError)


# the file ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["x.db", "x.db-wal", "x.db-shm"])
@pytest.mark.parametrize("what", ["removed", "renamed", "replaced"])
def test_no_turn_is_acknowledged_into_a_file_that_is_gone(
    tmp_path: Path, which: str, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        chat = opened(f"sqlite:///{tmp_path / 'x.db'}")
        assert (await chat.say("one")).number == 1
        file = tmp_path / which
        file.rename(tmp_path / "kept") if what != "removed" else file.unlink()
        if what == "replaced":
            file.write_bytes((tmp_path / "kept").read_bytes())
        assert (await chat.say("two", key="2")).refused == "store_unavailable"
        assert (await chat.app.chat("other").say("new")).refused == "store_unavailable"
        if what != "removed":
            (tmp_path / "kept").replace(file)
            assert (await chat.say("two", key="2")).number == 2
        await chat.close()

    run(play())
    told = "replaced by another file" if what == "replaced" else "removed or renamed"
    lines = [one.getMessage() for one in caplog.records if "refused" in one.getMessage()]
    assert f"{which} was {told} while it was open; put it back, or open the store again" in lines[0]
    assert which != "x.db" or what == "removed" or (tmp_path / which).exists()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_PROTOCOL, "network drive"),
        (sqlite3.SQLITE_NOMEM, "memory"),
        (sqlite3.SQLITE_TOOBIG, "larger"),
        (sqlite3.SQLITE_FULL, "disk is full"),
        (sqlite3.SQLITE_READONLY, "read-only"),
        (sqlite3.SQLITE_CORRUPT, "damaged"),
    ],
)
def test_errors_of_sqlite_are_explained_in_one_line(code: int, words: str) -> None:
    error = sqlite3.OperationalError("locking protocol")
    error.sqlite_errorcode = code
    assert words in reason(error)
    assert "\n" not in reason(error)
    assert sqlite3.SQLITE_PROTOCOL in TRANSIENT_ERRORS
    assert issubclass(StoreFailed, tw.TurnwiseError)
