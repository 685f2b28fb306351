"""Why an autonomous run went on after a turn, or stopped."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.state import events as e
from turnwise.core.step.receive import CONTINUATION
from turnwise.why.answer import Fact, Subject
from turnwise.why.story.telling import Telling


def run(telling: Telling, event: e.TurnEnded) -> Iterator[Fact]:
    """Yield why the run of an autonomous flow goes on by itself after the turn, or does not."""
    if not telling.machine.flow.autonomous:
        return
    turn, limit = Subject("turn", str(telling.entry.turn)), Subject("limit", "run_moves")
    about = (turn, Subject("conversation"), Subject("node", telling.node), limit)
    if event.waits_for == CONTINUATION:
        cause = telling.first("move_blocked", "node_left")
        is_blocked = cause is not None and cause.kind == "move_blocked"
        reason = "the turn made all its moves, and the rest follows" if is_blocked else "the work of the node follows"
        yield telling.fact("run_went_on", *about, causes=(cause,), node=telling.node, reason=reason)
        return
    cause = telling.first("conversation_ended", "turn_failed", "person_awaited", "call_awaits_approval")
    yield telling.fact(
        "run_stopped", *about, causes=(cause,), node=telling.node, reason=_why_stopped(telling, event, cause)
    )


def _why_stopped(telling: Telling, event: e.TurnEnded, cause: Fact | None) -> str:
    if cause is not None and cause.kind in ("conversation_ended", "turn_failed"):
        return cause.text
    match event.waits_for:
        case "person":
            return f"a person is awaited or in charge in {telling.node}"
        case "button":
            return f"{telling.node} waits for an answer of the user"
        case _:
            return f"{telling.node} waits for a message of the user"
