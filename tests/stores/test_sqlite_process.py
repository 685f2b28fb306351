"""Who runs a turn, and whether it is alive: by its number, by its beat, on this machine and this boot."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from turnwise.errors import StoreUnavailable, Superseded
from turnwise.runner.outbox_port import Settlement
from turnwise.runner.ports import Claim
from turnwise.stores.sqlite import SqliteStore
from turnwise.stores.sqlite import process as processes
from turnwise.stores.sqlite.process import Process
from turnwise.stores.system import machine_id
from turnwise.testing.store_support import NOON_MS, Journal, holds, refused, written

TIMEOUT_S = 10.0


class Clock:
    """The clock of beats, in the test's hands."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=clock.monotonic))
    return clock


@pytest.fixture
def ended() -> int:
    """The number of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


@pytest.fixture
def own() -> Iterator[Process]:
    process = Process(TIMEOUT_S)
    yield process
    process.close()


MACHINE, _, NUMBERS = machine_id().partition(" ")


@pytest.mark.parametrize(
    ("where", "who", "token", "age_s", "is_alive"),
    [
        (machine_id(), "me", "mine", 0, True),
        (machine_id(), "me", "mine", 999, True),  # the same process knows without beats
        (machine_id(), "me", "another", 0, False),  # my number belonged to another before
        (machine_id(), "ended", "x", 0, False),
        (machine_id(), "parent", "x", 0, True),
        (machine_id(), "parent", "x", TIMEOUT_S, True),
        (machine_id(), "parent", "x", -1, False),  # a beat of the time before the machine was started
        ("another-machine " + NUMBERS, "parent", "x", 0, False),
        (MACHINE + " pid:[1]", "ended", "x", 0, True),  # in a container: its numbers are not ours
        (MACHINE + " pid:[1]", "me", "x", 0, True),
    ],
)
def test_who_is_alive(
    clock: Clock, own: Process, ended: int, where: str, who: str, token: str, age_s: float, *, is_alive: bool
) -> None:
    pid = {"me": os.getpid(), "ended": ended, "parent": os.getppid()}[who]
    found = own.is_alive(where, pid, own.token if token == "mine" else token, clock.now_s - age_s)
    assert found is is_alive


@pytest.mark.parametrize("where", [machine_id(), MACHINE + " pid:[1]"])
def test_who_is_silent_is_dead_after_the_judge_has_written_and_waited(clock: Clock, own: Process, where: str) -> None:
    """It hangs, or its number is another's now; who could not write either, or stood still too, does not know that."""
    beat_s = clock.now_s

    def is_alive() -> bool:
        return own.is_alive(where, os.getppid(), "x", beat_s)

    clock.now_s += 100 * TIMEOUT_S  # nobody has looked meanwhile
    assert (is_alive(), own.has_doubts) == (True, True)
    clock.now_s += TIMEOUT_S
    assert is_alive(), "the file may be locked"
    own.note_commit()
    assert (is_alive(), own.has_doubts) == (True, False)
    clock.now_s += 2 * own.beat_s - 0.1
    own.note_commit()
    assert is_alive()
    clock.now_s += 0.1
    assert not is_alive()
    beat_s = clock.now_s - 1
    assert is_alive(), "it has woken up"
    clock.now_s += TIMEOUT_S
    assert (is_alive(), own.has_doubts) == (True, True)


@pytest.mark.law("3.8")
def test_a_holder_whose_number_says_nothing_keeps_its_turn_by_its_lease_alone(clock: Clock, tmp_path: Path) -> None:
    """As in two containers over one file: while it renews the lease no other may take over, then it is fenced."""

    async def play() -> None:
        holder, other = (SqliteStore(tmp_path / "x.db", claim_timeout_s=TIMEOUT_S) for _ in range(2))
        holder.process.host = f"{MACHINE} pid:[1]"
        journal = Journal()
        await written(holder, "a", [journal.begin(), journal.open("b")])
        for _ in range(3):
            clock.now_s += TIMEOUT_S - 1
            assert await other.claim("a") == Claim(is_mine=False, is_alive=True)
            assert await other.cut_off() == ()
            assert await holder.holds("a", journal.fence)
        clock.now_s += TIMEOUT_S + 1
        assert await other.claim("a") == Claim(is_mine=False, is_alive=True), "it may have been unable to write"
        await written_by_itself(other)
        clock.now_s += 2 * other.process.beat_s
        assert await other.claim("a") == Claim(is_mine=False, is_alive=False)
        assert await other.cut_off() == ("a",)
        late = journal.copy()
        await other.commit("a", journal.take_over())
        assert not await holder.holds("a", late.fence)
        await refused(holder, "a", late.go_on("too late"), Superseded)
        await other.commit("a", journal.end())
        await holds(holder, "a", journal)
        await holder.close()
        await other.close()

    asyncio.run(play())


def test_a_holder_that_came_back_keeps_a_turn_that_another_one_was_about_to_take_over(
    clock: Clock, tmp_path: Path
) -> None:
    async def play() -> None:
        holder, other = (SqliteStore(tmp_path / "x.db", claim_timeout_s=TIMEOUT_S) for _ in range(2))
        holder.process.host = f"{MACHINE} pid:[1]"
        journal = Journal()
        await written(holder, "a", [journal.begin(), journal.open("b")])
        clock.now_s += TIMEOUT_S + 1
        assert await other.claim("a") == Claim(is_mine=False, is_alive=True)
        await written_by_itself(other)
        clock.now_s += 2 * other.process.beat_s
        assert await other.cut_off() == ("a",)
        assert await holder.holds("a", journal.fence)
        await refused(other, "a", journal.copy().take_over())
        await holder.commit("a", journal.end())
        await holds(other, "a", journal)
        await holder.close()
        await other.close()

    asyncio.run(play())


async def written_by_itself(store: SqliteStore) -> None:
    """Wait until a store that doubts another process has written the file."""
    while store.process.has_doubts:
        await asyncio.sleep(0.001)


def test_a_store_that_was_closed_is_no_longer_alive(own: Process) -> None:
    own.close()
    assert not own.is_alive(own.host, os.getpid(), own.token, time.monotonic())


def rows(path: Path) -> list[tuple[int, str]]:
    with sqlite3.connect(path) as db:
        found = db.execute("SELECT n, token FROM process ORDER BY n").fetchall()
    db.close()
    return found


async def one_turn(path: Path, name: str) -> str:
    store, journal = SqliteStore(path), Journal()
    await written(store, name, [journal.open("a"), journal.end()])
    await store.close()
    return store.process.token


def test_a_process_leaves_no_row_behind(tmp_path: Path) -> None:
    for number in range(20):
        asyncio.run(one_turn(tmp_path / "x.db", f"c{number}"))
    assert rows(tmp_path / "x.db") == []


def test_the_rows_of_processes_that_were_killed_make_room(tmp_path: Path, ended: int) -> None:
    path = tmp_path / "x.db"

    async def whole() -> None:
        store, journal = SqliteStore(path), Journal()

        def add(db: sqlite3.Connection) -> None:
            dead = [(machine_id(), ended, f"dead {n}", time.monotonic()) for n in range(50)]
            elsewhere = [("another-machine pid:[1]", os.getppid(), "elsewhere", time.monotonic())]
            alive = [(machine_id(), os.getppid(), "alive", time.monotonic())]
            silent = [(machine_id(), os.getppid(), "silent", time.monotonic() - 700)]
            sql = "INSERT INTO process (host, pid, token, beat_s) VALUES (?, ?, ?, ?)"
            db.executemany(sql, dead + elsewhere + alive + silent)
            db.execute("INSERT INTO claim SELECT 999, n FROM process WHERE token = 'dead 7'")

        with sqlite3.connect(path) as db:
            add(db)
        db.close()
        await written(store, "a", [journal.open("a")])
        assert [token for _, token in rows(path)] == ["dead 7", "alive", store.process.token]
        await store.close()

    asyncio.run(whole())


def test_a_turn_that_goes_on_shows_that_it_is_alive(tmp_path: Path, clock: Clock) -> None:
    """Beats are written while a turn is claimed, and else with what is written; a store without a turn writes nothing
    by itself. Each process that writes is seen by others.
    """

    async def whole() -> None:
        store, journal = SqliteStore(tmp_path / "x.db", claim_timeout_s=TIMEOUT_S), Journal()
        process = store.process

        async def beat() -> float:
            await store.write(process.beat)
            found = store.reader.one("SELECT beat_s FROM process WHERE token = ?", process.token)
            assert found is not None
            return float(found[0])

        await written(store, "a", [journal.begin()])
        assert (process.wants_to_beat, [token for _, token in rows(tmp_path / "x.db")]) == (False, [process.token])
        await written(store, "a", [journal.open("b")])
        assert process.wants_to_beat
        assert await beat() == 1000
        clock.now_s += process.beat_s - 0.1
        assert await beat() == 1000
        clock.now_s += 0.1
        assert await beat() == 1000 + process.beat_s
        await written(store, "a", [journal.end()])
        assert not process.wants_to_beat
        await store.close()

    asyncio.run(whole())


def test_a_process_whose_row_was_taken_away_enrols_anew(tmp_path: Path, clock: Clock) -> None:
    """It was silent for so long that others took it for dead; its next claim is seen by all."""

    async def whole() -> None:
        store, other = SqliteStore(tmp_path / "x.db"), SqliteStore(tmp_path / "x.db")
        journal = Journal()
        await written(store, "a", [journal.open("a"), journal.end()])
        await other.write(lambda db: db.execute("DELETE FROM process"))
        clock.now_s += store.process.beat_s
        await written(store, "a", [journal.open("b")])
        assert await other.claim("a") == Claim(is_mine=False, is_alive=True)
        assert await store.claim("a") == Claim(is_mine=True, is_alive=True)
        await written(store, "a", [journal.end()])
        await store.close()
        await other.close()

    asyncio.run(whole())


def test_a_claim_that_others_took_is_no_reason_to_beat(tmp_path: Path, clock: Clock) -> None:
    async def whole() -> None:
        store, other = SqliteStore(tmp_path / "x.db"), SqliteStore(tmp_path / "x.db")
        taken, forgotten = Journal(), Journal()
        await written(store, "a", [taken.open("a")])
        await written(store, "b", [forgotten.open("a")])
        store.process.close()  # the other takes it for dead
        await written(other, "a", [taken.take_over(), taken.end()])
        await other.forget("b")
        clock.now_s += store.process.beat_s
        await store.write(store.process.beat)
        assert not store.process.wants_to_beat
        await store.close()
        await other.close()

    asyncio.run(whole())


def test_a_beat_that_was_not_kept_is_given_again(tmp_path: Path) -> None:
    """A transaction that is undone takes the row of the process with it."""

    async def whole() -> None:
        store, journal = SqliteStore(tmp_path / "x.db", retry_s=0.05), Journal()
        await store.write(lambda db: db.execute("PRAGMA max_page_count = 1"))
        with pytest.raises(StoreUnavailable, match="the disk is full"):
            await store.commit("a", journal.copy().open("".join(map(chr, range(300, 4300)))))
        await store.write(lambda db: db.execute("PRAGMA max_page_count = 1000000"))
        await written(store, "a", [journal.open("a")])
        assert await store.claim("a") == Claim(is_mine=True, is_alive=True)
        await store.close()

    asyncio.run(whole())


def test_a_turn_is_shown_to_be_alive_however_busy_its_writer_is(tmp_path: Path, clock: Clock) -> None:
    """Work that comes without a pause leaves the writer no time to wait for a beat."""

    async def whole() -> None:
        busy, other = (SqliteStore(tmp_path / "x.db", claim_timeout_s=TIMEOUT_S) for _ in range(2))
        busy.process.host = f"{MACHINE} pid:[1]"
        await written(busy, "a", [Journal().open("b")])
        for number in range(20):
            clock.now_s += 1
            await busy.set_setting("talk", "x", number, "ada", 0)
            assert await other.cut_off() == ()
        found = other.reader.one("SELECT beat_s FROM process")
        assert found is not None
        assert clock.now_s - found[0] <= busy.process.beat_s
        await busy.close()
        await other.close()

    asyncio.run(whole())


def test_a_file_that_was_locked_for_long_makes_no_one_dead(tmp_path: Path, clock: Clock) -> None:
    """The first that may write again does not take over what the other, which waited as well, has under way."""

    async def whole() -> None:
        holder, other = (SqliteStore(tmp_path / "x.db", claim_timeout_s=TIMEOUT_S, retry_s=0.2) for _ in range(2))
        holder.process.host = f"{MACHINE} pid:[1]"
        await written(holder, "a", [Journal().open("b")])
        locking = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
        locking.execute("BEGIN IMMEDIATE")
        for _ in range(5):
            clock.now_s += TIMEOUT_S
            assert await other.cut_off() == ()
            await asyncio.sleep(0.1)
        locking.execute("ROLLBACK")
        locking.close()
        await asyncio.sleep(0.3)
        assert await other.cut_off() == ()
        await written_by_itself(other)
        clock.now_s += 1
        await holder.write(holder.process.beat)
        clock.now_s += TIMEOUT_S - 1
        assert await other.cut_off() == ()
        await holder.close()
        await other.close()

    asyncio.run(whole())


async def sending(store: SqliteStore, *names: str) -> None:
    """Queue a delivery for each conversation, and take them all."""
    for name in names:
        journal = Journal()
        await store.commit(name, journal.begin())
        await store.commit(name, replace(journal.turn("hello"), delivery=f"of {name}"))
    assert len(await store.outbox.take("talk", NOON_MS, 0, 9)) == len(names)


@pytest.mark.law("3.13")
def test_a_delivery_stays_with_the_process_that_sends_it_until_that_is_dead(clock: Clock, tmp_path: Path) -> None:
    async def play() -> None:
        sender, other = (SqliteStore(tmp_path / "x.db", claim_timeout_s=TIMEOUT_S) for _ in range(2))
        sender.process.host = f"{MACHINE} pid:[1]"
        await sending(sender, "a")
        assert sender.process.wants_to_beat
        for _ in range(50):
            clock.now_s += TIMEOUT_S / 4
            assert await other.outbox.take("talk", NOON_MS, 0, 9) == ()
            await sender.write(sender.process.beat)
        clock.now_s += TIMEOUT_S + 1
        assert await other.outbox.take("talk", NOON_MS, 0, 9) == ()
        clock.now_s += 2 * other.process.beat_s
        (again,) = await other.outbox.take("talk", NOON_MS, 0, 9)
        assert (again.id, again.attempts) == ("of a", 2)
        assert not await sender.outbox.settle(Settlement("of a", 1, "delivered", NOON_MS)), "it has woken up too late"
        assert await other.outbox.settle(Settlement("of a", 2, "delivered", NOON_MS))
        await sender.write(sender.process.beat)
        assert not sender.process.wants_to_beat
        await sender.close()
        await other.close()

    asyncio.run(play())


def test_what_a_closed_store_was_sending_is_taken_over_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        sender, other = SqliteStore(tmp_path / "x.db"), SqliteStore(tmp_path / "x.db")
        await sending(sender, "a", "b")
        await sender.close()
        assert [one.attempts for one in await other.outbox.take("talk", NOON_MS, 0, 9)] == [2, 2]
        await other.close()

    asyncio.run(play())


def test_no_process_gets_the_number_of_one_whose_deliveries_are_open(tmp_path: Path, ended: int) -> None:
    """Else they would be its own for ever, and sent by no one."""

    async def play() -> None:
        sender = SqliteStore(tmp_path / "x.db")
        await sending(sender, "a")
        await sender.write(lambda db: db.execute("UPDATE process SET pid = ?", (ended,)))
        heir = SqliteStore(tmp_path / "x.db")
        await written(heir, "b", [Journal().open("b")])
        assert heir.process.n != sender.process.n
        assert [one.id for one in await heir.outbox.take("talk", NOON_MS, 0, 9)] == ["of a"]
        await heir.close()
        await sender.close()

    asyncio.run(play())
