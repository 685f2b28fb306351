"""What a reply of a model does, by the purpose for which it was called; also one that failed."""

from __future__ import annotations

from typing import assert_never

from turnwise.core.decision import catch, going_on
from turnwise.core.decision.frames import summarised
from turnwise.core.forms.speak import speak
from turnwise.core.state import Fault
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel
from turnwise.core.step import reply_guard, work
from turnwise.core.turn import Phase, StepBuilder


def use(step: StepBuilder, awaited: CallModel, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """Process the reply of a model for the purpose for which it was called."""
    _warn_of_replies(step, event)
    match awaited.purpose:
        case "reply" | "choose":
            return work.model_answered(step, event)
        case "aside":
            return _answered_aside(step, event)
        case "word":
            return _reworded(step, event)
        case "summary":
            return going_on(step, summarised(step, awaited.about, event))
    assert_never(awaited.purpose)


def _warn_of_replies(step: StepBuilder, event: e.ModelReplied | e.ModelFailed) -> None:
    """Warn of each reply of the model that was none (law 2.1)."""
    for attempt in event.attempts:
        if attempt.code:
            step.warn("reply_failed", f"a reply was discarded: {attempt.reason}")
    if isinstance(event, e.ModelFailed) and event.code:
        step.warn("reply_failed", event.reason)


def _answered_aside(step: StepBuilder, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """The model answered a question aside, or failed; unless an `error` transition is taken, the form asks on."""
    assert step.node.form is not None
    if isinstance(event, e.ModelReplied):
        step.say(reply_guard.checked(step, event.text), "reply")
        return speak(step, step.node.form, aside="")
    step.say(reply_guard.begun(step, event.text), "cut")
    phase = catch(step, Fault("model", event.reason, at=event.at))
    if phase is None:
        step.say(step.machine.language.text("failed"), "reply")
    return phase or speak(step, step.node.form, aside="")


def _reworded(step: StepBuilder, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """The model reworded a form's question; if it failed, the form uses its own text (law 5.11)."""
    assert step.node.form is not None
    text = event.text.strip() if isinstance(event, e.ModelReplied) else ""
    text = text if reply_guard.checked(step, text) == text else ""
    if isinstance(event, e.ModelFailed):
        step.warn("wording_failed", event.reason)
    return speak(step, step.node.form, aside="", worded=text)
