"""The server is slow, cut off between a commit and its answer, full, or fails over to another one: nothing is lost."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.durable.opened import keep_address
from support.durable.peer import Peer
from support.durable.running import run
from support.postgres import Server, programs, server
from support.tcp_proxy import Proxy
from turnwise.errors import Conflict, StoreUnavailable
from turnwise.stores.postgres import PostgresStore, process, reader, writer
from turnwise.stores.postgres.connect import connect
from turnwise.testing.store_support import Journal, holds


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    made = Proxy(server().folder)
    yield made
    made.close()


def test_a_connection_that_dies_between_a_commit_and_its_answer_writes_the_commit_once(proxy: Proxy) -> None:
    async def play() -> None:
        address = server().fresh()
        store, direct = PostgresStore(proxy.address(address)), PostgresStore(address)
        journal = Journal()
        await store.commit("a", journal.begin())
        for commit in (journal.open("b", "key"), journal.go_on("c"), journal.end(), journal.turn("d", "another")):
            proxy.cuts = 1
            await store.commit("a", commit)
            assert proxy.cuts == 0
        await holds(direct, "a", journal)
        theirs = journal.copy()
        proxy.cuts = 1
        await direct.commit("a", journal.turn("e"))
        with pytest.raises(Conflict):
            await store.commit("a", theirs.turn("what another process wrote first stays"))
        await holds(direct, "a", journal)
        await asyncio.gather(store.close(), direct.close())

    run(play())


def test_a_server_that_answers_200_ms_late_is_waited_for(proxy: Proxy) -> None:
    async def play() -> None:
        store, journal = PostgresStore(proxy.address(server().fresh()) + "&dead_after=2s"), Journal()
        proxy.delay_s = 0.2
        await store.commit("a", journal.begin())
        for commit in (journal.open("b"), journal.go_on("c")):
            await store.commit("a", commit)
        assert await store.holds("a", journal.fence)
        await asyncio.sleep(2.5)
        assert await store.holds("a", journal.fence), "the heartbeat keeps the lease"
        assert store.process.lease.term == 0
        await store.commit("a", journal.end())
        await holds(store, "a", journal)
        await store.close()

    run(play())


def test_a_server_that_stands_still_is_given_up_and_what_it_got_is_found(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((reader, "ANSWERS_S"), (writer, "ANSWERS_S"), (process, "LEAST_ANSWERS_S")):
        monkeypatch.setattr(module, name, 0.4)

    async def play() -> None:
        address, journal = server().fresh(), Journal()
        direct = PostgresStore(address)
        store = PostgresStore(f"{proxy.address(address)}&connect_timeout=2&dead_after=1s", retry_s=0.2)
        await store.commit("a", journal.begin())
        await store.load("a")
        proxy.stands_still = True
        for doing in (store.commit("a", journal.turn("b", "key")), store.load("a"), store.receipt("a", "key")):
            with pytest.raises(StoreUnavailable):
                async with asyncio.timeout(20):
                    await doing
        proxy.stands_still = False
        async with asyncio.timeout(20):
            while await direct.receipt("a", "key") is None:  # what was sent arrives all the same
                await asyncio.sleep(0.02)
        await store.commit("a", journal.turn("c"))
        await holds(direct, "a", journal)
        await asyncio.gather(store.close(), direct.close())

    run(play())


def test_work_that_takes_long_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "ANSWERS_S", 0.3)

    async def play() -> None:
        store = PostgresStore(server().fresh(), retry_s=0.2)
        assert await store.reader.one("SELECT 1 FROM pg_sleep(1)", is_long=True) == (1,)
        with pytest.raises(StoreUnavailable, match=r"did not answer within 0\.3 s"):
            await store.reader.one("SELECT 1 FROM pg_sleep(3)")
        assert await store.reader.one("SELECT 1") == (1,)
        await store.close()

    run(play())


def test_a_second_server_that_is_promoted_has_what_was_acknowledged() -> None:
    bin_ = next((one for one in programs().values() if (one / "pg_basebackup").exists()), None)
    if bin_ is None:
        pytest.skip("no PostgreSQL with pg_basebackup")
    replicates = {"wal_level": "replica", "max_wal_senders": "4"}
    first = Server(bin_, **replicates)
    second = Server(bin_, copies=first, **replicates)
    first.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
    first.execute("SELECT pg_reload_conf()")
    database = first.fresh().partition("@/")[2].partition("?")[0]
    hosts = f"host={first.folder},{second.folder}&target_session_attrs=read-write"

    async def play() -> None:
        store = PostgresStore(f"postgresql://turnwise@/{database}?{hosts}", retry_s=20)
        journals, is_over = {f"c{n}": Journal() for n in range(3)}, asyncio.Event()

        async def talk(name: str, journal: Journal) -> None:
            await store.commit(name, journal.begin())
            while not is_over.is_set():
                await store.commit(name, journal.turn("a"))

        async def fail_over() -> None:
            await asyncio.sleep(0.3)
            await asyncio.to_thread(first.stop, signal.SIGQUIT)
            await asyncio.to_thread(second.execute, "SELECT pg_promote()")
            await asyncio.sleep(0.5)
            is_over.set()

        await asyncio.gather(fail_over(), *[talk(name, one) for name, one in journals.items()])
        for name, journal in journals.items():
            assert journal.seq > 4
            await holds(store, name, journal)
        await store.close()

    try:
        run(play())
    finally:
        first.remove()
        second.remove()


@pytest.fixture
def small() -> Iterator[Path]:
    """A file system of 120 MB."""
    place = Path(tempfile.mkdtemp(prefix="small"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=120m,mode=0755", "none", str(place)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        place.rmdir()
        pytest.skip("a small file system needs the right to mount one")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)
    place.rmdir()


def test_a_disk_that_is_full_refuses_for_now(small: Path) -> None:
    own = Server(next(iter(programs().values()), server().bin), place=small)
    address, ballast = own.fresh(), small / "ballast"

    async def play() -> None:
        store, journal = PostgresStore(address, retry_s=0.3), Journal()
        await store.commit("a", journal.begin())
        free = shutil.disk_usage(small).free
        ballast.write_bytes(b"x" * (free - 200_000))
        with pytest.raises(StoreUnavailable, match="the disk of the server is full"):
            for _ in range(200):
                text = "".join(chr(0x4E00 + os.urandom(2)[0] * 64 + os.urandom(1)[0] % 64) for _ in range(4_000))
                more = journal.copy()
                await store.commit("a", more.turn(text))
                journal = more
        ballast.unlink()
        await store.commit("a", journal.turn("there is room again"))
        await holds(store, "a", journal)
        await store.close()

    try:
        run(play())
    finally:
        own.remove()


def test_two_replicas_with_one_number_do_not_renew_each_others_lease() -> None:
    """Such as a process and a copy of its memory: the token tells them apart."""

    async def play() -> None:
        address = server().fresh()
        one, other = PostgresStore(address), PostgresStore(address)
        await one.commit("a", Journal().begin())
        other.process.n = one.process.n
        with connect(other.process.address) as db:
            assert not other.process.renew(db)
            other.process._beat_or_enter(db)
        assert other.process.n != one.process.n
        await asyncio.gather(one.close(), other.close())

    run(play())


def test_after_all_replicas_were_killed_at_once_one_that_starts_finishes_their_turns(tmp_path: Path) -> None:
    place = keep_address(tmp_path / "all.db", server().fresh())
    killed = [Peer("talk", place, claim_timeout_s=0.5, is_open=False) for _ in range(3)]
    for number, peer in enumerate(killed):
        peer.begin("say", conversation=f"c{number}", key="k")
        peer.wait("asked")
    for peer in killed:
        peer.kill()
        peer.__exit__()
    with Peer("talk", place, claim_timeout_s=0.5, words="At last.") as later:
        later.do("enter")
        for number in range(3):
            found = later.do("say", conversation=f"c{number}", key="k")
            assert (found["text"], found["again"], found["refused"]) == ("At last.", True, None)
