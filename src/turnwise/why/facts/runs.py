"""Why an autonomous run went on after a turn, or stopped."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.step.receive import CONTINUATION
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder


def run(builder: FactBuilder, event: e.TurnEnded) -> Iterator[Fact]:
    """Yield why the run of an autonomous flow goes on by itself after the turn, or does not."""
    if not builder.machine.flow.autonomous:
        return
    turn, limit = Subject("turn", str(builder.entry.turn)), Subject("limit", "run_moves")
    about = (turn, Subject("conversation"), Subject("node", builder.node), limit)
    if event.waits_for == CONTINUATION:
        cause = builder.first("move_blocked", "node_left")
        is_blocked = cause is not None and cause.kind == "move_blocked"
        reason = "the turn made all its moves, and the rest follows" if is_blocked else "the work of the node follows"
        yield builder.fact("run_went_on", *about, causes=(cause,), node=builder.node, reason=reason)
        return
    cause = builder.first("conversation_ended", "turn_failed", "person_awaited", "call_awaits_approval")
    yield builder.fact(
        "run_stopped", *about, causes=(cause,), node=builder.node, reason=_why_stopped(builder, event, cause)
    )


def _why_stopped(builder: FactBuilder, event: e.TurnEnded, cause: Fact | None) -> str:
    if cause is not None and cause.kind == "turn_failed":
        return f"the turn failed ({cause.values['reason']})"
    if cause is not None and cause.kind == "conversation_ended":
        return cause.text
    if builder.state is not None and isinstance(builder.state.status, Ended):
        return "the conversation has ended"
    match event.waits_for:
        case "person":
            return f"a person is awaited or in charge in {builder.node}"
        case "button":
            return f"{builder.node} waits for an answer of the user"
        case _:
            return f"{builder.node} waits for a message of the user"
