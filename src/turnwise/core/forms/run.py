"""One run of a form: how it opens, the next question, valid answers, its artefacts (laws 5.9, 5.12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from msgspec.structs import replace

from turnwise.core.commands.accept import accept, holds, refusing
from turnwise.core.guards import Env, live
from turnwise.core.machine import LinkedForm, Machine, Question
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
from turnwise.core.turn import Turn
from turnwise.core.values import REDACTED, Refused

SETTLED = ("cancelled", "handed_off", "confirmed")


def is_answered(run: FormRun, state: State, address: str) -> bool:
    """True if a field has a value that the form counts: one that is only suggested is missing to it."""
    return address in state.values and address not in run.suggested


def allowed(form: LinkedForm, env: Env) -> Sequence[Question]:
    """The questions whose `ask_when` holds now, in order."""
    if not form.has_conditions:
        return form.questions
    return [question for question in form.questions if holds(question.ask_when, env)]


def next_question(form: LinkedForm, run: FormRun, state: State) -> Question | None:
    """Law 5.3: the first that is allowed and missing, required before optional."""
    for question in in_order(form, state):
        is_open = question.form_field.required or question.address not in run.skipped
        if is_open and not is_answered(run, state, question.address):
            return question
    return None


def in_order(form: LinkedForm, state: State) -> Sequence[Question]:
    """The questions that are asked of their own accord, in the order in which they are."""
    if not form.has_conditions:
        return form.in_order
    env = live(state)
    return [question for question in form.in_order if holds(question.ask_when, env)]


def stopping(form: LinkedForm, run: FormRun, state: State) -> Question | None:
    """The first question, in order, whose answer ends the form."""
    for question in form.questions:
        is_counted = question.stop_values and is_answered(run, state, question.address)
        if is_counted and is_stop(question, state.values[question.address].value):
            return question
    return None


def is_stop(question: Question, value: Any) -> bool:
    """True if a value, or an item of it, is a stop value of the question; texts are case-folded."""
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    stops = {_folded(stop) for stop in question.stop_values}
    return any(_folded(item) in stops for item in values)


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def answered(form: LinkedForm, run: FormRun, state: State) -> list[Question]:
    """The questions that have an answer that counts, in order."""
    return [question for question in form.questions if is_answered(run, state, question.address)]


def missing(form: LinkedForm, run: FormRun, state: State) -> list[Question]:
    """The required questions that have no answer yet, in order."""
    required = (question for question in allowed(form, live(state)) if question.form_field.required)
    return [question for question in required if not is_answered(run, state, question.address)]


def progress(form: LinkedForm, run: FormRun, state: State) -> int:
    """Answered required questions among the required ones, per cent."""
    required = [question for question in allowed(form, live(state)) if question.form_field.required]
    done = len(required) - len(missing(form, run, state))
    return 100 if not required else round(100 * done / len(required))


def is_put(run: FormRun, state: State) -> bool:
    """True if the question that is open is the one at which the run stands. After a block, an answer
    counts, but what follows was not put yet.
    """
    question = state.question
    if run.status == "cancelled" or question is None:
        return run.status == "cancelled"
    if run.editing == "chooser":
        return question.kind == "chooser"
    if run.status == "awaiting_confirmation":
        return question.kind == "confirmation"
    return (question.kind, question.field) == ("field", run.asked)


def settle(turn: Turn, form: LinkedForm) -> None:
    """Law 5.7: answers that no longer apply are shelved, those that apply again are revived."""
    if not form.has_conditions and not form.has_validators:
        return
    for _ in form.questions:
        if not _settle_once(turn, form):
            return


def _settle_once(turn: Turn, form: LinkedForm) -> bool:
    changed = False
    for question in form.questions:
        state = turn.state
        kept = state.values.get(question.address) or state.shelved.get(question.address)
        if kept is None:
            continue
        applies = _applies(turn.machine, state, question, kept.value)
        if applies != (question.address in state.values):
            turn.emit(FieldRevived(question.address) if applies else FieldShelved(question.address))
            changed = True
    return changed


def _applies(machine: Machine, state: State, question: Question, value: Any) -> bool:
    if not holds(question.ask_when, live(state)):
        return False
    return refusing(machine, state, question.address, value, question) is None


def standing(form: LinkedForm, run: FormRun, state: State) -> FormRun:
    """The run with the status and the question that follow from the answers alone."""
    if run.status in SETTLED:
        return run
    stop = stopping(form, run, state)
    if stop is not None:
        return replace(run, status="stopped", stopped_at=stop.address, asked=stop.address, editing="", walk=())
    run = replace(run, stopped_at="")
    if run.editing in ("one", "walk"):
        applying = {question.address for question in allowed(form, live(state))}
        if run.editing == "one" and run.asked in applying:
            return replace(run, status="collecting")
        walk = tuple(address for address in run.walk if address in applying)
        if walk:
            return replace(run, status="collecting", asked=walk[0], walk=walk)
    following = next_question(form, run, state)
    status = "collecting" if following else "awaiting_confirmation" if form.form.confirm else "confirmed"
    if run.editing == "chooser":
        return replace(run, status=status if status != "confirmed" else "collecting", asked="")
    return replace(run, status=status, asked=following.address if following else "", editing="", walk=())


def change(turn: Turn, run: FormRun) -> None:
    """Record the run, where it is another than before."""
    if run != turn.state.frame.form:
        turn.emit(FormChanged(run))


def told(form: LinkedForm, run: FormRun, state: State, address: str) -> Env:
    """The surroundings of a text about the question of a field."""
    return Env(state.values, _Numbers(form, run, state, address))


class _Numbers:
    """The number of a question, of how many, and the progress; counted when a text reads them."""

    __slots__ = ("address", "form", "run", "state")

    def __init__(self, form: LinkedForm, run: FormRun, state: State, address: str) -> None:
        self.form = form
        self.run = run
        self.state = state
        self.address = address

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """The value of a root, `None` where it is missing."""
        if key == "form.progress":
            return progress(self.form, self.run, self.state)
        if key not in ("form.number", "form.total"):
            return read(self.state)
        names = [question.address for question in in_order(self.form, self.state)]
        if key == "form.total":
            return len(names)
        return names.index(self.address) + 1 if self.address in names else len(names)


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
        hand_over(turn, form, run, form.form.handoff)
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
