"""The buttons of a form: options, confirmation, suggestion, chooser of answers, restart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwise.core.commands import refusal_by_validators
from turnwise.core.forms import answered, lists, text_env
from turnwise.core.language import Language, normalized
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.state import FormRun, State
from turnwise.core.state.events import Button
from turnwise.core.values import Refused, read_value

CONFIRM, EDIT, RESTART, OTHER = "confirm", "edit", "restart", "other"
YES, NO = "yes", "no"


def form_buttons(machine: Machine, state: State, form: LinkedForm) -> tuple[Button, ...]:
    """Return the buttons for the current status of the form."""
    run = state.frame.form
    assert run is not None
    language = machine.language
    if run.status == "cancelled":
        return (restart_button(language),)
    if run.status == "stopped":
        return (restart_button(language), *question_buttons(form, run, state, form.by_address[run.asked]))
    if run.editing == "chooser":
        return chooser_buttons(machine, state, form)
    if run.status == "awaiting_confirmation":
        return confirmation_buttons(language, form, run, state)
    if run.asked in run.suggested and not run.awaits_other:
        return suggestion_buttons(language)
    return question_buttons(form, run, state, form.by_address[run.asked]) if run.asked else ()


def question_buttons(form: LinkedForm, run: FormRun, state: State, question: Question) -> tuple[Button, ...]:
    """Return the buttons of a question; labels that are templates are rendered now."""
    if not question.labels:
        has_none = bool(question.items) and not lists.items_of(state, question)
        return question.first_buttons if has_none else question.buttons
    env = text_env(form, run, state, question.address)
    found = question.labels.get
    return tuple(Button(label(env), one.value) if (label := found(one.value)) else one for one in question.buttons)


def confirmation_buttons(language: Language, form: LinkedForm, run: FormRun, state: State) -> tuple[Button, ...]:
    """Return the buttons that confirm (*Looks Good*) and edit (*Edit Answers*), with the form's own labels if any."""
    own = dict(form.form.confirm.buttons) if form.form.confirm else dict[str, str]()
    for key, label in form.labels.items():
        own[key] = label(text_env(form, run, state, ""))
    confirm = own.get("yes") or language.text("buttons_confirm")
    return (Button(confirm, CONFIRM), Button(own.get("edit") or language.text("buttons_edit"), EDIT))


def suggestion_buttons(language: Language) -> tuple[Button, ...]:
    """Return the buttons yes and no for a suggested value."""
    return (Button(language.text("buttons_yes"), YES), Button(language.text("buttons_no"), NO))


def chooser_buttons(machine: Machine, state: State, form: LinkedForm) -> tuple[Button, ...]:
    """Return one button per answer that can be changed; for a correction without a field, those that accept it."""
    run = state.frame.form
    assert run is not None
    if run.choosing:
        from turnwise.core.forms.item_choice import item_chooser_buttons

        return item_chooser_buttons(machine, state, form, run)
    return tuple(
        Button(question.ask(text_env(form, run, state, question.address)), question.key)
        for question in answered(form, run, state)
        if run.correction is None or accepts_value(machine, state, question, run.correction)
    )


def accepts_value(machine: Machine, state: State, question: Question, value: Any) -> bool:
    """Return whether a question accepts a value; a free text given as *Other* does not count."""
    stored = read_value(question.field, value, rules_of(machine, state))
    if isinstance(stored, Refused):
        return False
    return refusal_by_validators(machine, state, question.address, stored, question) is None


def restart_button(language: Language) -> Button:
    """Return the button that restarts the form."""
    return Button(language.text("buttons_restart"), RESTART)


def button_with(buttons: Iterable[Button], value: str) -> Button | None:
    """Return the button with this value or, if there is none, with this label, compared without case and spacing; else
    `None`.
    """
    known = list(buttons)
    wanted = normalized(value)
    for names in ([button.value for button in known], [button.label for button in known]):
        for button, name in zip(known, names, strict=True):
            if name == value or normalized(name) == wanted:
                return button
    return None


def label_of(machine: Machine, state: State, value: str) -> str:
    """Return the label of the button with a value; the value itself if the open form has no button with it."""
    run, node = state.frame.form, machine.nodes.get(state.node)
    if run is None or node is None or node.form is None or run.answers:
        return value
    pressed = button_with(form_buttons(machine, state, node.form), value)
    return pressed.label if pressed is not None else value


def answers_secret(machine: Machine, value: str) -> bool:
    """Return whether a button value may be the answer to a secret question of the flow, whichever question is open."""
    if not machine.has_secrets:
        return False
    forms = (node.form for node in machine.nodes.values() if node.form is not None)
    questions = (one for form in forms for one in form.questions if one.field.secret)
    return button_with((button for one in questions for button in one.buttons), value) is not None
