"""The names of items of lists of records, and of single values of them.

A question names an item by its position from 0, as guards do, or by its id: `order.items[2]`, `order.items[i3].size`.
A subject has the id, for positions change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.items import ID, Item, index_of, is_id, number_of
from turnwise.core.values.items import parts_by_name
from turnwise.core.values.json_data import as_list
from turnwise.errors import UnknownSubject
from turnwise.flow.diagnostic import nearest
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.fact import Subject

_NAME = late_pattern(r"([^\[\]\s]+)\[\s*(i\d{1,15}|-?\d{1,15})\s*\](?:\.(\w+))?")


class ItemName(NamedTuple):
    """An item of a list of records, or one of its values."""

    field: str
    """The address of the list field."""
    id: str
    """The id of the item in the list."""
    part: str = ""
    """The name of one of the item's values; empty for the whole item."""

    def __str__(self) -> str:
        return f"{self.field}[{self.id}]{f'.{self.part}' if self.part else ''}"


def item_name(name: str) -> ItemName:
    """Return the list, the item and the value that the name of an item as a subject consists of."""
    field, _, rest = name.partition("[")
    id_, _, part = rest.partition("]")
    return ItemName(field, id_, part.removeprefix("."))


def item_subjects(field: str, id_: str, part: str = "") -> tuple[Subject, ...]:
    """Return the subjects of an event about an item (`id_`) of the list `field`: its list, the item and, unless `part`
    is empty, the value.
    """
    own = (Subject("item", str(ItemName(field, id_, part))),) if part else ()
    return (Subject("field", field), Subject("item", str(ItemName(field, id_))), *own)


def items_at(state: State | None, field: str) -> list[Item]:
    """Return the items of a list field in a state; empty if there is no state."""
    found = state.values.get(field) if state is not None else None
    return (as_list(found.value) or []) if found is not None else []


def item_in(state: State | None, name: ItemName) -> Item | None:
    """Return an item of a list in a state; `None` if the list does not have it."""
    items = items_at(state, name.field)
    at = index_of(items, name.id)
    return items[at] if at >= 0 else None


def position_of(state: State | None, name: ItemName) -> int:
    """Return the position of an item in its list in a state, from 1; 0 if the list does not have it."""
    return index_of(items_at(state, name.field), name.id) + 1


def item_named(
    machine: Machine, fields_named: Callable[[str], Iterable[Subject]], text: str, state: State
) -> Subject | None:
    """Return the item, or its value, that a text names at the end of a turn; `None` for any other text.
    `fields_named` returns the subjects of a name. Raises `UnknownSubject` for an unknown item or value.
    """
    found = _NAME.fullmatch(text)
    if found is None:
        return None
    name, place, part = found.groups(default="")
    named = [one.name for one in fields_named(name) if one.kind == "field"]
    address = next((one for one in named if machine.fields[one].parts), next(iter(named), ""))
    field = machine.fields.get(address)
    if field is None or not field.parts:
        lists = [known for known, one in machine.fields.items() if one.parts]
        raise UnknownSubject(text, nearest(name, lists) if field is None else f"{address} is no list of records")
    if part and part not in parts_by_name(field):
        raise UnknownSubject(text, nearest(part, parts_by_name(field)))
    items = items_at(state, address)
    if is_id(place):
        if number_of(place) > state.last_item:
            raise UnknownSubject(text, _there_are(address, items))
        return Subject("item", str(ItemName(address, place, part)))
    if not place.lstrip("-").isdecimal() or not -len(items) <= int(place) < len(items):
        raise UnknownSubject(text, _there_are(address, items))
    return Subject("item", str(ItemName(address, items[int(place)][ID], part)))


def _there_are(address: str, items: list[Item]) -> str:
    """Return which items can be named."""
    if not items:
        return f"{address} has no items; one that was removed is named by its id, as in {address}[i1]"
    last = f" to {address}[{len(items) - 1}]" if len(items) > 1 else ""
    return f"there is {address}[0]{last}; an item that was removed is named by its id, as in {address}[i1]"
