"""Handles an answer to a question that is closed or that the user has not seen: it decides nothing (laws 3.8, 4.5)."""

from __future__ import annotations

from turnwise.core.forms.buttons import answers_secret
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.step.receive import offered_now
from turnwise.core.tools import consent
from turnwise.core.turn import Phase, StepBuilder


def ask_unseen_question_again(step: StepBuilder, before: State, event: e.OutsideEvent) -> Phase | None:
    """Ask an approval or confirmation again that no caller received or a timer asked, since a yes of the user then
    means an earlier question; else return `None`. `before` is the state before the event.
    """
    if not isinstance(event, e.UserSaid | e.UserChose) or event.is_new:
        return None
    if isinstance(event, e.UserChose) and event.position is not None:
        return None  # it names the question that it answers
    is_summary = before.frame.question is not None and before.frame.question.kind == "confirmation"
    if (before.frame.awaiting_approval is None and not is_summary) or not before.may_question_be_unseen:
        return None
    if isinstance(event, e.UserChose):
        hide_answer(step, event)
    step.warn("late", "the message came before the open question reached the user, so it does not answer it")
    step.say(step.machine.language.text("unseen_question"), "unseen_question")
    return consent.ask_again(step)


def answer_button(step: StepBuilder, before: State, event: e.UserChose) -> Phase:
    """Answer a button of a closed question, or one that is not offered, and ask the current question again. `before` is
    the state before the event.
    """
    hide_answer(step, event)
    was_offered = event.position is not None or bool(before.frame.question and offered_now(step.machine, before))
    why = "the button belongs to a question that is no longer open" if was_offered else "no button is offered here"
    step.warn("stale_button", why)
    step.say(step.machine.language.text("stale_button" if was_offered else "nothing_offered"), "stale_button")
    return consent.ask_again(step)


def hide_answer(step: StepBuilder, event: e.UserChose) -> None:
    """Hide from models a button press that sets no field, if it answers a secret question."""
    if answers_secret(step.machine, event.value):
        step.emit(e.WordsHidden((step.doing.seq, 0, len(event.value))))
