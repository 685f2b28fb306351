"""Where a run of a form stands: what is asked next, which answers count, whether it is complete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from msgspec.structs import replace

from turnwise.core.accept import holds, refusing
from turnwise.core.events import FieldRevived, FieldShelved, FormChanged
from turnwise.core.guards.env import Env, live
from turnwise.core.machine import LinkedForm, Machine, Question
from turnwise.core.state import FormRun, State
from turnwise.core.turn import Turn

SETTLED = ("cancelled", "handed_off", "confirmed")


def allowed(form: LinkedForm, env: Env) -> Sequence[Question]:
    """The questions whose `ask_when` holds now, in order."""
    if not form.has_conditions:
        return form.questions
    return [question for question in form.questions if holds(question.ask_when, env)]


def next_question(form: LinkedForm, run: FormRun, state: State) -> Question | None:
    """Law 5.3: the first that is allowed and missing, required before optional."""
    missing = [q for q in allowed(form, live(state)) if q.address not in state.values]
    for question in missing:
        if question.form_field.required and question.form_field.asked:
            return question
    for question in missing:
        if not question.form_field.required and question.form_field.asked and question.address not in run.skipped:
            return question
    return None


def stopping(form: LinkedForm, state: State) -> Question | None:
    """The first question, in order, whose answer ends the form."""
    for question in form.questions:
        found = state.values.get(question.address)
        if found is not None and question.stop_values and is_stop(question, found.value):
            return question
    return None


def is_stop(question: Question, value: Any) -> bool:
    """True if a value, or an item of it, is a stop value of the question."""
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    return any(item in question.stop_values for item in values)


def answered(form: LinkedForm, state: State) -> list[Question]:
    """The questions that have an answer that counts, in order."""
    return [question for question in form.questions if question.address in state.values]


def progress(form: LinkedForm, state: State) -> int:
    """Answered required questions among the required ones, per cent."""
    required = [question for question in allowed(form, live(state)) if question.form_field.required]
    done = sum(question.address in state.values for question in required)
    return 100 if not required else round(100 * done / len(required))


def settle(turn: Turn, form: LinkedForm) -> None:
    """Law 5.7: answers that no longer apply are shelved, those that apply again are revived."""
    if not form.has_conditions and not form.has_validators:
        return
    for _ in form.questions:
        if not _settle_once(turn, form):
            return


def _settle_once(turn: Turn, form: LinkedForm) -> bool:
    changed = False
    for question in form.questions:
        state = turn.state
        kept = state.values.get(question.address) or state.shelved.get(question.address)
        if kept is None:
            continue
        applies = _applies(turn.machine, state, question, kept.value)
        if applies != (question.address in state.values):
            turn.emit(FieldRevived(question.address) if applies else FieldShelved(question.address))
            changed = True
    return changed


def _applies(machine: Machine, state: State, question: Question, value: Any) -> bool:
    if not holds(question.ask_when, live(state)):
        return False
    return refusing(machine, state, question.address, value, question) is None


def standing(form: LinkedForm, run: FormRun, state: State) -> FormRun:
    """The run with the status and the question that follow from the answers alone."""
    if run.status in SETTLED:
        return run
    stop = stopping(form, state)
    if stop is not None:
        return replace(run, status="stopped", stopped_at=stop.address, asked=stop.address, editing="", walk=())
    run = replace(run, stopped_at="")
    if run.editing == "one" and run.asked:
        return replace(run, status="collecting")
    if run.editing == "walk" and run.walk:
        return replace(run, status="collecting", asked=run.walk[0])
    following = next_question(form, run, state)
    status = "collecting" if following else "awaiting_confirmation" if form.form.confirm else "confirmed"
    if run.editing == "chooser":
        return replace(run, status=status if status != "confirmed" else "collecting", asked="")
    return replace(run, status=status, asked=following.address if following else "", editing="", walk=())


def change(turn: Turn, run: FormRun) -> None:
    """Record the run, where it is another than before."""
    if run != turn.state.frame.form:
        turn.emit(FormChanged(run))
