"""Opening a form: a new visit is a new run, on the values that are there (laws 5.12, 7.6)."""

from __future__ import annotations

from typing import Any

from turnwise.core.accept import accept
from turnwise.core.events import CommandRefused, FieldCleared, FieldSet, FormChanged
from turnwise.core.forms.run import settle, standing
from turnwise.core.machine import LinkedForm, Question
from turnwise.core.state import FormRun
from turnwise.core.turn import Turn
from turnwise.core.values import Refused


def open_form(turn: Turn, form: LinkedForm) -> None:
    """Begin a run: on cleared fields where `fresh`, with known values taken or offered."""
    if form.form.fresh:
        clear_answers(turn, form)
    suggested: dict[str, Any] = {}
    for question in form.questions:
        suggested |= _prefilled(turn, form, question)
    settle(turn, form)
    turn.emit(FormChanged(standing(form, FormRun(suggested=suggested), turn.state)))


def clear_answers(turn: Turn, form: LinkedForm) -> None:
    """Take away every answer of the form, the inactive ones too."""
    for question in form.questions:
        if question.address in turn.state.values or question.address in turn.state.shelved:
            turn.emit(FieldCleared(question.address, "set"))


def _prefilled(turn: Turn, form: LinkedForm, question: Question) -> dict[str, Any]:
    """A value known from elsewhere: taken by the one path, or set aside to be offered."""
    address = question.address
    found = turn.state.values.get(address)
    default = question.field.default
    if found is None:
        is_blank = default is None or (isinstance(default, str) and not default.strip())
        return {} if is_blank else {address: default}
    if not form.form.prefill:
        return {}
    value = accept(turn.machine, turn.state, address, found.value, question)
    if isinstance(value, Refused):
        turn.emit(FieldCleared(address, "prefill"))
        turn.emit(CommandRefused("set", value.reason, address))
        return {}
    if form.form.prefill == "ask":
        turn.emit(FieldCleared(address, "prefill"))
        return {address: value}
    if value != found.value:
        turn.emit(FieldSet(address, value, "prefill", place=found.place))
    return {}
