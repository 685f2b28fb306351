"""The answer to "how do I get there?": the shortest ways to a node, a transition or an outcome, as facts."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.values import REDACTED
from turnwise.why.answer import Answer, Fact
from turnwise.why.history import History
from turnwise.why.kinds import words
from turnwise.why.ways import MOST_STEPS, Way, ways_to
from turnwise.why.ways.targets import Target, target_named


async def shortest_ways(history: History, node: str, turn: int | None = None, most_steps: int = MOST_STEPS) -> Answer:
    """Return the shortest ways, of at most `most_steps` acts, to a node, transition or outcome from the end of a turn,
    by default the latest. Raises `UnknownSubject` for an unknown target.
    """
    past = await history.turn(turn) if turn is not None else None
    state = past.state if past is not None else history.last
    machine = await history.machines.of_state(state)
    target = target_named(machine, node)
    subject = target.subject
    if turn is not None and past is None:
        facts = [history.erased_fact(turn, subject)]
    else:
        found = await asyncio.to_thread(ways_to, machine, state, target, most_steps)  # it may take a second
        facts = [_way(machine, way, target) for way in found.ways]
        if not facts:
            values = {"target": target.text, "reason": found.reason, "is_whole": found.is_whole}
            facts = [Fact("no_way", words("no_way", values), (subject,), values=values)]
    read_as = phrase(
        "how {conversation} gets[ from {node}] to {target}[, from the end of turn {turn}]",
        conversation=history.conversation,
        node=state.node if state.node != node else "",
        target=target.text,
        turn=turn,
    )
    number = turn if turn is not None else state.turn
    return Answer(history.conversation, subject, number, state.seq, read_as, tuple(facts), erased=history.erasures())


def _way(machine: Machine, way: Way, target: Target) -> Fact:
    values = {"target": target.text, "steps": way.text, "count": len(way.acts), "if": joined(way.supposes, ", ")}
    values["failing"] = Phrase("it leads over a failure") if way.is_failing else ""
    acts = [{"kind": act.kind, "text": act.text, "event": _data(machine, act.event)} for act in way.acts]
    return Fact("way", words("way", values), (target.subject,), values={**values, "acts": acts})


def _data(machine: Machine, event: e.OutsideEvent) -> Any:
    """Return an event as data, without the values of secret fields."""
    if isinstance(event, e.Commands):
        commands = [
            replace(one, value=REDACTED) if isinstance(one, c.Set) and machine.fields[one.field].secret else one
            for one in event.commands
        ]
        event = e.Commands(tuple(commands))
    return to_builtins(event)
