"""The answer to "how do I get to this node?": the shortest ways, as facts."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.values import REDACTED
from turnwise.errors import UnknownSubject
from turnwise.flow.diagnostic import nearest
from turnwise.why.answer import Answer, Fact, Subject
from turnwise.why.history import History
from turnwise.why.kinds import words
from turnwise.why.ways import MOST_STEPS, Way, ways_to


async def forward(history: History, node: str, turn: int | None = None, most_steps: int = MOST_STEPS) -> Answer:
    """Return the shortest ways to a node from the end of a turn, by default from the latest state. Raises
    `UnknownSubject` for an unknown node.
    """
    past = await history.turn(turn) if turn is not None else None
    state = past.state if past is not None else history.last
    machine = await history.machines.of_state(state)
    if node not in machine.nodes:
        raise UnknownSubject(f"node {node}", nearest(node, machine.nodes))
    subject, when = Subject("node", node), f", from the end of turn {turn}" if turn is not None else ""
    if turn is not None and past is None:
        facts = [history.erased_fact(turn, subject)]
    else:
        found = await asyncio.to_thread(ways_to, machine, state, node, most_steps)  # it may take a second
        facts = [_way(machine, way, subject) for way in found.ways]
        if not facts:
            values = {"target": node, "reason": found.reason, "is_whole": found.is_whole}
            facts = [Fact("no_way", words("no_way", values), (subject,), values=values)]
    start = f" from {state.node}" if state.node != node else ""
    read_as = f"how {history.conversation} gets{start} to {node}{when}"
    number = turn if turn is not None else state.turn
    return Answer(history.conversation, subject, number, state.seq, read_as, tuple(facts), erased=history.erasures())


def _way(machine: Machine, way: Way, subject: Subject) -> Fact:
    values = {"target": subject.name, "steps": way.text, "count": len(way.acts), "if": ", ".join(way.supposes)}
    values["failing"] = "it leads over a failure" if way.is_failing else ""
    acts = [{"kind": act.kind, "text": act.text, "event": _data(machine, act.event)} for act in way.acts]
    return Fact("way", words("way", values), (subject,), values={**values, "acts": acts})


def _data(machine: Machine, event: e.OutsideEvent) -> Any:
    """Return an event as data, without the values of secret fields."""
    if isinstance(event, e.Commands):
        commands = [
            replace(one, value=REDACTED) if isinstance(one, c.Set) and machine.fields[one.field].secret else one
            for one in event.commands
        ]
        event = e.Commands(tuple(commands))
    return to_builtins(event)
