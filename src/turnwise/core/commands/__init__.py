"""Accepts a value for a field (parsed, canonical, validated), or refuses it with a reason (law 5.3).

The one path for buttons, texts, prefill, tools, transitions and edits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec.structs import replace as replace_struct

from turnwise.core.candidates import Guard
from turnwise.core.guards import Env, GuardFault
from turnwise.core.linked_form import Question
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine, Template
from turnwise.core.options import field_now, refused_answer
from turnwise.core.state import FieldValue, State
from turnwise.core.state.kinds import ValueRefusal
from turnwise.core.values import Refused, Rules, Value, match_option, read_value
from turnwise.flow.model import Field


def accept(
    machine: Machine, state: State, address: str, raw: object, question: Question | None = None
) -> Value | Refused:
    """Return the value that the field at an address would store for a raw value, or the refusal of the value. If it
    answers a `question` of a form, the field and validators of that question count, too.
    """
    field = question.field if question is not None else machine.fields[address]
    value = read_value(field, raw, rules_of(machine, state))
    if type(value) is Refused and address in machine.option_sources:  # an option that was added since they were shown
        now = read_value(field_now(machine, state, address), raw, rules_of(machine, state))
        value = value if type(now) is Refused else now
    if type(value) is Refused and question is not None and question.form_field.other:
        value = _other(question.field, raw, rules_of(machine, state))
    if type(value) is Refused:
        return with_authored_refusal(machine, state, address, value, question)
    is_other = question is not None and question.form_field.other
    if address in machine.option_sources and not is_other:
        refused = refused_answer(machine, state, address, value)
        if refused is not None:
            return refused
    refused = refusal_by_validators(machine, state, address, value, question)
    return refused if refused is not None else value


_BOUNDS: frozenset[ValueRefusal] = frozenset({"min", "max", "length", "pattern"})


def with_authored_refusal(
    machine: Machine, state: State, address: str, refused: Refused, question: Question | None = None
) -> Refused:
    """Return a refusal with the author's text (`refuse`), if it is about a bound or pattern; any other unchanged. The
    text is that of the answered `question`, else that of the field.
    """
    if refused.reason not in _BOUNDS:
        return refused
    own = question.refuse if question is not None else None
    text = own or machine.refusals.get(address)
    return refused if text is None else replace_struct(refused, text=text(Env(state.values, state)), words={})


def _other(field: Field, raw: object, rules: Rules) -> Value | Refused:
    """Return a free-text answer to a question with options; items that match an option get its canonical form."""
    if field.type != "list":
        return read_value(replace(field, type="string", options=()), raw, rules)
    found = read_value(replace(field, of="string", options=()), raw, rules)
    if not isinstance(found, list):
        return found
    return [match_option(field.options, item) or item for item in found]


def refusal_by_validators(
    machine: Machine, state: State, address: str, value: Value, question: Question | None = None
) -> Refused | None:
    """Return the refusal by the first validator of the field, then of the answered `question`, that fails; `None` if
    all pass. An unknown result passes.
    """
    failing = failing_validator(machine, state, address, value, question)
    if failing is None:
        return None
    _, text, env = failing
    return Refused("validate", text(env) if text is not None else machine.language.text("refused"))


def failing_validator(
    machine: Machine, state: State, address: str, value: Value, question: Question | None = None
) -> tuple[Guard, Template | None, Env] | None:
    """Return the first validator of the field, then of the answered `question`, that a value fails, with its text and
    environment; `None` if the value passes all.
    """
    validators: Iterable[tuple[Guard, Template | None]] = machine.validators.get(address, ())
    if question is not None:
        validators = (*validators, *question.validators)
    for guard, text in validators:
        supposed = FieldValue(value, "set", state.turn, state.at_ms)
        env = Env({**state.values, address: supposed}, state)
        try:
            held = guard.test(env)
        except GuardFault:
            held = False
        if held is False:
            return guard, text, env
    return None


def is_not_held(guard: Guard | None, env: Env) -> bool:
    """Return whether a guard is false; a guard that is missing, unknown or in error is not."""
    try:
        return guard is not None and guard.test(env) is False
    except GuardFault:
        return False


def holds(guard: Guard | None, env: Env) -> bool:
    """Return whether a guard is true, or there is no guard; unknown and error count as false."""
    if guard is None:
        return True
    try:
        return guard.test(env) is True
    except GuardFault:
        return False
