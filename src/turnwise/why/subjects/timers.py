"""Why a timer is armed or not, and what it did when it came due."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import Ended, Timer
from turnwise.core.state import events as e
from turnwise.core.step.receive import CONTINUATION_TIMER
from turnwise.flow.durations import write_duration
from turnwise.why.answer import Fact, Subject
from turnwise.why.names import subjects
from turnwise.why.query import Query
from turnwise.why.subjects.durations import last_armed
from turnwise.why.subjects.transitions import answer_transition as answer_transition_judged
from turnwise.why.subjects.transitions import outcomes_of


async def answer_timer(query: Query) -> list[Fact]:
    """Return what the timer did in the turn, or why it was dropped; else whether it is armed, and since when."""
    own, subject = query.facts_about, query.subject
    stands = await how_it_stands(query)
    fired = next((fact for fact in own if fact.kind == "timer_fired"), None)
    if fired is not None:
        armed = await last_armed(query, lambda timer: timer.transition == subject.name)
        judged, ways = await _judged(query, fired)
        others = [fact for fact in own if fact != fired]
        own = [judged, *ways, *others, *([armed.fact] if armed is not None else [])]
    order = ("timer_late", "reminder_said", "timer_fired", "timer_is_armed")
    first = next((fact for kind in order for fact in (*own, stands) if fact.kind == kind), stands)
    return [first, *own, stands]


async def answer_transition(query: Query) -> list[Fact]:
    """Return how a transition was judged; if it depends on a timer that never came due, that fact first."""
    facts, name = await answer_transition_judged(query), query.subject.name
    overtaken = query.end.latest.get("timer_fired") if facts[0].kind == "transition_not_judged" else None
    facts += [overtaken] if overtaken is not None and overtaken not in facts else []
    timer = query.about_subject(Subject("timer", name))
    fired = await query.last(e.TimerFired, timer=name)
    if timer.subject not in subjects(query.machine) or fired is not None:
        return facts
    stands = await how_it_stands(timer)
    return [stands, *facts] if stands.kind == "timer_not_armed" else facts


async def _judged(query: Query, fired: Fact) -> tuple[Fact, list[Fact]]:
    """Return that a timer came due, with what its decision made of its transition, unless it was too late for one; and
    all that was judged of that transition.
    """
    name = query.subject.name
    decided = [one for one in query.turn.decisions if one.moment == "timer" and one.candidate(name) is not None]
    if not decided:
        return fired, []
    ways = await outcomes_of(query, name)
    did = Phrase("its transition was taken") if decided[-1].taken == name else ways[0].text
    armed = (await query.history.with_traced_values(fired)).causes
    return replace(fired.with_values(did=did), causes=(*armed, *ways[:1])), ways


async def how_it_stands(query: Query) -> Fact:
    """Return since when the timer is armed and when it is due, or why it is not armed."""
    name, end = query.subject.name, query.end
    about = (query.subject, *_owners(query))
    armed = next((one for one in query.state.timers if one.transition == name), None)
    if armed is not None:
        cause = await _arming(query, armed)
        since = cause.turn if cause is not None else None
        values: dict[str, Any] = {"timer": name, "since": since, "due": end.time(armed.due_ms), "delay": _delay(query)}
        fired = await _fired(query)
        values["fired"] = fired.turn if fired is not None else None
        return end.fact_of_state("timer_is_armed", *about, causes=(cause, fired), **values)
    reason, cause = await _why_not(query)
    values = {"timer": name, "reason": reason, "delay": _delay(query), "fired": await _last_fired(query, cause)}
    return end.fact_of_state("timer_not_armed", *about, causes=(cause,), **values)


async def _last_fired(query: Query, cause: Fact | None) -> str:
    """Return how a timer ended, and when it came due the last time, or that it never did."""
    dropped = ""
    if cause is not None and cause.kind == "timer_dropped":
        dropped = phrase("turn {turn} dropped it, because {reason}", turn=cause.turn, reason=cause.values["reason"])
    fired = await _fired(query)
    if fired is None:
        return phrase("[{dropped}; ]it never came due[ {where}]", dropped=dropped, where=query.turns_searched)
    return phrase("{dropped}; it came due in turn {turn}", dropped=dropped, turn=fired.turn) if dropped else ""


async def _fired(query: Query) -> Fact | None:
    """Return that the timer came due, the last time."""
    name = query.subject.name
    return await query.last(e.TimerFired, timer=name)


async def _arming(query: Query, timer: Timer) -> Fact | None:
    """Return how a timer was armed: at the end of the first of the turns whose end it is armed at."""
    first: e.Entry | None = None
    async for entry in query.entries_backwards():
        if isinstance(entry.event, e.TurnEnded):
            if timer not in entry.event.timers:
                break
            first = entry
    facts = await query.facts_of(first) if first is not None else []
    return next((fact for fact in facts if fact.kind == "timer_armed" and query.subject in fact.about), None)


async def _gone(query: Query) -> Fact | None:
    """Return that a timer came due, was late or was dropped, the last time."""
    name, after = query.subject.name, 0
    async for entry in query.entries_backwards():
        match entry.event:
            case e.TimerFired(timer=timer) if timer == name:
                return await query.newest_in_turn(entry.turn, lambda fact: _is_gone(fact, query.subject))
            case e.TurnEnded(timers=timers):
                if after and any(timer.transition == name for timer in timers):
                    return await query.newest_in_turn(after, lambda fact: _is_gone(fact, query.subject))
                after = entry.turn
            case _:
                pass
    return None


def _is_gone(fact: Fact, timer: Subject) -> bool:
    return fact.kind in ("timer_fired", "timer_dropped", "timer_late") and timer in fact.about


async def _why_not(query: Query) -> tuple[str, Fact | None]:
    """Return why the timer is not armed at the end of the turn."""
    state, name = query.state, query.subject.name
    last = await _gone(query)
    if isinstance(state.status, Ended):
        return Phrase("the conversation has ended"), last or query.end.first("conversation_ended")
    if name == PERSON_TIMEOUT:
        return Phrase("no person is awaited"), last
    if name == CONTINUATION_TIMER:
        return Phrase("the run does not go on by itself"), last
    owners = _owners(query)
    if Subject("node", state.node) not in owners and owners:
        nodes = joined((owner.name for owner in owners), " and ")
        return phrase("it belongs to {nodes}, and {node} is in charge", nodes=nodes, node=state.node), last
    if state.person is not None:
        who = (
            phrase("{operator} is in charge", operator=state.person.operator)
            if state.person.operator
            else Phrase("a person is awaited")
        )
        return who, query.end.first("person_awaited", "person_took_over")
    if last is not None and last.kind == "timer_fired":
        return phrase("it came due in turn {turn}, and is armed again with the next message", turn=last.turn), last
    if last is not None:
        return phrase("it was dropped in turn {turn}", turn=last.turn), last
    return phrase("nothing {where} armed it", where=query.turns_searched) if query.turns_searched else Phrase(
        "no turn has armed it yet"
    ), None


def _owners(query: Query) -> tuple[Subject, ...]:
    """Return the nodes that have the timer."""
    machine, name = query.machine, query.subject.name
    return tuple(
        [
            Subject("node", node)
            for node in machine.nodes
            if any(one.id == name for one in machine.candidates(node, "timer").all)
        ]
    )


def _delay(query: Query) -> str:
    """Return the delay of the timer, as a flow writes it."""
    machine, name = query.machine, query.subject.name
    found = (one for node in machine.nodes for one in machine.candidates(node, "timer").all if one.id == name)
    delay_ms = next((one.delay_ms for one in found if one.delay_ms is not None), None)
    return write_duration(delay_ms / 1000) if delay_ms is not None else ""
