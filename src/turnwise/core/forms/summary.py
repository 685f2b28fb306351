"""Renders a form: as a summary for the user (law 5.13), and as state for clients (law 5.14)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from turnwise.core.formatting import in_one_line
from turnwise.core.forms import answered, buttons, lists, missing, problem_statement, progress_percent, text_env
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, FormRun, Place, State
from turnwise.core.turn import StepBuilder
from turnwise.core.values import REDACTED


def places_of(machine: Machine, form: LinkedForm, run: FormRun, state: State) -> tuple[Place, ...]:
    """Return the places in the journal of the answers' own words; none if the flow has its own summary template."""
    if form.summary is not None:
        return ()
    found = (shown_place(machine, state, question.address) for question in answered(form, run, state))
    return tuple(place for place in found if place is not None)


def shown_place(machine: Machine, state: State, address: str) -> Place | None:
    """Return the place of an answer's words in the journal; `None` if they overlap the words of a secret answer."""
    place = state.values[address].place
    if place is None or machine.fields[address].secret:
        return None
    secrets = (found.place for name, found in state.values.items() if machine.fields[name].secret)
    return None if any(secret is not None and _overlap(place, secret) for secret in secrets) else place


def _overlap(one: Place, other: Place) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def summary(step: StepBuilder, form: LinkedForm, run: FormRun, words: tuple[str | None, ...]) -> str:
    """Return the summary of a form, by the flow's own template or the language's layout; `words` are those of the user
    at each of `places_of`, `None` where unknown. Each value is put on one line, so that it cannot imitate a line of the
    summary.
    """
    machine = step.machine
    state = replace(step.state, values={name: _in_one_line(found) for name, found in step.state.values.items()})
    if form.summary is not None:
        return step.fill(form.summary, text_env(form, run, state, ""))
    language = machine.language
    parts = [language.text("summary_title")]
    said = problem_statement(form, run, state)
    if said:
        parts.append(language.text("summary_statement", statement=said))
    parts.append(language.text("summary_answers"))
    recalled = iter(words)
    for question in answered(form, run, state):
        title = title_of(form, run, state, question)
        place = shown_place(machine, state, question.address)
        line = _answer(machine, state, question, next(recalled, None) if place is not None else None)
        parts.append(f"**{title}**\n{line}")
    parts += ["---", language.text("summary_review"), language.text("summary_question")]
    return "\n\n".join(parts)


def title_of(form: LinkedForm, run: FormRun, state: State, question: Question) -> str:
    """Return the title of a question in summaries: that of its field, else the whole question."""
    return question.field.title or question.ask(text_env(form, run, state, question.address))


def _answer(machine: Machine, state: State, question: Question, words: str | None) -> str:
    language = machine.language
    if question.items:
        return lists.numbered_lines(machine, state, question)
    answer = written_for_user(machine, state, question.field, state.values[question.address].value)
    if words:
        return language.text("summary_answer", answer=answer, words=in_one_line(words))
    return language.text("summary_answer_plain", answer=answer)


def _in_one_line(found: FieldValue) -> FieldValue:
    value = in_one_line(found.value)
    return found if value == found.value else replace(found, value=value)


_READY = ("confirmed", "handed_off")
_COMPLETE = (*_READY, "stopped")


def form_view(machine: Machine, state: State, words: Mapping[Place, str | None]) -> dict[str, Any] | None:
    """Return the state of the current form as data, `None` without one. `words` are the answers' words by place."""
    form, run = machine.nodes[state.frame.node].form, state.frame.form
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
        "progress": progress_percent(form, run, state),
        "answers": {question.address: _plain_answer(state, question) for question in answered(form, run, state)},
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


def _plain_answer(state: State, question: Question) -> Any:
    return REDACTED if question.field.secret else state.values[question.address].value


def _gate(machine: Machine, state: State, question: Question, words: Mapping[Place, str | None]) -> dict[str, Any]:
    found = state.values[question.address]
    place = shown_place(machine, state, question.address)
    return {
        "raw": REDACTED if place != found.place else words.get(place) if place is not None else None,
        "classified": _plain_answer(state, question),
        "confidence": found.confidence,
        "collected_at": datetime.fromtimestamp(found.at_ms / 1000, UTC).isoformat().replace("+00:00", "Z"),
    }


def _button_context(machine: Machine, state: State, form: LinkedForm, run: FormRun) -> str | None:
    if run.status == "awaiting_confirmation" and run.editing != "chooser":
        return "gate_confirmation"
    if run.status == "collecting" and run.asked and buttons.form_buttons(machine, state, form):
        return "gate_question"
    return None


def _reason(form: LinkedForm, run: FormRun, state: State) -> str:
    """Return the completion reason as seed 004 names it; an incomplete form that was handed over was not confirmed."""
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
