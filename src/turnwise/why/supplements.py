"""What completes every answer, whatever its subject: how often it happened, how long it took, when and by whom, what
was undone later, which tools there are, and that nothing is kept after the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from turnwise.core.phrase import Phrase, listed, phrase
from turnwise.core.state import ValueOrigin
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.query import Query
from turnwise.why.subjects.counts import answer_counts
from turnwise.why.subjects.deliveries import of_turn
from turnwise.why.subjects.durations import time_passed
from turnwise.why.subjects.ends import after_end
from turnwise.why.subjects.offers import tools_in


async def supplements(query: Query, first: Fact) -> list[Fact]:
    """Return the facts that complete an answer whose first fact is `first`, in a fixed order.
    The time and the person of its event, the count, the duration, the undo that took its turn back, the tools of a
    node, what becomes of messages after the end, and which turns were not searched.
    """
    at, passed = await _who_and_when(query, first), await time_passed(query)
    found = [at] if at is not None else []  # before the counts: “that was” would mean the last of them
    found += [*await answer_counts(query), *([passed] if passed is not None else []), *await query.undone_later()]
    found += _tools(query)
    found += await of_turn(query) if query.subject.kind == "turn" else []
    late = await after_end(query) if query.subject.kind in ("end", "message") else None
    found += [late] if late is not None else []
    end = Subject("conversation")
    return [*found, *([query.end.fact_of_state("not_searched", end, first=query.searched)] if query.searched else [])]


def _tools(query: Query) -> Iterator[Fact]:
    """Yield which tools a node offers to the model; about the model, the node in charge."""
    node = query.subject.name if query.subject.kind == "node" else query.state.node
    if query.subject.kind in ("node", "model") and query.machine.nodes[node].node.tools is not None:
        yield tools_in(query, node)


async def _who_and_when(query: Query, first: Fact) -> Fact | None:
    """Return when the event of a fact happened, or the last one that caused it, and who did it, as far as the fact does
    not say it; `None` where that is nothing, or the fact says what did not happen.
    """
    events = [fact for fact in ((first,) if first.seq else first.causes) if fact.seq]
    events = [fact for fact in events if fact.turn == first.values.get("turn")] or events  # not why it is over by now
    event = max(events, key=lambda fact: fact.seq, default=None)
    is_stay = first.kind == "decided" and not first.values["transition"]
    if event is None or is_stay or first.kind in _NO_EVENTS or await query.history.turn(event.turn) is None:
        return None
    at = "" if not _TIMED.isdisjoint(first.values) else query.end.time(await query.time_of(event))
    by = await _by_whom(query, first, event)
    if not at and not by:
        return None
    fact = query.end.fact_of_state("happened_at", *event.about, at=at, turn=event.turn, person=by, did="")
    return replace(fact, turn=event.turn)


_NO_EVENTS: tuple[FactKind, ...] = (
    *("tool_offered", "tool_not_offered", "tool_not_called", "tool_never_used"),
    *("node_never_entered", "transition_judged", "transition_not_judged", "timer_not_armed"),
)
"""Facts about what did not happen: the time of a decision against it is not the time of an event."""
_TIMED = frozenset(("at", "due", "since", "until"))
"""Values that say when something was, or is to be."""


def _actors(fact: Fact) -> Iterator[str]:
    """Yield in words who did what a fact is about, the nearest cause first."""
    for one in fact.walk():
        values: dict[str, Any] = one.values
        match one.kind:
            case "message_received":
                yield phrase("the user, who said “{said}”", said=values["said"])
            case "button_pressed":
                yield phrase("the user, who pressed “{said}”", said=values["said"])
            case "model_replied":
                yield Phrase("the model")
            case "commands_received":
                yield phrase("{by}, who sent commands", by=values["by"])
            case "person_took_over" | "person_said" | "person_gave_back":
                yield str(values["operator"])
            case "tool_used_by_host" | "undo_asked":
                yield Phrase("the program")
            case "event_received" | "event_resumed" | "timer_fired":
                yield _by_itself(values)
            case _:
                pass


def _by_itself(values: dict[str, Any]) -> str:
    """Return in words which timer or event of another system a fact is about."""
    return (
        phrase("the timer {timer}", timer=values["timer"])
        if "timer" in values
        else phrase("the event {event}", event=values["event"])
    )


async def _by_whom(query: Query, first: Fact, event: Fact) -> str:
    """Return in words who caused the event of a fact: of a move the transition, and who gave each value that it read;
    empty where the fact says who, or that a person chose the move.
    """
    taken = next((one for one in first.walk() if one.kind == "decided" and one.values["transition"]), None)
    by = next(_actors(event), "")
    if first.kind not in _MOVES or taken is None:
        return "" if _says_who(first) else by
    if taken.values["operator"]:
        return ""
    reads = [
        one for one in (await query.history.with_traced_values(taken)).causes if one.kind in ("value_read", "root_read")
    ]
    given = [
        phrase("{text} (by {giver})", text=one.text, giver=giver) for one in reads if (giver := next(_actors(one), ""))
    ]
    transition = phrase("the transition {transition} of the flow", transition=taken.values["transition"])
    return phrase("{transition}: {given}", transition=transition, given=listed(given)) if given else by or transition


def _says_who(fact: Fact) -> bool:
    """Return whether a fact names who did what it is about, or whom it was done to, and so means no other person."""
    is_given = fact.values.get("origin") in _GIVEN
    return is_given or fact.kind in _OF_SOMEBODY or any(fact.values.get(name) for name in ("operator", "by"))


_OF_SOMEBODY: tuple[FactKind, ...] = (
    *("event_received", "event_resumed", "event_refused"),
    *("message_received", "button_pressed", "person_acted", "form_cancelled"),
    *("model_called", "model_replied", "model_failed", "call_answered"),
    *("question_asked", "question_was_asked", "question_edited", "question_walked"),
)
_GIVEN: tuple[ValueOrigin, ...] = ("direct", "button", "operator", "command")
"""Origins of a value whose facts name who gave it."""
_MOVES: tuple[FactKind, ...] = ("decided", "node_left", "transition_was_taken", "conversation_ended")
