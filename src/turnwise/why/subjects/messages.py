"""What happened to the message of a turn: who read it, which field took what, and what was refused."""

from __future__ import annotations

from typing import Any

from turnwise.core.commands.allowed_input import uses_messages
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.subjects.scopes import words_left
from turnwise.why.subjects.turns import asked_which, decisions_without_taken, is_silent

_FIRST: tuple[FactKind, ...] = (
    "message_not_interpreted",
    "button_stale",
    "value_refused",
    "command_refused",
    "understanding_failed",
    "not_understood",
    "field_set",
    "field_cleared",
    "words_not_taken",
    "no_model_connected",
    "aside_not_answered",
    "command_applied",
    "call_refused",
    "understood",
    "understood_nothing",
)
"""The facts that answer what happened to a message, the most informative first."""
_TAKEN: tuple[FactKind, ...] = ("field_set", "field_cleared", "command_applied", "understood", "understood_nothing")
"""What does not say why nothing was said in reply."""
_READ: tuple[FactKind, ...] = (
    *("understood", "understood_nothing", "understanding_failed", "model_called", "message_not_interpreted"),
    "tool_called",
)


async def answer(query: Query) -> list[Fact]:
    """Return facts about the message of a turn: who read it, which field took what, and what was refused."""
    query.decisions += query.turn.decisions
    message = Subject("message", str(query.turn.number))
    about = [fact for fact in query.facts if message in fact.about and fact.kind != "event_refused"]
    refused = [fact for fact in query.facts if message in fact.about and fact.kind == "event_refused"]
    if not about:
        began = query.facts[0].text if query.facts else ""
        none = query.end.fact_of_state("message_none", message, turn=query.turn.number, began=began)
        return [*refused[::-1], none, *[fact for fact in query.facts if fact not in refused]]
    seq = {fact.seq for fact in about}
    caused = [fact for fact in query.facts if any(one.seq in seq for one in fact.walk())]
    kinds = [kind for kind in _FIRST if kind != "words_not_taken"]
    known = {str(fact.values.get("field")) for fact in caused if fact.kind in kinds}
    known -= {name for name, field in query.machine.fields.items() if field.type == "list"}  # it may lack items
    caused = [one for one in caused if one.kind != "words_not_taken" or one.values["field"] not in known]
    caused += _unread(query, caused, message)
    first = next((fact for kind in _FIRST for fact in caused if fact.kind == kind), caused[-1])
    if first.kind == "field_cleared":  # by a new start, which is what the message did
        first = next((one for one in first.causes if one.kind == "command_applied"), first)
    if first.kind == "field_set":  # of several items of a list, the last one has them all
        first = [fact for fact in caused if fact.kind == "field_set" and fact.about == first.about][-1]
    which = asked_which(query) if first.kind == "command_applied" else None
    silent = next((fact for fact in query.facts if is_silent(fact)), None)
    failed = next((fact for fact in query.facts if fact.kind == "turn_failed"), None)
    if failed is not None and first.kind == "understood_nothing":
        first = failed
    stayed = [fact for fact in decisions_without_taken(query) if fact not in caused]
    if silent is not None and first.kind in _TAKEN:
        first = (stayed or [silent])[-1]
    late = await _yes_to_nothing(query) if first.kind in ("work_done", "understood_nothing") else None
    first, caused = (late, [first, *caused]) if late is not None else (first, caused)
    left = await words_left(query)
    others = [which, *caused, *stayed, *refused, left]
    return [first, *[fact for fact in others if fact is not None and fact != first]]


async def _yes_to_nothing(query: Query) -> Fact | None:
    """Return that a message with a yes or no came when no call waited for one, and what had become of the last that
    did.
    """
    before, said = query.turn.before, next((one.text for one in query.turn.events if isinstance(one, e.UserSaid)), "")
    answers = query.machine.language.phrases["true"] | query.machine.language.phrases["false"]
    if before is None or before.awaiting_approval is not None or answers.isdisjoint(words_in(said)):
        return None
    held = await query.last(e.CallHeld, is_fact=lambda fact: fact.turn < query.turn.number)
    if held is None:
        return None
    tool = Subject("tool", str(held.values["tool"]))
    ended = await query.last(
        e.CallRefused,
        e.ToolReturned,
        e.ToolFailed,
        is_fact=lambda fact: tool in fact.about and fact.kind in ("call_refused", "tool_returned", "tool_failed"),
    )
    values: dict[str, Any] = {"tool": tool.name, "turn": ended.turn if ended is not None else held.turn}
    values["reason"] = ended.text if ended is not None else held.text
    message = Subject("message", str(query.turn.number))
    return query.end.fact_of_state("yes_to_nothing", message, tool, causes=(ended or held,), **values)


def _unread(query: Query, caused: list[Fact], message: Subject) -> list[Fact]:
    """Return how a message was read that no understanding was asked for."""
    kinds = {fact.kind for fact in caused}
    if not kinds.isdisjoint(_READ):
        return []
    stored = [fact for fact in caused if fact.values.get("origin") in ("direct", "button")]
    if stored or not kinds.isdisjoint(("command_applied", "value_refused")):
        return [query.end.fact_of_state("message_read_exactly", message)] if "message_received" in kinds else []
    before = query.turn.before
    if before is None or before.pending is not None or uses_messages(query.turn.machine, before):
        return []
    return [query.end.fact_of_state("message_not_read", message, Subject("node", before.node), node=before.node)]
