"""All of a store comes along to another of any kind, and what was broken off is taken up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from support.durable.running import run
from support.postgres import server
from support.shell import run as run_cli
from turnwise.api.open import open_store
from turnwise.archive.copying import Copied, copy_store
from turnwise.core.state import Timer
from turnwise.core.state.codec import encode_state
from turnwise.core.state.retention import Retention
from turnwise.errors import StoreFailed, WrongUsage
from turnwise.runner.outbox_port import DeliveryQuery, Settlement, StoredDelivery
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore
from turnwise.testing.store_support import NOON_MS, Journal, written

FLOW = """
flow: talk
start: a
language: en
nodes: {a: {say: Hello., transitions: [{at: before, to: b}]}, b: {say: Bye., end: done}}
"""
TALK = "examples/eligibility/eligibility.flow.yaml"


async def filled(address: str) -> None:
    """A store with something of everything."""
    async with tw.open(TALK, store=address) as app:
        for name in ("ada", "bob:one"):
            await app.chat(name).say("hello", key="1")
            await app.chat(name).say("Yes", key="2")
    store: Any = open_store(address)
    old, odd, cut, said, last = Journal(), Journal("another"), Journal(), Journal(), Journal()
    await written(store, "old", [old.begin("a", "k"), old.turn("b", "l")])
    old.day = 30
    await written(store, "old", [old.turn("c", "m"), old.scope("quiz words", 3_600_000)])
    await store.retain(Retention(10, 5), old.known.at_ms + 1)
    await written(
        store, "a \x00 ü🙂 \U0010ffff", [odd.begin("x" * 9000, "\x00", timers=[Timer("late", "home", 1, NOON_MS)])]
    )
    await written(store, "cut", [cut.begin(), cut.open("in the middle", "under way"), cut.go_on("b")])
    for number in (1, 2, 3):
        turn = said.begin("d") if number == 1 else said.turn("d")
        await store.commit("said", replace(turn, delivery=f"d{number}"))
    await store.outbox.take("talk", said.known.at_ms, 1000, 1)
    await store.outbox.settle(Settlement("d1", 1, "failed", 5, error="no \x00"))
    await store.outbox.take("talk", said.known.at_ms, 1000, 1)
    await written(store, "last", [last.begin()])
    for value, at in ((1, 1), (2, 2), (None, 3), ({"a": ["ü"]}, 4)):
        await store.set_setting("talk", "theme", value, "Ada", at)
    await store.set_setting("talk", "gone", 1, "Ada", 1)
    await store.set_setting("talk", "gone", None, "Ada", 2)
    await store.close()


def _waiting(one: StoredDelivery) -> dict[str, Any]:
    """What of a delivery is other in a copy: one that was being sent waits there, and is due."""
    return {"status": "waiting", "due_ms": one.since_ms} if one.status == "sending" else {}


async def all_of(address: str) -> dict[str, Any]:
    """Everything that can be read of a store."""
    store: Any = open_store(address)
    try:
        found: dict[str, Any] = {"settings": await store.all_settings()}
        found["flows"] = {one: await store.flow(one) for one in sorted(await store.versions())}
        for name in await store.conversations():
            entries = await store.entries(name)
            deliveries = await store.outbox.find(DeliveryQuery(conversation=name))
            found[name] = (
                entries,
                encode_state(await store.load(name)),
                await store.receipts(name),
                [replace(one, number=0, **_waiting(one)) for one in deliveries],
            )
        found["cut off"] = await store.cut_off()
        found["due"] = [await store.due(flow, NOON_MS * 2, 99) for flow in ("talk", "another")]
        found["owned"] = await store.owned("bob")
        found["listed"] = await store.listed()
        return found
    finally:
        await store.close()


@pytest.fixture
def source(tmp_path: Path) -> str:
    address = f"sqlite:///{tmp_path}/a.db"
    run(filled(address))
    return address


async def copied(source: str, target: str) -> Copied:
    stores = open_store(source), open_store(target)
    try:
        return await copy_store(*stores)
    finally:
        for store in stores:
            await store.close()


def test_a_file_comes_to_a_database_and_back_with_all_that_it_has(source: str, tmp_path: Path) -> None:
    database, back = server().fresh(), f"sqlite:///{tmp_path}/b.db"
    assert run(copied(source, database)) == Copied(7, 7)
    assert run(copied(database, back)) == Copied(7, 7)
    kept = run(all_of(source))
    assert kept["cut off"] == ("cut",)
    assert kept["owned"] == 1
    assert kept["due"][1]
    assert any(one.error for one in kept["said"][3])
    assert run(all_of(database)) == kept
    assert run(all_of(back)) == kept


@pytest.mark.parametrize("kind", ["database", "file"])
def test_a_delivery_that_was_being_sent_is_sent_where_it_came_to(kind: str, source: str, tmp_path: Path) -> None:
    target = server().fresh() if kind == "database" else f"sqlite:///{tmp_path}/b.db"
    run(copied(source, target))

    async def taken() -> list[tuple[str, int]]:
        store: Any = open_store(target)
        try:
            return [(one.id, one.attempts) for one in await store.outbox.take("talk", NOON_MS * 2, 1000, 9)]
        finally:
            await store.close()

    assert run(taken()) == [("d2", 2)]


def test_conversations_go_on_and_are_explained_where_they_came_to(source: str) -> None:
    database = server().fresh()
    run(copied(source, database))

    async def play() -> None:
        async with tw.open(TALK, store=database) as app:
            chat = app.chat("ada")
            again = await chat.say("Yes", key="2")
            assert (again.is_duplicate, again.number) == (True, 2)
            assert await chat.replay()
            assert await chat.why()
            assert (await chat.say("Partial", key="3")).number == 3
            assert await chat.replay()

    run(play())


def test_a_copy_that_is_broken_off_anywhere_is_taken_up(source: str) -> None:
    kept = run(all_of(source))

    async def play() -> None:
        for place in range(0, 40, 3):
            database = server().fresh()
            left, sent = place, open_store(source)
            target: Any = open_store(database)

            def breaking(method: Callable[..., Any]) -> Callable[..., Any]:
                def call(*values: Any) -> Any:
                    nonlocal left
                    left -= 1
                    if left < 0:
                        raise ConnectionError
                    return method(*values)

                return call

            for name in ("commit", "keep_receipts", "keep_deliveries", "keep_settings", "keep_flow", "forget"):
                setattr(target, name, breaking(getattr(target, name)))
            try:
                await copy_store(sent, target)
                is_whole = True
            except ConnectionError:
                is_whole = False
            await sent.close()
            await target.close()
            done = await copied(source, database)
            assert done.conversations == 7
            assert await all_of(database) == kept, place
            if is_whole:
                assert done.copied == 0
                return
        raise AssertionError("it was never whole")

    run(play())


def test_what_came_since_is_brought_over_and_what_went_on_there_is_not_lost(source: str) -> None:
    database = server().fresh()
    run(copied(source, database))

    async def more(address: str, name: str, text: str) -> None:
        async with tw.open(TALK, store=address) as app:
            await app.chat(name).say(text, key="more")

    run(more(source, "ada", "Partial"))
    done = run(copied(source, database))
    assert done.copied == 1
    run(more(database, "ada", "No"))
    with pytest.raises(StoreFailed, match="ada: this conversation went on in the other store"):
        run(copied(source, database))


def test_a_store_that_cannot_be_copied_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="a store of this kind cannot be copied"):
        run(copy_store(MemoryStore(), SqliteStore(tmp_path / "a.db")))


def test_the_terminal_copies_and_says_what_is_there_already(source: str, tmp_path: Path) -> None:
    ran = run_cli("store", "copy", source, f"sqlite:///{tmp_path}/c.db")
    assert (ran.code, ran.out, ran.err) == (0, "7 conversations copied\n", "")
    ran = run_cli("store", "copy", source.removeprefix("sqlite:///"), f"{tmp_path}/c.db", "--json")
    assert ran.out == '{"conversations":7,"copied":0}\n'
    database = server().fresh()
    assert run_cli("store", "copy", source, database).code == 0
    ran = run_cli("store", "conversations", database)
    assert ran.code == 0
    assert "ada" in ran.out
    ran = run_cli("store", "info", database)
    assert (ran.code, ran.err) == (0, "")
    assert "7 conversations" in ran.out
