"""What a form knows of its lists of records: their items, their bounds, and whether another item is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from turnwise.core.formatting import in_one_line
from turnwise.core.guards import env_of
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, FormRun, State
from turnwise.core.state.items import ID, Item

NO_VALUES: Final = "…"
"""How an item is written of which nothing is known yet."""


def items_of(state: State, question: Question) -> list[Item]:
    """Return the current items of the list that a question is about."""
    found = state.values.get(question.address)
    return found.value if found is not None else []


def least_items(question: Question) -> int:
    """Return how many items a list needs before the form goes on."""
    bound = question.field.min
    return max(int(bound) if isinstance(bound, int | float) else 0, 1 if question.form_field.required else 0)


def needs_items(question: Question, state: State) -> bool:
    """Return whether a list has fewer items than it needs; an optional one may have none."""
    count = len(items_of(state, question))
    return count < least_items(question) and (count > 0 or question.form_field.required)


def is_full(question: Question, state: State) -> bool:
    """Return whether a list has the most items that it may have."""
    bound = question.field.max
    return isinstance(bound, int | float) and len(items_of(state, question)) >= bound


def is_due(question: Question, run: FormRun, state: State) -> bool:
    """Return whether the form now asks the question of a list: for a first item, or for one more."""
    address = question.address
    if run.filling == address or address in run.complete or is_full(question, state):
        return False
    if not items_of(state, question):
        return not question.form_field.required and address not in run.skipped
    return question.more is not None and not needs_items(question, state)


def is_at_list(form: LinkedForm, run: FormRun, state: State) -> bool:
    """Return whether the open question asks whether a list gets a first item, or one more."""
    asked, question = form.by_address.get(run.asked), state.frame.question
    is_put = question is not None and (question.kind, question.field) == ("field", run.asked)
    return asked is not None and bool(asked.items) and is_put


def is_of_open_item(question: Question, run: FormRun | None) -> bool:
    """Return whether a question may be asked now: the questions of a list item only while one is asked for."""
    return not question.item_of or (run is not None and run.filling == question.item_of)


def with_item(state: State, question: Question, item: Item) -> State:
    """Return the state in which the fields of the record have the values of an item, for guards and texts."""
    record = record_of(question)
    others = {name: found for name, found in state.values.items() if not name.startswith(record)}
    own: Mapping[str, Any] = {name: value for name, value in item.items() if name != ID}
    values = {f"{record}{name}": FieldValue(value, "set", state.turn, state.at_ms) for name, value in own.items()}
    return replace(state, values={**others, **values})


def record_of(question: Question) -> str:
    """Return the address of the record of a list's items, with a dot at its end."""
    return question.items[0].rpartition(".")[0] + "."


def item_text(machine: Machine, state: State, question: Question, item: Item) -> str:
    """Return an item as text for users: by the label of the question, else its values in order."""
    if question.label is not None:
        flat = {name: in_one_line(value) for name, value in item.items()}
        return question.label(env_of(with_item(state, question, flat))).strip() or NO_VALUES
    parts = [part for part in question.field.parts if part.name in item]
    texts = [written_for_user(machine, state, part, in_one_line(item[part.name])) for part in parts]
    return ", ".join(texts) or NO_VALUES


def numbered_lines(machine: Machine, state: State, question: Question) -> str:
    """Return the items of a list as numbered lines."""
    if question.field.secret:
        return written_for_user(machine, state, question.field, items_of(state, question))
    texts = [item_text(machine, state, question, item) for item in items_of(state, question)]
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
