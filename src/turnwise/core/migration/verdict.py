"""What the words of a migration are: a verdict, its reasons, and the new names of what was renamed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

Fit = Literal["compatible", "needs_mapping", "must_finish"]
FITS: tuple[Fit, ...] = ("compatible", "needs_mapping", "must_finish")
"""From the best to the worst."""


class Reason(Struct, frozen=True):
    """Why something cannot simply go on: `needs_mapping` where a new name mends it, else `must_finish`."""

    fit: Fit
    text: str


def needs_mapping(text: str) -> Reason:
    """A reason that a new name mends."""
    return Reason("needs_mapping", text)


def must_finish(text: str) -> Reason:
    """A reason that no name mends."""
    return Reason("must_finish", text)


def worst(reasons: Iterable[Reason]) -> Fit:
    """The verdict that follows from some reasons."""
    found = {reason.fit for reason in reasons}
    for fit in _WORST_FIRST:
        if fit in found:
            return fit
    return "compatible"


_WORST_FIRST: tuple[Fit, ...] = ("must_finish", "needs_mapping")


class Renaming(Struct, frozen=True):
    """The new names of nodes and fields; a field with an empty new name is given up, with its values."""

    nodes: dict[str, str] = {}
    fields: dict[str, str] = {}

    def node(self, name: str) -> str:
        """The new name of a node."""
        return self.nodes.get(name, name)

    def field(self, address: str) -> str:
        """The new address of a field, empty where it is given up."""
        return self.fields.get(address, address)

    def question(self, address: str) -> str:
        """The field that a question asks for now: also where its values are given up."""
        return self.fields.get(address) or address


AS_IT_IS = Renaming()
"""No name is another."""
