"""Functions that run as tools: what they are given, what becomes of what they give, and how they can go wrong."""

from __future__ import annotations

import asyncio
import threading
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from msgspec import Struct
from pydantic import AfterValidator, BaseModel, RootModel

import turnwise as tw
from support.tools import facts, made, uses
from turnwise.core.state.events import CallRefused, ToolFailed, ToolReturned
from turnwise.flow.model import Tool
from turnwise.flow.model.tools import PythonTool
from turnwise.models.scripted import call
from turnwise.runner import tool_execution as running

DAY = "2026-02-03"


def flow_with(*tools: Any, result_chars: int = 100_000) -> tw.Flow:
    """A flow whose one node lets a model use some tools."""
    free = tw.Node("free", prompt="Help.", tools=tw.ToolPolicy(allow=tools))
    return tw.Flow("tools", start="free", tools=tools, nodes=[free], limits=tw.Limits(result_chars=result_chars))


async def _one(tool: Any, arguments: dict[str, Any]) -> ToolReturned | ToolFailed:
    model = tw.ScriptedModel([call(tool.name, **arguments), "Done.", "Still here."])
    async with tw.open(flow_with(tool, result_chars=1000), model=model) as app:
        chat = app.chat("main")
        turn = await chat.say("go")
        assert turn.text == "Done."
        assert (await chat.say("next")).text == "Still here."
        (found,) = facts(turn, ToolReturned, ToolFailed)
        return found


def used(tool: Any, **arguments: Any) -> ToolReturned | ToolFailed:
    """What came of one call of a tool by a model, in a conversation that goes on all the same."""
    return asyncio.run(_one(tool, arguments))


# what a function is given --------------------------------------------------------------------------


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


TAKEN: list[tuple[Any, Any, object]] = [
    (str, "x", "x"),
    (str, "", ""),
    (int, "3", 3),
    (float, 3, 3.0),
    (bool, True, True),
    (date, DAY, date(2026, 2, 3)),
    (time, "10:30", time(10, 30)),
    (timedelta, "90m", timedelta(minutes=90)),
    (Size, "LARGE", Size.LARGE),
    (Literal["a", "b"], "A", "a"),
    (list[date], [DAY], [date(2026, 2, 3)]),
    (list[Size], ["small"], [Size.SMALL]),
    (Annotated[date, "the day"], DAY, date(2026, 2, 3)),
    (Annotated[int, tw.field(ge=1)], 4, 4),
    (list[str], [], []),
    (str | None, "x", "x"),
    (date | None, None, None),
]


@pytest.mark.parametrize(("hint", "given", "expected"), TAKEN, ids=range(len(TAKEN)))
def test_an_argument_is_what_its_hint_says(hint: Any, given: Any, expected: object) -> None:
    seen: list[object] = []

    def take(value: object) -> None:
        seen.append(value)

    take.__annotations__ = {"value": hint}
    assert isinstance(used(tw.tool(take), value=given), ToolReturned)
    assert [(type(one), one) for one in seen] == [(type(expected), expected)]


def test_a_moment_has_the_zone_in_which_it_was_given() -> None:
    @tw.tool
    def when(at: datetime) -> str:
        """Tell."""
        return at.astimezone(tz=None).isoformat() if at.tzinfo else f"naive {at.isoformat()}"

    found = used(when, at="2026-02-03T10:00:00+01:00")
    assert isinstance(found, ToolReturned), found


def test_what_is_left_out_is_the_functions_own_default() -> None:
    seen: dict[str, object] = {}

    def take(
        many: int = 3,
        name: str = "",
        note: str | None = None,
        tags: list[str] = [],  # noqa: B006  a default that is no value of a field
        rank: int = tw.field(7, ge=1),  # type: ignore[assignment]
        more: int | None = tw.field(None),  # type: ignore[assignment]
    ) -> None:
        seen.update(locals())

    tool = tw.tool(take)
    assert {arg.name: (arg.default, arg.optional) for arg in tool.tool.args} == {
        "many": (3, False),
        "name": (None, True),
        "note": (None, True),
        "tags": (None, True),
        "rank": (7, False),
        "more": (None, True),
    }
    assert isinstance(used(tool), ToolReturned)
    assert {name: seen[name] for name in ("many", "name", "note", "tags", "rank", "more")} == {
        "many": 3,
        "name": "",
        "note": None,
        "tags": [],
        "rank": 7,
        "more": None,
    }


def test_a_function_is_told_about_its_call_and_no_model_is() -> None:
    @tw.tool(kind="effect")
    async def book(call: tw.ToolCall, day: date) -> dict[str, Any]:
        """Book."""
        return {"day": day, "key": call.key, "tool": call.tool, "node": call.node, "attempt": call.attempt}

    assert [arg.name for arg in book.tool.args] == ["day"]
    found = used(book, day=DAY)
    assert isinstance(found, ToolReturned), found
    assert found.result == {"day": DAY, "key": "main/1.2", "tool": "book", "node": "free", "attempt": 1}


def test_what_a_hint_asks_beyond_its_field_is_told() -> None:
    def take(name: Annotated[str, Shout()]) -> None:
        raise AssertionError

    tool = PythonTool(Tool("take", args=[tw.Field("name")]), take)
    found = used(tool, name="low")
    assert isinstance(found, ToolFailed)
    assert found.reason == "name: Value error, shout"


class Shout(AfterValidator):
    """Only loud texts."""

    def __init__(self) -> None:
        super().__init__(loud)


def loud(text: str) -> str:
    """The text, where it is loud."""
    if not text.isupper():
        raise ValueError("shout")
    return text


# what a function gives -----------------------------------------------------------------------------


class Table(BaseModel):
    number: int
    day: date = date(2026, 2, 3)


@dataclass
class Seat:
    row: int
    with_table: Table


class Place(Struct):
    x: int


Numbers = RootModel[list[int]]

GIVEN: list[tuple[Callable[[], Any], Any]] = [
    (lambda: None, None),
    (lambda: "ü", "ü"),
    (lambda: {"a": [1, 2.5, True, None]}, {"a": [1, 2.5, True, None]}),
    (lambda: date(2026, 2, 3), DAY),
    (lambda: {"at": datetime(2026, 2, 3, 10, tzinfo=UTC)}, {"at": "2026-02-03T10:00:00Z"}),
    (lambda: (1, 2), [1, 2]),
    (lambda: {1}, [1]),
    (lambda: Decimal("1.10"), "1.10"),
    (lambda: Size.SMALL, "small"),
    (lambda: Table(number=4), {"number": 4, "day": DAY}),
    (lambda: [Table(number=4)], [{"number": 4, "day": DAY}]),
    (lambda: Numbers([1]), [1]),
    (lambda: Seat(1, Table(number=4)), {"row": 1, "with_table": {"number": 4, "day": DAY}}),
    (lambda: Place(3), {"x": 3}),
]


@pytest.mark.parametrize(("gives", "expected"), GIVEN, ids=range(len(GIVEN)))
def test_a_result_is_kept_as_data(gives: Callable[[], Any], expected: Any) -> None:
    def give() -> Any:
        return gives()

    found = used(tw.tool(give))
    assert isinstance(found, ToolReturned), found
    assert found.result == expected


def test_an_async_function_and_what_only_gives_something_to_await_are_awaited() -> None:
    async def give() -> int:
        await asyncio.sleep(0)
        return 3

    def hand_on() -> Any:
        return give()

    assert [used(tw.tool(one)).result for one in (give, hand_on)] == [3, 3]  # type: ignore[union-attr]


def test_an_empty_list_is_an_argument_unless_a_least_number_is_asked_for() -> None:
    @tw.tool
    def tag(tags: Annotated[list[str], tw.field(ge=1)]) -> list[str]:
        """Tag."""
        return tags

    model = tw.ScriptedModel([call("tag", tags=[]), "Done."])
    with tw.open_sync(flow_with(tag), model=model) as app:
        chat = app.chat("main")
        (refused,) = facts(chat.say("go"), CallRefused)
    assert refused.text.startswith("tags: ")


# how it can go wrong -------------------------------------------------------------------------------


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Exiting(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Undumped:
    """Looks like a pydantic model, and cannot be turned into data."""

    def model_dump(self, mode: str) -> Any:
        raise Unspeakable


class Final(BaseException):
    """No `Exception`."""


def circle() -> Any:
    """A list that holds itself."""
    found: list[Any] = []
    found.append(found)
    return found


def throw(error: BaseException) -> Callable[[], Any]:
    """Something that raises."""

    def thrown() -> Any:
        raise error

    return thrown


@dataclass
class Priced:
    """Data with a number."""

    price: float


WRONG: list[tuple[str, Callable[[], Any], str]] = [
    ("raises", throw(ValueError("full")), "ValueError: full"),
    ("raises without words", throw(ValueError()), "ValueError"),
    ("raises a long text", throw(ValueError("x" * 9999)), "ValueError: " + "x" * 1988),
    ("raises half a letter", throw(ValueError("\ud800")), "ValueError: ?"),
    ("raises without words", throw(Unspeakable()), "Unspeakable"),
    ("raises an error of ours", throw(tw.WrongArgument("a", 1, "b")), "a must be b, not int 1"),
    ("raises StopIteration", throw(StopIteration(3)), "StopIteration"),
    ("ends the program", throw(SystemExit(1)), "SystemExit: 1"),
    ("raises what is no Exception", throw(Final("over")), "Final: over"),
    ("is cancelled by itself", throw(asyncio.CancelledError()), "CancelledError"),
    ("raises a timeout of its own", throw(TimeoutError("the bank")), "TimeoutError: the bank"),
    (
        "10 MB",
        lambda: "x" * 10_000_000,
        "the result is 10,000,002 characters long, and 1,000 are allowed (result_chars)",
    ),
    ("no data", object, "the result is no JSON data: it holds an object of the class object"),
    (
        "a function",
        lambda: print,
        "the result is no JSON data: it holds an object of the class builtin_function_or_method",
    ),
    ("in itself", circle, "the result is no JSON data: it is nested too deeply, or in itself"),
    ("keys that are no texts", lambda: {(1, 2): 3}, "the result is no JSON data: "),
    ("a model that cannot be dumped", Undumped, "the result is no JSON data: its model_dump() failed: Unspeakable"),
    ("ends while it is described", throw(Exiting()), "Exiting"),
    ("bytes", lambda: b"abc", "the result is no JSON data: it holds bytes; give a text, decoded or in base64"),
    ("bytes in it", lambda: {"a": [bytearray(b"x")]}, "the result is no JSON data: it holds bytes; "),
    ("no number", lambda: float("nan"), "the result is no JSON data: it holds NaN or infinity"),
    ("infinity in it", lambda: {"a": [None, (-float("inf"),)]}, "the result is no JSON data: it holds NaN or infinity"),
    ("no number in a dataclass", lambda: Priced(float("inf")), "the result is no JSON data: it holds NaN or infinity"),
]


@pytest.mark.law("4.5")
@pytest.mark.parametrize("given", [object(), "x" * 2000, float("nan")], ids=["no data", "too long", "no number"])
def test_an_effect_whose_result_cannot_be_kept_was_done_all_the_same(given: object) -> None:
    done: list[str] = []

    @tw.tool(kind="effect", retry=2, on_crash="again")
    def pay() -> object:
        """Pay."""
        done.append("paid")
        return given

    found = used(pay)
    assert isinstance(found, ToolFailed)
    assert found.in_doubt
    assert found.reason.startswith("it was done, but the result is ")
    assert done == ["paid"]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(("does", "reason"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG])
def test_whatever_goes_wrong_is_a_failure_with_a_reason(
    does: Callable[[], Any], reason: str, *, is_async: bool
) -> None:
    async def wait() -> Any:
        return does()

    def work() -> Any:
        return does()

    found = used(tw.tool(wait if is_async else work))
    assert isinstance(found, ToolFailed), found
    assert found.reason.removeprefix("RuntimeError: coroutine raised ").startswith(reason)
    assert not found.in_doubt


def test_a_program_that_is_interrupted_in_a_thread_is_not_ended_by_that() -> None:
    found = used(tw.tool(lambda_named("stop", throw(KeyboardInterrupt()))))
    assert isinstance(found, ToolFailed)
    assert found.reason == "KeyboardInterrupt"


def lambda_named(name: str, does: Callable[[], Any]) -> Callable[[], Any]:
    """A function with a name that a flow can say."""

    def work() -> Any:
        return does()

    work.__name__ = name
    return work


# time, and threads ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["read", "effect"])
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_tool_that_hangs_fails_when_its_time_is_over(kind: Literal["read", "effect"], *, is_async: bool) -> None:
    release = threading.Event()

    def hang() -> None:
        release.wait(60)

    async def wait() -> None:
        await asyncio.sleep(60)

    began = clock.monotonic()
    found = used(tw.tool(kind=kind, timeout=0.05)(wait if is_async else hang))
    assert clock.monotonic() - began < 45
    release.set()
    assert isinstance(found, ToolFailed)
    assert (found.reason, found.in_doubt) == ("it gave no result within 0.05 s", kind == "effect")


def test_a_tool_that_says_no_time_does_not_hang_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "TIMEOUT_S", 0.05)

    async def wait() -> None:
        await asyncio.sleep(20)

    assert used(tw.tool(wait)).reason == "it gave no result within 0.05 s"  # type: ignore[union-attr]


def test_however_many_tools_hang_the_next_one_runs() -> None:
    release = threading.Event()

    @tw.tool(timeout=0.05)
    def hang() -> None:
        """Hang."""
        release.wait(60)

    @tw.tool
    def think() -> int:
        """Think."""
        return 3

    async def run() -> list[Any]:
        model = tw.ScriptedModel([call("hang"), "a", call("hang"), "b", call("think"), "c"])
        async with tw.open(flow_with(hang, think), model=model) as app:
            chat = app.chat("main")
            for name in range(40):
                model.plan.extendleft(["a", call("hang")])
                await app.chat(str(name)).say("x")
            model.plan.clear()
            model.plan.extend([call("think"), "c"])
            return facts(await chat.say("y"), ToolReturned)

    assert [one.result for one in asyncio.run(run())] == [3]
    release.set()


def test_a_slow_function_does_not_stop_other_conversations() -> None:
    release = threading.Event()

    @tw.tool
    def slow() -> str:
        """Wait for the other one."""
        return "released" if release.wait(60) else "left alone"

    @tw.tool
    async def free() -> None:
        """Let it go."""
        release.set()

    async def run() -> Any:
        model = tw.ScriptedModel([call("slow"), call("free"), "b", "a"])
        async with tw.open(flow_with(slow, free), model=model) as app:
            first, _ = await asyncio.gather(app.chat("one").say("x"), app.chat("two").say("y"))
            return facts(first, ToolReturned)

    assert [one.result for one in asyncio.run(run())] == ["released"]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_reading_tools_of_one_reply_run_together(*, is_async: bool) -> None:
    meeting, waiting = threading.Barrier(3), list[asyncio.Event]()

    async def meet() -> int:
        waiting.append(asyncio.Event())
        for event in waiting if len(waiting) == 3 else ():
            event.set()
        await waiting[-1].wait()
        return len(waiting)

    def look() -> int:
        meeting.wait(60)
        return 3

    tool = tw.tool(timeout=20)(meet if is_async else look)

    async def run() -> tw.Turn:
        model = tw.ScriptedModel([uses(*[made(tool.name)] * 3), "Done."])
        async with tw.open(flow_with(tool), model=model) as app:
            chat = app.chat("main")
            return await chat.say("x")

    assert [one.result for one in facts(asyncio.run(run()), ToolReturned)] == [3, 3, 3]


def test_effects_of_one_reply_run_one_after_another() -> None:
    running_now: list[int] = []
    most: list[int] = []

    @tw.tool(kind="effect")
    async def write(number: int) -> None:
        """Write."""
        running_now.append(number)
        most.append(len(running_now))
        await asyncio.sleep(0.01)
        running_now.remove(number)

    async def run() -> None:
        model = tw.ScriptedModel([uses(*[made("write", number=n) for n in range(3)]), "Done."])
        async with tw.open(flow_with(write), model=model) as app:
            chat = app.chat("main")
            await chat.say("x")

    asyncio.run(run())
    assert most == [1, 1, 1]


def test_whoever_gives_up_in_the_middle_cancels_an_async_tool() -> None:
    seen: list[str] = []
    begun = asyncio.Event()

    @tw.tool
    async def wait() -> None:
        """Wait."""
        seen.append("begun")
        begun.set()
        try:
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def run() -> None:
        chat = tw.open(flow_with(wait), model=tw.ScriptedModel([call("wait")])).chat("main")
        turn = asyncio.ensure_future(chat.say("x"))
        await begun.wait()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn

    asyncio.run(run())
    assert seen[:2] == ["begun", "cancelled"]


# attempts, and crashes -----------------------------------------------------------------------------


def test_each_attempt_has_the_same_key() -> None:
    seen: list[tuple[str, int]] = []

    @tw.tool(kind="effect", retry=tw.Retry(2, 0.001))
    def book(call: tw.ToolCall) -> str:
        """Book."""
        seen.append((call.key, call.attempt))
        if len(seen) < 3:
            raise OSError("busy")
        return "booked"

    assert used(book).result == "booked"  # type: ignore[union-attr]
    assert seen == [("main/1.2", 1), ("main/1.2", 2), ("main/1.2", 3)]


DOUBTFUL: list[tuple[str, Callable[[], str], list[str], dict[str, Any]]] = [
    ("again", lambda: "paid", ["run", "run"], {"result": "paid"}),
    ("unknown", lambda: "paid", ["run"], {"in_doubt": True, "reason": "the line went dead"}),
    ("check", lambda: "was paid", ["run", "check"], {"result": "was paid"}),
    ("check", throw(tw.NotDone()), ["run", "check", "run"], {"result": "paid"}),
    (
        "check",
        throw(OSError("closed")),
        ["run", "check"],
        {"in_doubt": True, "reason": "the line went dead, and its check failed: OSError: closed"},
    ),
]


@pytest.mark.law("4.5")
@pytest.mark.parametrize("fails", [tw.InDoubt("the line went dead"), None], ids=["says so", "late"])
@pytest.mark.parametrize(("policy", "check", "done", "expected"), DOUBTFUL)
def test_an_attempt_in_doubt_is_repeated_only_where_its_policy_allows(
    policy: Literal["again", "check", "unknown"],
    check: Callable[[], str],
    done: list[str],
    expected: dict[str, Any],
    fails: Exception | None,
) -> None:
    noted: list[str] = []

    def look() -> str:
        noted.append("check")
        return check()

    @tw.tool(
        kind="effect",
        retry=tw.Retry(2, 0.001),
        timeout=20 if fails is not None else 0.5,  # the check has as much time
        on_crash=policy,
        check=look if policy == "check" else None,
    )
    async def pay() -> str:
        """Pay."""
        noted.append("run")
        if noted.count("run") > 1:
            return "paid"
        if fails is not None:
            raise fails
        await asyncio.sleep(60)
        return "late"

    found = used(pay)
    assert noted == done
    late = {
        k: v.replace("the line went dead", "it gave no result within 0.5 s")
        for k, v in expected.items()
        if k == "reason"
    }
    told = expected if fails is not None else expected | late
    assert {key: getattr(found, key) for key in told} == told


def test_the_last_attempt_says_why() -> None:
    @tw.tool(retry=1)
    def book() -> None:
        """Book."""
        raise OSError("busy")

    assert used(book).reason == "OSError: busy"  # type: ignore[union-attr]


def test_work_of_a_node_has_the_nodes_time_and_attempts() -> None:
    seen: list[int] = []

    @tw.tool
    async def look(call: tw.ToolCall) -> None:
        """Look."""
        seen.append(call.attempt)
        await asyncio.sleep(20)

    node = tw.Node(
        "look", tool=look, timeout_s=0.02, retry=tw.Retry(1), transitions=[tw.Transition(at="error", end="x")]
    )
    with tw.open_sync(tw.Flow("f", start="look", tools=[look], nodes=[node])) as app:
        chat = app.chat("main")
        turn = chat.start()
    assert turn.outcome == "x"
    assert [one.reason for one in facts(turn, ToolFailed)] == ["it gave no result within 0.02 s"]
    assert seen == [1, 2]
