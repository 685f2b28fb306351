"""Handles one message or button press at a form: applies its commands, counts misses, and advances the form."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core import forms as runs
from turnwise.core.forms import AT_REST, beside, is_answered, named_option, unasked_values
from turnwise.core.forms.direct import Commands, FormReader, needs_model
from turnwise.core.forms.interpreter import FormInterpreter
from turnwise.core.linked_form import LinkedForm
from turnwise.core.state import FormRun, ValueOrigin
from turnwise.core.state.commands import Affirm
from turnwise.core.state.effects import Understand
from turnwise.core.state.events import CommandApplied, FormChanged, Missed
from turnwise.core.turn import Phase, StepBuilder


def interpret_message(step: StepBuilder, form: LinkedForm, run: FormRun) -> Phase:
    """Apply the turn's button or message, or request its understanding if a model has to read it; return the phase."""
    doing, text = step.doing, step.doing.message or ""
    reader = FormReader(step.machine, step.state, form, run)
    if reader.asks_for_other(doing.button or text):
        step.emit(CommandApplied("other", run.asked))
        if not run.awaits_other:
            step.emit(FormChanged(replace(run, awaits_other=True)))
        return Phase.BEFORE
    if doing.button is not None:
        return apply_commands(step, form, run, reader.commands_of_button(doing.button), "button")
    commands = reader.commands_of_text(text)
    if commands is not None:
        return apply_commands(step, form, run, commands, "direct", is_canonical=reader.is_canonical)
    courtesy = reader.courtesy(text)
    if courtesy:
        step.emit(CommandApplied("courtesy", text=step.machine.language.text(courtesy)))
        return Phase.BEFORE
    is_for_rules = run.awaits_other or not needs_model(form, run)
    return step.ask(Understand(step.effect_id(), run.asked if is_for_rules else ""))


def apply_commands(
    step: StepBuilder,
    form: LinkedForm,
    run: FormRun,
    commands: Commands,
    how: ValueOrigin,
    *,
    is_canonical: bool = False,
) -> Phase:
    """Apply commands to a form, count the message as missed if nothing in it was understood, and record the run. `how`
    is the origin of the commands; with `is_canonical` the values are as their fields store them.
    """
    question = step.state.frame.question
    if step.machine.option_sources:
        run, commands = _without_stale_choices(step, form, run, commands)
    if run.suggested and how != "button":
        commands = unasked_values.accept_repeated_texts(run, commands)
    interpreter = FormInterpreter(step, form, run, how, is_canonical=is_canonical)
    interpreter.apply_all(interpreter.fields.without_objections(commands))
    is_read = how in ("understood", "direct")
    run = unasked_values.suggest_values(interpreter, commands) if is_read else interpreter.run
    if form.has_conditions or form.has_validators:
        runs.shelve_inactive(step, form)
    if question is not None and run.status not in AT_REST and _is_missed(step):
        step.emit(Missed(question.field))
        interpreter.fields.hide(question.field, None)
        run = named_option.suggest_named_option(step, form, run) or _after_miss(step, form, run)
    elif question is None and _is_lost(step, form, run):
        step.emit(Missed())
    elif question is not None and step.machine.has_secrets:
        interpreter.fields.hide_rest(question.field, commands)
    if how == "understood" or run.asks_to_go_on:
        run = beside.asking_to_go_on(step, form, run, commands if how == "understood" else ())
    runs.advance(step, form, run)
    return Phase.BEFORE


def _is_lost(step: StepBuilder, form: LinkedForm, run: FormRun) -> bool:
    """Return whether nothing was taken of the message with which a form over items began; then the reply says so."""
    asked = form.by_address.get(run.asked)
    is_own = step.doing.kind == "said" and step.doing.start_node == step.state.frame.node
    is_of_items = asked is not None and bool(asked.items or asked.item_of)
    return is_own and is_of_items and run.status == "collecting" and _is_missed(step)


def _without_stale_choices(
    step: StepBuilder, form: LinkedForm, run: FormRun, commands: Commands
) -> tuple[FormRun, Commands]:
    """Shelve answers whose options are not what they were when they were chosen. A confirmation that was asked before
    that is not given.
    """
    if run.status != "awaiting_confirmation" or not any(one in step.machine.option_sources for one in form.by_address):
        return run, commands
    runs.shelve_inactive(step, form)
    now = runs.with_status(form, run, step.state)
    if now.status == run.status:
        return run, commands
    return now, tuple([one for one in commands if not isinstance(one, Affirm)])


def _is_missed(step: StepBuilder) -> bool:
    """Return whether the message or button had no effect, not even a refusal that the user can read."""
    for outcome in step.doing.outcomes:
        if outcome.kind != "refused" or outcome.text:
            return False
    return step.doing.kind in ("said", "chose")


def _after_miss(step: StepBuilder, form: LinkedForm, run: FormRun) -> FormRun:
    """Count a miss of the open question. After the last `rephrase`, do what `then` says (law 5.8); a default never
    replaces an existing answer.
    """
    question = form.by_address.get(run.asked)
    if question is None or run.status != "collecting":
        return run
    misses = run.misses.get(run.asked, 0) + 1
    run = replace(run, misses={**run.misses, run.asked: misses})
    if misses <= len(question.rephrase) or not question.form_field.then:
        return run
    interpreter = FormInterpreter(step, form, run, "default")
    has_answer = is_answered(run, step.state, question.address)
    match "skip" if has_answer and question.form_field.then == "default" else question.form_field.then:
        case "skip":
            interpreter.skip()
        case "default":
            interpreter.set_default(question)
        case _:
            interpreter.hand_over()
    return interpreter.run
