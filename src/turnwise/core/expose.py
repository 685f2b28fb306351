"""What understanding is shown at this moment (laws 3.4, 5.10, section 7): only this may be proposed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwise.core.exposure import Exposed, ExposedField
from turnwise.core.guards.env import live
from turnwise.core.machine import LinkedForm, Machine, Question
from turnwise.core.state import FormRun, State
from turnwise.core.values import is_free_text
from turnwise.flow.model import Field

FORM_COMMANDS = ("set", "clear", "edit", "skip", "help", "repeat", "wait", "cancel", "restart", "hand_over")
_FIELD_COMMANDS = ("set", "clear")
_LIST_COMMANDS = ("add", "remove")
_EVERYWHERE = ("set", "clear", "add", "remove", "edit")


def exposed(machine: Machine, state: State) -> Exposed:
    """The fields and commands that a message may use, and the question that is open."""
    node = machine.nodes[state.node]
    run = state.frame.form
    again = state.doing is not None and any(name != state.node for name in state.doing.understood_for)
    fields: dict[str, ExposedField] = {}
    commands: dict[str, None] = {}
    if node.form is not None and run is not None:
        fields |= _of_form(state, node.form, run)
        commands |= dict.fromkeys(form_commands(run))
    if node.collects:
        fields |= {address: _field(machine, state, address) for address in node.collects}
        commands |= dict.fromkeys(_FIELD_COMMANDS)
    if not again:
        names = machine.flow.commands.names
        commands |= dict.fromkeys(names)
        if any(name in _EVERYWHERE for name in names):
            fields = {a: _field(machine, state, a) for a, f in machine.fields.items() if not f.secret} | fields
    if any(_is_list(field.field) for field in fields.values()):
        commands |= dict.fromkeys(_LIST_COMMANDS)
    return Exposed(
        language=machine.language.code,
        zone=state.time_zone,
        now_ms=state.at_ms,
        fields=tuple(fields.values()),
        commands=tuple(commands) if fields or not again else (),
        asked=asked(state),
        last=state.last_field if state.last_field in fields else "",
        question=state.question.kind if state.question is not None else "",
    )


def form_commands(run: FormRun) -> Iterable[str]:
    """The commands of a form (law 5.10): yes and no only where something is to be confirmed."""
    if run.status == "cancelled":
        return ("restart", "help", "hand_over")
    if run.status == "awaiting_confirmation" or run.asked in run.suggested:
        return ("affirm", "deny", *FORM_COMMANDS)
    return FORM_COMMANDS


def asked(state: State) -> str:
    """The field whose question is open, empty before it was put."""
    question = state.question
    return question.field if question is not None and question.kind == "field" else ""


def _of_form(state: State, form: LinkedForm, run: FormRun) -> dict[str, ExposedField]:
    """The form's fields, without those that no model may see (`match: direct`)."""
    if run.status == "cancelled":
        return {}
    env = live(state)
    return {
        question.address: _question(state, question, question.ask(env))
        for question in form.questions
        if question.match != "direct"
    }


def _question(state: State, question: Question, title: str) -> ExposedField:
    is_free = is_free_text(question.field) or question.form_field.other
    return ExposedField(question.address, question.field, title, value_of(state, question.address), is_free)


def _field(machine: Machine, state: State, address: str) -> ExposedField:
    field = machine.fields[address]
    return ExposedField(address, field, machine.title(address), value_of(state, address), is_free_text(field))


def value_of(state: State, address: str) -> Any:
    """The value that a field holds, `None` where it is missing; defaults are no values here."""
    found = state.values.get(address)
    return None if found is None else found.value


def _is_list(field: Field) -> bool:
    return field.type == "list"
