"""A message comes to a form: what can be read without a model is, else understanding is asked for."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.commands import AnyCommand
from turnwise.core.effects import Understand
from turnwise.core.events import CommandApplied, Missed
from turnwise.core.forms import buttons, direct
from turnwise.core.forms.apply import FormHearing
from turnwise.core.forms.run import change, settle, standing
from turnwise.core.forms.values import OTHER
from turnwise.core.machine import LinkedForm
from turnwise.core.state import FormRun, How
from turnwise.core.turn import Phase, Turn


def hear_form(turn: Turn, form: LinkedForm) -> Phase:
    """Read the turn's button or message."""
    doing, state = turn.doing, turn.state
    if doing.button is not None:
        if _is_other(turn, form, doing.button):
            return _await_other(turn)
        return take(turn, form, direct.of_button(turn.machine, state, form, doing.button), "button")
    text = doing.message or ""
    found = direct.of_text(turn.machine, state, form, text)
    if found is not None:
        return take(turn, form, found, "direct")
    if direct.needs_model(state, form):
        return turn.ask(Understand(turn.effect_id()))
    return take(turn, form, (), "direct")


def take(turn: Turn, form: LinkedForm, commands: tuple[AnyCommand, ...], how: How) -> Phase:
    """Apply commands to a form, see where it stands then, and count what was not understood."""
    question = turn.state.question
    run = turn.state.frame.form
    assert run is not None
    hearing = FormHearing(turn, form, run, how)
    hearing.apply_all(commands)
    run = hearing.run
    settle(turn, form)
    if question is not None and turn.doing.kind in ("said", "chose") and not _was_heard(turn):
        turn.emit(Missed(question.field))
        run = _missed(turn, form, run, question.field)
    change(turn, standing(form, run, turn.state))
    return Phase.BEFORE


def _was_heard(turn: Turn) -> bool:
    """True if the message did something, be it to be refused."""
    return bool(turn.doing.heard)


def _missed(turn: Turn, form: LinkedForm, run: FormRun, field: str) -> FormRun:
    """Count a miss of this question; after the last rung of its ladder comes what `then` says (law 5.8)."""
    question = form.by_address.get(field)
    if question is None:
        return run
    misses = run.misses.get(field, 0) + 1
    run = replace(run, misses={**run.misses, field: misses})
    if misses <= len(question.rephrase) or not question.form_field.then:
        return run
    hearing = FormHearing(turn, form, run, "default")
    match question.form_field.then:
        case "skip":
            return hearing.skip()
        case "default":
            return hearing.take_default(question)
        case _:
            return hearing.hand_over()


def _is_other(turn: Turn, form: LinkedForm, value: str) -> bool:
    """True if the button asks for an answer in free text."""
    run = turn.state.frame.form
    question = form.by_address.get(run.asked) if run is not None else None
    if question is None or not question.form_field.other:
        return False
    button = buttons.find(buttons.offered(turn.machine, turn.state, form), value)
    return button is not None and button.value == OTHER


def _await_other(turn: Turn) -> Phase:
    run = turn.state.frame.form
    assert run is not None
    turn.emit(CommandApplied("other", run.asked))
    change(turn, replace(run, awaits_other=True))
    return Phase.BEFORE
