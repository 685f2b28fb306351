"""Why a timer is armed or not, and what it did when it came due."""

from __future__ import annotations

from typing import Any

from turnwise.core.machine import PERSON_TIMEOUT
from turnwise.core.state import Ended, Timer
from turnwise.core.state import events as e
from turnwise.core.step.receive import CONTINUATION
from turnwise.flow.durations import write_duration
from turnwise.why.answer import Fact, Subject
from turnwise.why.asking import Asking
from turnwise.why.subjects.moves import way


async def answer_timer(asking: Asking) -> list[Fact]:
    """Return what the timer did, or what became of it, in the turn; else how it stands and since when."""
    own = asking.about
    stands = await _standing(asking)
    fired = next((fact for fact in own if fact.kind == "timer_fired"), None)
    if fired is not None:
        own = [*await _judged(asking, fired), *own]
    order = ("timer_late", "timer_judged", "timer_fired", "timer_armed", "timer_dropped")
    first = next((fact for kind in order for fact in own if fact.kind == kind), stands)
    return [first, *[fact for fact in (*own, stands) if fact != first]]


async def _judged(asking: Asking, fired: Fact) -> list[Fact]:
    """Return what the decision of the timer made of its transition; nothing where it was too late for one."""
    name = asking.subject.name
    decided = [one for one in asking.turn.decisions if one.moment == "timer" and one.candidate(name) is not None]
    if not decided:
        return []
    ways = await way(asking, name)
    did = "its transition was taken" if decided[-1].taken == name else ways[0].text
    about = (asking.subject, Subject("transition", name))
    return [asking.end.standing("timer_judged", *about, causes=(*ways[:1], fired), timer=name, did=did), *ways]


async def _standing(asking: Asking) -> Fact:
    """Return since when the timer is armed and when it is due; else why it is not armed."""
    name, end = asking.subject.name, asking.end
    about = (asking.subject, *_owners(asking))
    armed = next((one for one in asking.state.timers if one.transition == name), None)
    if armed is not None:
        cause = await _arming(asking, armed)
        since = cause.turn if cause is not None else None
        values: dict[str, Any] = {"timer": name, "since": since, "due": end.time(armed.due_ms), "delay": _delay(asking)}
        return end.standing("timer_is_armed", *about, causes=(cause,), **values)
    reason, cause = await _why_not(asking)
    return end.standing("timer_not_armed", *about, causes=(cause,), timer=name, reason=reason, delay=_delay(asking))


async def _arming(asking: Asking, timer: Timer) -> Fact | None:
    """Return how a timer was armed: at the end of the first of the turns whose end it is armed at."""
    first: e.Entry | None = None
    async for entry in asking.back():
        if isinstance(entry.event, e.TurnEnded):
            if timer not in entry.event.timers:
                break
            first = entry
    told = await asking.told_by(first) if first is not None else []
    return next((fact for fact in told if fact.kind == "timer_armed" and asking.subject in fact.about), None)


async def _gone(asking: Asking) -> Fact | None:
    """Return that a timer came due, was late or was dropped, the last time."""
    name, after = asking.subject.name, 0
    async for entry in asking.back():
        match entry.event:
            case e.TimerFired(timer=timer) if timer == name:
                return await asking.in_turn(entry.turn, lambda fact: _is_gone(fact, asking.subject))
            case e.TurnEnded(timers=timers):
                if after and any(timer.transition == name for timer in timers):
                    return await asking.in_turn(after, lambda fact: _is_gone(fact, asking.subject))
                after = entry.turn
            case _:
                pass
    return None


def _is_gone(fact: Fact, timer: Subject) -> bool:
    return fact.kind in ("timer_fired", "timer_dropped", "timer_late") and timer in fact.about


async def _why_not(asking: Asking) -> tuple[str, Fact | None]:
    """Return why the timer is not armed at the end of the turn."""
    state, name = asking.state, asking.subject.name
    last = await _gone(asking)
    if isinstance(state.status, Ended):
        return "the conversation has ended", last or asking.end.first("conversation_ended")
    if name == PERSON_TIMEOUT:
        return "no person is awaited", last
    if name == CONTINUATION:
        return "the run does not go on by itself", last
    owners = _owners(asking)
    if Subject("node", state.node) not in owners and owners:
        nodes = " and ".join(owner.name for owner in owners)
        return f"it belongs to {nodes}, and {state.node} is in charge", last
    if state.person is not None:
        who = f"{state.person.operator} is in charge" if state.person.operator else "a person is awaited"
        return who, asking.end.first("person_awaited", "person_took_over")
    if last is not None and last.kind == "timer_fired":
        return f"it came due in turn {last.turn}, and is armed again with the next message", last
    if last is not None:
        return f"it was dropped in turn {last.turn}", last
    return f"nothing {asking.where} armed it" if asking.where else "no turn has armed it yet", None


def _owners(asking: Asking) -> tuple[Subject, ...]:
    """Return the nodes that have the timer."""
    machine, name = asking.machine, asking.subject.name
    return tuple(
        [
            Subject("node", node)
            for node in machine.nodes
            if any(one.id == name for one in machine.candidates(node, "timer").all)
        ]
    )


def _delay(asking: Asking) -> str:
    """Return the delay of the timer, as a flow writes it."""
    machine, name = asking.machine, asking.subject.name
    found = (one for node in machine.nodes for one in machine.candidates(node, "timer").all if one.id == name)
    delay_ms = next((one.delay_ms for one in found if one.delay_ms is not None), None)
    return write_duration(delay_ms / 1000) if delay_ms is not None else ""
