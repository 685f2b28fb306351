"""The form in charge as data: progress, the open question, and the items of the summary and of the edit chooser."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Literal, TypedDict

from turnwise.core.commands import holds
from turnwise.core.field_titles import capital
from turnwise.core.forms import counted_questions, is_answered, lists, problem_statement, progress_percent, text_env
from turnwise.core.forms.summary import shown_place
from turnwise.core.guards import env_of
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import FormRun, Place, State
from turnwise.core.values import REDACTED
from turnwise.flow.guard import text_of
from turnwise.server.views.item_tables import item_texts
from turnwise.server.wire.conversations import FormItem, FormView

ItemState = Literal["answered", "open", "missing", "inactive", "skipped"]
"""The status of a question of a form."""


def form_view(
    machine: Machine, state: State, words: Mapping[Place, str], hide: Callable[[str], str] = str
) -> FormView | None:
    """Return the form of the node in charge as clients receive it; `None` where it has none.
    `words` are the user's words by position, `hide` removes secrets from a text.
    """
    if state.node not in machine.nodes:
        return None
    form, run = machine.nodes[state.node].form, state.frame.form
    if form is None or run is None:
        return None
    questions = form.questions
    if form.has_items:
        questions = tuple([question for question in questions if lists.is_of_open_item(question, run)])
    counts = {one.address for one in counted_questions(form, state)}
    items = tuple([_item(machine, form, run, state, one, words, hide, counts) for one in questions])
    asked = form.by_address.get(run.asked)
    takes_free_text = (
        asked is not None and run.status == "collecting" and (asked.form_field.other or not asked.field.options)
    )
    return FormView(
        run.status,
        run.editing,
        run.asked,
        progress_percent(form, run, state),
        items,
        hide(problem_statement(form, run, state)),
        takes_free_text,
    )


class _Named(TypedDict):
    """What an item is called, and whether it counts."""

    label: str
    counts: bool


def label_of(machine: Machine, question: Question) -> str:
    """Return the label of a question: a few words to begin a line with."""
    address = question.address
    known = machine.short_title(address) if address in machine.fields else question.key.replace("_", " ")
    return capital(known)


def _item(
    machine: Machine,
    form: LinkedForm,
    run: FormRun,
    state: State,
    question: Question,
    words: Mapping[Place, str],
    hide: Callable[[str], str],
    counts: Container[str],
) -> FormItem:
    address = question.address
    title = question.ask(text_env(form, run, state, address))
    kind, reason = _state(run, state, question)
    named: _Named = {"label": label_of(machine, question), "counts": address in counts}
    found = state.values.get(address) or state.shelved.get(address)
    if found is None or (kind in ("missing", "open", "skipped") and address in run.suggested):
        return FormItem(address, title, state=kind, reason=reason, **named)
    if question.field.secret:
        return FormItem(address, title, REDACTED, state=kind, reason=reason, **named)
    if question.items and address in state.values:
        texts = item_texts(machine, state, question.field, found.value, hide)
        return FormItem(
            address, title, lists.numbered_lines(machine, state, question), "", kind, reason, texts, **named
        )
    answer = written_for_user(machine, state, question.field, found.value)
    place = shown_place(machine, state, address) if address in state.values else found.place
    return FormItem(address, title, answer, words.get(place, "") if place is not None else "", kind, reason, **named)


def _state(run: FormRun, state: State, question: Question) -> tuple[ItemState, str]:
    """Return how a question stands, and why it is inactive."""
    address = question.address
    if address in state.shelved or not holds(question.ask_when, env_of(state)):
        guard = question.ask_when
        is_false = guard is not None and not holds(guard, env_of(state))
        return "inactive", f"{text_of(guard.expression)} does not hold" if guard is not None and is_false else ""
    if run.asked == address:
        return "open", ""
    if is_answered(run, state, address):
        return "answered", ""
    return ("skipped", "") if address in run.skipped else ("missing", "")
