"""Opening a form: a new visit is a new run, on the values that are there (laws 5.12, 7.6).

A value that is only suggested stays where it is: guards read it, and to the form it is missing.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.accept import accept
from turnwise.core.events import CommandRefused, FieldCleared, FieldSet, FormChanged
from turnwise.core.forms import artefacts
from turnwise.core.forms.run import settle, standing
from turnwise.core.machine import LinkedForm, Question
from turnwise.core.state import FormRun
from turnwise.core.turn import Turn
from turnwise.core.values import Refused


def open_form(turn: Turn, form: LinkedForm) -> None:
    """Begin a run: on cleared fields where `fresh`, with known values taken or offered."""
    run = cleared(turn, form) if form.form.fresh else _on_known(turn, form)
    settle(turn, form)
    turn.emit(FormChanged(settled(turn, form, run)))


def cleared(turn: Turn, form: LinkedForm) -> FormRun:
    """A new run without any answer of the form, the inactive ones too; defaults are offered."""
    for question in form.questions:
        if question.address in turn.state.values or question.address in turn.state.shelved:
            turn.emit(FieldCleared(question.address, "set"))
    return _on_known(turn, form)


def settled(turn: Turn, form: LinkedForm, run: FormRun) -> FormRun:
    """Where a run stands now; one that is complete and asks for no confirmation is handed over at once."""
    run = standing(form, run, turn.state)
    if run.status == "confirmed" and form.form.handoff:
        artefacts.hand_over(turn, form, run, form.form.handoff)
        return replace(run, status="handed_off")
    return run


def _on_known(turn: Turn, form: LinkedForm) -> FormRun:
    suggested: dict[str, Any] = {}
    for question in form.questions:
        suggested |= _prefilled(turn, form, question)
    return FormRun(suggested=suggested)


def _prefilled(turn: Turn, form: LinkedForm, question: Question) -> dict[str, Any]:
    """What is offered for a question: its default, or the value that is known; else that value is taken."""
    address = question.address
    found = turn.state.values.get(address)
    if found is None:
        default = accept(turn.machine, turn.state, address, question.field.default, question)
        return {} if isinstance(default, Refused) else {address: default}
    if not form.form.prefill:
        return {}
    value = accept(turn.machine, turn.state, address, found.value, question)
    if isinstance(value, Refused):
        turn.emit(FieldCleared(address, "prefill"))
        turn.emit(CommandRefused("set", value.reason, address))
        return {}
    if form.form.prefill == "ask":
        return {address: value}
    if value != found.value:
        turn.emit(FieldSet(address, value, "prefill", place=found.place))
    return {}
