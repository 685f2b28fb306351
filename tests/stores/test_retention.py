"""Retention and forgetting leave no trace of the words, and no harm to what goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from support.chats import NOON_MS, OneChat, flow_of
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_state
from turnwise.core.state.fold import fold_all
from turnwise.core.state.retention import DAY_MS, erased, trimmed
from turnwise.errors import StoreUnavailable, UnknownTurn
from turnwise.models.scripted import ScriptedModel
from turnwise.runner import retention as upkeep
from turnwise.stores.places import MOST_PER_TRANSACTION
from turnwise.stores.sqlite import SqliteStore
from turnwise.testing.store_support import Journal, holds, leads_to, written

FLOW = """
flow: talk
start: home
records:
  user: {age: integer, tag: string}
nodes:
  home:
    prompt: Talk.
    collect: [user]
    transitions:
      - {id: old, at: before, when: user.age > 60 && message.text.contains("away"), to: away}
  away: {prompt: There.}
"""
SECRET = "Rumpelstilzchen"
LONG_SECRET = " ".join(f"{SECRET} {number}" for number in range(800))


def opened(place: Path, clock: tw.ManualClock, **more: Any) -> OneChat:
    model = ScriptedModel([f"I heard {SECRET}."] * 500)
    store = f"sqlite:///{place / 'x.db'}"
    return OneChat(flow_of(FLOW), store=store, understand=lambda _m, _e: (), model=model, clock=clock, **more)


def names_in(place: Path) -> set[str]:
    return {one.name for one in place.iterdir()}


def traces(place: Path, *words: str) -> list[str]:
    """The files of the store in which a word stands, as it is or in what is compressed."""
    files = [one for one in place.iterdir() if one.name.startswith("x.db")]
    assert files
    return [f"{word} in {one.name}" for one in files for word in words if word.encode() in one.read_bytes()]


# no trace -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_open", [True, False])
def test_a_forgotten_conversation_leaves_no_trace(tmp_path: Path, *, is_open: bool) -> None:
    """In the file, its log and its index: also while the store is open, and of states with values."""

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(tmp_path, clock) as chat:
            for number in range(60):
                await chat.app.chat(SECRET).commands([tw.commands.Set(field="user.tag", value=f"{SECRET} {number}")])
                await chat.app.chat(SECRET).say(f"{SECRET} {number}", key=f"{SECRET} {number}")
                await chat.app.chat("other").say(f"harmless {number}")
            await chat.app.chat(SECRET).say(LONG_SECRET)
            assert traces(tmp_path, SECRET)
            assert await chat.app.chat(SECRET).forget()
            assert not await chat.app.chat(SECRET).forget()
            if is_open:
                assert await chat.runtime.store.vacuum() > 0  # type: ignore[attr-defined]
                assert traces(tmp_path, f"{SECRET} ", f'"{SECRET}"') == []
                assert names_in(tmp_path) == {"x.db", "x.db-wal", "x.db-shm"}
            assert await chat.app.chat("other").replay()
        if not is_open:
            store = SqliteStore(tmp_path / "x.db")
            await store.vacuum()
            await store.close()
        assert traces(tmp_path, f"{SECRET} ", f'"{SECRET}"') == []
        async with opened(tmp_path, clock) as chat:
            assert (await chat.app.chat("other").say("again")).number == 61
            assert (await chat.app.chat(SECRET).say("anew")).number == 1

    asyncio.run(whole())


def test_what_retention_erased_leaves_no_trace(tmp_path: Path) -> None:
    """What the state needs stays, and nothing else."""

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(tmp_path, clock) as chat:
            for number in range(40):
                await chat.app.chat(SECRET).say(f"{SECRET} {number}", key=f"key of {SECRET} {number}")
            await chat.say(LONG_SECRET)
            clock.move_s(10 * 86_400)
            await chat.commands([tw.commands.Set(field="user.tag", value="kept")])
            assert (await chat.app.retain(tw.Retention(events_days=1))).events > 100
            await chat.runtime.store.vacuum()  # type: ignore[attr-defined]
            assert traces(tmp_path, f"{SECRET} ") == []
            assert traces(tmp_path, "kept") != []
            assert await chat.replay()

    asyncio.run(whole())


def test_what_decisions_read_leaves_no_trace(tmp_path: Path) -> None:
    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(tmp_path, clock) as chat:
            for number in range(30):
                await chat.commands([tw.commands.Set(field="user.age", value=1_000_000_007 + number)])
                await chat.commands([tw.commands.Set(field="user.age", value=5)])
            with closing(sqlite3.connect(tmp_path / "x.db")) as db:
                reads = "SELECT count(*) FROM event WHERE kind = 2 AND CAST(body AS TEXT) LIKE '%1000000%'"
                assert db.execute(reads).fetchone() == (30,)
                clock.move_s(10 * 86_400)
                assert (await chat.app.retain(tw.Retention(decisions_days=1))).decisions == 60
                assert db.execute(reads).fetchone() == (0,)
            assert await chat.replay()

    asyncio.run(whole())


def test_a_vacuum_that_cannot_empty_the_log_says_so(tmp_path: Path) -> None:
    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(tmp_path, clock, store_retry_s=0.1) as chat:
            await chat.say("hello")
            with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as reading:
                reading.execute("BEGIN")
                reading.execute("SELECT count(*) FROM event").fetchone()
                with pytest.raises(StoreUnavailable, match="others are using the file, and old text may still be in"):
                    await chat.runtime.store.vacuum()  # type: ignore[attr-defined]
            await chat.runtime.store.vacuum()  # type: ignore[attr-defined]

    asyncio.run(whole())


# what goes on -------------------------------------------------------------------------------------


@pytest.mark.law("3.8")
def test_what_is_left_can_be_asked_about(tmp_path: Path) -> None:
    """Turns after the cut are told in full, those before it not at all; undo goes as far back as the cut."""

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(tmp_path, clock) as chat:
            for day in range(10):
                clock.set_ms(NOON_MS + day * DAY_MS)
                await chat.commands([tw.commands.Set(field="user.age", value=day)])
            before = [await chat.turn(number) for number in range(7, 11)]
            state = encode_state(await chat.state())
            clock.set_ms(NOON_MS + 9 * DAY_MS)
            await chat.app.retain(tw.Retention(events_days=4, decisions_days=2))
            for number in range(1, 6):
                with pytest.raises(UnknownTurn, match=f"turn {number} of conversation 'main' was erased by retention"):
                    await chat.turn(number)
            with pytest.raises(UnknownTurn, match="conversation 'main' has no turn 11; there are 1 to 10"):
                await chat.turn(11)
            after = [await chat.turn(number) for number in range(7, 11)]
            assert [one.text for one in after] == [one.text for one in before]
            assert [[d.line for d in one.decisions] for one in after[1:]] == [
                [d.line for d in one.decisions] for one in before[1:]
            ]
            told = (await chat.explain(turn=7))[0]
            assert [(one.id, one.outcome, one.verdict) for one in told.candidates] == [("old", "false", None)]
            assert before[0].decisions[0].candidates[0].verdict is not None
            assert encode_state(await chat.state()) == state
            assert {one.turn for one in await chat.explain()} == {10}
            undone = await chat.undo(to=6)
            assert undone.state is not None
            assert undone.state.values["user.age"].value == 5
            assert await chat.replay()
            assert (await chat.rerun()).difference is None
            back = await chat.undo(to=3)
            assert back.state is not None
            assert back.state.values["user.age"].value == 5, "what is no longer kept cannot come back"

    asyncio.run(whole())


@pytest.mark.law("3.8")
def test_a_turn_across_the_limit_is_kept_whole(tmp_path: Path) -> None:
    async def whole() -> None:
        store, journal = SqliteStore(tmp_path / "x.db"), Journal()
        await written(store, "a", [journal.begin(), journal.open("old")])
        journal.day = 5
        await written(store, "a", [journal.go_on("new"), journal.end()])
        await store.retain(tw.Retention(events_days=2), NOON_MS + 5 * DAY_MS)
        assert await store.turn("a", 2) == journal.entries[-3:]
        assert (await store.retain(tw.Retention(events_days=2), NOON_MS + 5 * DAY_MS)).events == 0
        await leads_to(store, "a", journal.state)
        await store.close()

    asyncio.run(whole())


def test_of_a_conversation_that_is_all_erased_nothing_is_told(tmp_path: Path) -> None:
    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(tmp_path, clock) as chat:
            await chat.say("hello")
            clock.move_s(10 * 86_400)
            await chat.app.retain(tw.Retention(events_days=1))
            assert await chat.explain() == ()
            with pytest.raises(UnknownTurn, match="was erased by retention"):
                await chat.explain(turn=1)
            assert await chat.replay()
            assert (await chat.say("again")).number == 2
            assert (await chat.explain())[0].turn == 2

    asyncio.run(whole())


def test_turns_go_on_while_old_ones_are_erased(tmp_path: Path) -> None:
    """Many small transactions; each turn finds its place between them."""

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        long, store = Journal(), SqliteStore(tmp_path / "x.db")
        await written(store, "long", [long.begin()])
        for number in range(1500):
            store.commit("long", long.turn(f"message {number}"))
        await store.close()
        async with opened(tmp_path, clock) as chat:
            await chat.say("hello")
            clock.move_s(10 * 86_400)
            groups: list[int] = []
            retaining = asyncio.ensure_future(
                chat.app.retain(tw.Retention(events_days=5), lambda done, _: groups.append(done))
            )
            talked = 0
            while not retaining.done():
                turn = await chat.say("meanwhile")
                assert turn.refused is None
                talked += 1
            events, _ = await retaining
            assert events > 6000
            assert talked >= events // MOST_PER_TRANSACTION // 2, "a turn may wait for one group, not for all"
            assert await chat.replay()
            await leads_to(chat.runtime.store, "long", long.state)
            assert groups[-1] == 2

    asyncio.run(whole())


def test_each_step_leaves_a_whole_journal(tmp_path: Path) -> None:
    """Whenever it is cut off, folding gives the state, and the next time it goes on from there."""

    async def whole() -> None:
        store, journal = SqliteStore(tmp_path / "x.db"), Journal()
        await written(store, "a", [journal.begin()])
        for number in range(400):
            store.commit("a", journal.turn(f"message {number}"))
        writes: list[int] = []
        write = store.write

        async def cut(work: Any) -> Any:
            done = await write(work)
            writes.append(1)
            await leads_to(store, "a", journal.state)
            if len(writes) % 3 == 0:
                raise InterruptedError
            return done

        store.write = cut  # type: ignore[method-assign]
        for _ in range(20):
            try:
                await store.retain(tw.Retention(events_days=1), NOON_MS + 9 * DAY_MS)
                break
            except InterruptedError:
                continue
        assert len(writes) > 4
        entries = await store.entries("a")
        assert [isinstance(one.event, e.Erased) for one in entries] == [True] * (len(entries) - 1) + [False]
        assert isinstance(entries[-1].event, e.Snapshot)
        await store.close()

    asyncio.run(whole())


def test_a_turn_that_is_longer_than_a_step_is_erased_as_a_whole(tmp_path: Path) -> None:
    async def whole() -> None:
        store, journal = SqliteStore(tmp_path / "x.db"), Journal()
        steps = [journal.open("long"), *(journal.go_on(f"{n}") for n in range(2 * MOST_PER_TRANSACTION)), journal.end()]
        for commit in (*steps, journal.turn("short"), journal.turn("last")):
            store.commit("a", commit)
        journal.day = 9
        await store.commit("a", journal.turn("new"))
        found = await store.retain(tw.Retention(events_days=1), NOON_MS + 9 * DAY_MS)
        assert found.events == len(journal.entries) - 5
        await leads_to(store, "a", journal.state)
        await store.close()

    asyncio.run(whole())


def test_a_damaged_conversation_is_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def whole() -> None:
        store, journals = SqliteStore(tmp_path / "x.db"), {name: Journal() for name in "abc"}
        for name, journal in journals.items():
            await written(store, name, [journal.begin()])
        await store.write(lambda db: db.execute("UPDATE event SET body = x'7800' WHERE conversation = 2 AND seq = 2"))
        assert (await store.retain(tw.Retention(events_days=1), NOON_MS + 9 * DAY_MS)).events == 8
        await leads_to(store, "a", journals["a"].state)
        await leads_to(store, "c", journals["c"].state)
        await store.close()

    asyncio.run(whole())
    assert "retention passes over conversation number 2" in caplog.text


def test_a_chat_that_was_entered_sees_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, at first and again and again."""
    monkeypatch.setattr(upkeep, "INTERVAL_S", 0.0)

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(tmp_path, clock, retention=tw.Retention(events_days=3)) as chat:
            for _ in range(2):
                await chat.say("hello")
                clock.move_s(4 * 86_400)
                while not isinstance((await chat.journal())[-1].event, e.Snapshot):
                    await asyncio.sleep(0.01)
            assert (await chat.say("again")).refused is None

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_it_is_tried_again_where_the_store_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(upkeep, "INTERVAL_S", 0.0)

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        retention = tw.Retention(events_days=3)
        async with opened(tmp_path, clock, store_retry_s=0.01) as chat:
            await chat.say("hello")
        clock.move_s(4 * 86_400)
        async with opened(tmp_path, clock, store_retry_s=0.01, retention=retention) as chat:
            with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as locker:
                locker.execute("BEGIN IMMEDIATE")
                while not any(one.getMessage().startswith("retention: ") for one in caplog.records):
                    await chat.journal()
                locker.execute("ROLLBACK")
            while not isinstance((await chat.journal())[-1].event, e.Snapshot):
                pass

    asyncio.run(asyncio.wait_for(whole(), 60))


# the clock ----------------------------------------------------------------------------------------


def test_nothing_is_erased_by_a_clock_that_stands_before_it_all(tmp_path: Path) -> None:
    async def whole() -> None:
        store, journal = SqliteStore(tmp_path / "x.db"), Journal()
        await written(store, "a", [journal.begin(), journal.turn("b")])
        for now_ms in (0, -(10**15), NOON_MS):
            assert await store.retain(tw.Retention(events_days=0.0, decisions_days=0.0), now_ms) == (0, 0)
        await holds(store, "a", journal)
        assert await store.retain(tw.Retention(), NOON_MS + 999 * DAY_MS) == (0, 0)
        await holds(store, "a", journal)
        await store.close()

    asyncio.run(whole())


# the pure part ------------------------------------------------------------------------------------


def test_erasing_ends_in_the_state() -> None:
    journal = Journal()
    journal.begin()
    for number in range(5):
        journal.turn(f"{number}")
    first, second = e.Erasure(NOON_MS, 30), e.Erasure(NOON_MS + DAY_MS, 7)
    once = erased(journal.entries[:9], first)
    assert [(one.seq, one.turn, one.at_ms) for one in once] == [(o.seq, o.turn, o.at_ms) for o in journal.entries[:9]]
    assert [one.event.kind for one in once[:-1] if isinstance(one.event, e.Erased)] == [
        *("started", "user_said", "decided", "said", "turn_ended", "user_said", "decided", "said")
    ]
    assert _noted(once) == {5: first, 9: first}
    for begin, noted in ((8, {9: first, 13: second}), (0, {5: first, 9: first, 13: second})):
        later = erased([*once, *journal.entries[9:13]][begin:], second)
        assert fold_all([*later, *journal.entries[13:]]) == journal.state
        assert _noted(later) == noted


def test_where_an_older_version_erased_no_day_is_made_up() -> None:
    journal = Journal()
    journal.begin()
    for number in range(3):
        journal.turn(f"{number}")
    *old, last = erased(journal.entries[:9], e.Erasure(NOON_MS, 30))
    left = [replace(one, event=e.Erased(one.event.kind)) for one in old if isinstance(one.event, e.Erased)]
    assert isinstance(last.event, e.Snapshot)
    later = erased(
        [*left, replace(last, event=e.Snapshot(last.event.state)), *journal.entries[9:]][8:], e.Erasure(0, 7)
    )
    assert list(_noted(later)) == [13, journal.entries[-1].seq]


def _noted(entries: Sequence[e.Entry]) -> dict[int, e.Erasure]:
    found = {one.seq: one.event.by for one in entries if isinstance(one.event, e.Erased | e.Snapshot)}
    return {seq: by for seq, by in found.items() if by is not None}


def test_only_decisions_are_trimmed() -> None:
    journal = Journal()
    journal.begin("a")
    once, later = e.Erasure(NOON_MS, 30), e.Erasure(NOON_MS + DAY_MS, 30)
    changed = [trimmed(one, once) for one in journal.entries if trimmed(one, once) != one]
    assert [one.event.trimmed for one in changed if isinstance(one.event, e.Decided)] == [once]
    assert [trimmed(one, later) for one in changed] == changed, "the day is that of the first time"


# what a flow says itself ---------------------------------------------------------------------------

KEPT = """
flow: kept
start: talk
version: {version}
{keep}
nodes: {{talk: {{prompt: Talk., transitions: [{{at: before, when: 'message.text == "bye"', end: gone}}]}}}}
"""


def kept(place: Path, clock: tw.ManualClock, keep: str, version: int = 1, **more: Any) -> OneChat:
    flow = flow_of(KEPT.format(keep=keep, version=version))
    model = ScriptedModel(["Well."] * 99)
    return OneChat(flow, store=f"sqlite:///{place / 'x.db'}", clock=clock, model=model, **more)


async def days_later(chat: OneChat, clock: tw.ManualClock, days: int) -> tuple[int, int]:
    clock.move_s(days * 86_400)
    return await chat.app.retain(tw.Retention())


def test_keep_of_a_flow_erases_its_conversations_and_the_smaller_number_wins(tmp_path: Path) -> None:
    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        chat = kept(tmp_path, clock, "keep: {events: 30, decisions: 7}")
        await chat.say("the secret cellar")
        assert await days_later(chat, clock, 6) == (0, 0)
        events, decisions = await days_later(chat, clock, 2)
        assert (events, decisions > 0) == (0, True)
        clock.move_s(3 * 86_400)
        assert (await chat.app.retain(tw.Retention(events_days=10))).events > 0, "the app keeps less than the flow"
        assert "cellar" not in str(await chat.journal())
        assert await chat.replay()
        assert "keeps events for 10 days" in str(await chat.why("turn 1"))
        await chat.say("the second cellar")
        assert (await days_later(chat, clock, 31))[0] > 0
        assert "cellar" not in str(await chat.journal())
        await chat.close()

    asyncio.run(whole())


def test_an_app_that_was_entered_applies_keep_without_a_retention_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "INTERVAL_S", 0.0)

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with kept(tmp_path, clock, "keep: {events: 3}") as chat:
            await chat.say("hello")
            clock.move_s(4 * 86_400)
            while not isinstance((await chat.journal())[-1].event, e.Snapshot):
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_a_conversation_is_kept_as_its_version_says_until_it_is_migrated(tmp_path: Path) -> None:
    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        first = kept(tmp_path, clock, "keep: {events: 3}")
        await first.say("the secret cellar")
        await first.app.chat("second").say("the other cellar")
        await first.close()
        chat = kept(tmp_path, clock, "", version=2)
        await chat.say("again")
        assert (await chat.app.chat("second").migrate()).moved
        assert (await days_later(chat, clock, 4))[0] > 0
        assert "cellar" not in str(await chat.journal()), "the newer version keeps all, but this one is on the older"
        assert "cellar" in str(await chat.app.chat("second").journal())
        await chat.close()

    asyncio.run(whole())


def test_a_kept_version_that_cannot_be_read_has_no_retention_of_its_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        chat = kept(tmp_path, clock, "keep: {events: 3}")
        await chat.say("hello")
        await chat.runtime.store.keep_flow("broken", "no flow")
        assert (await days_later(chat, clock, 4))[0] > 0
        await chat.close()

    asyncio.run(whole())
    assert "what the version broken keeps is unknown" in caplog.text
