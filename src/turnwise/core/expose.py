"""What understanding is shown at this moment (laws 3.4, 5.10, section 7): only this may be proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from turnwise.core.exposure import Exposed, ExposedField
from turnwise.core.guards.env import live
from turnwise.core.lacking import lacking
from turnwise.core.machine import LinkedForm, LinkedNode, Machine, Question
from turnwise.core.state import FormRun, State
from turnwise.core.values import REDACTED, is_free_text
from turnwise.flow.lenient import altered
from turnwise.flow.model import Field

FORM_COMMANDS = ("set", "clear", "edit", "skip", "help", "repeat", "wait", "cancel", "restart", "hand_over")
_FIELD_COMMANDS = ("set", "clear")
_LIST_COMMANDS = ("add", "remove")
_AGAIN = (*_FIELD_COMMANDS, "help", "repeat", "wait")
"""Commands of a form that a message may give which was understood by another node before (law 2.7)."""
_ANSWERS = ("affirm", "deny")
_EVERYWHERE = ("set", "clear", "add", "remove", "edit")


def exposed(machine: Machine, state: State, conversation: str = "", *, has_model: bool = False) -> Exposed:
    """The fields and commands that a message may use, and the question that is open."""
    node = machine.nodes[state.node]
    run = state.frame.form
    understood_for = state.doing.understood_for if state.doing is not None else ()
    again = bool(understood_for) and any(name != state.node for name in understood_for)
    fields: dict[str, ExposedField] = {}
    commands: dict[str, None] = {}
    if node.form is not None and run is not None:
        fields |= _of_form(state, node.form, run)
        commands |= dict.fromkeys(form_commands(run) if not again else _AGAIN)
    if node.collects:
        own = {a: _field(machine, state, a) for a in _collected(state, node)}
        fields |= own
        commands |= dict.fromkeys(_FIELD_COMMANDS)
    if not again:
        names = machine.flow.commands.names
        commands |= dict.fromkeys(names)
        if any(name in _EVERYWHERE for name in names):
            fields = {a: _field(machine, state, a) for a in machine.fields if _is_shown(machine, a)} | fields
    if state.held is not None and not again:
        commands |= dict.fromkeys(_ANSWERS)
    if fields and any(_is_list(field.field) for field in fields.values()):
        commands |= dict.fromkeys(_LIST_COMMANDS)
    return Exposed(
        conversation=conversation,
        has_model=has_model,
        language=machine.language.code,
        zone=state.time_zone,
        now_ms=state.at_ms,
        fields=tuple(fields.values()),
        commands=tuple(commands) if fields or not again else (),
        asked=asked(state),
        last=state.last_field if state.last_field in fields else "",
        question=state.question.kind if state.question is not None else "",
        phrases=machine.language.own,
        needed=_needed(machine, state, fields) if fields else (),
    )


def exposed_to_rules(machine: Machine, state: State, address: str) -> Exposed:
    """The one question of a form that the offline rules may answer, where no model may read the message (law 5.2)."""
    node, run = machine.nodes[state.node], state.frame.form
    assert node.form is not None
    assert run is not None
    question, shown = node.form.by_address[address], exposed(machine, state)
    field = _question(state, run, question, question.ask(live(state)))
    if run.awaits_other:
        as_text = altered(question.field, type="string", of=None, options=(), min=None, max=None)
        field = replace(field, field=as_text, is_free_text=True)
    lists = _LIST_COMMANDS if _is_list(field.field) else ()
    commands = (*(name for name in shown.commands if name not in _LIST_COMMANDS), *lists)
    last = address if state.last_field == address else ""
    return replace(shown, fields=(field,), commands=commands, last=last, needed=())


def listens(machine: Machine, state: State) -> bool:
    """False where a message could use nothing, no field and no command, so that it is not read."""
    node = machine.nodes[state.node]
    is_in_form = node.form is not None and state.frame.form is not None
    return bool(node.collects or is_in_form or machine.flow.commands.names or state.held is not None)


def _collected(state: State, node: LinkedNode) -> tuple[str, ...]:
    """The collected fields that may be filled now: all, or the next one that is missing (law 5.16)."""
    found = tuple([a for a in node.collects if not (node.form and _is_direct(node.form, a))])
    if node.node.collect is None or node.node.collect.expose == "all":
        return found
    missing = [address for address in found if address not in state.values]
    return tuple(missing[:1]) or found


def _needed(machine: Machine, state: State, fields: Mapping[str, ExposedField]) -> tuple[str, ...]:
    """What the node lacks, once it has said so; where a form asks, its question says more."""
    has_spoken = state.frame.entered_turn != state.turn
    if state.question is not None or state.frame.form is not None or not has_spoken:
        return ()
    return tuple(address for address in lacking(machine, state) if address in fields)


def _is_shown(machine: Machine, address: str) -> bool:
    """True unless a field is secret, or asked for where no model may read the answer."""
    forms = (machine.nodes[name].form for name in machine.forms_of.get(address, ()))
    field = machine.fields[address]
    return not field.secret and not field.value and not any(form and _is_direct(form, address) for form in forms)


def _is_direct(form: LinkedForm, address: str) -> bool:
    question = form.by_address.get(address)
    return question is not None and question.match == "direct"


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
        question.address: _question(state, run, question, question.ask(env))
        for question in form.questions
        if question.match != "direct"
    }


def _question(state: State, run: FormRun, question: Question, title: str) -> ExposedField:
    """A question as understanding sees it; what is only suggested is no answer yet."""
    form_field = question.form_field
    is_free = is_free_text(question.field) or form_field.other
    value = None if question.address in run.suggested else value_of(state, question.address, question.field)
    return ExposedField(question.address, question.field, title, value, is_free, form_field.anything)


def _field(machine: Machine, state: State, address: str) -> ExposedField:
    field = machine.fields[address]
    return ExposedField(address, field, machine.title(address), value_of(state, address, field), is_free_text(field))


def value_of(state: State, address: str, field: Field) -> Any:
    """The value that a field holds, `None` where it is missing; defaults are no values, secrets are not told."""
    found = state.values.get(address)
    if found is None:
        return None
    return REDACTED if field.secret else found.value


def _is_list(field: Field) -> bool:
    return field.type == "list"
