"""How long something took, or may take: a duration with the two times that it lies between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from turnwise.core.machine import PERSON_TIMEOUT
from turnwise.core.state import Timer
from turnwise.core.state import events as e
from turnwise.flow.durations import write_duration
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.query import Query

_LONG = r"(?:how (?:long|much(?: \w+)? (?:time|longer))|wie ?lange?|wie ?viel zeit)\b"
ASKS = late_pattern(rf"^\W*{_LONG}|\b(?:and|und),? {_LONG}")
"""Asks for a duration."""
SINCE = late_pattern(r"^\W*(?:since when|from when|until when|seit wann|von wann|ab wann|bis wann)\b")
"""Asks for the time at which something began, or ended, that lasted."""
TURNS = late_pattern(r"\b(?:turns?|messages?|runden?|nachricht(?:en)?) (\d+) (?:and|und|to|until|bis) (?:\w+ )?(\d+)")
UNTIL = late_pattern(r"\b(?:until|till|before|after|to (?:reach|get|come)|reach\w*|bis|nach|erreich\w*)\b")
WAIT = late_pattern(r"\b(?:wait\w*|wart\w*|gewartet)\b")
_MAY = late_pattern(r"\b(?:have|has|had|left|remain\w*|may|longer|there|noch|hat|habe|hatte|blieb\w*|bleib\w*)\b")
_CAME: tuple[FactKind, ...] = ("person_took_over", "nobody_came")


async def time_passed(query: Query, question: str) -> Fact | None:
    """Return how long took what a question is about; `None` for what has no duration, or is not over."""
    turns = TURNS.search(question)
    if turns is not None:
        return await _between_turns(query, int(turns[1]), int(turns[2]))
    name, kind = query.subject.name, query.subject.kind
    is_wait = WAIT.search(question) is not None
    if kind == "person" or (kind == "node" and is_wait and query.machine.nodes[name].work == "person"):
        return await _with_person(query, is_wait=is_wait or not name)
    if kind == "timer" and name != PERSON_TIMEOUT:
        return await _of_timer(query, name)
    if kind == "transition":
        return await _of_transition(query, name, question)
    if kind == "model":
        return await _of_model(query)
    if kind == "node":
        return await _in_node(query, name, is_until=UNTIL.search(question) is not None)
    if kind == "form":
        node = name or await _last_form(query)
        return await _in_node(query, node) if node else None
    return await _of_all(query) if kind in ("conversation", "end") else None


async def _of_model(query: Query) -> Fact | None:
    """Return how long the last call of the model took."""
    ended = await query.last(lambda event: isinstance(event, e.ModelReplied | e.ModelFailed))
    called = next((one for one in ended.walk() if one.kind == "model_called"), None) if ended is not None else None
    return await _between(query, "the model took", called, ended)


async def _of_transition(query: Query, name: str, question: str) -> Fact | None:
    """Return how long it took until a transition was taken, or the time that a timer leaves for it."""
    is_limit = SINCE.search(question) is not None
    if is_limit or UNTIL.search(question) is None:
        return await _of_timers_beside(query, name) if is_limit or _MAY.search(question) else None
    taken = await query.last(
        lambda event: isinstance(event, e.Ended) or (isinstance(event, e.Moved) and event.transition == name),
        lambda one: _is_taken(one, name),
    )
    return await _between(query, f"from the beginning until {name} was taken it took", await _begin(query), taken)


def _is_taken(fact: Fact, transition: str) -> bool:
    return fact.kind in ("node_left", "conversation_ended") and fact.values["transition"] == transition


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


async def _between_turns(query: Query, one: int, other: int) -> Fact | None:
    first, last = sorted((one, other))
    begin, end = [next(iter(await _facts(query, number)), None) for number in (first, last)]
    return await _between(query, f"from turn {first} to turn {last} it took", begin, end)


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


async def _with_person(query: Query, *, is_wait: bool) -> Fact | None:
    """Return how long a person was awaited the last time, or was in charge."""
    name = query.subject.name if query.subject.kind == "person" else ""
    if not is_wait:
        gave = await query.last(lambda event: isinstance(event, e.GivenBack), lambda one: _is_by(one, name))
        took = await query.last(lambda event: isinstance(event, e.TakenOver), lambda one: _is_by(one, name))
        return await _between(query, f"{name} was in charge for", took, gave)
    came = await query.last(
        lambda event: isinstance(event, e.TakenOver | e.NobodyCame),
        lambda one: one.kind in _CAME and (not name or one.kind == "nobody_came" or _is_by(one, name)),
    )
    awaited = None
    if came is not None:
        awaited = await query.last(lambda event: isinstance(event, e.PersonAwaited), lambda one: one.seq < came.seq)
    return await _between(query, "the wait for a person lasted", awaited, came)


def _is_by(fact: Fact, name: str) -> bool:
    return fact.values.get("operator") == name


async def _in_node(query: Query, node: str, *, is_until: bool = False) -> Fact | None:
    """Return how long a node was in charge the last time, or how long it took until then."""
    entered = await query.last(
        lambda event: _enters(event, node),
        lambda one: (
            one.kind in _ENTRIES and one.values.get("target", node) == node and Subject("node", node) in one.about
        ),
    )
    if is_until:
        return await _between(query, f"from the beginning until {node} it took", await _begin(query), entered)
    left = await query.last(
        lambda event: isinstance(event, e.Ended) or (isinstance(event, e.Moved) and event.source == node),
        lambda one: (one.kind == "node_left" and one.values["node"] == node) or one.kind == "conversation_ended",
    )
    return await _between(query, f"{node} was in charge for", entered, left)


_ENTRIES: tuple[FactKind, ...] = ("node_left", "conversation_started")


def _enters(event: e.AnyEvent, node: str) -> bool:
    return isinstance(event, e.Started) or (isinstance(event, e.Moved) and event.target == node)


async def _last_form(query: Query) -> str:
    """Return the node of the last form that asked anything."""
    progressed = await query.last(lambda event: isinstance(event, e.FormChanged))
    return str(progressed.values["node"]) if progressed is not None else ""


# timers -------------------------------------------------------------------------------------------


async def _of_timers_beside(query: Query, transition: str) -> Fact | None:
    """Return how long the timer lasts that runs out in the node of a transition: the time that is left for it."""
    nodes = query.machine.nodes.values()
    homes = [node for node in nodes if any(one.id == transition for one in node.candidates)]
    timers = {one.id for node in homes for one in node.candidates if one.moment == "timer"}
    found = [one for name in timers if (one := await _of_timer(query, name)) is not None]
    return max(found, key=lambda one: one.causes[-1].seq, default=None)


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
