"""Timers on a store: armed by a turn, they survive a restart, fire once and never early, whoever looks for them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from support.chats import NOON_MS, OneChat, machine_of
from support.durable.peer import FLOWS, Peer
from support.durable.running import run
from support.engines import local
from support.postgres import fresh_store
from turnwise.api.chat import Chat
from turnwise.api.open import open as open_flow
from turnwise.core.state import events as e
from turnwise.errors import StoreUnavailable
from turnwise.runner import timers
from turnwise.runner.cache import Cache
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore

MACHINE = machine_of(FLOWS["timer"])
SECOND_MS = 1000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "timers.db"


def opened(store: Store, clock: ManualClock) -> OneChat:
    return OneChat(MACHINE, store=store, clock=clock)


async def fired(chat: Chat, conversation: str = "main") -> list[e.Entry]:
    return [
        entry for entry in await Chat(chat.runtime, conversation).journal() if isinstance(entry.event, e.TimerFired)
    ]


@pytest.mark.law("2.15")
@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_a_timer_fires_once_and_never_early(kind: str, file: Path) -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        chat = opened(fresh_store(kind, file), clock)
        await chat.start()
        clock.set_ms(NOON_MS + SECOND_MS - 1)
        assert await chat.app.tick() == 0
        clock.set_ms(NOON_MS + SECOND_MS)
        assert [await chat.app.tick(), await chat.app.tick()] == [1, 0]
        assert (await chat.state()).node == "b"
        assert [entry.at_ms for entry in await fired(chat)] == [NOON_MS + SECOND_MS]
        clock.set_ms(NOON_MS)
        assert await chat.app.tick() == 0, "a clock that goes back fires nothing again"
        assert await chat.replay()
        await chat.close()

    run(play())


@pytest.mark.law("2.15")
def test_a_timer_that_is_armed_anew_while_it_is_on_its_way_does_not_fire_early(file: Path) -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        store = SqliteStore(file)
        chat = opened(store, clock)
        (timer,) = (await chat.start()).state.timers  # type: ignore[union-attr]
        clock.move_s(0.9)
        (armed,) = (await chat.say("I am here")).state.timers  # type: ignore[union-attr]
        assert armed.due_ms == timer.due_ms + 900
        clock.move_s(0.1)
        late = await chat.runtime.engine.submit("main", e.TimerFired("wake", 1, timer.due_ms))
        assert not hasattr(late, "code")
        state = await chat.state()
        assert (state.node, state.timers) == ("a", (armed,)), "and the one that was armed stays"
        assert [w.code for w in (await chat.turn()).warnings] == ["late"]
        clock.move_s(0.9)
        assert await chat.app.tick() == 1
        assert (await chat.state()).node == "b"
        await chat.close()

    run(play())


@pytest.mark.law("2.15")
def test_a_late_timer_of_an_earlier_visit_leaves_the_one_that_is_armed() -> None:
    text = """
        flow: visits
        start: a
        nodes:
          a: {say: A., transitions: [{id: t, at: timer, in: 1h, to: c}, {at: before, when: message.text == "go", to: b}]}
          b: {say: B., transitions: [{at: before, to: a}]}
          c: {say: C.}
    """

    async def play() -> None:
        chat = open_flow(machine_of(text), clock=ManualClock(NOON_MS)).chat("main")
        await chat.say("go")
        await chat.say("back")
        armed = (await chat.state()).timers
        assert [timer.visit for timer in armed] == [2]
        await chat.fire("t", visit=1)
        assert (await chat.state()).timers == armed

    run(play())


def test_what_came_due_while_nothing_ran_is_fired_once_at_the_start(file: Path) -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        chat = opened(SqliteStore(file), clock)
        for number in range(150):
            await Chat(chat.runtime, f"c{number}").start()
        await chat.close()
        clock.move_s(86_400)
        async with opened(SqliteStore(file), clock) as chat:
            await all_are(chat, [f"c{number}" for number in range(150)], "b")
        chat = opened(SqliteStore(file), clock)
        assert await chat.app.tick() == 0
        assert [len(await fired(chat, f"c{number}")) for number in range(150)] == [1] * 150
        await chat.close()

    run(play())


async def all_are(chat: Chat, conversations: list[str], node: str) -> None:
    """Wait until all conversations are in a node."""
    async with asyncio.timeout(60):
        for conversation in conversations:
            async for _ in Chat(chat.runtime, conversation).events():
                if (await Chat(chat.runtime, conversation).state()).node == node:
                    break


def test_a_timer_survives_a_restart_and_two_processes_that_look_for_it_fire_it_once(file: Path) -> None:
    with Peer("timer", file) as first:
        for number in range(40):
            first.do("say", text="hello", conversation=f"c{number}")
        first.kill()
    with Peer("timer", file) as one, Peer("timer", file) as other:
        assert [peer.do("tick") for peer in (one, other)] == [0, 0]
        for peer in (one, other):
            peer.do("clock", moves_s=1)
        ticks = [peer.begin("tick") for peer in (one, other)]
        assert one.wait(ticks[0]) + other.wait(ticks[1]) == 40
        assert [peer.do("tick") for peer in (one, other)] == [0, 0]
    run(check_each_fired_once(file, 40))


async def check_each_fired_once(file: Path, count: int) -> None:
    chat = opened(SqliteStore(file), ManualClock(NOON_MS))
    for number in range(count):
        assert len(await fired(chat, f"c{number}")) == 1
        assert await Chat(chat.runtime, f"c{number}").replay()
    await chat.close()


async def due_for_all(chat: OneChat, clock: ManualClock, count: int) -> None:
    """Begin conversations whose timers are due now."""
    for number in range(count):
        await Chat(chat.runtime, f"c{number}").start()
    clock.move_s(1)


def test_two_processes_begin_with_different_timers(file: Path) -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        one, other = opened(SqliteStore(file), clock), opened(SqliteStore(file), clock)
        await Chat(one.runtime, "of one").start()
        await Chat(other.runtime, "of the other").start()
        await due_for_all(one, clock, 3 * timers.MOST_DUE)
        begun = [await begun_by(chat) for chat in (one, other)]
        assert [len(names) for names in begun] == [timers.MOST_DUE, timers.MOST_DUE]
        assert begun[0].isdisjoint(begun[1])
        while await other.app.tick():  # a process that is alone with the rest fires all of it
            pass
        assert not await other.runtime.store.due(MACHINE.flow.name, clock.now_ms(), 1)
        await one.close()
        await other.close()

    run(play())


async def begun_by(chat: OneChat) -> set[str]:
    """Look once for what is due; return the conversations whose timers are being fired."""
    own = local(chat)._timers
    await own._look()
    return {due.conversation for due in own._firing}


def test_more_is_begun_while_the_first_turns_are_written_and_at_most_twice_as_much(file: Path) -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        chat = opened(SqliteStore(file), clock)
        await due_for_all(chat, clock, 4 * timers.MOST_DUE)
        found = [len(await begun_by(chat)) for _ in range(3)]
        assert found == [timers.MOST_DUE, 2 * timers.MOST_DUE, 2 * timers.MOST_DUE]
        await chat.close()

    run(play())


@pytest.mark.parametrize("armed", [20, 600])
@pytest.mark.parametrize("is_served", [True, False])
def test_looking_for_what_is_due_does_not_read_the_conversations_that_wait(
    file: Path, armed: int, is_served: bool
) -> None:
    """Those whose time is later, and those that are due of a flow that no process serves."""
    unserved = machine_of(FLOWS["timer"].replace("flow: ", "flow: un", 1))

    async def play() -> None:
        clock = ManualClock(NOON_MS)
        store = SqliteStore(file)
        chat = opened(store, clock)
        others = chat if is_served else OneChat(unserved, store=store, clock=clock)
        if is_served:
            await due_for_all(chat, clock, 3)
        for number in range(armed):
            await Chat(others.runtime, f"later{number}").start()
        if not is_served:
            await due_for_all(chat, clock, 3)
        steps: list[int] = []
        store.reader._db().set_progress_handler(lambda: steps.append(1), 10)
        assert len(await store.due(MACHINE.flow.name, clock.now_ms(), 100)) == 3
        assert await store.next_due(MACHINE.flow.name) is not None
        assert len(steps) <= 17, "ten instructions each"
        await chat.close()

    run(play())


def test_timers_that_are_refused_pause_and_do_not_keep_others_from_firing(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(timers, "MOST_DUE", 2)

    async def play() -> None:
        clock = ManualClock(NOON_MS)
        store = SqliteStore(file)
        chat = opened(store, clock)
        for name in ("broken0", "broken1", "broken2", "sound"):
            await Chat(chat.runtime, name).start()
        clock.move_s(1)
        await store.write(lambda db: db.execute("UPDATE conversation SET state = x'7b7d' WHERE id <> 'sound'"))
        local(chat).turns.states = Cache()
        tries = counting(chat)
        for _ in range(5):
            await local(chat)._timers._look()
            await asyncio.gather(*local(chat)._timers._firing.values())
        assert tries == {"broken0": 1, "broken1": 1, "broken2": 1, "sound": 1}
        assert (await Chat(chat.runtime, "sound").state()).node == "b"
        await chat.close()

    run(play())
    assert [record.getMessage() for record in caplog.records if "broken1" in record.getMessage()] == [
        "broken1: the timer 'wake' was refused: the state has format None; this version of turnwise reads 1 and 2"
    ]


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_timers_of_a_version_that_cannot_run_here_are_left_out(
    kind: str, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    changed = machine_of(FLOWS["timer"].replace("Awake.", "Up.", 1))
    assert changed.fingerprint != MACHINE.fingerprint

    async def play() -> None:
        clock = ManualClock(NOON_MS)
        store = fresh_store(kind, file)
        old = opened(store, clock)
        for number in range(3 * timers.MOST_DUE):
            await Chat(old.runtime, f"old{number}").start()
        document = await store.flow(MACHINE.fingerprint)
        assert document is not None
        await forget_flow(store)
        chat = OneChat(changed, store=store, clock=clock)
        await Chat(chat.runtime, "new").start()
        clock.move_s(1)
        tries, own = counting(chat), local(chat)._timers
        assert await chat.app.tick() == 1, "those of the version that can run"
        assert len(tries) == timers.MOST_DUE + 1
        tries.clear()
        for _ in range(3):
            assert await own._look() == timers.LONGEST_WAIT_S
        assert not own._firing
        await store.keep_flow(MACHINE.fingerprint, document)
        assert await own._look() == timers.LONGEST_WAIT_S, "it pauses"
        assert tries == {}
        own._unavailable = {name: (0.0, pause_s) for name, (_, pause_s) in own._unavailable.items()}
        await own._look()
        assert len(own._firing) == timers.MOST_DUE
        await asyncio.gather(*own._firing.values())
        await chat.close()

    run(play())
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    reason = f"the flow with fingerprint {MACHINE.fingerprint} cannot be used: the store does not have it"
    assert said == [f"the timers of its conversations wait: {reason}"]


async def forget_flow(store: Any) -> None:
    """Take the first version of the flow away from a store."""
    if isinstance(store, MemoryStore):
        del store._flows[MACHINE.fingerprint]
    elif not isinstance(store, SqliteStore):
        await store.reader.all("DELETE FROM flow WHERE fingerprint = %s RETURNING 1", MACHINE.fingerprint)
    else:
        await store.write(lambda db: db.execute("DELETE FROM flow WHERE fingerprint = ?", (MACHINE.fingerprint,)))


def counting(chat: Chat) -> dict[str, int]:
    """How often an event is given to each conversation from now on."""
    tries: dict[str, int] = {}
    submit: Callable[..., Awaitable[object]] = chat.runtime.engine.submit

    async def counted(conversation: str, *rest: object, **more: object) -> object:
        tries[conversation] = tries.get(conversation, 0) + 1
        return await submit(conversation, *rest, **more)

    local(chat).submit = counted  # type: ignore[method-assign, assignment]
    return tries


@pytest.mark.skipif(os.environ.get("TURNWISE_SOAK") != "1", reason="takes a second of real time: in the soak only")
def test_a_timer_really_comes_due(file: Path) -> None:
    with Peer("timer", file, is_real_clock=True) as one, Peer("timer", file, is_real_clock=True) as other:
        one.do("enter")
        other.do("enter")
        one.do("say", text="hello", conversation="c0")
        late_ms = [peer.begin("follow_timer", conversation="c0") for peer in (one, other)]
        assert 0 <= one.wait(late_ms[0]) == other.wait(late_ms[1]) < 2000
    run(check_each_fired_once(file, 1))


@pytest.mark.law("6.7")
@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_one_tick_fires_all_that_is_due_in_all_conversations(kind: str, file: Path) -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        chat = opened(fresh_store(kind, file), clock)
        for number in range(timers.MOST_DUE + 20):
            await chat.app.chat(f"c{number}").start()
        clock.move_s(1)
        assert await chat.app.tick() == timers.MOST_DUE + 20
        assert await chat.app.tick() == 0
        await chat.app.close()

    run(play())


DAILY = machine_of(
    """
flow: daily
start: a
nodes: {a: {say: Hello., transitions: [{at: before, when: 'false', to: a}]}}
schedules: {note: {at: "18:00", missed: each, instruct: Ask.}}
"""
)


def test_one_tick_fires_each_missed_time_and_not_more_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        chat = OneChat(DAILY, store=MemoryStore(), clock=clock)
        await chat.start()
        clock.move_s(5 * 86_400)
        assert await chat.app.tick() == 5
        monkeypatch.setattr(timers, "MOST_FIRED", 3)
        clock.move_s(5 * 86_400)
        assert [await chat.app.tick() for _ in range(3)] == [3, 2, 0]
        due = [one.event.due_ms for one in await chat.journal() if isinstance(one.event, e.ScheduleFired)]
        assert len(set(due)) == 10
        await chat.app.close()

    run(play())


def test_timers_that_are_refused_do_not_hold_back_those_after_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "MOST_DUE", 2)

    async def play() -> None:
        clock = ManualClock(NOON_MS)
        chat = opened(MemoryStore(), clock)
        engine, refused = local(chat.app), 0
        for number in range(6):
            await chat.app.chat(f"c{number}").start()
        submit = engine.submit

        async def some(conversation: str, *more: Any) -> Any:
            nonlocal refused
            if conversation in ("c0", "c1", "c2"):
                refused += 1
                raise StoreUnavailable(conversation, "away")
            return await submit(conversation, *more)

        monkeypatch.setattr(engine, "submit", some)
        clock.move_s(1)
        assert await chat.app.tick() == 3
        assert refused == 3
        await chat.app.close()

    run(play())
