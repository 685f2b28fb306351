"""The timers and schedules of a conversation and what its turns spent, as the page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from turnwise.archive.conversation_names import title_of_node
from turnwise.archive.spending import TurnSpending
from turnwise.core.candidates import APPROVAL_DEADLINE, PERSON_TIMEOUT, Candidate, End, GoTo, Open, Return, Stay
from turnwise.core.machine import Machine
from turnwise.core.overlay_standing import OverlayStanding
from turnwise.core.scopes import IDLE_TIMER
from turnwise.core.spending_report import spending_report
from turnwise.core.state import Ended, Frame, State, Timer
from turnwise.core.step.receive import CONTINUATION_TIMER, MACHINE_TIMERS
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.schedules import schedules_due
from turnwise.server.views.signs import title_of_name
from turnwise.server.wire.timing import DueView, OfferView, OverlayView, SpendingView

MOST_TURNS = 200
"""How many turns are sent with their spending, one by one: the last ones."""
_OF_MACHINE = {PERSON_TIMEOUT: "person_timeout", APPROVAL_DEADLINE: "approval_deadline", IDLE_TIMER: "silence"}
"""What the words are called of the timers that no transition of a flow has."""
Words = Mapping[str, str]
"""The words about times in a language, by key."""


def due_of(machine: Machine, state: State, words: Words) -> tuple[DueView, ...]:
    """Return what the conversation does by itself, the next first; empty where it has ended.
    `words` are those of a language of the page.
    """
    if isinstance(state.status, Ended):
        return ()
    found = [one for frame in state.frames for one in _timers(machine, state, frame, words)]
    found += schedules_due(machine, state, words)
    return tuple(sorted(found, key=lambda one: one.fires_ms or one.due_ms or 0))


def _timers(machine: Machine, state: State, frame: Frame, words: Words) -> Iterator[DueView]:
    """Yield the timers of a frame. Those of a frame that waits for an inner conversation are held."""
    is_held = frame.id != state.frame.id
    for timer in frame.timers:
        if timer.transition != CONTINUATION_TIMER:  # the runner arms it, to recover a run that was cut off
            yield _timer(machine, timer, words, is_held=is_held)


def _timer(machine: Machine, timer: Timer, words: Words, *, is_held: bool) -> DueView:
    ways: Sequence[Candidate] = ()
    if timer.node in machine.nodes:
        ways = machine.candidates(timer.node, "timer").all
    way = next((way for way in ways if way.id == timer.transition), None)
    own = _OF_MACHINE.get(timer.transition)
    title, does = (
        (words[own], words[f"{own}_does"]) if own else (title_of_name(timer.transition), _does(machine, way, words))
    )
    is_of_flow = timer.transition not in MACHINE_TIMERS
    return DueView(
        "timer",
        timer.transition,
        title,
        timer.due_ms,
        does,
        f"timer {timer.transition}" if is_of_flow or timer.transition == PERSON_TIMEOUT else "",
        way.because if way is not None else "",
        timer.node,
        "scope" if is_held else "",
        can_fire=not is_held,
    )


def _does(machine: Machine, way: Candidate | None, words: Words) -> str:
    """Return what a timer does, as the rest of a sentence."""
    if way is None:
        return ""
    match way.action:
        case GoTo(target):
            return words["moves"].format(title=title_of_node(machine, target))
        case End(outcome):
            return words["ends"].format(outcome=outcome)
        case Open(scope):
            return words["opens"].format(title=title_of_node(machine, scope))
        case Return():
            return words["closes"]
        case Stay(say):
            return words["reminds" if say is not None else "stays"]
        case _:
            return ""


def offers_of(machine: Machine, state: State, redaction: Redaction) -> tuple[OfferView, ...]:
    """Return the scopes that are proposed to the user, the open offer first; without those that were passed over."""
    found = [one for one in state.offers if one.status != "passed"]
    return tuple(
        [
            OfferView(
                one.scope,
                title_of_node(machine, one.scope),
                redaction.text(one.opener),
                one.by,
                one.status == "open",
                f"node {one.scope}",
            )
            for one in sorted(found, key=lambda one: one.status != "open")
        ]
    )


def overlay_view(machine: Machine, standing: OverlayStanding) -> OverlayView:
    """Return the status of an overlay in a conversation as clients receive it."""
    forced, name = standing.forced, standing.name
    return OverlayView(
        name,
        title_of_name(name),
        machine.overlays[name].overlay.persona_name,
        standing.is_active,
        standing.is_next,
        "" if forced is None else "on" if forced.on else "off",
        standing.is_forced_for_all,
        forced.by if forced is not None else "",
        forced.at_ms if forced is not None else None,
        standing.begins_ms,
        standing.ends_ms,
        f"overlay {name}",
    )


def spending_of(machine: Machine, state: State, turns: Iterable[TurnSpending]) -> SpendingView:
    """Return the spending of turns, together and of each of the last ones, and the status of the budgets."""
    known, report = tuple(turns), spending_report(machine, state)
    if any(one.priced for one in known):  # the prices of the flow are those of its budgets
        known = tuple([replace(one, money=one.priced) for one in known])
    prices = [one.money for one in known if one.money is not None]
    return SpendingView(
        sum(one.calls for one in known),
        sum(one.tokens_in for one in known),
        sum(one.tokens_out for one in known),
        sum(prices) if prices else None,
        known[-MOST_TURNS:],
        report.currency or "USD",
        report.budgets,
        report.asked,
    )
