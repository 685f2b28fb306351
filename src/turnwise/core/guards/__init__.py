"""Evaluates guards: expressions are compiled once to closures over a state, with three-valued logic.

A closure returns true, false, or `None` for unknown (law 2.10), and raises `GuardFault` where CEL has an error. It
changes nothing and has no clock: `now` is the time of the event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from turnwise.core.state import FieldValue, State
from turnwise.flow.model import Field


class GuardFault(Exception):
    """An error while a guard is evaluated; its text is the reason."""


class Source(Protocol):
    """The source of root values of guards (`tools.*`, `message.*`, `turns`, …): a state, or recorded values."""

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """Return the value of the root `key`, which `read` computes from a state; `None` if it is missing."""
        ...


class Recorded:
    """Root values that were recorded with a decision, or that a caller supplies for a what-if.

    So the closures that made a decision long ago judge it again, on what they read then.
    """

    __slots__ = ("values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def get(self, key: str, read: Callable[[State], Any]) -> Any:  # noqa: ARG002  states use it
        """Return the recorded value of the root `key`; `None` where it is missing. `read`, which would take it from a
        state, is not called.
        """
        return self.values.get(key)


class Env(Struct):
    """The input of an evaluation: field values, root values, and macro variables."""

    fields: Mapping[str, FieldValue]
    """The values of fields, by address."""
    source: Source
    """The source of root values, such as `turns`."""
    bound: dict[int, Any] = {}
    """The values of macro variables (the item of `exists`, `all` and so on), by the nesting depth of the macro."""


Evaluate = Callable[[Env], Any]
"""A function that returns the value of an expression; `None` where the value is unknown."""
Test = Callable[[Env], bool | None]
"""A function that returns the verdict of a condition; `None` where the verdict is unknown."""


class Ref:
    """A field or root that an expression reads.
    `address` is empty for a root; `unset` is the value that the field has without a stored one.
    """

    __slots__ = ("address", "field", "key", "read", "unset")

    def __init__(self, key: str, field: Field | None, read: Callable[[State], Any] | None, unset: Any = None) -> None:
        self.key = key
        self.field = field
        self.read = read
        self.unset = unset
        self.address = key if field is not None else ""

    def value(self, env: Env) -> Any:
        """Return the value of the field or root in an environment, with the field's default; `None` if missing."""
        if self.field is None:
            return env.source.get(self.key, self.read) if self.read is not None else None
        found = env.fields.get(self.key)
        return found.value if found is not None else self.unset


def env_of(state: State) -> Env:
    """Return the environment to evaluate guards on a state."""
    return Env(state.values, state)
