"""How long something took, or may take: a duration with the two times that it lies between."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from turnwise.core.addresses import scope_of
from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import Timer
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import entered_node
from turnwise.flow.durations import write_duration
from turnwise.why.answer import Fact, Subject
from turnwise.why.query import Query


class _Span(NamedTuple):
    """What lasted, and the facts with which it began and ended; `None` for one that is unknown or did not happen."""

    what: str
    begin: Fact | None
    end: Fact | None


async def time_passed(query: Query) -> Fact | None:
    """Return how long the subject of a question lasted, or may last; `None` if it has no duration or is not over."""
    name = query.subject.name
    if query.subject.kind == "timer" and name != PERSON_TIMEOUT:
        armed = await last_armed(query, lambda timer: timer.transition == name)
        if armed is None:
            return None
        return _fact(
            query, phrase("the timer {name} gives", name=name), (armed.fact, armed.at_ms), (None, armed.timer.due_ms)
        )
    what, begin, end = await _span(query)
    if begin is None or end is None or end.seq < begin.seq:
        return None
    return _fact(query, what, (begin, await query.time_of(begin)), (end, await query.time_of(end)))


def _fact(query: Query, what: str, begin: tuple[Fact, int], end: tuple[Fact | None, int]) -> Fact:
    (first, from_ms), (last, until_ms) = begin, end
    return query.end.fact_of_state(
        "time_passed",
        query.subject,
        causes=(last, first) if last is not first else (first,),
        what=what,
        duration=write_duration((until_ms - from_ms) / 1000),
        at=query.end.time(from_ms),
        since=first.turn,
        until=query.end.time(until_ms),
        turn=last.turn if last is not None else None,
    )


async def _span(query: Query) -> _Span:
    """Return the span of the subject of a question."""
    name = query.subject.name
    match query.subject.kind:
        case "model":
            ended = await query.last(e.ModelReplied, e.ModelFailed)
            called = (one for one in ended.walk() if one.kind == "model_called") if ended is not None else ()
            return _Span(Phrase("the model took"), next(iter(called), None), ended)
        case "person" if name:
            gave = await query.last(e.GivenBack, is_fact=lambda one: one.values.get("operator") == name)
            took = await query.last(e.TakenOver, is_fact=lambda one: one.values.get("operator") == name)
            return _Span(phrase("{name} was in charge for", name=name), took, gave)
        case "node" if query.machine.nodes[name].work != "person":
            return await _in_charge(query, name)
        case "person" | "node":
            return await _wait(query)
        case "form":
            asked = await query.last(e.FormChanged) if not name else None
            return await _in_charge(query, str(asked.values["node"]) if asked is not None else name)
        case "conversation" | "end":
            begin = next((fact for fact in await query.history.facts(1) if fact.seq), None)
            ended = await query.last(e.Ended)
            last = next((fact for fact in reversed(query.facts) if fact.seq), None)
            return _Span(
                Phrase("the conversation lasted") if ended is not None else Phrase("the conversation has lasted"),
                begin,
                ended or last,
            )
        case _:
            return _Span("", None, None)


async def _wait(query: Query) -> _Span:
    """Return the last wait for a person that is over."""
    came = await query.last(e.TakenOver, e.NobodyCame)
    awaited = None
    if came is not None:
        awaited = await query.last(e.PersonAwaited, is_fact=lambda one: one.seq < came.seq)
    return _Span(Phrase("the wait for a person lasted"), awaited, came)


async def _in_charge(query: Query, node: str) -> _Span:
    """Return the last time that a node was in charge, until it was left or the conversation ended."""
    kinds, about = ("node_left", "scope_opened", "conversation_started"), Subject("node", node)
    came = await query.last(
        *(e.Started, e.Moved, e.ScopeOpened),
        is_event=lambda event: isinstance(event, e.Started) or entered_node(event) == node,
        is_fact=lambda one: one.kind in kinds and about in one.about,
    )
    left = await query.last(e.Moved, source=node)
    if left is None or (came is not None and left.seq < came.seq):
        scope = scope_of(node)
        left = await (query.last(e.ScopeClosed, scope=scope) if scope else query.last(e.Ended))
    return _Span(phrase("{node} was in charge for", node=node), came, left)


# timers -------------------------------------------------------------------------------------------


class ArmedTimer(NamedTuple):
    """A timer that was armed, and when."""

    fact: Fact
    """The fact that the timer was armed."""
    timer: Timer
    """The timer as the state stores it."""
    at_ms: int
    """When the timer was armed, in milliseconds since 1970."""


async def last_armed(query: Query, is_meant: Callable[[Timer], bool]) -> ArmedTimer | None:
    """Return the last armed timer for which `is_meant` is true, with the fact about it; `None` if there is none."""
    later: e.Entry | None = None
    async for entry in query.entries_backwards(e.TurnEnded):
        new = [one for one in _timers(later) if is_meant(one) and one not in _timers(entry)]
        found = await _armed(query, later, new)
        if found is not None:
            return found
        later = entry
    return await _armed(query, later, [one for one in _timers(later) if is_meant(one)])


async def _armed(query: Query, entry: e.Entry | None, timers: list[Timer]) -> ArmedTimer | None:
    """Return the last of some timers that a turn armed; `entry` is its end."""
    facts = await query.facts_of(entry) if entry is not None and timers else []
    armed = {one.values["timer"]: one for one in facts if one.kind == "timer_armed"}
    own = [one for one in timers if one.transition in armed]
    return ArmedTimer(armed[own[-1].transition], own[-1], entry.at_ms) if own and entry is not None else None


def _timers(entry: e.Entry | None) -> tuple[Timer, ...]:
    return entry.event.timers if entry is not None and isinstance(entry.event, e.TurnEnded) else ()
