"""One life of a process: it plays conversations on a store, and reports each acknowledged turn at once."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from support.durable.opened import store_at
from support.durable.outside import Outside
from support.durable.places import Fate
from support.durable.script import Line, Play, Slow, proof
from turnwise.api.app import App
from turnwise.api.open import open as open_flow
from turnwise.core.state.effects import AnyEffect, RunTool
from turnwise.core.state.events import Entry, ModelReplied, TurnEnded, TurnRestarted, UserSaid
from turnwise.runner.result import Turn
from turnwise.runner.services import Task

Report = Callable[[dict[str, Any]], None]
LEAVING = 1 / 3
"""Of how many lines the first caller leaves, while the process is under load."""
LONGEST_STAY_S = 0.02


class Acknowledged(NamedTuple):
    """A turn whose result its sender received."""

    key: str
    turn: int
    proof: str


class Life:
    """Plays what is left of some conversations; each sends its next line when the one before was acknowledged.

    `acknowledged` are the turns that earlier lives acknowledged. With `continues` another conversation follows one that
    has ended, until the process is killed.
    """

    def __init__(
        self,
        path: Path,
        acknowledged: dict[str, list[Acknowledged]],
        report: Report,
        fate: Fate,
        seed: int,
        *,
        play: Play,
        continues: bool,
    ) -> None:
        self.store, self.play = store_at(path), play
        self.chance = random.Random(seed)
        slow = Slow(self.chance) if continues else Slow(self.chance, longest_s=0)
        outside = Outside(path.with_suffix(".outside"), self.chance, fate.reach)
        outside.watch(self.store)
        tools = outside.tools()
        tools = {name: does for name, does in tools.items() if name in play.machine.tools}
        self.app = open_flow(play.machine, store=self.store, understand=slow.understand, model=slow, tools=tools)
        self.acknowledged = acknowledged
        self.report = report
        self.fate = fate
        self.continues = continues
        fate.watch(self.app, self.store)
        self.is_one_of_many = hasattr(self.store, "round_trips")
        """A process that was taken for dead learns it at its next commit, and may be given the turn back."""
        self._watch_repeats()

    def _watch_repeats(self) -> None:
        """An effect is never performed twice in one life, nor where it has a result, nor a tool that changes
        the world before what asked for it is kept (law 3.8).
        """
        performer, seen = self.app.runtime.performer, set[tuple[str, str]]()
        perform = performer.perform

        async def watched(effect: AnyEffect, task: Task) -> Any:
            conversation = task.conversation
            turn = await self.store.turn(conversation, task.state.turn)
            is_again = (conversation, effect.id) in seen or any(_answers(entry, effect) for entry in turn)
            if is_again and not (self.is_one_of_many and any(isinstance(one.event, TurnRestarted) for one in turn)):
                self.report({"wrong": f"{conversation}: the effect {effect.id} is performed again"})
            if isinstance(effect, RunTool) and not any(_asks_for(entry, effect) for entry in turn):
                self.report({"wrong": f"{conversation}: {effect.tool} is run, and nothing that is kept asks for it"})
            seen.add((conversation, effect.id))
            return await perform(effect, task)

        performer.perform = watched  # type: ignore[method-assign]

    async def live(self, conversations: list[str]) -> None:
        """Play until all have come to their end."""
        async with self.app:
            await asyncio.gather(*map(self._play, conversations))

    async def _play(self, conversation: str) -> None:
        while True:
            acknowledged = self.acknowledged.setdefault(conversation, [])
            for number in range(len(acknowledged), len(self.play.lines)):
                await self._send(conversation, number, acknowledged)
            if not self.continues:
                return
            slot, _, generation = conversation.partition(".")
            conversation = f"{slot}.{int(generation or 0) + 1}"

    async def _send(self, conversation: str, number: int, acknowledged: list[Acknowledged]) -> None:
        line, key = self.play.lines[number], f"k{number}"
        if line.is_later:
            await after_pause(self.app, conversation)
        turn = await self._sent(conversation, line, key)
        if turn.refused:
            self.report({"wrong": f"{conversation}: {key} was refused: {turn.refused} {turn.text}"})
        self.fate.reach("after a turn")
        acknowledged.append(Acknowledged(key, turn.number, proof(turn)))
        self.report({"conversation": conversation, "acknowledged": acknowledged[-1]})
        if self.chance.random() < 0.1:
            await self._send_again(conversation, self.chance.choice(acknowledged))

    async def _sent(self, conversation: str, line: Line, key: str) -> Turn:
        """Send a line; of each three callers one leaves at some moment, while another one with the same key waits."""
        if not self.continues or self.chance.random() > LEAVING:
            return await sent(self.app, conversation, line, key)
        caller = asyncio.ensure_future(sent(self.app, conversation, line, key))
        await asyncio.sleep(self.chance.uniform(0, LONGEST_STAY_S))
        waiting = asyncio.ensure_future(sent(self.app, conversation, line, key))
        await asyncio.sleep(0)
        self.report({"left": caller.cancel()})
        await asyncio.wait([caller])
        return await waiting

    async def _send_again(self, conversation: str, known: Acknowledged) -> None:
        turn = await sent(self.app, conversation, self.play.lines[int(known.key[1:])], known.key)
        if not turn.is_duplicate or (turn.number, proof(turn)) != (known.turn, known.proof):
            self.report({"wrong": f"{conversation}: {known.key} gave turn {turn.number}, not {known.turn} as before"})


def _answers(entry: Entry, effect: AnyEffect) -> bool:
    return getattr(entry.event, "effect", None) == effect.id


def _asks_for(entry: Entry, effect: RunTool) -> bool:
    """Whether an event asks for a tool: a reply with a call of it, else, for consent and the work of a node, a message."""
    match entry.event:
        case ModelReplied(calls=calls):
            return any(call.tool == effect.tool for call in calls)
        case UserSaid(text=text):
            return (effect.tool, text) in (("book", "yes"), ("settle", "done"), ("settle", "survey/result.note: done"))
        case _:
            return effect.tool == "look"


async def after_pause(app: App, conversation: str) -> None:
    """Wait until the timer has fired."""
    state = await app.chat(conversation).state()
    if "talk" in state.visits and state.doing is None:
        return
    async for entry in app.chat(conversation).events(after=state.seq):
        if isinstance(entry.event, TurnEnded) and "talk" in (await app.chat(conversation).state()).visits:
            return


async def sent(app: App, conversation: str, line: Line, key: str) -> Turn:
    """Send a line."""
    match line.kind:
        case "say":
            return await app.chat(conversation).say(line.text, key=key)
        case "choose":
            return await app.chat(conversation).choose(line.text, key=key)
        case "undo":
            return await app.chat(conversation).undo(key=key)


def reporting(pipe: int) -> Report:
    """Report through a pipe, a line for each."""
    return lambda what: (os.write(pipe, json.dumps(what).encode() + b"\n"), None)[1]
