"""The items of which the user is asked to choose one: their buttons, and the numbers under which they are shown."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.forms import lists
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.machine import Machine
from turnwise.core.state import FormRun, State
from turnwise.core.state.events import Button
from turnwise.core.state.items import ID, Item, index_of

ShownItem = tuple[str, int]
"""The id of an item, and the number under which the user is shown it."""
_MOST_NAMED = 5
"""How many items the question names that all fit; the buttons have all of them."""


def candidate_buttons(machine: Machine, state: State, question: Question, run: FormRun) -> tuple[Button, ...]:
    """Return one button per item that a command may mean, with numbers if some have the same text."""
    known = {one[ID]: one for one in lists.items_of(state, question)}
    shown = [(number, known[id_]) for id_, number in run.candidates if id_ in known]
    texts = [lists.item_text(machine, state, question, one) for _, one in shown]
    are_alike = len(set(texts)) < len(texts)
    labels = [f"{at}. {text}" if are_alike else text for (at, _), text in zip(shown, texts, strict=True)]
    return tuple([Button(label, one[ID]) for label, (_, one) in zip(labels, shown, strict=True)])


def numbered_items(machine: Machine, state: State, question: Question, places: Sequence[int]) -> tuple[ShownItem, ...]:
    """Return the items at indexes `places` (from 0) with the numbers that the user sees, from 1.
    The numbers are the places in the list if some items read alike, else 1, 2, 3.
    """
    items = lists.items_of(state, question)
    texts = [lists.item_text(machine, state, question, items[at]) for at in places]
    are_alike = len(set(texts)) < len(texts)
    return tuple([(items[at][ID], (at if are_alike else number) + 1) for number, at in enumerate(places)])


def question_of_items(machine: Machine, state: State, form: LinkedForm, run: FormRun) -> str:
    """Return the question which item the user means, with the items that fit."""
    labels = [one.label for one in candidate_buttons(machine, state, form.by_address[run.choosing], run)]
    more = "; …" if len(labels) > _MOST_NAMED else ""
    return machine.language.text("choose_which_of", items="; ".join(labels[:_MOST_NAMED]) + more)


def chosen_item(state: State, question: Question, run: FormRun) -> Item | None:
    """Return the item that the user chose to change; `None` if none is chosen yet."""
    known = lists.items_of(state, question)
    at = index_of(known, run.item) if run.item else -1
    return known[at] if at >= 0 else None
