"""The answer to "how do I get to this node?": the shortest ways, as facts."""

from __future__ import annotations

from msgspec import to_builtins

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
    found = ways_to(machine, state, node, most_steps)
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
                "acts": [{"kind": act.kind, "text": act.text, "event": to_builtins(act.event)} for act in way.acts],
            },
        )
        for way in found.ways
    ]
    if not facts:
        values = {"target": node, "reason": found.reason, "is_whole": found.is_whole}
        facts = [Fact("no_way", words("no_way", values), about, values=values)]
    read_as = f"how {history.conversation} gets from {state.node} to {node}"
    return Answer(history.conversation, about[0], state.turn, state.seq, read_as, tuple(facts))
