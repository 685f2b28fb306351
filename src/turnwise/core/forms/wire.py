"""A form as JSON data for clients: turnwise's keys, and those of gate documents (law 5.14)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from turnwise.core.forms import buttons
from turnwise.core.forms.run import answered, missing, progress, text_env
from turnwise.core.forms.summary import shown_place
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
    following = None if is_complete else asked
    context = _button_context(machine, state, form, run)
    return {
        "status": {
            "pass_": is_complete,
            "next_gate": following.key if following else None,
            "next_query": following.ask(text_env(form, run, state, following.address)) if following else None,
        },
        "form_status": run.status,
        "asked": run.asked or None,
        "editing": run.editing or None,
        "progress": progress(form, run, state),
        "answers": {question.address: _answer(state, question) for question in answered(form, run, state)},
        "inactive": [question.address for question in form.questions if question.address in state.shelved],
        "gates": {q.key: _gate(machine, state, q, words) for q in answered(form, run, state)},
        "button_context": context,
        "button_metadata": {"gate_key": asked.key} if asked and context == "gate_question" else None,
        "completion_status": {
            "is_complete": is_complete,
            "completion_reason": _reason(form, run, state),
            "ready_for_handoff": run.status in _READY,
        },
    }


def _answer(state: State, question: Question) -> Any:
    return REDACTED if question.field.secret else state.values[question.address].value


def _gate(machine: Machine, state: State, question: Question, words: Mapping[Place, str | None]) -> dict[str, Any]:
    found = state.values[question.address]
    place = shown_place(machine, state, question.address)
    return {
        "raw": REDACTED if place != found.place else words.get(place) if place is not None else None,
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


def _reason(form: LinkedForm, run: FormRun, state: State) -> str:
    """The reason in seed 004's words; a form that a person took over half done was not confirmed."""
    match run.status:
        case "awaiting_confirmation":
            return "awaiting_user_confirmation"
        case "stopped":
            return "limiting_value"
        case "cancelled":
            return "cancelled"
        case "confirmed" | "handed_off" | "collecting" if missing(form, run, state):
            return "required_missing"
        case "confirmed" | "handed_off":
            return "user_confirmed"
        case "collecting":
            return "all_required_complete"
