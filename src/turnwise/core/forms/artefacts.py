"""What a form makes for the host: problem statement, draft, handoff (law 5.9)."""

from __future__ import annotations

from typing import Any

from turnwise.core.forms.run import allowed, answered, progress
from turnwise.core.guards.env import live
from turnwise.core.machine import LinkedForm
from turnwise.core.state import State
from turnwise.core.values import REDACTED

STATEMENT_LONGEST = 2000


def payload(form: LinkedForm, state: State) -> dict[str, Any]:
    """All answers that count, by their keys on the wire, and the statement where there is one."""
    data: dict[str, Any] = {"answers": answers(form, state)}
    said = statement(form, state)
    if said:
        data["statement"] = said
    return data


def answers(form: LinkedForm, state: State) -> dict[str, Any]:
    """The answers that count, by key; secret ones are not told."""
    return {
        question.key: REDACTED if question.field.secret else state.values[question.address].value
        for question in answered(form, state)
    }


def statement(form: LinkedForm, state: State) -> str:
    """The problem statement, at most 2,000 characters."""
    return form.statement(live(state)).strip()[:STATEMENT_LONGEST] if form.statement is not None else ""


def draft(form: LinkedForm, state: State) -> dict[str, Any]:
    """The draft: the statement, the answers so far, what is missing."""
    missing = [q.key for q in allowed(form, live(state)) if q.form_field.required and q.address not in state.values]
    return {
        "statement": statement(form, state),
        "answers": answers(form, state),
        "missing": missing,
        "progress": progress(form, state),
    }
