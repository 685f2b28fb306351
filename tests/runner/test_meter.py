"""What a meter receives of an event and of an effect, whatever comes of them."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.link import link
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, CallModel, RecallWords, RunTool, Understand
from turnwise.core.step import start
from turnwise.core.turn import Refusal, Step
from turnwise.errors import StoreUnavailable, UnknownConversation
from turnwise.runner.meter import Attempted, Meter, Outcome, Phase
from turnwise.runner.ports import Accepted, Duplicate
from turnwise.stores.memory import MemoryStore

FLOW = flow_of("flow: f\nstart: a\nbusy: reject\nnodes: {a: {prompt: Talk.}}")
BEGUN = start(link(FLOW), 0, None)
assert isinstance(BEGUN, Step)
STATE = BEGUN.state
Call = tuple[Any, ...]


class Recorder(Meter):
    """A meter that keeps what it receives; each look at its clock takes a second."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.now_s = count(100.0).__next__  # type: ignore[method-assign]

    def phase_ended(self, phase: Phase, since_s: float) -> None:
        self.calls.append(("passed", phase, since_s))

    def turn_ended(self, outcome: Outcome, since_s: float) -> None:
        self.calls.append(("ended", outcome, since_s))

    def refused(self, code: str) -> None:
        self.calls.append(("refused", code))

    def performed(self, result: e.ResultEvent) -> None:
        self.calls.append(("performed", result))

    def claimed(self) -> None:
        self.calls.append(("claimed",))

    def recovered(self) -> None:
        self.calls.append(("recovered",))

    def attempted(self, outcome: Attempted) -> None:
        self.calls.append(("attempted", outcome))


def entries(*events: e.AnyEvent) -> tuple[e.Entry, ...]:
    return tuple(e.Entry(seq, 1, 0, event) for seq, event in enumerate(events, 1))


def accepted(*events: e.AnyEvent) -> Accepted:
    return Accepted(entries(*events), STATE)


WAITED: Call = ("passed", "lock", 100.0)


@pytest.mark.parametrize(
    ("outcome", "received"),
    [
        (accepted(e.UserSaid("hi"), e.TurnEnded()), [("ended", "completed", 100.0)]),
        (accepted(e.UserSaid("hi"), e.Failed("model"), e.TurnEnded()), [("ended", "failed", 100.0)]),
        (accepted(e.UserSaid("hi"), e.TurnRestarted(), e.TurnEnded()), [("ended", "superseded", 100.0)]),
        (Refusal("busy", "Wait."), [("refused", "busy")]),
        (Duplicate((), STATE), []),
        (StoreUnavailable("memory", "it is down"), [("ended", "error", 100.0)]),
        (UnknownConversation("x"), []),
        (asyncio.CancelledError(), []),
    ],
)
def test_an_event_is_received_once_as_what_came_of_it(outcome: Any, received: list[Call]) -> None:
    meter = Recorder()

    async def work() -> Any:
        assert meter.calls == [WAITED], "the wait ends when the work begins"
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    async def play() -> None:
        measured = meter.measured_event(work)
        assert meter.calls == []
        if isinstance(outcome, BaseException):
            with pytest.raises(type(outcome)):
                await measured()
        else:
            assert await measured() is outcome

    asyncio.run(play())
    assert meter.calls == [WAITED, *received]


@pytest.mark.parametrize(
    ("effect", "phase"),
    [
        (Understand("1.1"), "understanding"),
        (CallModel("1.1", "reply"), "model"),
        (RunTool("1.1", "look", {}), "tool"),
        (RecallWords("1.1", ()), None),
    ],
)
def test_an_effect_that_may_take_long_is_a_phase(effect: AnyEffect, phase: Phase | None) -> None:
    meter, result = Recorder(), e.WordsRecalled("1.1", ())

    async def performing() -> e.ResultEvent:
        return result

    assert asyncio.run(meter.measure_effect(effect, performing())) is result
    assert meter.calls == ([("passed", phase, 100.0), ("performed", result)] if phase else [])


def test_a_refusal_because_another_event_is_at_work_is_received() -> None:
    class SlowModel:
        async def reply(self, _: Any) -> tw.ModelReply:
            await asyncio.sleep(0.05)
            return tw.ModelReply("Hello.")

    async def play() -> list[Call]:
        app, meter = tw.open(FLOW, store=MemoryStore(), model=SlowModel()), Recorder()
        app.runtime.set_meter(meter)
        first = asyncio.ensure_future(app.chat("x").say("one"))
        await asyncio.sleep(0.01)
        assert (await app.chat("x").say("two")).refused == "busy"
        await first
        return [one[:2] for one in meter.calls if one[0] in ("refused", "ended")]

    assert asyncio.run(play()) == [("refused", "busy"), ("ended", "completed")]
