"""Lists of records as tables of texts, for the cards on which a user or an operator confirms them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwise.core.forms.lists import item_text
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.items import ID, index_of
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.model import Field
from turnwise.server.wire.conversations import UnderstoodItem
from turnwise.server.wire.values import ItemCells, ItemTexts

Hide = Callable[[str], str]
"""A function that removes secrets from a text."""


def item_texts(machine: Machine, state: State, field: Field, value: Any, hide: Hide) -> ItemTexts | None:
    """Return the items of a list as a table for users, a row for each; `None` for any other value.
    `hide` removes secrets from a text. A column in which no row has a value is left out.
    """
    items = [found for one in as_list(value) or () if (found := as_object(one)) is not None]
    if not field.parts or not items:
        return None
    parts = [part for part in field.parts if any(item.get(part.name) is not None for item in items)]
    titles = tuple([part.about or part.name.replace("_", " ") for part in parts])
    return ItemTexts(titles, tuple([_cells(machine, state, parts, item, hide) for item in items]))


def shown_item(machine: Machine, state: State | None, address: str, id_: str, hide: Hide) -> UnderstoodItem | None:
    """Return the item `id_` of the list at `address` as it is in a state, by the label of its form; `None` if the list
    does not have it, and without a text if a value of items is secret.
    """
    found = state.values.get(address) if state is not None else None
    items = (as_list(found.value) or []) if found is not None else []
    at, field = index_of(items, id_), machine.fields.get(address)
    if state is None or field is None or at < 0:
        return None
    if field.secret or any(part.secret for part in field.parts):
        return UnderstoodItem(at + 1, "")
    forms = [form for name in machine.forms_of.get(address, ()) if (form := machine.nodes[name].form) is not None]
    if forms:
        text = item_text(machine, state, forms[0].by_address[address], items[at])
    else:
        own = [one for one in field.parts if one.name in items[at]]
        text = ", ".join(written_for_user(machine, state, one, items[at][one.name]) for one in own)
    return UnderstoodItem(at + 1, hide(text))


def _cells(machine: Machine, state: State, parts: list[Field], item: dict[str, Any], hide: Hide) -> ItemCells:
    found = [item.get(part.name) for part in parts]
    texts = [
        "" if value is None else hide(written_for_user(machine, state, part, value))
        for part, value in zip(parts, found, strict=True)
    ]
    return ItemCells(str(item.get(ID, "")), tuple(texts))
