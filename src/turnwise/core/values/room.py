"""How much the limits of a flow let a field hold, whatever its own bounds."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.values.refusal import Rules
from turnwise.flow.model import Field

LEAST_ITEM_BYTES = 12
"""The bytes of an item of a list of records that has no value yet, with its comma: `{"id":"i1"},`."""


class Room(Struct, frozen=True):
    """The most items or characters that a field may hold, and the limit of the flow that sets this."""

    most: int
    """The greatest number of items or characters."""
    things: str
    """What `most` counts: `items` or `characters`."""
    limit: str
    """The key of the limit in the flow, such as `limits.lists`."""


def room_of(field: Field, rules: Rules) -> Room | None:
    """Return how much a list or text field may hold; `None` for a field of another type."""
    if field.type == "string":
        return Room(rules.max_chars, "characters", "limits.strings")
    if field.type != "list":
        return None
    most = rules.max_list_bytes // LEAST_ITEM_BYTES
    if field.parts and most < rules.max_items:
        return Room(most, "items", "limits.list_bytes")
    return Room(rules.max_items, "items", "limits.lists")
