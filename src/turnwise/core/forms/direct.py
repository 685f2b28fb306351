"""Understands a message to a form without a model (laws 3.4, 5.2, 5.5, 5.10).

Buttons, exact options and typed answers, for the asked field only; whole phrases for commands.
"""

from __future__ import annotations

from turnwise.core.commands.exposure import asked, command_phrase
from turnwise.core.forms import buttons
from turnwise.core.forms.buttons import CONFIRM, NO, OTHER, RESTART, YES
from turnwise.core.forms.run import answered
from turnwise.core.language import is_question, normal
from turnwise.core.machine import LinkedForm, Machine, Question
from turnwise.core.state import FormRun, State
from turnwise.core.state.commands import Affirm, AnyCommand, Deny, Edit, Restart, Set
from turnwise.core.state.events import Button
from turnwise.core.values import Refused, Value, is_free_text, match_option, read_value

Commands = tuple[AnyCommand, ...]


def of_button(machine: Machine, state: State, form: LinkedForm, value: str) -> Commands:
    """The command of a button that is offered now."""
    run = _run(state)
    button = buttons.find(buttons.offered(machine, state, form), value)
    if button is None:
        return ()
    words = (0, len(value))
    if button.value == RESTART and run.status in ("stopped", "cancelled"):
        return (Restart(),)
    kind = state.question.kind if state.question is not None else "field"
    if kind == "confirmation":
        return (Affirm(words),) if button.value == CONFIRM else (Edit(words),)
    if kind == "chooser":
        question = _named(form, state, button.value)
        return (Edit(words, field=question.address),) if question else ()
    if _is_suggested(state, run):
        return (Affirm(words),) if button.value == YES else (Deny(words),)
    question = form.by_address[run.asked]
    return (Set(words, 1.0, value=_sent(question, button), field=question.address),)


def of_text(machine: Machine, state: State, form: LinkedForm, text: str) -> Commands | None:
    """The commands of a message that needs no understanding, `None` where it needs some."""
    run, kind = _run(state), state.question.kind if state.question is not None else ""
    question = form.by_address.get(run.asked)
    found: Commands | None = None
    if run.status == "stopped" and question is not None and machine.language.all_mean("affirm", text):
        return _answer(machine, state, question, text) if _is_named(question, text) else ()
    if kind == "confirmation" or _is_suggested(state, run):
        found = _yes_or_no(machine, state, form, text)
    elif kind == "chooser":
        found = _chosen(machine, state, form, text)
    if found is None and question is not None and kind != "confirmation":
        found = _answer(machine, state, question, text)
    if found is not None:
        return found
    command = command_phrase(machine, state, text)
    return (command,) if command is not None else _at_place(machine, state, form, text)


def _at_place(machine: Machine, state: State, form: LinkedForm, text: str) -> Commands | None:
    """The button that a bare number counts out, where no answer or button has a number of its own."""
    run, number = _run(state), text.strip()
    question = form.by_address.get(run.asked)
    shown = buttons.offered(machine, state, form) if state.question is not None else ()
    is_number = question is not None and question.field.type in ("integer", "number") and not _is_suggested(state, run)
    if is_number or run.awaits_other or not (number.isdecimal() and number.isascii() and len(number) <= 3):
        return None
    if not 1 <= int(number) <= len(shown) or any(char.isdecimal() for one in shown for char in one.label + one.value):
        return None
    button = shown[int(number) - 1]
    return of_button(machine, state, form, button.value) if button.value != OTHER else None


def courtesy(machine: Machine, state: State, form: LinkedForm, text: str) -> str:
    """The courtesy that the whole message is, which is no answer; empty where it is none, or the question takes any
    text, be it thanks.
    """
    found = machine.language.courtesy(text)
    run = _run(state)
    question = form.by_address.get(run.asked)
    if state.question is None and run.status != "cancelled":
        return found if found == "greeting" else ""
    is_answer = question is not None and question.form_field.anything and asked(state) == question.address
    return "" if is_answer else found


def wants_other(state: State, form: LinkedForm, value: str) -> bool:
    """True if a button, or a text that is its label, asks for an answer in free text (*Other*)."""
    question = form.by_address.get(_run(state).asked)
    if question is None or not question.form_field.other or asked(state) != question.address:
        return False
    button = buttons.find(question.buttons, value)
    return button is not None and button.value == OTHER


def read_by_rules(state: State, form: LinkedForm) -> str:
    """The field whose answer only the offline rules may read, empty where a model may: that of `match: direct`, and
    one that awaits a free text beside its options.
    """
    run = _run(state)
    return run.asked if run.awaits_other or not needs_model(state, form) else ""


def needs_model(state: State, form: LinkedForm) -> bool:
    """False while a question is asked that no model may read (law 5.2)."""
    run = _run(state)
    question = form.by_address.get(run.asked)
    return question is None or question.match != "direct"


def _run(state: State) -> FormRun:
    run = state.frame.form
    assert run is not None
    return run


def _is_suggested(state: State, run: FormRun) -> bool:
    """True while a value that is known from elsewhere is put to the user."""
    return run.asked in run.suggested and asked(state) == run.asked and not run.awaits_other


def _yes_or_no(machine: Machine, state: State, form: LinkedForm, text: str) -> Commands | None:
    """A closed intent: every part of the message must mean it, and none may doubt it (law 5.5)."""
    if is_question(text):
        return None
    words, language = (0, len(text)), machine.language
    if language.all_mean("affirm", text):
        return (Affirm(words, 1.0),)
    is_suggestion = _is_suggested(state, _run(state))
    if language.all_mean("edit", text):
        is_no = is_suggestion or language.means("false", text)
        return (Deny(words, 1.0),) if is_no else (Edit(words, 1.0),)
    return of_button(machine, state, form, text) or None


def _chosen(machine: Machine, state: State, form: LinkedForm, text: str) -> Commands | None:
    """In a chooser: the answer that is named in full, or the wish to leave it."""
    words = (0, len(text))
    button = buttons.find(buttons.offered(machine, state, form), text)
    question = _named(form, state, button.value if button else text)
    if question is not None:
        return (Edit(words, 1.0, field=question.address),)
    return (Deny(words, 1.0),) if machine.language.all_mean("leave_chooser", text) else None


def _named(form: LinkedForm, state: State, name: str) -> Question | None:
    """The answered question that has this key, field name or address."""
    wanted = normal(name)
    for question in answered(form, _run(state), state):
        names = (question.key, question.address, question.field.name, question.field.name.replace("_", " "))
        if wanted in {normal(known) for known in names}:
            return question
    return None


def _answer(machine: Machine, state: State, question: Question, text: str) -> Commands | None:
    """An exact option, or a typed answer, to the asked question."""
    if _run(state).awaits_other or is_free_text(question.field) or question.match == "model":
        return None
    value = _typed(machine, question, text, is_open=asked(state) == question.address)
    return None if value is None else (Set((0, len(text)), 1.0, value=value, field=question.address),)


def _typed(machine: Machine, question: Question, text: str, *, is_open: bool) -> Value:
    """The answer that a text is, by value or by the label of a button; a number too high, or one that may be
    two, is one to refuse in words.
    """
    field = question.field
    if field.type == "boolean" and not is_open:
        return None
    if is_question(text) and (field.options or field.type == "boolean"):
        return _asked_literally(question, text)
    value = read_value(field, text, machine.rules)
    if not isinstance(value, Refused):
        return value
    button = buttons.find(question.buttons, text)
    if button is not None and button.value != OTHER:
        return _sent(question, button)
    return text if is_open and value.reason in ("min", "max", "ambiguous") else None


def _asked_literally(question: Question, text: str) -> Value:
    """The option that has a question mark of its own; else a `Yes?` doubts what it says."""
    found = match_option(question.field.options, text)
    return found if found is not None and is_question(found) else None


def _sent(question: Question, button: Button) -> Value:
    """The answer that a button sends."""
    sends = {YES: True, NO: False} if question.field.type == "boolean" else {}
    return sends.get(button.value, button.value)


def _is_named(question: Question, text: str) -> bool:
    """True if a text is an answer in the words of an option or a button."""
    is_option = match_option(question.field.options, text) is not None
    return is_option or buttons.find(question.buttons, text) is not None
