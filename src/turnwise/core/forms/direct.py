"""What a message to a form means without any model (laws 3.4, 5.2, 5.5, 5.10).

Buttons, exact options and typed answers, for the asked field only; whole phrases for commands.
"""

from __future__ import annotations

from typing import Any

from turnwise.core.commands import Affirm, AnyCommand, Deny, Edit, Restart, Set
from turnwise.core.expose import asked
from turnwise.core.forms import buttons
from turnwise.core.forms.run import answered
from turnwise.core.language import Language, normal
from turnwise.core.machine import LinkedForm, Machine, Question
from turnwise.core.phrases import command_phrase
from turnwise.core.state import FormRun, State
from turnwise.core.values import Refused, is_free_text, read_value

Commands = tuple[AnyCommand, ...]


def of_button(machine: Machine, state: State, form: LinkedForm, value: str) -> Commands:
    """The command of a button that is offered now."""
    run = _run(state)
    button = buttons.find(buttons.offered(machine, state, form), value)
    if button is None:
        return ()
    words = (0, len(value))
    if button.value == buttons.RESTART and run.status in ("stopped", "cancelled"):
        return (Restart(),)
    kind = state.question.kind if state.question is not None else "field"
    if kind == "confirmation":
        return (Affirm(words),) if button.value == buttons.CONFIRM else (Edit(words),)
    if kind == "chooser":
        question = _named(form, state, button.value)
        return (Edit(words, field=question.address),) if question else ()
    suggestion = _suggested(run)
    if suggestion is not None and button.value == buttons.YES:
        return (Affirm(words),)
    if suggestion is not None and button.value == buttons.NO:
        return (Deny(words),)
    question = form.by_address[run.asked]
    answer = _boolean(button.value) if question.field.type == "boolean" else button.value
    return (Set(words, 1.0, value=answer, field=question.address),)


def of_text(machine: Machine, state: State, form: LinkedForm, text: str) -> Commands | None:
    """The commands of a message that needs no understanding, `None` where it needs some."""
    run = _run(state)
    words = (0, len(text))
    question = form.by_address.get(run.asked)
    if run.awaits_other and question is not None:
        return (Set(words, 1.0, value=text.strip(), field=question.address),)
    kind = state.question.kind if state.question is not None else ""
    if kind == "confirmation" or (_suggested(run) is not None and asked(state) == run.asked):
        found = _yes_or_no(machine.language, text, words, is_suggestion=kind != "confirmation")
    elif kind == "chooser":
        found = _chosen(machine, state, form, text, words)
    else:
        found = None
    if found is None and question is not None and kind != "confirmation":
        found = _answer(machine, state, question, text, words)
    if found is None:
        command = command_phrase(machine, state, text)
        found = (command,) if command is not None else None
    return found


def needs_model(state: State, form: LinkedForm) -> bool:
    """False while a question is asked that no model may read (law 5.2)."""
    run = _run(state)
    question = form.by_address.get(run.asked)
    return question is None or question.match != "direct"


def _run(state: State) -> FormRun:
    run = state.frame.form
    assert run is not None
    return run


def _suggested(run: FormRun) -> Any:
    return run.suggested.get(run.asked)


def _yes_or_no(language: Language, text: str, words: tuple[int, int], *, is_suggestion: bool) -> Commands | None:
    """A closed intent: every part of the message must mean it (law 5.5)."""
    if language.all_mean("affirm", text):
        return (Affirm(words, 1.0),)
    if language.all_mean("edit", text):
        is_no = is_suggestion or language.means("false", text)
        return (Deny(words, 1.0),) if is_no else (Edit(words, 1.0),)
    return None


def _chosen(machine: Machine, state: State, form: LinkedForm, text: str, words: tuple[int, int]) -> Commands | None:
    """In a chooser: the answer that is named in full, or the wish to leave it."""
    button = buttons.find(buttons.offered(machine, state, form), text)
    question = _named(form, state, button.value if button else text)
    if question is not None:
        return (Edit(words, 1.0, field=question.address),)
    return (Deny(words, 1.0),) if machine.language.all_mean("leave_chooser", text) else None


def _named(form: LinkedForm, state: State, name: str) -> Question | None:
    """The answered question that has this key, field name or address."""
    wanted = normal(name)
    for question in answered(form, state):
        names = (question.key, question.address, question.field.name, question.field.name.replace("_", " "))
        if wanted in {normal(known) for known in names}:
            return question
    return None


def _answer(machine: Machine, state: State, question: Question, text: str, words: tuple[int, int]) -> Commands | None:
    """An exact option, or a typed answer, to the asked question."""
    if question.match == "model":
        return None
    is_open = asked(state) == question.address
    field = question.field
    if is_free_text(field):
        is_direct = question.match == "direct" and is_open and command_phrase(machine, state, text) is None
        return (Set(words, 1.0, value=text.strip(), field=question.address),) if is_direct else None
    if not is_open and field.type == "boolean":
        return None
    value = read_value(field, text, machine.rules)
    if isinstance(value, Refused):
        is_number_out_of_bounds = is_open and value.reason in ("min", "max")
        return (Set(words, 1.0, value=text, field=question.address),) if is_number_out_of_bounds else None
    return (Set(words, 1.0, value=value, field=question.address),)


def _boolean(value: str) -> bool | str:
    return {buttons.YES: True, buttons.NO: False}.get(value, value)
