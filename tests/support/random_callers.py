"""A random machine served by the engine to callers who leave at any moment, while another message waits."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from strategies.chance import Chance
from strategies.machines import make_flow
from strategies.random_events import RandomEvents
from support.chats import NOON_MS
from support.engines import local
from support.pure_guards import GUARDS
from turnwise.api.open import open as open_flow
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, RecallState, RecallWords
from turnwise.core.state.fold.beginnings import UNPROMPTED
from turnwise.core.turn import Refusal
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import Accepted, Duplicate, Store
from turnwise.runner.services import Task

ROUNDS = 6
"""How often several messages come at once."""
_LONGEST_PASSES = 40


@dataclass
class Served:
    """What became of the messages of one conversation."""

    machine: Machine
    entries: tuple[e.Entry, ...] = ()
    state: State | None = None
    sent: dict[str, e.OutsideEvent | None] = field(default_factory=dict[str, e.OutsideEvent | None])
    """Every event, by its key, in the order of their arrival."""
    received: dict[str, Accepted | Duplicate | Refusal] = field(
        default_factory=dict[str, Accepted | Duplicate | Refusal]
    )
    """The outcomes that were delivered."""
    again: dict[str, Accepted | Duplicate | Refusal] = field(default_factory=dict[str, Accepted | Duplicate | Refusal])
    """What the same keys gave at the end, of those whose events were taken."""
    reported: list[int] = field(default_factory=list[int])
    """The turns that later ones reported, in the order in which callers read it."""
    performed: Counter[tuple[int, str]] = field(default_factory=Counter[tuple[int, str]])
    """How often each effect was performed, by turn and id."""

    @property
    def left(self) -> int:
        """How many callers left."""
        return len(self.sent) - len(self.received)


async def serve(seed: int, store: Store) -> Served:
    """A whole conversation: rounds of one to three messages at once, whose callers leave now and then."""
    chance = Chance(seed)
    flow = make_flow(chance)
    machine = link(flow, GUARDS)
    clock = ManualClock(NOON_MS)
    app = open_flow(machine, store=store, clock=clock, understand=lambda _message, _allowed: ())
    served, name = Served(machine), f"c{seed}"
    random_events = RandomEvents(chance, machine)
    chat, engine, performer = app.chat(name), local(app), app.runtime.performer
    perform = performer.perform

    async def performed(effect: AnyEffect, task: Task) -> e.ResultEvent:
        served.performed[task.state.turn, effect.id] += 1
        for _ in range(chance.randint(0, 3)):
            await asyncio.sleep(0)
        if isinstance(effect, RecallWords | RecallState):
            return await perform(effect, task)
        return random_events.result(effect, task.state, {}, {})

    performer.perform = performed  # type: ignore[method-assign]

    submit = engine.submit
    outcomes: dict[str, Accepted | Duplicate | Refusal] = {}

    async def submitted(conversation: str, event: e.OutsideEvent | None, key: str = "", **more: Any) -> Any:
        done = outcomes[key] = await submit(conversation, event, key, **more)
        return done

    engine.submit = submitted  # type: ignore[method-assign]

    async def send(key: str, event: e.OutsideEvent | None) -> None:
        turn = await chat._submit(event, key)
        served.reported += [one.number for one in turn.recovered]
        served.received[key] = outcomes[key]

    async def some(at: int) -> None:
        state = await store.load(name)
        callers: list[asyncio.Task[None]] = []
        for number in range(chance.choice((1, 2, 2, 3))):
            event = random_events.event(state) if state is not None or number else None
            key = f"{at}.{number}"
            served.sent[key] = event
            callers.append(asyncio.create_task(send(key, event)))
            for _ in range(chance.choice((0, 0, 1, 2))):
                await asyncio.sleep(0)
        leaving = [caller for caller in callers if chance.is_lucky(0.6)]
        for caller in leaving:
            for _ in range(chance.randint(0, _LONGEST_PASSES) if chance.is_lucky(0.6) else chance.randint(0, 4)):
                await asyncio.sleep(0)
            caller.cancel()
        await asyncio.wait(callers)
        for caller in callers:
            if not caller.cancelled():
                caller.result()

    for at in range(ROUNDS):
        clock.move_s(1)
        await some(at)
    await send("last", e.ToolUsed("unknown"))
    await engine.locks.drain()
    served.entries, served.state = await store.entries(name), await store.load(name)
    for key, event in served.sent.items():
        if await store.receipt(name, key) is not None:
            served.again[key] = await submit(name, event, key)
    return served


def unprompted_turns(entries: tuple[e.Entry, ...]) -> set[int]:
    """The turns for which no caller waits."""
    return {entry.turn for entry in entries if type(entry.event) in UNPROMPTED}
