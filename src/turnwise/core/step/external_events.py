"""Takes a turn that an event of another system begins: judges its transitions, or keeps the event until a frame that
handles it is in charge (law 2.17).
"""

from __future__ import annotations

from typing import Any

from turnwise.core.candidates import Stay
from turnwise.core.decision import decide
from turnwise.core.external_events import has_transition_for, holds_back_events
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.step.receive import awaits_continuation, offered_now
from turnwise.core.turn import Phase, StepBuilder


def judge_event(step: StepBuilder, before: State, event: e.EventReceived) -> Phase:
    """Judge an external event at the node in charge; return the next phase. `before` is the state before the event. If
    no transition is taken, or a person takes part, the event waits for the nearest frame with a transition for it; if
    there is none, it is only recorded.
    """
    if awaits_continuation(before):
        step.continues = True
    if holds_back_events(step.state.frame):
        if has_transition_for(step.machine, step.state.frame, event.name):
            step.emit(e.EventHeld(event.name, event.data))
        return Phase.FINISH
    phase = _decide(step, event.name)
    if phase is not None:
        return phase
    inside = step.state.frame.scope
    around = next(
        (one for one in reversed(step.state.outer) if has_transition_for(step.machine, one, event.name)), None
    )
    if around is not None and inside is not None:
        step.emit(e.EventHeld(event.name, event.data, inside.name), frame=around.id)
    return Phase.FINISH


def resume_event(step: StepBuilder) -> Phase:
    """Judge, once, the first external event that waited for the frame in charge; return the next phase."""
    held = step.state.frame.held_events
    if not held or holds_back_events(step.state.frame):
        step.warn("late", "no event waits here")
        return Phase.FINISH
    step.emit(e.EventResumed(held[0].name))
    if held[0].name not in step.machine.events:
        step.warn("late", f"the flow declares no event '{held[0].name}' any more")
        return Phase.FINISH
    return _decide(step, held[0].name) or Phase.FINISH


def _decide(step: StepBuilder, name: str) -> Phase | None:
    """Judge the transitions for an event, and say what one says that stays. `None` if nothing was taken."""
    node, first = step.state.frame.node, len(step.entries)
    phase = decide(step, "event", firing=name, on_stay=Phase.FINISH)
    candidates = step.machine.candidates(node, "event").all
    decided = [one.event for one in step.entries[first:] if isinstance(one.event, e.Decided)]
    taken = candidates[decided[0].taken].action if decided and decided[0].taken >= 0 else None
    if isinstance(taken, Stay):
        text = step.fill(taken.say) if taken.say is not None else ""
        if text.strip():
            say_beside(step, text, "notice")
    elif taken is not None:
        step.continues = step.continues and not step.doing.moves
    return phase


def say_beside(step: StepBuilder, text: str, kind: Any) -> None:
    """Send a text of the reply kind `kind` that leaves the open question open; the question's buttons are offered
    again.
    """
    question = step.state.frame.question
    asked, field = (question.kind, question.field) if question is not None else (None, "")
    step.emit(e.Said(text, kind, offered_now(step.machine, step.state), asked, field))
