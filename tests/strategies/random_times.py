"""Random things that come without a message, for random flows with scopes: schedules, offers, events of other systems,
overlays. And what happens to them: times that are due, late, early or unknown, events with right and wrong data.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from strategies.chance import Chance
from strategies.machines import WRONG
from strategies.random_scopes import SCOPES
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.flow.model import Field, Flow, Node, Offer, Overlay, Record, Schedule, Transition

DAY_S = 86_400.0
_EVENTS = (
    Record("paid", (Field("amount", "number", min=0), Field("note", optional=True))),
    Record("shipped", (Field("carrier", default="post"), Field("note", optional=True))),
    Record("pinged", ()),
)
_OPENERS = ("", "A minute?", "{{ user.name }}, a minute?", "{{ 10 / user.age }}")


def with_times(chance: Chance, flow: Flow) -> Flow:
    """A flow with scopes that also acts without a message."""
    nodes = tuple([_node(chance, node) for node in flow.nodes])
    ways = (*flow.transitions, *[_way(chance, "") for _ in range(chance.choice((0, 1, 2)))])
    schedules = tuple([_schedule(chance, name) for name in chance.some(("m", "n", "o"), 1, 3)])
    overlays = (
        Overlay("o", persona_name="Ragnar", persona="You are {{ persona.name }}.", priority=chance.choice((1, 100))),
        Overlay("p", starts="2026-01-01", ends="2026-06-30", every="year", addendum="Be {{ user.name }}.", priority=7),
    )
    return replace(flow, nodes=nodes, transitions=ways, schedules=schedules, events=_EVENTS, overlays=overlays)


def _node(chance: Chance, node: Node) -> Node:
    """A node that may propose a scope, and may react to events."""
    ways = tuple([_way(chance, node.name) for _ in range(chance.choice((0, 0, 1, 2)))])
    can_react = node.scope is None and not node.end
    offer = None
    if can_react and chance.is_lucky(0.4):
        given: dict[str, Any] = {"topic": "user.name"} if chance.is_lucky(0.4) else {}
        offer = Offer(chance.choice(SCOPES), chance.choice(_OPENERS), given)
    return replace(node, transitions=(*node.transitions, *ways), offer=offer) if can_react else node


def _way(chance: Chance, node: str) -> Transition:
    """A transition that an event of another system takes."""
    guard = chance.choice(("", "event.name == 'paid'", "event.amount > 2", "has(event.note)", 'overlay.active("o")'))
    match chance.weighed({"stay": 3, "go": 3, "call": 2, "end": 0.3}):
        case "stay":
            said = chance.choice(("Thanks.", "Paid {{ event.amount }}.", "{{ event.note }}"))
            return Transition(at="event", when=guard, stay=True, say=said)
        case "go":
            written = {"user.score": "event.amount"} if chance.is_lucky(0.4) else {}
            return Transition(at="event", when=guard, to=node or "a", set=written)
        case "call":
            return Transition(at="event", when=guard, call=chance.choice(SCOPES))
        case _:
            return Transition(at="event", when=guard, end="gone")


def _schedule(chance: Chance, name: str) -> Schedule:
    """A schedule that opens, proposes or instructs, at any kind of time."""
    times: dict[str, Any] = chance.choice(
        (
            {"cron": "30 2 * * *"},
            {"cron": "0 18 * * 2#2"},
            {"at": ("09:00", "12:00")},
            {"at": ("10:00",), "every_s": 2 * DAY_S, "anchor": "2026-01-01"},
            {"idle_s": 3600.0},
        )
    )
    match chance.weighed({"call": 4, "offer": 4, "instruct": 4}):
        case "call":
            does: dict[str, Any] = {"call": chance.choice(SCOPES), "pause_s": chance.choice((None, 0.0, 60.0))}
        case "offer":
            does = {"offer": chance.choice(SCOPES), "opener": chance.choice(_OPENERS)}
        case _:
            does = {"instruct": chance.choice(("Ask.", "Ask {{ user.name }}.", "{{ 10 / user.age }}"))}
    if "instruct" not in does and chance.is_lucky(0.3):
        does["input"] = {"2026-01": {"topic": "January"}} | ({"default": {}} if chance.is_lucky(0.5) else {})
    missed = chance.choice(("once", "each", "skip")) if "call" in does and "idle_s" not in times else "once"
    return Schedule(
        name,
        **times,
        **does,
        missed=missed,
        quiet=chance.choice(("", "", "22:00-08:00")),
        interrupt=chance.is_lucky(0.2),
        priority=chance.choice((1, 100)),
    )


class Times:
    """What comes without a message to one conversation."""

    def __init__(self, chance: Chance, machine: Machine) -> None:
        self.chance = chance
        self.machine = machine

    def event(self, state: State) -> e.OutsideEvent:
        """A schedule, or an event of another system."""
        return self.due(state) if self.chance.is_lucky(0.55) else self.external_event()

    def forced(self) -> e.OverlayForced:
        """An overlay that somebody forces on or off between two turns."""
        return e.OverlayForced(self.chance.choice(("o", "p")), self.chance.choice((True, False, None)), "Lena")

    def due(self, state: State) -> e.ScheduleDue:
        """A schedule as the store fires it, one at a time that is none, or one that a program fires now."""
        chance = self.chance
        armed = [one for one in state.schedules.armed if one.at_ms > 0] if state.schedules is not None else []
        name = chance.choice((*self.machine.schedules, *self.machine.schedules, "none"))
        if not armed or chance.is_lucky(0.3):
            return e.ScheduleDue(name, chance.choice((None, None, state.at_ms, 0)), by=chance.choice(("", "Lena")))
        one = chance.choice(armed)
        inputs = {"2026": {"topic": chance.choice(("a year", 7, None))}} if chance.is_lucky(0.2) else {}
        return e.ScheduleDue(one.schedule, one.at_ms, one.count, inputs)

    def external_event(self) -> e.EventReceived:
        """An event with right or wrong data, or one that the flow does not know."""
        chance = self.chance
        match chance.choice(("paid", "paid", "shipped", "pinged", "none")):
            case "paid":
                amount = chance.choice((0, 3, 3.5)) if chance.is_lucky(0.85) else chance.choice(WRONG)
                return e.EventReceived("paid", {"amount": amount} | ({"note": "b"} if chance.is_lucky(0.3) else {}))
            case name:
                return e.EventReceived(name, {} if chance.is_lucky(0.8) else {"carrier": chance.choice(WRONG)})
