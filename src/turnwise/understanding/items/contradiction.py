"""Compares what a model understood of a list with what the rules read in the same message (law 7.1a).

They contradict it only where they explain the whole message: by commands of the same kind for other items, or for
other values of the same item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.commands.item_support import items_of, named_item
from turnwise.core.state import commands as c
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.items import ID
from turnwise.core.values import Refused, read_value
from turnwise.core.values.from_model import object_in
from turnwise.core.values.json_data import as_object
from turnwise.flow.model import Field
from turnwise.understanding.items import item_commands
from turnwise.understanding.items.choice import chosen_item
from turnwise.understanding.readings import text_of
from turnwise.understanding.situation import Situation, situation_of


def says_other_items(message: str, command: c.ItemCommand, allowed: AllowedInput) -> bool:
    """Return whether the rules read another change of a list's items in a message than the command of a model."""
    shown, situation = allowed.field(command.field), situation_of(allowed)
    if shown is None or situation is None:
        return False
    text = text_of(message, situation.vocabulary, situation.today)
    found = [one for one in item_commands(text, situation) if type(one) is type(command) and one.confidence == 1.0]
    own = [one for one in found if getattr(one, "item", None) != {}]  # any item is no other one
    parts = {part.name: part for part in shown.field.parts}
    if isinstance(command, c.Add):
        added = object_in(command.item) or {}
        return bool(own) and not any(_agree(added, one, parts, situation) for one in own)
    known = items_of(shown)
    item = named_item(command.item, known)
    if item is None or not own:
        return False
    same = [one for one in own if item[ID] == _id(one, known)]
    if isinstance(command, c.Change):
        values = [one.value for one in same if isinstance(one, c.Change) and one.name == command.name]
        wanted = _read(command.value, parts.get(command.name), situation)
        return not same or (bool(values) and wanted is not None and wanted not in values)
    return not same


def says_other_choice(message: str, command: c.Edit, allowed: AllowedInput) -> bool:
    """Return whether the rules read another choice among the items shown than the command of a model."""
    situation = situation_of(allowed)
    if situation is None:
        return False
    found = chosen_item(text_of(message, situation.vocabulary, situation.today), situation)
    return bool(found) and all(one.field != command.field for one in found)


def _id(command: AnyCommand, known: Sequence[dict[str, Any]]) -> str:
    """Return the id of the item that a command is about; empty if it names none."""
    found = named_item(getattr(command, "item", None), list(known))
    return str(found[ID]) if found is not None else ""


def _agree(added: Mapping[str, Any], other: AnyCommand, parts: Mapping[str, Field], situation: Situation) -> bool:
    """Return whether two new items have the same values, as far as both have them."""
    item = as_object(other.item if isinstance(other, c.Add) else None) or {}
    for name, value in added.items():
        wanted = _read(value, parts.get(name), situation)
        if name in item and wanted is not None and wanted != item[name]:
            return False
    return True


def _read(value: Any, part: Field | None, situation: Situation) -> Any:
    """Return a value of an item in canonical form; `None` for one that is refused."""
    found = read_value(part, value, situation.rules) if part is not None else None
    return None if isinstance(found, Refused) else found
