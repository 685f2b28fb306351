"""What a form makes for the host: problem statement, draft, handoff (law 5.9)."""

from __future__ import annotations

from typing import Any

from turnwise.core.events import ArtefactMade
from turnwise.core.forms.run import answered, missing, progress
from turnwise.core.guards.env import live
from turnwise.core.machine import LinkedForm
from turnwise.core.state import FormRun, State
from turnwise.core.turn import Turn
from turnwise.core.values import REDACTED

STATEMENT_LONGEST = 2000


def hand_over(turn: Turn, form: LinkedForm, run: FormRun, to: str) -> None:
    """The artefact that goes along when somebody takes over: all answers that count, and the statement."""
    payload: dict[str, Any] = {"answers": answers(form, run, turn.state)}
    said = statement(form, run, turn.state)
    if said:
        payload["statement"] = said
    turn.emit(ArtefactMade("HANDOFF", {"to": to, "payload": payload}))


def answers(form: LinkedForm, run: FormRun, state: State) -> dict[str, Any]:
    """The answers that count, by their keys on the wire; secret ones are not told."""
    return {
        question.key: REDACTED if question.field.secret else state.values[question.address].value
        for question in answered(form, run, state)
    }


def statement(form: LinkedForm, run: FormRun, state: State) -> str:
    """The problem statement, at most 2,000 characters; while answers are missing, with gaps that show."""
    told = form.draft if missing(form, run, state) else form.statement
    return told(live(state)).strip()[:STATEMENT_LONGEST] if told is not None else ""


def draft(form: LinkedForm, run: FormRun, state: State) -> dict[str, Any]:
    """The draft: the statement, the answers so far, what is missing."""
    return {
        "statement": statement(form, run, state),
        "answers": answers(form, run, state),
        "missing": [question.key for question in missing(form, run, state)],
        "progress": progress(form, run, state),
    }
