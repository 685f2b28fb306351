"""What a guard reads: the fields, and the roots (`tools.*`, `message.*`, `turns`, …).

A root is read through its source, so that a decision of long ago is judged again from the values
that were recorded, by the very same closures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from turnwise.core.state import FieldValue, State
from turnwise.flow.model import Field


class GuardFault(Exception):
    """A guard could not be evaluated; the text says why."""


class Source(Protocol):
    """Gives the value of a root: `key` names it, `read` takes it from a state."""

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """The value of a root, `None` where it is missing."""
        ...


class Recorded:
    """Roots as they were recorded with a decision, or as somebody supposes them to be."""

    __slots__ = ("values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def get(self, key: str, read: Callable[[State], Any]) -> Any:  # noqa: ARG002  the protocol's other half needs it
        """The value of a root, `None` where it is missing."""
        return self.values.get(key)


class Env(Struct):
    """The surroundings of one judging; `bound` holds the variables of macros."""

    fields: Mapping[str, FieldValue]
    source: Source
    bound: dict[int, Any] = {}


class Ref:
    """Something that a guard reads: a field by its address, or a root by its key."""

    __slots__ = ("address", "field", "key", "read")

    def __init__(self, key: str, field: Field | None, read: Callable[[State], Any] | None) -> None:
        self.key = key
        self.field = field
        self.read = read
        self.address = key if field is not None else ""

    def value(self, env: Env) -> Any:
        """Return what is read, as it is stored: also a field's default. `None` where it is missing."""
        if self.field is None:
            return env.source.get(self.key, self.read) if self.read is not None else None
        found = env.fields.get(self.key)
        if found is not None:
            return found.value
        default = self.field.default
        return None if isinstance(default, str) and not default.strip() else default


def live(state: State) -> Env:
    """The surroundings of a judging on a state, which is its own source."""
    return Env(state.values, state)
