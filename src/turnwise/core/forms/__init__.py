"""Runs forms: opens one, picks the next question, counts answers, makes artefacts (laws 5.9, 5.12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from msgspec.structs import replace

from turnwise.core.commands import accept, holds, refusal_by_validators
from turnwise.core.forms import lists
from turnwise.core.guards import Env, env_of
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.options import fix_options, refused_choice
from turnwise.core.state import FormRun, State
from turnwise.core.state.events import (
    ArtefactMade,
    CommandRefused,
    FieldCleared,
    FieldRevived,
    FieldSet,
    FieldShelved,
    FormChanged,
)
from turnwise.core.turn import StepBuilder
from turnwise.core.values import REDACTED, Refused

AT_REST = ("cancelled", "handed_off", "confirmed")
"""The statuses of a run that asks nothing."""


def is_answered(run: FormRun, state: State, address: str) -> bool:
    """Return whether a field has a value that counts as an answer of the form; a suggested value does not."""
    return address in state.values and address not in run.suggested


def may_skip(run: FormRun, state: State, question: Question) -> bool:
    """Return whether the user may skip the open question: if it is optional, or keeps the answer that it has."""
    keeps = run.editing == "walk" or (run.editing == "one" and is_answered(run, state, question.address))
    return keeps or not question.form_field.required


def active_questions(form: LinkedForm, state: State, run: FormRun | None = None) -> Sequence[Question]:
    """Return the questions whose `ask_when` holds now, in order; those of a list item only while one is asked for."""
    is_always = not form.has_conditions and not form.has_items
    return form.questions if is_always else _applying(form, form.questions, state, run)


def questions_in_order(form: LinkedForm, state: State, run: FormRun | None = None) -> Sequence[Question]:
    """Return the questions that the form asks by itself, in the order of asking."""
    is_always = not form.has_conditions and not form.has_items
    return form.in_order if is_always else _applying(form, form.in_order, state, run)


def _applying(form: LinkedForm, questions: Sequence[Question], state: State, run: FormRun | None) -> Sequence[Question]:
    if form.has_items:
        questions = _open_ones(questions, run or state.frame.form)
    if not form.has_conditions:
        return questions
    env = env_of(state)
    return [question for question in questions if holds(question.ask_when, env)]


def _open_ones(questions: Sequence[Question], run: FormRun | None) -> list[Question]:
    return [question for question in questions if lists.is_of_open_item(question, run)]


def is_stop(question: Question, value: Any) -> bool:
    """Return whether a value, or an item of it, is an answer that ends the form; texts are compared without case."""
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    stops = {stop.casefold() if isinstance(stop, str) else stop for stop in question.stop_values}
    return any((item.casefold() if isinstance(item, str) else item) in stops for item in values)


def answered(form: LinkedForm, run: FormRun, state: State) -> list[Question]:
    """Return the questions of a form that have an answer that counts, in order."""
    asked = _open_ones(form.questions, run) if form.has_items else form.questions
    return [question for question in asked if is_answered(run, state, question.address)]


def missing(form: LinkedForm, run: FormRun, state: State) -> list[Question]:
    """Return the required questions of a form that have no answer yet, in order."""
    known = state.values.keys() - run.suggested.keys()
    return [
        one
        for one in active_questions(form, state, run)
        if (one.form_field.required and one.form_field.asked and not one.item_of)
        and (one.address not in known or (one.items and lists.needs_items(one, state)))
    ]


def is_open(question: Question, run: FormRun, state: State) -> bool:
    """Return whether a question that applies has still to be asked; that of a list asks for one more item."""
    if question.items:
        return lists.is_due(question, run, state)
    is_wanted = question.form_field.required or question.address not in run.skipped
    return is_wanted and not is_answered(run, state, question.address)


def without_offers(run: FormRun, address: str) -> FormRun:
    """Return the run without the suggested value of a field and without its count of answers not understood."""
    if address not in run.suggested and address not in run.misses:
        return run
    suggested = {key: value for key, value in run.suggested.items() if key != address}
    return replace(run, suggested=suggested, misses={key: n for key, n in run.misses.items() if key != address})


def progress_percent(form: LinkedForm, run: FormRun, state: State) -> int:
    """Return the share of the counted questions that are done, in per cent from 0 to 100."""
    found = counted_questions(form, state)
    return 100 if not found else round(100 * count_done(run, state, found) / len(found))


def counted_questions(form: LinkedForm, state: State) -> list[Question]:
    """Return the questions that count for the progress: the required ones that apply; all, if none is required."""
    asked = [one for one in active_questions(form, state) if one.form_field.asked and not one.item_of]
    return [question for question in asked if question.form_field.required] or asked


def count_done(run: FormRun, state: State, questions: Sequence[Question]) -> int:
    """Return how many of some questions are answered or were skipped by the user."""
    known = (state.values.keys() - run.suggested.keys()).union(run.skipped)
    return len([one for one in questions if one.address in known])


def is_question_asked(run: FormRun, state: State) -> bool:
    """Return whether the user was already asked the question `run.asked`.
    After a `block` an answer counts, but the next question has not been asked yet.
    """
    question = state.frame.question
    if run.status == "cancelled" or question is None:
        return run.status == "cancelled"
    if run.editing == "chooser":
        return question.kind == "chooser"
    if run.status == "awaiting_confirmation":
        return question.kind == "confirmation"
    return (question.kind, question.field) == ("field", run.asked)


def shelve_inactive(step: StepBuilder, form: LinkedForm) -> None:
    """Make answers inactive whose question no longer applies, and active those that apply again (law 5.7).
    This is repeated until nothing changes.
    """
    for _ in form.questions:
        changed = False
        for question in form.questions:
            state, address = step.state, question.address
            kept = state.values.get(address) or state.shelved.get(address)
            if kept is None:
                continue
            applies = holds(question.ask_when, env_of(state))
            applies = applies and refusal_by_validators(step.machine, state, address, kept.value, question) is None
            unavailable = _unavailable(step, question, kept.value) if applies else None
            applies = applies and unavailable is None
            if applies != (address in state.values):
                step.emit(FieldRevived(address) if applies else FieldShelved(address))
                if unavailable is not None:
                    step.emit(CommandRefused("set", unavailable.reason, address, unavailable.text))
                changed = True
        if not changed:
            return


def _unavailable(step: StepBuilder, question: Question, value: Any) -> Refused | None:
    """Return why the option of an answer is not what was chosen any more; `None` if it is, or comes from no list."""
    if question.address not in step.machine.option_sources or question.form_field.other:
        return None
    return refused_choice(step.machine, step.state, question.address, value)


def fix_form_options(step: StepBuilder, form: LinkedForm) -> LinkedForm:
    """Read the options of all questions of a form that come from lists; return the form with these options."""
    for address in form.by_address if step.machine.option_sources else ():
        if address in step.machine.option_sources:
            fix_options(step, address)
    return step.node.form or form


def with_status(form: LinkedForm, run: FormRun, state: State) -> FormRun:
    """Return the run of a form with its status and open question computed from the answers."""
    if run.status in AT_REST:
        return run
    values, suggested = state.values, run.suggested
    for question in form.questions:
        address = question.address
        is_counted = question.stop_values and address in values and address not in suggested
        if is_counted and is_stop(question, values[address].value):
            return replace(run, status="stopped", stopped_at=address, asked=address, editing="", walk=())
    run = replace(run, stopped_at="") if run.stopped_at else run
    if run.editing in ("one", "walk"):
        applying = {question.address for question in active_questions(form, state, run)}
        if run.editing == "one" and run.asked in applying:
            return replace(run, status="collecting")
        walk = tuple([address for address in run.walk if address in applying])
        if walk and run.filling and walk[0] not in form.by_address[run.filling].items:
            own = (one for one in questions_in_order(form, state, run) if one.item_of and is_open(one, run, state))
            walk = (*[one.address for one in own][:1], *walk)
        if walk:
            return replace(run, status="collecting", asked=walk[0], walk=walk)
    asked = _first_open(form, run, state)
    is_asked = (form.form.confirm is not None and bool(form.questions)) or run.asks_to_go_on
    status = "collecting" if asked else "awaiting_confirmation" if is_asked else "confirmed"
    if run.editing == "chooser":
        return replace(run, status=status if status != "confirmed" else "collecting", asked="")
    item = run.item if run.filling else ""
    return replace(run, status=status, asked=asked, editing="", choosing="", item=item, walk=())


def _first_open(form: LinkedForm, run: FormRun, state: State) -> str:
    """Return the address of the first question that is still to be put, required before optional (law 5.3); empty if
    there is none.
    """
    values, suggested = state.values, run.suggested
    always = not form.has_conditions and not form.has_items
    for question in form.in_order if always else questions_in_order(form, state, run):
        # `is_open` without its calls: a form of ten asks this for each question in every turn.
        address = question.address
        if question.items:
            is_due = lists.is_due(question, run, state)
        else:
            is_known = address in values and address not in suggested
            is_due = not is_known and (question.form_field.required or address not in run.skipped)
        if is_due:
            return address
    return ""


def advance(step: StepBuilder, form: LinkedForm, run: FormRun) -> None:
    """Record the run with its new status and question; hand a complete run without confirmation over at once."""
    if form.has_items:
        from turnwise.core.forms.items import settle_item

        run = settle_item(step, form, run)
        run = run if run.asks_which_item else replace(run, waiting=(), candidates=())
    run = with_status(form, run, step.state)
    if run.status == "confirmed" and form.form.handoff:
        hand_over(step, form, run, form.form.handoff)
        run = replace(run, status="handed_off", was_confirmed=True)
    if run != step.state.frame.form:
        step.emit(FormChanged(run))


def follow_answers(step: StepBuilder, form: LinkedForm) -> None:
    """Update a form after a closed scope gave it answers, so that it asks no question that is answered or no longer
    applies.
    """
    run = step.state.frame.form
    if run is None or run.status in AT_REST:
        return
    if form.has_conditions or form.has_validators:
        shelve_inactive(step, form)
    advance(step, form, run)


def text_env(form: LinkedForm, run: FormRun, state: State, address: str) -> Env:
    """Return the environment in which the texts of the question at `address` are rendered: fields, roots,
    `form.progress` and other numbers of the form.
    """
    return Env(state.values, _FormNumbers(form, run, state, address))


class _FormNumbers:
    """The roots of a state and the numbers of a form, which are computed only when a text reads them."""

    __slots__ = ("address", "form", "run", "state")

    def __init__(self, form: LinkedForm, run: FormRun, state: State, address: str) -> None:
        self.form = form
        self.run = run
        self.state = state
        self.address = address

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """Return the value of a root, `None` if it is missing."""
        if key == "form.progress":
            return progress_percent(self.form, self.run, self.state)
        if key == "form.right_answer":
            return ", ".join(self.form.by_address[self.address].right) or None if self.address else None
        if key not in ("form.number", "form.total"):
            return read(self.state)
        names = [question.address for question in questions_in_order(self.form, self.state) if not question.item_of]
        if key == "form.total":
            return len(names)
        asked = self.form.by_address[self.address].item_of if self.address in self.form.by_address else ""
        address = asked or self.address
        return names.index(address) + 1 if address in names else len(names)


STATEMENT_LONGEST = 2000
"""How many characters a problem statement has at most."""


def hand_over(step: StepBuilder, form: LinkedForm, run: FormRun, to: str) -> None:
    """Emit the `HANDOFF` document for an operator: all answers that count, and the problem statement. `to` names its
    receiver, such as a queue.
    """
    payload: dict[str, Any] = {"answers": answers(form, run, step.state)}
    said = problem_statement(form, run, step.state)
    if said:
        payload["statement"] = said
    step.emit(ArtefactMade("HANDOFF", {"to": to, "payload": payload}))


def answers(form: LinkedForm, run: FormRun, state: State) -> dict[str, Any]:
    """Return the answers that count, by the key of the question; secret values are redacted."""
    return {
        question.key: REDACTED if question.field.secret else state.values[question.address].value
        for question in answered(form, run, state)
    }


def problem_statement(form: LinkedForm, run: FormRun, state: State) -> str:
    """Return the problem statement (`statement`) of a form with its answers filled in, at most 2,000 characters.
    Missing required answers show as gaps.
    """
    template = form.draft if missing(form, run, state) else form.statement
    return template(env_of(state)).strip()[:STATEMENT_LONGEST] if template is not None else ""


def draft_values(form: LinkedForm, run: FormRun, state: State) -> dict[str, Any]:
    """Return the content of the draft document: statement, answers so far, missing questions, progress."""
    return {
        "statement": problem_statement(form, run, state),
        "answers": answers(form, run, state),
        "missing": [question.key for question in missing(form, run, state)],
        "progress": progress_percent(form, run, state),
    }


def open_form(step: StepBuilder, form: LinkedForm) -> None:
    """Begin a run of a form: clear the answers that are `fresh`, use or suggest the other known values."""
    form = fix_form_options(step, form)
    run = clear_answers(step, form, [one for one in form.questions if form.form.fresh or one.form_field.fresh])
    if form.has_conditions or form.has_validators:
        shelve_inactive(step, form)
    advance(step, form, run)


def clear_answers(step: StepBuilder, form: LinkedForm, questions: Sequence[Question]) -> FormRun:
    """Clear the answers to some questions, also inactive ones; return a new run that suggests the defaults."""
    for question in questions:
        _without_value(step, question.address)
    suggested: dict[str, Any] = {}
    for question in form.questions:
        if question.item_of:
            _without_value(step, question.address)  # of an item that was left half asked for
        else:
            suggested |= suggestion_for(step, form, question)
    return FormRun(suggested=suggested, answers=form.answers)


def _without_value(step: StepBuilder, address: str) -> None:
    if address in step.state.values or address in step.state.shelved:
        step.emit(FieldCleared(address, "set"))


def suggestion_for(step: StepBuilder, form: LinkedForm, question: Question) -> dict[str, Any]:
    """Return the suggested value for a question by field address: the default, or a known value (`prefill: ask`).
    Empty if there is none.
    """
    address = question.address
    found = step.state.values.get(address)
    if found is None:
        if question.field.default is None:
            return {}
        default = accept(step.machine, step.state, address, question.field.default, question)
        return {} if isinstance(default, Refused) else {address: default}
    if not form.form.prefill:
        return {}
    value = accept(step.machine, step.state, address, found.value, question)
    if isinstance(value, Refused):
        step.emit(FieldCleared(address, "prefill"))
        step.emit(CommandRefused("set", value.reason, address))
        return {}
    if form.form.prefill == "ask":
        return {address: value}
    if value != found.value:
        step.emit(FieldSet(address, value, "prefill", place=found.place))
    return {}
