"""Items of lists of records: data with an id (`i1`, `i2`, …) that no other item of the conversation ever has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern

Item = dict[str, Any]
"""The values of an item by name, and its id under `id`. A value that is missing has no key."""
ID = "id"
"""The key of an item's id."""
_ID = late_pattern(r"i[1-9][0-9]{0,14}")


def is_id(value: object) -> bool:
    """Return whether a value has the form of an item's id, such as `i3`."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def number_of(id_: str) -> int:
    """Return the number in an item's id: 3 of `i3`."""
    return int(id_[1:])


def id_of(number: int) -> str:
    """Return the item id with a number: `i3` for 3."""
    return f"i{number}"


def index_of(items: Sequence[Item], id_: str) -> int:
    """Return the index, from 0, of the item with an id; -1 if there is none."""
    for at, item in enumerate(items):  # without a call for each item
        if ID in item and item[ID] == id_:
            return at
    return -1


class ChangedItem(Struct, frozen=True, gc=False, array_like=True):
    """The item that was added or changed last, with its list and turn; without an id if that turn changed several."""

    turn: int
    """The number of the turn in which the item was changed."""
    field: str
    """The address of the list."""
    id: str
    """The id of the item; empty if the turn changed several."""


class Numbered(Struct, frozen=True):
    """Items with ids, and the number of the newest id in the conversation."""

    items: list[Item]
    """The items, each with its id."""
    last: int
    """The number of the newest id that was assigned."""


def with_ids(items: Iterable[Item], known: Iterable[Item], last: int, *, is_own: bool) -> Numbered:
    """Return the items of a list that is set as a whole, each with an id: an id that the list has in `known` is kept,
    others get new ones after the number `last`. Where the machine itself copies items (`is_own`), any id that was given
    before is kept. Of two with the same id, the first keeps it.
    """
    ids = {item[ID] for item in known}
    given, found, seen = last, list[Item](), set[str]()
    for item in items:
        id_ = item.get(ID, "")
        is_known = id_ in ids or (is_own and is_id(id_) and number_of(id_) <= last)
        if not is_known or id_ in seen:
            given += 1
            id_ = id_of(given)
        seen.add(id_)
        found.append({ID: id_, **{name: value for name, value in item.items() if name != ID}})
    return Numbered(found, given)
