"""How long something took, or may take: a duration with the two times that it lies between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from turnwise.core.machine import PERSON_TIMEOUT
from turnwise.core.state import Timer
from turnwise.core.state import events as e
from turnwise.flow.durations import write_duration
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.query import Query

_CAME: tuple[FactKind, ...] = ("person_took_over", "nobody_came")


async def time_passed(query: Query) -> Fact | None:
    """Return how long the subject of a question lasted, or may last; `None` for what has no duration or is not over."""
    name = query.subject.name
    match query.subject.kind:
        case "person":
            return await _with_person(query)
        case "timer" if name != PERSON_TIMEOUT:
            return await _of_timer(query, name)
        case "model":
            return await _of_model(query)
        case "node":
            is_wait = query.machine.nodes[name].work == "person"
            return await (_of_wait(query) if is_wait else _in_node(query, name))
        case "form":
            node = name or await _last_form(query)
            return await _in_node(query, node) if node else None
        case "conversation" | "end":
            return await _of_all(query)
        case _:
            return None


async def _of_model(query: Query) -> Fact | None:
    """Return how long the last call of the model took."""
    ended = await query.last(lambda event: isinstance(event, e.ModelReplied | e.ModelFailed))
    called = next((one for one in ended.walk() if one.kind == "model_called"), None) if ended is not None else None
    return await _between(query, "the model took", called, ended)


# what lies between two facts ----------------------------------------------------------------------


async def _between(query: Query, what: str, begin: Fact | None, end: Fact | None) -> Fact | None:
    """Return the time between two facts; `None` where one of them is unknown, or the second came first."""
    if begin is None or end is None or end.seq < begin.seq:
        return None
    from_ms, until_ms = await query.time_of(begin), await query.time_of(end)
    return _passed(query, what, from_ms, until_ms, begin, end)


def _passed(query: Query, what: str, from_ms: int, until_ms: int, begin: Fact, end: Fact | None) -> Fact:
    values: dict[str, Any] = {
        "what": what,
        "duration": write_duration((until_ms - from_ms) / 1000),
        "at": query.end.time(from_ms),
        "since": begin.turn,
        "until": query.end.time(until_ms),
        "turn": end.turn if end is not None else None,
    }
    causes = (end, begin) if end is not begin else (begin,)
    return query.end.standing("time_passed", query.subject, causes=causes, **values)


async def _facts(query: Query, number: int) -> tuple[Fact, ...]:
    """Return the facts of a turn, those that are events."""
    found = await query.history.facts(number) if 0 < number <= query.history.last.turn else ()
    return tuple([fact for fact in found if fact.seq])


async def _begin(query: Query) -> Fact | None:
    """Return the first fact of the conversation, where that is stored."""
    return next(iter(await _facts(query, 1)), None)


async def _of_all(query: Query) -> Fact | None:
    ended = await query.last(lambda event: isinstance(event, e.Ended))
    last = next((fact for fact in reversed(query.facts) if fact.seq), None)
    what = "the conversation lasted" if ended is not None else "the conversation has lasted"
    return await _between(query, what, await _begin(query), ended or last)


async def _with_person(query: Query) -> Fact | None:
    """Return how long a person was in charge; without a name, how long one was awaited the last time."""
    name = query.subject.name
    if not name:
        return await _of_wait(query)
    gave = await query.last(lambda event: isinstance(event, e.GivenBack), lambda one: _is_by(one, name))
    took = await query.last(lambda event: isinstance(event, e.TakenOver), lambda one: _is_by(one, name))
    return await _between(query, f"{name} was in charge for", took, gave)


async def _of_wait(query: Query) -> Fact | None:
    """Return how long a person was awaited the last time."""
    came = await query.last(lambda event: isinstance(event, e.TakenOver | e.NobodyCame), lambda one: one.kind in _CAME)
    awaited = None
    if came is not None:
        awaited = await query.last(lambda event: isinstance(event, e.PersonAwaited), lambda one: one.seq < came.seq)
    return await _between(query, "the wait for a person lasted", awaited, came)


def _is_by(fact: Fact, name: str) -> bool:
    return fact.values.get("operator") == name


async def _in_node(query: Query, node: str) -> Fact | None:
    """Return how long a node was in charge the last time."""
    entered = await query.last(
        lambda event: _enters(event, node),
        lambda one: (
            one.kind in _ENTRIES and one.values.get("target", node) == node and Subject("node", node) in one.about
        ),
    )
    left = await query.last(
        lambda event: isinstance(event, e.Moved) and event.source == node,
        lambda one: one.kind == "node_left" and one.values["node"] == node,
    )
    if left is None or (entered is not None and left.seq < entered.seq):
        left = await query.last(lambda event: isinstance(event, e.Ended), lambda one: one.kind == "conversation_ended")
    return await _between(query, f"{node} was in charge for", entered, left)


_ENTRIES: tuple[FactKind, ...] = ("node_left", "conversation_started")


def _enters(event: e.AnyEvent, node: str) -> bool:
    return isinstance(event, e.Started) or (isinstance(event, e.Moved) and event.target == node)


async def _last_form(query: Query) -> str:
    """Return the node of the last form that asked anything."""
    progressed = await query.last(lambda event: isinstance(event, e.FormChanged))
    return str(progressed.values["node"]) if progressed is not None else ""


# timers -------------------------------------------------------------------------------------------


async def _of_timer(query: Query, name: str) -> Fact | None:
    """Return how long a timer lasts that was armed the last time: from the end of the turn that armed it."""
    found = await last_armed(query, lambda timer: timer.transition == name)
    if found is None:
        return None
    return _passed(query, f"the timer {name} gives", found.at_ms, found.timer.due_ms, found.fact, None)


class Armed(NamedTuple):
    """A timer that was armed: the fact that says so, the timer, and when that was."""

    fact: Fact
    timer: Timer
    at_ms: int


async def last_armed(query: Query, is_meant: Callable[[Timer], bool]) -> Armed | None:
    """Return the last timer that was armed, of those that are meant. A turn armed the timers that the turn before did
    not end with; only of such turns facts are made.
    """
    later: e.Entry | None = None
    async for entry in query.back(e.TurnEnded):
        new = [one for one in _timers(later) if is_meant(one) and one not in _timers(entry)]
        found = await _armed(query, later, new)
        if found is not None:
            return found
        later = entry
    return await _armed(query, later, [one for one in _timers(later) if is_meant(one)])


async def _armed(query: Query, entry: e.Entry | None, timers: list[Timer]) -> Armed | None:
    """Return the last of some timers that a turn armed; `entry` is its end."""
    facts = await query.facts_of(entry) if entry is not None and timers else []
    armed = {one.values["timer"]: one for one in facts if one.kind == "timer_armed"}
    own = [one for one in timers if one.transition in armed]
    return Armed(armed[own[-1].transition], own[-1], entry.at_ms) if own and entry is not None else None


def _timers(entry: e.Entry | None) -> tuple[Timer, ...]:
    return entry.event.timers if entry is not None and isinstance(entry.event, e.TurnEnded) else ()
