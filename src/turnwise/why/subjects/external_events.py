"""Why an event of another system did what it did: that it came, was refused, waits, or never came."""

from __future__ import annotations

from typing import Any

from turnwise.core.phrase import Phrase, listed, phrase
from turnwise.core.state import events as e
from turnwise.why.answer import Fact
from turnwise.why.query import Query


async def answer(query: Query) -> list[Fact]:
    """Return facts about an event of another system: that it waits, came, was refused, or never came.
    They are of the turn, else of the last time that it came or was refused, with what was judged for it and whether an
    undo took that back. An event that waits comes first.
    """
    name = query.subject.name
    own, undone = query.facts_about, None
    if not own and not query.names_turn:
        last = await query.last(
            *(e.EventReceived, e.EventResumed, e.EventRefused), is_event=lambda event: event.name == name
        )
        own = [fact for fact in await query.history.facts(last.turn) if query.subject in fact.about] if last else []
        undone = await query.undone_since(last)
    is_judged = any(fact.kind in _JUDGED for fact in own)  # a refusal stands in a turn that another event began
    turn = await query.history.turn(own[-1].turn) if is_judged else None
    decided = [one for one in turn.decisions if one.moment == "event"] if turn is not None else []
    query.decisions += decided
    judged = [fact for fact in await query.history.facts(own[-1].turn) if _is_led_to(fact)] if decided else []
    waits = await _waits(query)
    found = [*waits, *own, *judged, *([undone] if undone is not None else [])]
    if found:
        return found
    where = query.turns_searched or (phrase("in turn {number}", number=query.turn.number) if query.names_turn else "")
    return [query.end.fact_of_state("event_never_came", query.subject, event=name, where=where)]


_JUDGED = ("event_received", "event_resumed")
_LED_TO = ("node_left", "conversation_ended", "notice_said", "transition_judged", "scope_closed", "field_set")
"""What a decision for an event may lead to."""


def _is_led_to(fact: Fact) -> bool:
    """Return whether a fact says what came of an event, also that no transition held for it."""
    return fact.kind in _LED_TO or (fact.kind == "decided" and fact.values["moment"] == "event")


async def _waits(query: Query) -> list[Fact]:
    """Return that an event of this name waits at the end of the turn."""
    name, state = query.subject.name, query.state
    waiting = [(frame, one) for frame in state.frames for one in frame.held_events if one.name == name]
    if not waiting:
        return []
    held = await query.last(e.EventHeld, is_event=lambda event: event.name == name)
    inside = [frame.scope.name for frame in state.frames if frame.scope is not None]
    person = Phrase("a person takes part") if state.person is not None else ""
    reason = (
        person or phrase("{inside} is open", inside=listed(inside)) if inside or person else Phrase("it is judged next")
    )
    values: dict[str, Any] = {
        "event": name,
        "since": held.turn if held is not None else query.turn.number,
        "reason": reason,
    }
    return [query.end.fact_of_state("event_waits", query.subject, causes=(held,), **values)]
