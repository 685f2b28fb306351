"""Handles a message to a form: first by exact rules, else by requesting understanding."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.forms import direct
from turnwise.core.forms.interpreter import FormHearing
from turnwise.core.forms.run import SETTLED, change, is_answered, settle, settled
from turnwise.core.machine import LinkedForm
from turnwise.core.state import FormRun, How
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import Understand
from turnwise.core.state.events import CommandApplied, Missed
from turnwise.core.turn import Phase, Turn


def hear_form(turn: Turn, form: LinkedForm) -> Phase:
    """Read the turn's button or message."""
    doing, state = turn.doing, turn.state
    text = doing.message or ""
    if direct.wants_other(state, form, doing.button or text):
        return _await_other(turn)
    if doing.button is not None:
        return take(turn, form, direct.of_button(turn.machine, state, form, doing.button), "button")
    found = direct.of_text(turn.machine, state, form, text)
    if found is not None:
        return take(turn, form, found, "direct")
    courtesy = direct.courtesy(turn.machine, state, form, text)
    if courtesy:
        turn.emit(CommandApplied("courtesy", text=turn.machine.language.text(courtesy)))
        return Phase.BEFORE
    return turn.ask(Understand(turn.effect_id(), direct.read_by_rules(state, form)))


def take(turn: Turn, form: LinkedForm, commands: tuple[AnyCommand, ...], how: How) -> Phase:
    """Apply commands to a form, see where it stands then, and count what was not understood."""
    question = turn.state.question
    run = turn.state.frame.form
    assert run is not None
    hearing = FormHearing(turn, form, run, how)
    hearing.apply_all(commands)
    run = hearing.run
    settle(turn, form)
    if question is not None and run.status not in SETTLED and not _was_heard(turn):
        turn.emit(Missed(question.field))
        hearing.hide(question.field, None)
        run = _missed(turn, form, run)
    change(turn, settled(turn, form, run))
    return Phase.BEFORE


def _was_heard(turn: Turn) -> bool:
    """True if there was nothing to understand, or it did something, be it to be refused in words."""
    is_message = turn.doing.kind in ("said", "chose")
    return not is_message or any(heard.kind != "refused" or heard.text for heard in turn.doing.heard)


def _missed(turn: Turn, form: LinkedForm, run: FormRun) -> FormRun:
    """Count a miss of the question that is asked; after the last rung of its ladder comes what `then` says
    (law 5.8), which never takes the place of an answer that is there.
    """
    question = form.by_address.get(run.asked)
    if question is None or run.status != "collecting":
        return run
    misses = run.misses.get(run.asked, 0) + 1
    run = replace(run, misses={**run.misses, run.asked: misses})
    if misses <= len(question.rephrase) or not question.form_field.then:
        return run
    hearing = FormHearing(turn, form, run, "default")
    has_answer = is_answered(run, turn.state, question.address)
    match "skip" if has_answer and question.form_field.then == "default" else question.form_field.then:
        case "skip":
            return hearing.skip()
        case "default":
            return hearing.take_default(question)
        case _:
            return hearing.hand_over()


def _await_other(turn: Turn) -> Phase:
    run = turn.state.frame.form
    assert run is not None
    turn.emit(CommandApplied("other", run.asked))
    change(turn, replace(run, awaits_other=True))
    return Phase.BEFORE
