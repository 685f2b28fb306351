"""PostgreSQL fails as databases do: connections are cut, locks are held, servers restart. Nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from support.durable.running import run
from support.postgres import Server, programs, server
from turnwise.api.open import open_store
from turnwise.errors import Conflict, StoreFailed, StoreUnavailable, TurnwiseError
from turnwise.runner.clocks import SystemClock
from turnwise.runner.ports import Change, Claim
from turnwise.stores import shown_address
from turnwise.stores.postgres import PostgresStore, process, schema
from turnwise.stores.postgres.address import read_address
from turnwise.stores.postgres.changes import POLL_S
from turnwise.testing.store_support import Journal, holds, leads_to, written


@pytest.fixture
def address() -> str:
    return server().fresh()


def sql(address: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(address, autocommit=True) as db:
        found = db.execute(statement, values or None)  # type: ignore[call-overload]
        return found.fetchall() if found.description else []


def cut_all(address: str) -> None:
    """Ends every session on the database but this one."""
    sql(address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'")  # fmt: skip


# connections -------------------------------------------------------------------------------------


def test_connections_that_are_cut_again_and_again_lose_and_double_nothing(address: str) -> None:
    async def play() -> None:
        store = PostgresStore(address)
        journals = {f"c{n}": Journal() for n in range(5)}
        await asyncio.gather(*[written(store, name, [one.begin()]) for name, one in journals.items()])
        ends = time.monotonic() + 1.5

        async def talk(name: str, journal: Journal) -> None:
            while time.monotonic() < ends or journal.seq <= 10:
                for commit in (journal.open("a", f"key {journal.seq}"), journal.go_on("b"), journal.end()):
                    await store.commit(name, commit)

        async def cut() -> None:
            while time.monotonic() < ends:
                await asyncio.sleep(0.03)
                await asyncio.to_thread(cut_all, address)

        await asyncio.gather(cut(), *[talk(name, one) for name, one in journals.items()])
        for name, journal in journals.items():
            assert journal.seq > 10
            await holds(store, name, journal)
        await store.close()

    run(play())


@pytest.mark.parametrize("answers", ["lost before the end", "lost after the end"])
def test_a_commit_whose_answer_was_lost_is_found_or_written_once(
    address: str, monkeypatch: pytest.MonkeyPatch, answers: str
) -> None:
    async def play() -> None:
        store = PostgresStore(address)
        journal = Journal()
        await store.commit("a", journal.begin())
        together, lost = store._writer._together, []

        def loses(items: Any, *, again: bool) -> Any:
            if again:
                return together(items, again=again)
            lost.append(len(items))
            if answers == "lost after the end":
                together(items, again=again)
            cut_all(address)
            raise psycopg.OperationalError("the connection was cut")

        monkeypatch.setattr(store._writer, "_together", loses)
        for commit in (journal.open("b", "key"), journal.go_on("c"), journal.end(), journal.turn("d", "another key")):
            await store.commit("a", commit)
        assert len(lost) == 4
        await holds(store, "a", journal)
        theirs = journal.copy()
        await store.commit("a", journal.turn("e"))
        with pytest.raises(Conflict):
            await store.commit("a", theirs.turn("another"))
        await holds(store, "a", journal)
        await store.close()

    run(play())


def test_a_server_that_crashes_and_comes_back_has_all_that_was_acknowledged() -> None:
    own = Server(next(iter(programs().values()), server().bin), fsync="on", full_page_writes="on")
    address = own.fresh()

    async def play() -> None:
        store = PostgresStore(address, retry_s=20)
        journals = {f"c{n}": Journal() for n in range(3)}
        is_over = asyncio.Event()

        async def talk(name: str, journal: Journal) -> None:
            await store.commit(name, journal.begin())
            while not is_over.is_set():
                await store.commit(name, journal.turn("a"))

        async def restart() -> None:
            for _ in range(2):
                await asyncio.sleep(0.2)
                await asyncio.to_thread(lambda: (own.stop(9), own.start()))  # type: ignore[arg-type,func-returns-value]
            await asyncio.sleep(0.3)
            is_over.set()

        await asyncio.gather(restart(), *[talk(name, one) for name, one in journals.items()])
        for name, journal in journals.items():
            await holds(store, name, journal)
        await store.close()

    try:
        run(play())
    finally:
        own.remove()


def test_a_server_that_is_away_refuses_after_a_while_and_serves_when_it_is_back() -> None:
    own = Server(next(iter(programs().values()), server().bin))
    address = own.fresh()

    async def play() -> None:
        store = PostgresStore(address, retry_s=0.3)
        journal = Journal()
        await store.commit("a", journal.begin())
        await asyncio.to_thread(own.stop)
        lost = journal.copy()
        with pytest.raises(StoreUnavailable):
            await store.commit("a", lost.turn("b"))
        with pytest.raises(StoreUnavailable):
            await store.load("a")
        await asyncio.to_thread(own.start)
        await store.commit("a", journal.turn("c"))
        await holds(store, "a", journal)
        await store.close()

    try:
        run(play())
    finally:
        own.remove()


# locks -------------------------------------------------------------------------------------------


def test_a_conversation_that_a_session_has_locked_holds_up_no_other(address: str) -> None:
    async def play() -> None:
        store = PostgresStore(address, retry_s=1)
        one, other = Journal(), Journal()
        await written(store, "one", [one.begin()])
        await written(store, "other", [other.begin()])
        with psycopg.connect(address) as db:
            db.execute("SELECT 1 FROM conversation WHERE id = 'one' FOR UPDATE")
            waiting = [store.commit("one", one.open("a")), store.commit("one", one.end())]
            for _ in range(10):
                await store.commit("other", other.turn("b"))
            assert not any(writing.done() for writing in waiting)
        await asyncio.gather(*waiting)
        await holds(store, "one", one)
        await holds(store, "other", other)
        with psycopg.connect(address) as db:
            db.execute("SELECT 1 FROM conversation WHERE id = 'one' FOR UPDATE")
            with pytest.raises(StoreUnavailable, match="locked by another session"):
                await store.commit("one", one.copy().turn("too long"))
        await store.close()

    run(play())


# who may do what ---------------------------------------------------------------------------------


def test_a_server_that_is_read_only_refuses_for_now(address: str) -> None:
    name = address.partition("@/")[2].partition("?")[0]

    async def play() -> None:
        store = PostgresStore(address, retry_s=0.2)
        journal = Journal()
        await store.commit("a", journal.begin())
        sql(address, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        cut_all(address)
        with pytest.raises(StoreUnavailable, match="the server is read-only"):
            await store.commit("a", journal.copy().turn("b"))
        await leads_to(store, "a", journal.state)
        with psycopg.connect(address, autocommit=True) as db:
            db.execute("SET default_transaction_read_only = off")
            db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = off")  # type: ignore[arg-type]
        cut_all(address)
        await store.commit("a", journal.turn("c"))
        await holds(store, "a", journal)
        await store.close()

    run(play())


def test_a_role_without_a_connection_left_is_refused_for_now(address: str) -> None:
    for statement in ("CREATE ROLE few LOGIN CONNECTION LIMIT 1", "GRANT ALL ON ALL TABLES IN SCHEMA public TO few",
                      "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO few"):  # fmt: skip
        sql(address, statement)

    async def play() -> None:
        store = PostgresStore(address.replace("turnwise@", "few@"), retry_s=0.2)
        await store.load("a")  # a reader has the only connection
        with pytest.raises(StoreUnavailable, match="no connection left"):
            await store.commit("a", Journal().begin())
        await store.close()

    run(play())
    sql(address, "DROP OWNED BY few")
    sql(address, "DROP ROLE few")


def test_a_role_that_may_not_make_tables_is_told_what_to_grant() -> None:
    place = server()
    place.execute("CREATE DATABASE bare")
    place.execute("CREATE ROLE weak LOGIN")
    place.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC", "bare")
    with pytest.raises(StoreFailed, match="grant the role USAGE and CREATE on the schema"):
        PostgresStore(place.address("bare").replace("turnwise@", "weak@"))
    assert place.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", "bare") == [(0,)]


def test_a_format_that_is_newer_is_refused_and_not_changed(address: str) -> None:
    sql(address, "UPDATE turnwise SET format = 99")
    with pytest.raises(
        StoreFailed, match=f"its format is 99; this version of turnwise knows formats up to {len(schema.MIGRATIONS)}"
    ):
        PostgresStore(address)
    assert sql(address, "SELECT format FROM turnwise") == [(99,)]


def test_a_version_before_starts_on_tables_to_which_a_later_one_added(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = schema.MIGRATIONS
    monkeypatch.setattr(schema, "MIGRATIONS", (*before, "CREATE TABLE added_later (n integer)"))
    schema.prepare(read_address(address))
    monkeypatch.setattr(schema, "MIGRATIONS", before)

    async def play() -> None:
        store = PostgresStore(address)
        await store.commit("a", Journal().begin())
        assert await store.conversations() == ("a",)
        await store.close()

    run(play())
    assert sql(address, "SELECT format, migrations FROM turnwise") == [(schema.TIGHT, len(before) + 1)]
    assert sql(address, "SELECT count(*) FROM added_later") == [(0,)]


def test_a_database_that_may_only_be_read_is_asked_and_not_changed(address: str) -> None:
    place = server()

    async def play() -> None:
        store = PostgresStore(address)
        await store.commit("a", Journal().begin())
        await store.close()
        asked = PostgresStore(f"{address}&options=-cdefault_transaction_read_only%3Don", may_only_read=True)
        assert await asked.conversations() == ("a",)
        await asked.close()

    run(play())
    place.execute("CREATE DATABASE empty")
    with pytest.raises(StoreFailed, match="it has no tables of turnwise"):
        PostgresStore(place.address("empty"), may_only_read=True)
    assert place.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", "empty") == [(0,)]


def test_tables_of_another_program_are_left_alone() -> None:
    place = server()
    place.execute("CREATE DATABASE others")
    place.execute("CREATE TABLE conversation (x int)", "others")
    with pytest.raises(StoreFailed, match="tables of another program"):
        PostgresStore(place.address("others"))


def test_stores_that_are_opened_at_once_make_the_tables_once() -> None:
    place = server()
    place.execute("CREATE DATABASE together")

    async def play() -> None:
        stores = await asyncio.gather(*[asyncio.to_thread(PostgresStore, place.address("together")) for _ in range(6)])
        await stores[0].commit("a", Journal().begin())
        assert await stores[5].conversations() == ("a",)
        await asyncio.gather(*[store.close() for store in stores])

    run(play())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("postgresql://ada:secret@nowhere.invalid/x", "postgresql://ada@nowhere.invalid/x: "),
        ("postgresql:///x?dead_after=soon", "dead_after=soon is not a time of at least 0.2 s, such as 1s or 500ms"),
        ("postgresql:///x?dead_after=1ms", "dead_after=1ms is not a time of at least 0.2 s"),
        ("postgresql:///x?readers=0", "readers=0 is not a number of connections from 1 to 64"),
        ("postgresql:///x?listen=a:b:c", "listen=a:b:c is not a host, with its port after a colon"),
        ("postgresql:///x?host=/nowhere&password=secret&colour=red", 'invalid URI query parameter: "colour"'),
    ],
)
def test_an_address_that_cannot_be_used_is_told_without_its_password(given: str, told: str) -> None:
    with pytest.raises(StoreFailed) as raised:
        PostgresStore(given)
    assert told in str(raised.value)
    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("postgresql://ada:secret@db/x?sslmode=require", "postgresql://ada@db/x?sslmode=require"),
        ("postgresql://ada:se:cr@et@db:5/x", "postgresql://ada@db:5/x"),
        ("postgresql:///x?password=secret&host=/run", "postgresql:///x?host=/run"),
        ("postgresql:///x?password=secret", "postgresql:///x"),
        ("sqlite:///a:b@c?/d.db", "sqlite:///a:b@c?/d.db"),
        ("memory://", "memory://"),
        ("talks.db", "talks.db"),
    ],
)
def test_addresses_are_shown_without_their_password(given: str, shown: str) -> None:
    assert shown_address(given) == shown
    with pytest.raises(TurnwiseError) as raised:
        open_store(given.replace("postgresql", "postgre").replace("sqlite", "sqlit").replace("memory", "mem"))
    assert "secret" not in str(raised.value)


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in sys.modules if one.startswith(("psycopg", "turnwise.stores.postgres"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(TurnwiseError, match=r"pip install 'turnwise\[postgres\]'"):
        open_store("postgresql:///x")


# the time and who lives --------------------------------------------------------------------------


@pytest.fixture
def off_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """How many seconds the clock of this machine is wrong."""
    wrong, right = [0.0], process._wall_s
    monkeypatch.setattr(process, "_wall_s", lambda: right() + wrong[0])
    yield wrong


@pytest.mark.parametrize("seconds", [300.0, -300.0])
def test_the_time_of_the_database_counts_on_a_machine_whose_clock_is_wrong_or_is_set(
    address: str, off_by: list[float], seconds: float
) -> None:
    async def play() -> None:
        off_by[0] = seconds
        store = PostgresStore(address)
        assert abs(store.clock.now_ms() - SystemClock().now_ms()) < 1000
        off_by[0] = 0.0
        await store.commit("a", Journal().begin())
        assert abs(store.clock.now_ms() - SystemClock().now_ms()) < 1000
        off_by[0] = seconds
        await store.commit("b", Journal().begin())
        assert abs(store.clock.now_ms() - SystemClock().now_ms()) < 1000
        await store.close()

    run(play())


def test_a_busy_event_loop_does_not_let_its_lease_expire(address: str) -> None:
    async def play() -> None:
        one, other = (PostgresStore(f"{address}&dead_after=400ms") for _ in range(2))
        journal = Journal()
        await written(one, "a", [journal.begin(), journal.open("b")])
        time.sleep(1.2)  # noqa: ASYNC251  nothing of this loop runs
        assert await other.claim("a") == Claim(is_mine=False, is_alive=True)
        assert await other.cut_off() == ()
        await one.commit("a", journal.end())
        await asyncio.gather(one.close(), other.close())

    run(play())


def test_what_a_dead_replica_has_claimed_is_given_to_one_other_and_later_to_another(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        dead, one, other = (PostgresStore(f"{address}&dead_after=400ms") for _ in range(3))
        journal = Journal()
        await written(dead, "a", [journal.begin(), journal.open("b")])
        monkeypatch.setattr(dead.process, "_beat", lambda *_: True)  # it hangs
        async with asyncio.timeout(60):
            while not (found := await one.cut_off()):
                await asyncio.sleep(0.02)
        assert found == ("a",)
        assert await other.cut_off() == ()
        sql(address, "UPDATE lease SET until = now() - interval '1 s'")
        assert await other.cut_off() == ("a",)
        await written(other, "a", [journal.take_over(), journal.end()])
        await holds(one, "a", journal)
        await asyncio.gather(dead.close(), one.close(), other.close())

    run(play())


# changes -----------------------------------------------------------------------------------------


async def _next(found: Any, within_s: float) -> Change:
    async with asyncio.timeout(within_s):
        return await anext(found)


def test_a_hint_that_was_lost_is_noticed(address: str) -> None:
    async def play() -> None:
        one, other = PostgresStore(address), PostgresStore(address)
        journal = Journal()
        await one.commit("a", journal.begin())
        await asyncio.sleep(0.2)
        found = other.changes()
        assert await anext(found) == Change()
        await one.commit("a", journal.turn("b"))
        assert await _next(found, 60) == Change("a", journal.seq)
        one.process.hints.send = lambda _: None  # type: ignore[method-assign]  a pooler, or a process that was killed
        await one.commit("a", journal.turn("c"))
        assert await _next(found, 60) == Change()
        with pytest.raises(TimeoutError):
            await _next(found, 2 * POLL_S + 0.5)
        await asyncio.gather(one.close(), other.close())

    run(play())


def test_a_hint_that_was_lost_is_noticed_while_others_come_all_the_time(address: str) -> None:
    async def play() -> None:
        one, other = PostgresStore(address), PostgresStore(address)
        journal, busy = Journal(), Journal()
        await written(one, "busy", [busy.begin()])
        found = one.changes()
        assert await _next(found, 5) == Change()

        async def writes() -> None:
            while True:
                await written(one, "busy", [busy.turn("again")])
                await asyncio.sleep(POLL_S / 8)

        writing = asyncio.create_task(writes())
        await asyncio.sleep(2 * POLL_S)
        other.process.hints.send = lambda _: None  # type: ignore[method-assign]
        await written(other, "a", [journal.begin()])
        while (change := await _next(found, 3 * POLL_S)) != Change():
            assert change.conversation == "busy"
        writing.cancel()
        assert len(one._listener._come) < 100, "numbers whose hints have come are forgotten"
        await asyncio.gather(one.close(), other.close())

    run(play())


def test_how_late_hints_are_is_measured_while_a_replica_listens(address: str) -> None:
    async def play() -> None:
        store, journal = PostgresStore(address), Journal()
        await written(store, "a", [journal.begin()])
        assert store.hint_lag_s == 0.0
        found = store.changes()
        assert await _next(found, 5) == Change()
        await written(store, "a", [journal.turn("b")])
        while await _next(found, 5) != Change("a", journal.seq):
            pass  # the hint of the first write may come after the listener
        assert 0.0 < store.hint_lag_s < 5.0
        store.process.hints.send = lambda _: None  # type: ignore[method-assign]
        await written(store, "a", [journal.turn("c")])
        await asyncio.sleep(0.5)
        assert 0.5 <= store.hint_lag_s < 10.0, "a hint that does not come back is late until it comes"
        await found.aclose()  # type: ignore[attr-defined]
        async with asyncio.timeout(10):
            while store.hint_lag_s > 0.0:
                await asyncio.sleep(0.02)
        await store.close()

    run(play())


def test_a_listener_that_was_cut_off_reports_that_anything_may_have_changed(address: str) -> None:
    async def play() -> None:
        store = PostgresStore(address)
        found = store.changes()
        assert await anext(found) == Change()
        cut_all(address)
        assert await _next(found, 5) == Change()
        journal = Journal()
        await store.commit("a", journal.begin())
        assert await _next(found, 5) == Change("a", journal.seq)
        await store.close()

    run(play())


def test_hints_of_many_long_names_come_in_parts(address: str) -> None:
    async def play() -> None:
        store = PostgresStore(address)
        found = store.changes()
        await anext(found)
        names = {f"{n} {'x' * 1900}" for n in range(12)}
        await asyncio.gather(*[store.commit(name, Journal().begin()) for name in names])
        seen = {(await _next(found, 5)).conversation for _ in names}
        assert seen == names
        await store.close()

    run(play())
