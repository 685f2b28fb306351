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
from turnwise.why.ways import MOST_STEPS, ways_to


async def forward(history: History, node: str, most_steps: int = MOST_STEPS) -> Answer:
    """Return the shortest ways from the latest state of a conversation to a node. Raises `UnknownSubject`."""
    state = history.last
    machine = await history.machines.of(state.fingerprint)
    if node not in machine.nodes:
        raise UnknownSubject(f"node {node}", nearest(node, machine.nodes))
    found = await asyncio.to_thread(ways_to, machine, state, node, most_steps)  # it may take a second
    about = (Subject("node", node),)
    facts = [
        Fact(
            "way",
            words(
                "way",
                values := {"target": node, "steps": way.text, "count": len(way.acts), "if": ", ".join(way.supposes)},
            ),
            about,
            values={
                **values,
                "acts": [{"kind": act.kind, "text": act.text, "event": _data(machine, act.event)} for act in way.acts],
            },
        )
        for way in found.ways
    ]
    if not facts:
        values = {"target": node, "reason": found.reason, "is_whole": found.is_whole}
        facts = [Fact("no_way", words("no_way", values), about, values=values)]
    read_as = f"how {history.conversation} gets from {state.node} to {node}"
    return Answer(history.conversation, about[0], state.turn, state.seq, read_as, tuple(facts))


def _data(machine: Machine, event: e.OutsideEvent) -> Any:
    """Return an event as data, without the values of secret fields."""
    if isinstance(event, e.Commands):
        event = e.Commands(tuple([_without_secret(machine, command) for command in event.commands]))
    return to_builtins(event)


def _without_secret(machine: Machine, command: c.AnyCommand) -> c.AnyCommand:
    is_secret = isinstance(command, c.Set) and machine.fields[command.field].secret
    return replace(command, value=REDACTED) if is_secret else command
