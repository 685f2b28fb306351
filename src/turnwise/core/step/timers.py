"""Takes a turn in which a timer of the node in charge fires (law 2.15): judges its transitions, or ends a wait or a
scope whose time is over.
"""

from __future__ import annotations

from turnwise.core.decision import decide, phase_after_scope
from turnwise.core.decision.frames import close_scope
from turnwise.core.external_events import HELD_EVENT
from turnwise.core.scopes import IDLE_TIMER
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.step import work
from turnwise.core.step.external_events import resume_event
from turnwise.core.turn import Phase, StepBuilder


def decide_timer(step: StepBuilder, before: State, event: e.TimerFired) -> Phase:
    """Judge the moment `timer` for a timer that fired; one of an earlier visit or armed anew since changes nothing.
    `before` is the state before the event.
    """
    if event.timer == IDLE_TIMER and any(event.is_of(timer) for timer in before.frame.timers):
        return phase_after_scope(step, close_scope(step, "timeout"))
    if event.timer == HELD_EVENT:
        return resume_event(step)
    is_known = any(candidate.id == event.timer for candidate in step.machine.candidates(before.frame.node, "timer").all)
    is_visit = event.visit is None or event.visit == before.frame.visit
    is_armed = event.due_ms is None or any(event.is_of(timer) for timer in before.frame.timers)
    if not (is_known and is_visit and is_armed):
        step.warn("late", f"the timer '{event.timer}' belongs to an earlier visit")
        return Phase.FINISH
    phase = decide(step, "timer", firing=event.timer, on_stay=Phase.FINISH) or Phase.FINISH
    work.remind(step, before, event)
    return phase
