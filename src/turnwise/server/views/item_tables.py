"""Lists of records as tables of texts, for the cards on which a user or an operator confirms them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.items import ID
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.model import Field
from turnwise.server.wire.values import ItemCells, ItemTexts

Hide = Callable[[str], str]
"""A function that removes secrets from a text."""


def item_texts(machine: Machine, state: State, field: Field, value: Any, hide: Hide) -> ItemTexts | None:
    """Return the items of a list as a table for users, a row for each; `None` for any other value.
    A column in which no row has a value is left out.
    """
    items = [found for one in as_list(value) or () if (found := as_object(one)) is not None]
    if not field.parts or not items:
        return None
    parts = [part for part in field.parts if any(item.get(part.name) is not None for item in items)]
    titles = tuple([part.about or part.name.replace("_", " ") for part in parts])
    return ItemTexts(titles, tuple([_cells(machine, state, parts, item, hide) for item in items]))


def _cells(machine: Machine, state: State, parts: list[Field], item: dict[str, Any], hide: Hide) -> ItemCells:
    found = [item.get(part.name) for part in parts]
    texts = [
        "" if value is None else hide(written_for_user(machine, state, part, value))
        for part, value in zip(parts, found, strict=True)
    ]
    return ItemCells(str(item.get(ID, "")), tuple(texts))
