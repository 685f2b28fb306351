"""Reads the questions of a form over data when the form is entered (law 5.15)."""

from __future__ import annotations

from typing import Any

from turnwise.core.commands import accept
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.state import DataQuestion, Fault, FieldValue, QuestionList
from turnwise.core.state.events import FieldCleared, FieldSet, QuestionsFixed
from turnwise.core.turn import StepBuilder
from turnwise.core.values import Refused
from turnwise.core.values.json_data import as_list
from turnwise.core.values.questions import WrongQuestion, read_questions
from turnwise.flow.addresses import answer_address, map_of


def fix_questions(step: StepBuilder, form: LinkedForm) -> Fault | None:
    """Read the questions of a form from their field, and keep them until the form is entered again; return a failure.
    Answers to questions that are as before stay. The failure is that the field holds no questions; then nothing has
    changed.
    """
    found = step.state.values.get(form.source)
    value = found.value if found is not None else step.machine.fields[form.source].default
    read = _read(step, value) if value is not None else "it has no value"
    if isinstance(read, Fault):
        return read
    if isinstance(read, str):
        return Fault("write", f"{form.source} holds no questions for a form: {read}", subject=form.source)
    before = (step.state.question_lists or {}).get(form.answers)
    known = step.state.values.get(form.answers)
    step.emit(QuestionsFixed(form.answers, form.source, step.state.frame.node, read))
    step.speak()
    if known is not None:
        _keep_answers(step, form.answers, before, known)
    return None


def _read(step: StepBuilder, value: Any) -> tuple[DataQuestion, ...] | Fault | str:
    """Return the questions of a list, or what is wrong with it."""
    items, limit = as_list(value), step.machine.flow.limits
    if items is None:
        return "it is not a list"
    if len(items) > limit.questions:
        message = f"{len(items)} questions are more than 'questions' of the limits allows: {limit.questions}"
        return Fault("limit", message, subject="questions", bound=limit.questions, at=limit.span.line_text)
    read = read_questions(items, step.rules)
    return f"question {read.number}: {read.why}" if isinstance(read, WrongQuestion) else read


def _keep_answers(step: StepBuilder, field: str, before: QuestionList | None, known: FieldValue) -> None:
    """Remove the answers to questions that are gone or have changed. Answers that came as a whole become answers to
    the questions that accept them.
    """
    form = step.node.form
    assert form is not None
    same = {one.id: one for one in before.items} if before is not None else None
    now = {one.id: one for one in (step.state.question_lists or {})[field].items}
    kept: dict[str, Any] = {}
    for id_, value in known.value.items():
        is_single = answer_address(field, id_) in step.state.values
        question = form.by_address.get(answer_address(field, id_))
        if question is None or (is_single and same is not None and same.get(id_) != now.get(id_)):
            if is_single:
                step.emit(FieldCleared(answer_address(field, id_), "prefill"))
        elif not is_single and not isinstance(stored := _accepted(step, question, value), Refused):
            kept[id_] = stored
    if any(map_of(name) == field for name in step.state.values):
        return
    if field in step.state.values:
        step.emit(FieldCleared(field, "prefill"))
    for id_, value in kept.items():
        step.emit(FieldSet(answer_address(field, id_), value, "prefill"))


def _accepted(step: StepBuilder, question: Question, value: Any) -> Any:
    return accept(step.machine, step.state, question.address, value, question)
