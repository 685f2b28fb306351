"""What a reply of a model does, by the purpose for which it was called; also one that failed."""

from __future__ import annotations

from turnwise.core.decision import catch, fail, phase_after_scope
from turnwise.core.decision.frames import close_with_summary
from turnwise.core.forms.speak import speak
from turnwise.core.offers import asking as offers
from turnwise.core.scopes import continues_after_scope
from turnwise.core.state import Fault
from turnwise.core.state import events as e
from turnwise.core.state.effects import NO_MODEL, CallModel
from turnwise.core.step import reply_guard
from turnwise.core.tools import calls, unclear
from turnwise.core.turn import Phase, StepBuilder


def model_replied(step: StepBuilder, awaited: CallModel, event: e.ModelReplied) -> Phase:
    """Process the reply to the model call `awaited`, by the purpose of the call; return the next phase."""
    if event.attempts:
        _warn_of_attempts(step, event.attempts)
    match awaited.purpose:
        case "reply" | "choose":
            return _replied_in_node(step, event)
        case "aside":
            assert step.node.form is not None
            step.say(reply_guard.guarded_reply(step, event.text), "reply")
            return speak(step, step.node.form, aside="")
        case "word":
            return _reworded(step, event.text.strip())
        case "offer":
            text = event.text.strip()
            return offers.ask_in_words(step, text if reply_guard.guarded_reply(step, text) == text else "")
        case "summary":
            return phase_after_scope(step, close_with_summary(step, awaited.about, event))


def model_failed(step: StepBuilder, awaited: CallModel, event: e.ModelFailed) -> Phase:
    """Process the failure of the model call `awaited`, by the purpose of the call; return the next phase."""
    if event.attempts:
        _warn_of_attempts(step, event.attempts)
    if event.code:
        step.warn("reply_failed", event.reason)
    match awaited.purpose:
        case "reply" | "choose":
            return _failed_in_node(step, event)
        case "aside":
            return _failed_aside(step, event)
        case "word":
            step.warn("wording_failed", event.reason)
            return _reworded(step, "")
        case "offer":
            step.warn("wording_failed", event.reason)
            return offers.ask_in_words(step, "")
        case "summary":
            return phase_after_scope(step, close_with_summary(step, awaited.about, event))


def _warn_of_attempts(step: StepBuilder, attempts: tuple[e.Attempt, ...]) -> None:
    """Warn of each reply of the model that was none (law 2.1)."""
    for attempt in attempts:
        if attempt.code:
            step.warn("reply_failed", f"a reply was discarded: {attempt.reason}")


def _replied_in_node(step: StepBuilder, event: e.ModelReplied) -> Phase:
    """The model replied for the node, or called tools; without calls its work is done."""
    is_empty = not step.doing.calls and not event.text.strip()
    if is_empty and not (event.model == NO_MODEL and continues_after_scope(step.state)):  # laws 2.1, 6.3
        return _without_reply(step, Fault("model", "the reply of the model is empty"))
    text = event.text if is_empty or step.node.reply_guard is None else reply_guard.guarded_reply(step, event.text)
    step.say(text, "reply")
    if step.doing.calls or step.state.frame.waiting_calls:
        return calls.handle_calls(step)
    step.emit(e.WorkDone(step.state.frame.node))
    return Phase.AFTER


def _failed_in_node(step: StepBuilder, event: e.ModelFailed) -> Phase:
    """The model failed; a reply that was cut off is kept and marked."""
    step.say(reply_guard.guarded_beginning(step, event.text), "cut")
    return _without_reply(step, Fault("model", event.reason, at=event.at))


def _without_reply(step: StepBuilder, fault: Fault) -> Phase:
    """The model gave no reply: `error` transitions are judged. An approval that it was to answer beside is asked
    again.
    """
    request = step.state.frame.awaiting_approval
    if request is None or step.state.frame.question is not None:
        return fail(step, fault)
    phase = catch(step, fault)
    if phase is None:
        unclear.say_nothing_done(step)
    return phase or Phase.FINISH


def _failed_aside(step: StepBuilder, event: e.ModelFailed) -> Phase:
    """The model failed to answer a question aside; unless an `error` transition is taken, the form asks on."""
    assert step.node.form is not None
    step.say(reply_guard.guarded_beginning(step, event.text), "cut")
    phase = catch(step, Fault("model", event.reason, at=event.at))
    if phase is None:
        step.say(step.machine.language.text("failed"), "reply")
    return phase or speak(step, step.node.form, aside="")


def _reworded(step: StepBuilder, text: str) -> Phase:
    """The model reworded a form's question; if it failed, the form uses its own text (law 5.11)."""
    assert step.node.form is not None
    text = text if reply_guard.guarded_reply(step, text) == text else ""
    return speak(step, step.node.form, aside="", worded=text)
