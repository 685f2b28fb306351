"""What the engine does when callers go, when a store fails in mid-turn, at a start, at the end, and for followers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.chats import NOON_MS, OneChat, machine_of
from support.durable.running import run
from support.engines import local
from support.postgres import server
from turnwise.api.chat import Chat
from turnwise.api.open import open_store
from turnwise.api.sync import SyncApp
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.errors import CannotBlock, StoreFailed, StoreUnavailable, TurnwiseError, UnknownConversation
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import ModelReply
from turnwise.runner.ports import Commit, Store, Written
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore
from turnwise.stores.sqlite.store import LOOK_AGAIN_S

TALK = machine_of(
    """
    flow: talk
    start: a
    persona: You talk.
    records: {r: {n: integer}}
    nodes: {a: {prompt: Talk., collect: [r.n]}}
    """
)


class Gate:
    """An understanding and a model; each call to the one that is gated waits until it is let. `asked` is set when
    there were so many.
    """

    def __init__(self, gated: str, count: int = 1) -> None:
        self.gated = gated
        self.count = count
        self.calls: list[str] = []
        self.asked = asyncio.Event()
        self.opened = asyncio.Event()

    async def understand(self, message: str, _allowed: Any) -> list[c.AnyCommand]:
        """Nothing is understood."""
        await self._pass("understand")
        return []

    async def reply(self, _request: ModelRequest) -> ModelReply:
        """How often it was asked."""
        await self._pass("reply")
        return ModelReply(f"Reply {self.calls.count('reply')}.")

    async def _pass(self, what: str) -> None:
        self.calls.append(what)
        await asyncio.sleep(0)  # as a model does: what was decided until here is committed
        if what == self.gated:
            if self.calls.count(what) >= self.count:
                self.asked.set()
            await self.opened.wait()


def opened(store: Store, gate: Gate, machine: Machine = TALK) -> OneChat:
    return OneChat(machine, store=store, understand=gate.understand, model=gate, clock=ManualClock(NOON_MS))


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    if request.param == "postgres":
        address = server().fresh()
        return lambda: open_store(address)
    return MemoryStore if request.param == "memory" else lambda: SqliteStore(tmp_path / "engine.db")


def restarts(entries: tuple[e.Entry, ...]) -> int:
    return sum(isinstance(entry.event, e.TurnRestarted) for entry in entries)


# callers that go ---------------------------------------------------------------------------------


@pytest.mark.law("3.8")
@pytest.mark.parametrize("gated", ["understand", "reply"])
@pytest.mark.parametrize("after", ["nothing", "same", "other"])
def test_a_turn_whose_caller_is_cancelled_goes_on_without_them(
    make: Callable[[], Store], gated: str, after: str
) -> None:
    async def play() -> None:
        gate = Gate(gated)
        chat = opened(make(), gate)
        caller = asyncio.create_task(chat.say("first", key="k1"))
        await gate.asked.wait()
        caller.cancel()
        gate.opened.set()
        with pytest.raises(asyncio.CancelledError):
            await caller
        if after == "other":
            assert (await chat.say("second", key="k2")).number == 2
        elif after == "nothing":
            await chat.app.drain()
            assert (await chat.state()).doing is None
            local(chat).is_draining = False
        turn = await chat.say("first", key="k1")
        assert (turn.number, turn.is_duplicate, turn.text) == (1, True, "Reply 1.")
        entries = await chat.journal()
        assert restarts(entries) == 0
        assert gate.calls[:2] == ["understand", "reply"], "nobody is asked twice"
        assert [x.event.text for x in entries if isinstance(x.event, e.UserSaid)] == (
            ["first", "second"] if after == "other" else ["first"]
        )
        assert await chat.replay()
        await chat.close()

    run(play())


@pytest.mark.law("3.9")
@pytest.mark.parametrize("where", ["understand", "reply"])
def test_work_of_the_users_own_code_that_is_cancelled_is_a_failure_and_not_the_end_of_the_caller(where: str) -> None:
    class Cancelled(Gate):
        async def _pass(self, what: str) -> None:
            if what == where:
                raise asyncio.CancelledError

    async def play() -> None:
        chat = opened(MemoryStore(), Cancelled(""))
        turn = await asyncio.wait_for(chat.say("hello"), 60)
        reasons = [one.reason for one in turn.events if isinstance(one, e.ModelFailed | e.UnderstandingFailed)]
        assert reasons == ["CancelledError"]
        assert turn.text == (
            "Reply 0." if where == "understand" else "Something went wrong on our side. Please try again."
        )
        await asyncio.wait_for(chat.close(), 60)

    run(play())


@pytest.mark.law("3.10")
def test_a_busy_conversation_is_refused_also_where_another_process_serves_it(tmp_path: Path) -> None:
    async def play() -> None:
        machine = machine_of("{flow: f, start: a, busy: reject, persona: P., nodes: {a: {prompt: Talk.}}}")
        gates = Gate("reply"), Gate("reply")
        async with (
            opened(SqliteStore(tmp_path / "x.db"), gates[0], machine) as one,
            opened(SqliteStore(tmp_path / "x.db"), gates[1], machine) as two,
        ):
            both = [asyncio.create_task(chat.say("hello")) for chat in (one, two)]
            refused, served = await asyncio.wait(both, timeout=60, return_when=asyncio.FIRST_COMPLETED)
            for gate in gates:
                gate.opened.set()
            assert [turn.result().refused for turn in refused] == ["busy"]
            assert [(await turn).number for turn in served] == [1]
            assert sum(gate.calls.count("reply") for gate in gates) == 1, "the model spoke for no turn that lost"

    run(play())


@pytest.mark.law("3.8")
def test_a_turn_that_another_process_runs_is_waited_for_and_not_taken_over(tmp_path: Path) -> None:
    async def play() -> None:
        gate, other = Gate("reply"), Gate("")
        async with (
            opened(SqliteStore(tmp_path / "x.db"), gate) as one,
            opened(SqliteStore(tmp_path / "x.db"), other) as two,
        ):
            asked = asyncio.create_task(one.say("hello"))
            await gate.asked.wait()
            waiting = asyncio.create_task(two.say("and I"))
            await asyncio.wait([waiting], timeout=0.1)
            gate.opened.set()
            assert ((await asked).number, (await waiting).number) == (1, 2)
            assert restarts(await one.journal()) == 0
        assert [*gate.calls, *other.calls].count("reply") == 2, "nothing is paid for again"

    run(play())


@pytest.mark.law("3.10")
def test_two_processes_with_a_message_each_at_the_same_moment_call_the_model_once_for_each(tmp_path: Path) -> None:
    async def play() -> None:
        gates = Gate(""), Gate("")
        async with (
            opened(SqliteStore(tmp_path / "x.db"), gates[0]) as one,
            opened(SqliteStore(tmp_path / "x.db"), gates[1]) as two,
        ):
            for number in range(5):
                turns = await asyncio.gather(one.say("hello"), two.say("hello"))
                assert sorted(turn.number for turn in turns) == [2 * number + 1, 2 * number + 2]
        calls = [*gates[0].calls, *gates[1].calls]
        assert (calls.count("understand"), calls.count("reply")) == (10, 10), "nothing is paid for in vain"

    run(play())


def test_a_process_that_is_alone_does_not_wait_for_its_first_commit(tmp_path: Path) -> None:
    async def play() -> None:
        store, other = SqliteStore(tmp_path / "x.db"), SqliteStore(tmp_path / "x.db")
        assert store.is_shared(), "nobody sees it yet"
        chat = opened(store, Gate(""))
        await chat.say("hello")
        assert not store.is_shared(), "a store that only reads is no company"
        await opened(other, Gate("")).app.chat("other").say("hello")
        await asyncio.sleep(2 * LOOK_AGAIN_S)
        assert store.is_shared()
        await other.close()
        assert not store.is_shared()
        assert not store.is_shared(), "for a moment that is known"
        await chat.close()

    run(play())


@pytest.mark.law("3.8", "3.10")
@pytest.mark.parametrize("busy", ["queue", "reject"])
def test_two_chats_over_one_store_object_take_turns_and_repeat_no_work(make: Callable[[], Store], busy: str) -> None:
    async def play() -> None:
        machine = machine_of(f"{{flow: f, start: a, busy: {busy}, persona: P., nodes: {{a: {{prompt: Talk.}}}}}}")
        store, first, second = make(), Gate("reply"), Gate("")
        one, two = opened(store, first, machine), opened(store, second, machine)
        asked = asyncio.create_task(one.say("hello"))
        await first.asked.wait()
        await two.runtime.engine.recover(waits=True)  # what is under way in the other chat is not cut off
        await two.runtime.engine.recover()
        waiting = asyncio.create_task(two.say("and I"))
        await asyncio.sleep(0.02)
        first.opened.set()
        assert (await asked).number == 1
        turn = await waiting
        assert (turn.refused, turn.number) == ((None, 2) if busy == "queue" else ("busy", 0))
        assert [*first.calls, *second.calls].count("reply") == (2 if busy == "queue" else 1)
        assert restarts(await one.journal()) == 0
        await two.app.drain()
        await one.close()

    run(play())


def test_a_conversation_that_another_process_forgets_in_the_middle_of_a_turn_is_told_as_forgotten(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        gate, other = Gate("reply"), SqliteStore(tmp_path / "x.db")
        chat = opened(SqliteStore(tmp_path / "x.db"), gate)
        asked = asyncio.create_task(chat.say("hello"))
        await gate.asked.wait()
        await chat.runtime.store.write(lambda _db: None)  # type: ignore[attr-defined]  what was queued before is kept then
        assert await other.forget("main")
        gate.opened.set()
        with pytest.raises(UnknownConversation, match="'main' was forgotten while its turn was under way") as found:
            await asked
        assert found.value.is_forgotten
        assert (await chat.say("hello")).number == 1
        await chat.close()
        await other.close()

    run(play())


def test_who_is_cancelled_at_the_end_of_a_turn_hears_of_it_when_it_is_durable(tmp_path: Path) -> None:
    async def play() -> None:
        chat = opened(SqliteStore(tmp_path / "x.db"), Gate(""))
        await chat.say("first")
        caller = asyncio.create_task(chat.say("second", key="k2"))
        while not caller.done():
            await asyncio.sleep(0)
            caller.cancel()
        assert caller.cancelled()
        turn = await chat.say("second", key="k2")
        assert turn.number == 2
        entries = await chat.journal()
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert await chat.replay()
        await chat.close()

    run(play())


def test_callers_that_are_cancelled_while_they_wait_leave_no_trace(make: Callable[[], Store]) -> None:
    async def play() -> None:
        gate = Gate("reply")
        chat = opened(make(), gate)
        first = asyncio.create_task(chat.say("first"))
        await gate.asked.wait()
        waiting = [asyncio.create_task(chat.say(f"{number}")) for number in range(10)]
        await asyncio.sleep(0)
        for task in waiting[::2]:
            task.cancel()
        gate.opened.set()
        await asyncio.gather(first, *waiting, return_exceptions=True)
        texts = [x.event.text for x in await chat.journal() if isinstance(x.event, e.UserSaid)]
        assert texts == ["first", "1", "3", "5", "7", "9"]
        assert not local(chat).locks.busy()
        await chat.close()

    run(play())


def test_who_gives_up_forgetting_before_its_turn_has_forgotten_nothing(make: Callable[[], Store]) -> None:
    async def play() -> None:
        gate = Gate("reply")
        chat = opened(make(), gate)
        asked = asyncio.create_task(chat.say("hello"))
        await gate.asked.wait()
        forgetting = asyncio.create_task(chat.forget())
        await asyncio.sleep(0)
        forgetting.cancel()
        gate.opened.set()
        await asyncio.wait([asked, forgetting])
        assert forgetting.cancelled()
        assert (await chat.say("and again")).number == 2
        await chat.close()

    run(play())


def test_an_understanding_that_hangs_can_be_given_up_by_who_waits(make: Callable[[], Store]) -> None:
    async def play() -> None:
        gate = Gate("understand")
        chat = opened(make(), gate)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(chat.say("first", key="k1"), 0.05)
        gate.opened.set()
        turn = await chat.say("first", key="k1")
        assert (turn.number, turn.text) == (1, "Reply 1.")
        assert gate.calls == ["understand", "reply"]
        await chat.close()

    run(play())


# a store that fails ------------------------------------------------------------------------------


class Failing:
    """A store one of whose commits fails."""

    def __init__(self, store: Store, at: int) -> None:
        self._store = store
        self.left = at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, conversation: str, commit: Commit) -> Any:
        """The others are the store's."""
        self.left -= 1
        return Written(StoreUnavailable("x", "away")) if self.left == 0 else self._store.commit(conversation, commit)


@pytest.mark.law("3.8")
@pytest.mark.parametrize("at", [1, 2, 3])
def test_after_a_failure_of_the_store_the_same_key_gives_the_turn(make: Callable[[], Store], at: int) -> None:
    async def play() -> None:
        store = Failing(make(), at)
        chat = opened(store, Gate(""))  # type: ignore[arg-type]
        refused = await chat.say("first", key="k1")
        assert (refused.refused, refused.text) == (
            "store_unavailable",
            "Sorry, I cannot note this down right now. Please send it again in a moment.",
        )
        turn = await chat.say("first", key="k1")
        assert (turn.number, turn.refused, turn.is_duplicate) == (1, None, at > 1)
        assert turn.text.startswith("Reply ")
        entries = await chat.journal()
        assert sum(isinstance(entry.event, e.UserSaid) for entry in entries) == 1
        assert restarts(entries) == (at > 1)
        assert await chat.replay()
        await chat.close()

    run(play())


# a start -----------------------------------------------------------------------------------------


@pytest.mark.law("3.8")
@pytest.mark.parametrize("gated", ["understand", "reply"])
def test_at_a_start_the_turns_that_were_cut_off_go_on_from_what_has_no_result(tmp_path: Path, gated: str) -> None:
    async def cut() -> None:
        gate = Gate(gated, 5)
        chat = opened(SqliteStore(tmp_path / "x.db"), gate)
        callers = [asyncio.create_task(Chat(chat.runtime, f"c{number}").say("hello", key="k")) for number in range(5)]
        await gate.asked.wait()
        await chat.runtime.store.close()  # the process ends here, without a chance to finish anything
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)

    async def go_on() -> None:
        gate = Gate("")
        async with opened(SqliteStore(tmp_path / "x.db"), gate) as chat:
            calls = ["understand", "reply"] if gated == "understand" else ["reply"]
            assert sorted(gate.calls) == sorted(calls * 5)
            for number in range(5):
                state = await chat.app.chat(f"c{number}").state()
                assert state.doing is None
                assert await chat.runtime.store.claim(f"c{number}") is None
                turn = await chat.app.chat(f"c{number}").say("hello", key="k")
                assert (turn.number, turn.is_duplicate) == (1, True)
                assert restarts(await chat.app.chat(f"c{number}").journal()) == 1
                assert await chat.app.chat(f"c{number}").replay()

    run(cut())
    run(go_on())


def test_a_blocking_chat_is_entered_by_its_with_block(tmp_path: Path) -> None:
    """Turns that were cut off go on, as with `async with`; timers fire, and it is closed where entering fails."""

    async def cut() -> None:
        gate = Gate("reply")
        chat = opened(SqliteStore(tmp_path / "x.db"), gate)
        caller = asyncio.create_task(chat.say("hello", key="k"))
        await gate.asked.wait()
        await chat.runtime.store.close()
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)

    run(cut())
    with SyncApp(opened(SqliteStore(tmp_path / "x.db"), Gate("")).app) as app:
        chat = app.chat("main")
        assert chat.state().doing is None
        assert app.tick() == 0
        app.drain()
        with pytest.raises(TurnwiseError, match="draining"):
            chat.say("more")
    broken = SyncApp(opened(SqliteStore(tmp_path / "x.db"), Gate("")).app)
    run(broken.app.runtime.store.close())
    with pytest.raises(StoreFailed, match="the store is closed"):
        broken.__enter__()
    with pytest.raises(CannotBlock, match="this app is closed"):
        broken.chat("main").say("hello")


def test_a_turn_that_cannot_go_on_does_not_keep_others_from_starting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def cut() -> None:
        gate = Gate("reply", 2)
        chat = opened(SqliteStore(tmp_path / "x.db"), gate)
        callers = [asyncio.create_task(Chat(chat.runtime, name).say("hello")) for name in ("broken", "sound")]
        await gate.asked.wait()
        broken = "SELECT n FROM conversation WHERE id = 'broken'"
        sql = f"UPDATE event SET body = CAST(replace(body, ?, 'unknown') AS BLOB) WHERE seq = 1 AND conversation = ({broken})"
        await chat.runtime.store.write(lambda db: db.execute(sql, (TALK.fingerprint,)))  # type: ignore[attr-defined]
        await chat.runtime.store.close()
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)

    async def go_on() -> None:
        async with opened(SqliteStore(tmp_path / "x.db"), Gate("")) as chat:
            assert (await chat.app.chat("sound").state()).doing is None
            assert (await chat.app.chat("broken").say("hello")).refused == "flow_unavailable"

    run(cut())
    run(go_on())
    told = [record.getMessage() for record in caplog.records if "cut off" in record.getMessage()]
    assert told == [
        "broken: a turn that was cut off cannot go on: the flow with fingerprint unknown cannot be used: the store does not have it"
    ]


# the end -----------------------------------------------------------------------------------------


def test_drain_waits_for_the_turns_under_way_and_takes_nothing_new(make: Callable[[], Store]) -> None:
    async def play() -> None:
        gate = Gate("reply")
        chat = opened(make(), gate)
        first = asyncio.create_task(chat.say("first"))
        await gate.asked.wait()
        second = asyncio.create_task(chat.say("second"))
        await asyncio.sleep(0)
        draining = asyncio.create_task(chat.app.drain())
        await asyncio.sleep(0)
        with pytest.raises(TurnwiseError, match="draining"):
            await chat.say("third")
        assert not draining.done()
        gate.opened.set()
        await draining
        assert [(await first).number, (await second).number] == [1, 2]
        assert await chat.app.tick() == 0
        await chat.close()

    run(play())


# followers ---------------------------------------------------------------------------------------


def test_a_follower_sees_each_event_once_whoever_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwise.stores.sqlite.changes.POLL_S", 0.01)

    async def play() -> None:
        one, other = (opened(SqliteStore(tmp_path / "x.db"), Gate("")) for _ in range(2))
        await one.say("before")
        middle = (await one.state()).seq - 2

        async def follow(chat: Chat, after: int) -> list[int]:
            seen: list[int] = []
            async for entry in chat.events(after=after):
                seen.append(entry.seq)
                if isinstance(entry.event, e.TurnEnded) and entry.turn == 21:
                    break
            return seen

        following = [asyncio.create_task(follow(chat, after)) for chat in (one, other) for after in (0, middle)]
        for number in range(10):
            await one.say(f"one {number}")
            await other.say(f"other {number}")
        last = (await one.state()).seq
        assert [await task for task in following] == [list(range(x + 1, last + 1)) for x in (0, middle, 0, middle)]
        await one.close()
        await other.close()

    run(play())


@pytest.mark.law("3.10")
def test_an_event_for_a_conversation_of_another_flow_is_refused_by_name(make: Callable[[], Store]) -> None:
    other = machine_of(
        "flow: other\nstart: b\nnodes: {b: {form: {fields: [{field: r.n}]}}}\nrecords: {r: {n: integer}}"
    )

    async def play() -> None:
        store = make()
        chat, elsewhere = opened(store, Gate("")), opened(store, Gate(""), other)
        await chat.say("hello")
        for refused in (await elsewhere.say("3"), await elsewhere.start()):
            assert refused.refused == "other_flow"
            assert refused.text == "the conversation 'main' belongs to the flow 'talk', not to 'other'"
            assert refused.form is None
        assert (await Chat(elsewhere.runtime, "another").say("3")).refused is None
        assert len(await chat.journal()) == (await chat.state()).seq
        await chat.close()

    run(play())
