"""A form as clients see it: our own words, and beside them the keys of seed 004 (law 5.14)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from turnwise.core.forms import buttons
from turnwise.core.forms.run import answered, progress
from turnwise.core.guards.env import live
from turnwise.core.machine import LinkedForm, Machine, Question
from turnwise.core.state import FormRun, Place, State
from turnwise.core.values import REDACTED

_READY = ("confirmed", "handed_off")
_COMPLETE = (*_READY, "stopped")


def form_view(machine: Machine, state: State, words: Mapping[Place, str | None]) -> dict[str, Any] | None:
    """The form in charge, `None` where there is none. `words` are the answers' own words by place."""
    form, run = machine.nodes[state.node].form, state.frame.form
    if form is None or run is None:
        return None
    asked = form.by_address.get(run.asked)
    is_complete = run.status in _COMPLETE
    following = None if is_complete or run.status == "cancelled" else asked
    return {
        "status": {
            "pass_": is_complete,
            "next_gate": following.key if following else None,
            "next_query": following.ask(live(state)) if following else None,
        },
        "form_status": run.status,
        "asked": run.asked or None,
        "editing": run.editing or None,
        "progress": progress(form, state),
        "answers": {question.address: _answer(state, question) for question in answered(form, state)},
        "inactive": [question.address for question in form.questions if question.address in state.shelved],
        "gates": {question.key: _gate(state, question, words) for question in answered(form, state)},
        "button_context": _button_context(machine, state, form, run),
        "button_metadata": {"gate_key": following.key} if following else {},
        "completion_status": {
            "is_complete": is_complete,
            "completion_reason": _reason(run),
            "ready_for_handoff": run.status in _READY,
        },
    }


def _answer(state: State, question: Question) -> Any:
    return REDACTED if question.field.secret else state.values[question.address].value


def _gate(state: State, question: Question, words: Mapping[Place, str | None]) -> dict[str, Any]:
    found = state.values[question.address]
    raw = words.get(found.place) if found.place is not None else None
    return {
        "raw": REDACTED if question.field.secret else raw,
        "classified": _answer(state, question),
        "confidence": found.confidence,
        "collected_at": datetime.fromtimestamp(found.at_ms / 1000, UTC).isoformat().replace("+00:00", "Z"),
    }


def _button_context(machine: Machine, state: State, form: LinkedForm, run: FormRun) -> str | None:
    if run.status == "awaiting_confirmation" and run.editing != "chooser":
        return "gate_confirmation"
    if run.status == "collecting" and run.asked and buttons.offered(machine, state, form):
        return "gate_question"
    return None


def _reason(run: FormRun) -> str:
    match run.status:
        case "awaiting_confirmation":
            return "awaiting_user_confirmation"
        case "confirmed" | "handed_off":
            return "user_confirmed"
        case "stopped":
            return "limiting_value"
        case "cancelled":
            return "cancelled"
        case "collecting":
            return "required_missing"
