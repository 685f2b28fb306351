"""Callers who leave in the middle of a turn: the turn goes on to its end, nothing of it is done again, and no other turn
comes between (laws 3.8, 3.10, 4.5).
"""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneChat, OneSyncChat, flow_of
from support.durable.running import run
from support.postgres import fresh_store
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import events as e
from turnwise.errors import NotDone
from turnwise.runner.model_port import CallMade, ModelReply
from turnwise.runner.ports import Store
from turnwise.runner.streams import stream_turn
from turnwise.stores.sqlite import SqliteStore


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return fresh_store(request.param, tmp_path / "callers.db")


class Model:
    """Answers each message with its own words, after a gate; `pay N` calls the tool first."""

    def __init__(self) -> None:
        self.requests = 0
        self.asked = asyncio.Event()
        self.opened = asyncio.Event()

    async def reply(self, request: ModelRequest) -> ModelReply:
        self.requests += 1
        self.asked.set()
        await self.opened.wait()
        await asyncio.sleep(0.001)
        last = request.transcript[-1]
        if last.role == "user" and last.text.startswith("pay "):
            return ModelReply(calls=(CallMade("pay", {"amount": int(last.text.split()[1])}),))
        said = [message.text for message in request.transcript if message.role == "user"]
        return ModelReply(f"To {said[-1]}.")


FLOW = """
flow: f
start: talk
tools: {pay: {about: pay, kind: effect, on_crash: ON_CRASH, args: {amount: integer}}}
nodes: {talk: {prompt: Talk., tools: {allow: [pay]}}}
"""


def flow(on_crash: str = "again") -> tw.Flow:
    return flow_of(FLOW.replace("ON_CRASH", on_crash))


def texts(entries: tuple[e.Entry, ...]) -> list[str]:
    return [entry.event.text for entry in entries if isinstance(entry.event, e.UserSaid)]


def ended(entries: tuple[e.Entry, ...]) -> list[str]:
    """Return the messages of the turns that have ended."""
    ends = {entry.turn for entry in entries if isinstance(entry.event, e.TurnEnded)}
    return texts(tuple(entry for entry in entries if entry.turn in ends))


def told(turn: tw.Turn) -> list[tuple[int, str]]:
    return [(one.number, one.text) for one in turn.recovered]


# another message waits ---------------------------------------------------------------------------


@pytest.mark.law("3.8", "3.10")
@pytest.mark.parametrize("first", ["hello", "pay 5"])
@pytest.mark.parametrize("second", ["pay 100", "never mind"])
def test_a_turn_whose_caller_leaves_is_finished_before_the_message_that_waits(
    store: Store, first: str, second: str
) -> None:
    paid: list[tuple[str, int]] = []

    async def pay(amount: int, call: tw.ToolCall) -> str:
        paid.append((call.key, amount))
        await asyncio.sleep(0.001)
        return "paid"

    async def play() -> None:
        model = Model()
        chat = OneChat(flow(), store=store, model=model, tools={"pay": pay})
        a = asyncio.create_task(chat.say(first, key="a"))
        await model.asked.wait()
        b = asyncio.create_task(chat.say(second, key="b"))
        await asyncio.sleep(0.002)
        a.cancel()
        model.opened.set()
        turn = await b
        assert a.cancelled()
        assert (turn.number, turn.text, told(turn)) == (2, f"To {second}.", [(1, f"To {first}.")])
        again = await chat.say(first, key="a")
        assert (again.number, again.text, again.is_duplicate) == (1, f"To {first}.", True)
        assert texts(await chat.journal()) == [first, second]
        amounts = [int(text.split()[1]) for text in (first, second) if text.startswith("pay")]
        assert [amount for _, amount in paid] == amounts
        assert len({key for key, _ in paid}) == len(paid)
        assert model.requests == 2 + len(amounts), "no model was asked twice"
        assert await chat.replay()
        assert (await chat.rerun()).agrees
        await chat.close()

    run(play())


# effects -----------------------------------------------------------------------------------------


@pytest.mark.law("4.5")
@pytest.mark.parametrize("on_crash", ["again", "check", "unknown"])
def test_an_effect_whose_caller_leaves_runs_once_and_is_not_asked_for(store: Store, on_crash: str) -> None:
    runs: list[str] = []
    checks: list[str] = []
    begun, may_end = threading.Event(), threading.Event()

    class Pay:
        async def run(self, arguments: Any, call: tw.ToolCall) -> Any:
            runs.append(call.key)

            def work() -> str:
                begun.set()
                assert may_end.wait(60)
                return "paid"

            return await asyncio.to_thread(work)

        async def check(self, arguments: Any, call: tw.ToolCall) -> Any:
            checks.append(call.key)
            raise NotDone("it was not made")

    async def play() -> None:
        model = Model()
        model.opened.set()
        chat = OneChat(flow(on_crash), store=store, model=model, tools={"pay": Pay()})
        a = asyncio.create_task(chat.say("pay 5", key="a"))
        await asyncio.to_thread(begun.wait, 60)
        b = asyncio.create_task(chat.say("never mind"))
        await asyncio.sleep(0.002)
        a.cancel()
        await asyncio.sleep(0.002)
        may_end.set()
        turn = await b
        assert (len(runs), checks, model.requests) == (1, [], 3)
        assert told(turn) == [(1, "To pay 5.")]
        results = [x.event for x in await chat.journal() if isinstance(x.event, e.ToolReturned | e.ToolFailed)]
        assert [type(one) for one in results] == [e.ToolReturned]
        await chat.close()

    run(play())


# who is told -------------------------------------------------------------------------------------


@pytest.mark.law("3.8")
def test_after_two_callers_left_one_after_the_other_both_turns_are_reported_once(store: Store) -> None:
    async def play() -> None:
        model = Model()
        chat = OneChat(flow(), store=store, model=model, tools={"pay": lambda amount: "paid"})
        for text in ("one", "two"):
            model.asked.clear()
            model.opened.clear()
            caller = asyncio.create_task(chat.say(text))
            await model.asked.wait()
            caller.cancel()
            await asyncio.sleep(0)
            model.opened.set()
            await asyncio.wait([caller])
        third = await chat.say("three")
        assert told(third) == [(1, "To one."), (2, "To two.")]
        assert told(await chat.turn(3)) == told(third), "the journal says so too"
        assert told(await chat.say("four")) == []
        assert await chat.replay()
        assert (await chat.rerun()).agrees
        await chat.close()

    run(play())


@pytest.mark.law("3.8")
def test_wherever_a_caller_leaves_the_turn_is_whole_and_reported_once_or_was_never_begun(tmp_path: Path) -> None:
    """At each pass of the loop, on a file, up to the one in which the caller has the turn."""

    async def play(passes: int) -> bool:
        model = Model()
        model.opened.set()
        chat = OneChat(flow(), store=SqliteStore(tmp_path / f"{passes}.db"), model=model, tools={"pay": pay})
        caller = asyncio.create_task(chat.say("pay 1", key="a"))
        for _ in range(passes):
            await asyncio.sleep(0)
        other = asyncio.create_task(chat.say("two"))
        has_left = caller.cancel()
        await asyncio.wait([caller])
        turn = await other
        is_begun = texts(await chat.journal()) == ["pay 1", "two"]
        assert told(turn) == ([(1, "To pay 1.")] if is_begun and has_left else [])
        assert turn.number == 1 + is_begun
        assert paid == [1] * is_begun
        assert told(await chat.say("three")) == []
        assert await chat.replay()
        assert (await chat.rerun()).agrees
        await chat.close()
        return has_left

    paid: list[int] = []

    async def pay(amount: int) -> str:
        paid.append(amount)
        return "paid"

    passes = 0
    while run(play(passes)):
        paid.clear()
        passes += 1 if passes < 20 else 7
    assert passes > 5


@pytest.mark.law("3.8")
@pytest.mark.parametrize("how", ["closed", "collected", "cancelled"])
@pytest.mark.parametrize("is_over", [False, True])
def test_a_stream_that_is_dropped_is_reported_once(store: Store, how: str, is_over: bool) -> None:
    complaints: list[dict[str, Any]] = []

    class Streaming:
        def __init__(self) -> None:
            self.opened = asyncio.Event()

        async def stream(self, request: ModelRequest) -> Any:
            opened = self.opened
            yield tw.TextDelta("To ")
            await opened.wait()
            yield tw.TextDelta(f"{request.transcript[-1].text}.")

    async def drop(chat: tw.Chat, model: Streaming, text: str) -> None:
        stream = chat.stream(text)
        first = await anext(stream)
        assert isinstance(first, tw.Delta)
        if is_over:
            model.opened.set()
            async with asyncio.timeout(60):
                while text not in ended(await chat.journal()):
                    await asyncio.sleep(0.01)
        if how == "closed":
            await stream.aclose()
        elif how == "cancelled":
            await anext(stream) if is_over else None
            pulling = asyncio.ensure_future(anext(stream))
            await asyncio.sleep(0)
            if not is_over:
                pulling.cancel()
            await asyncio.wait([pulling])
            del pulling
        del stream
        gc.collect()

    async def play() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        model = Streaming()
        chat = OneChat(tw.Flow("f", start="a", nodes=[tw.Node("a", prompt="Talk.")]), store=store, model=model)
        for text in ("one", "two"):
            model.opened.clear()
            await drop(chat, model, text)
            model.opened.set()
        turn = await chat.say("three")
        assert turn.text == "To three."
        await asyncio.sleep(0.01)  # the loop closes a stream that was collected a little later
        later = await chat.say("four")
        is_told = how == "cancelled" and is_over
        assert told(turn) + told(later) == ([] if is_told else [(1, "To one."), (2, "To two.")])
        assert how == "collected" or told(later) == []
        assert told(await chat.say("five")) == []
        assert (await chat.rerun()).agrees
        await chat.close()

    run(play())
    gc.collect()
    assert complaints == []


def test_a_stream_that_is_closed_as_its_turn_ends_has_recorded_it_before_the_next_message_comes() -> None:
    missed: list[str] = []

    async def play() -> None:
        ended = asyncio.get_running_loop().create_future()

        async def submit(on_delta: Any) -> str:
            on_delta(tw.TextDelta("To "))
            try:
                return await ended
            except asyncio.CancelledError:
                missed.append(ended.result())
                raise

        stream: Any = stream_turn(submit, asyncio.sleep, missed.append)
        await anext(stream)
        ended.set_result("a turn")
        await stream.aclose()
        assert missed == ["a turn"]

    run(play())


def test_a_turn_that_fails_when_its_caller_has_left_is_logged_and_complains_nowhere_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    complaints: list[dict[str, Any]] = []

    async def play() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        model = Model()
        chat = OneChat(flow(), model=model, tools={"pay": lambda amount: "paid"})
        caller = asyncio.create_task(chat.say("one"))
        await model.asked.wait()
        caller.cancel()
        await asyncio.sleep(0)
        chat.runtime.performer.windows.add_turn = None  # type: ignore[assignment, method-assign]  a bug of ours
        model.opened.set()
        await chat.app.drain()
        del caller
        gc.collect()

    run(play())
    assert complaints == []
    assert [one.getMessage() for one in caplog.records] == [
        "a turn whose caller has left failed: 'NoneType' object is not callable"
    ]


# without a loop of one's own ----------------------------------------------------------------------


@pytest.mark.law("3.8")
def test_ctrl_c_on_a_blocking_chat_leaves_the_turn_running(store: Store) -> None:
    has_left = threading.Event()

    class Slow:
        async def reply(self, request: ModelRequest) -> ModelReply:
            text = request.transcript[-1].text
            if text == "one":
                signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
                assert await asyncio.to_thread(has_left.wait, 60)
            return ModelReply(f"To {text}.")

    def interrupt(_: int, frame: FrameType | None) -> None:
        if (
            frame is not None
            and frame.f_code is threading.Condition.wait.__code__
            and not frame.f_locals.get("gotit", 1)
        ):
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt  # else the caller does not wait for the turn yet, or no more

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        chat = OneSyncChat(tw.Flow("f", start="a", nodes=[tw.Node("a", prompt="Talk.")]), store=store, model=Slow())
        with pytest.raises(KeyboardInterrupt):
            chat.say("one")
        has_left.set()
        turn = chat.say("two")
        assert (turn.text, told(turn)) == ("To two.", [(1, "To one.")])
        chat.close()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_work_of_the_users_own_code_may_be_bounded_across_the_start_of_its_task(store: Store) -> None:
    """A time limit or a cancel scope of a model binds to the task in which it was entered."""

    class Bounded:
        async def reply(self, request: ModelRequest) -> ModelReply:
            began = time.monotonic()
            try:
                async with asyncio.timeout(0.01):
                    await asyncio.sleep(10)
            except TimeoutError:
                pass
            async with asyncio.TaskGroup() as group:
                group.create_task(asyncio.sleep(0))
            return ModelReply(f"{time.monotonic() - began < 9}")

    async def play() -> None:
        chat = OneChat(tw.Flow("f", start="a", nodes=[tw.Node("a", prompt="Talk.")]), store=store, model=Bounded())
        me = asyncio.current_task()
        assert (await chat.say("hello")).text == "True"
        assert asyncio.current_task() is me
        caller = asyncio.create_task(chat.say("again"))
        await asyncio.sleep(0)
        caller.cancel()
        assert told(await chat.say("and again")) == [(2, "True")]
        await chat.close()

    run(play())
