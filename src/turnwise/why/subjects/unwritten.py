"""What a model did instead of writing a field that stayed empty until a run ended or failed."""

from __future__ import annotations

from typing import Any

from turnwise.core.state import Waiting
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.calls import WRITE
from turnwise.why.prompts import model_calls
from turnwise.why.query import Query
from turnwise.why.subjects.models import did
from turnwise.why.subjects.unstored import collectors


async def write_not_called(query: Query, name: str) -> Fact | None:
    """Return what the model did in the last turn in which it was offered to write a field, and did not; `None` where
    the conversation goes on, or where users say the value.
    """
    if isinstance(query.state.status, Waiting) or collectors(query.machine, name):
        return None
    tool = WRITE + name.partition(".")[0]
    async for entry in query.back(e.ModelReplied):
        turn = await query.history.turn(entry.turn)
        asked = list(model_calls(turn)) if turn is not None else []
        if turn is None or not any(_may_write(query, one.state.node, tool, name) for one in asked):
            continue
        facts = await query.history.facts(entry.turn)
        replies = [fact for fact in facts if fact.kind in ("model_replied", "model_failed")]
        failed = next((fact for fact in facts if fact.kind == "turn_failed"), None)
        values: dict[str, Any] = {"field": name, "tool": tool, "turn": entry.turn}
        values["did"] = ", then ".join(did(facts, fact) for fact in replies)
        values["failed"] = failed.values["reason"] if failed is not None else ""
        about = (query.subject, Subject("tool", tool), Subject("model"))
        return query.end.standing("write_not_called", *about, causes=(*replies, failed), **values)
    return None


def _may_write(query: Query, node: str, tool: str, field: str) -> bool:
    """Return whether the model may write a field at a node."""
    box = query.machine.nodes[node].toolbox if node in query.machine.nodes else None
    return box is not None and tool in box.writes and field in box.writes[tool]
