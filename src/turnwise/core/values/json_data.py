"""Lookups in JSON data from elsewhere, and repair of text that UTF-8 cannot encode (lone surrogates)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from turnwise.flow.late_pattern import late_pattern


def as_object(data: Any) -> dict[str, Any] | None:
    """The data where it is an object, else `None`."""
    return cast("dict[str, Any]", data) if isinstance(data, dict) else None


def as_list(data: Any) -> list[Any] | None:
    """The data where it is a list, else `None`."""
    return cast("list[Any]", data) if isinstance(data, list) else None


REPLACEMENT = "\ufffd"
"""What stands in the place of a lone surrogate."""
_LONE = late_pattern("[\ud800-\udfff]")


class Repaired(NamedTuple):
    """Text or JSON data that can be encoded, and how many lone surrogates were replaced in it."""

    data: Any
    replaced: int = 0


def repair(text: str) -> Repaired:
    """Join the surrogates of one character, then replace lone ones."""
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = _joined(text)
        return Repaired(*_LONE.subn(REPLACEMENT, joined))
    return Repaired(text)


def repair_data(data: Any) -> Repaired:
    """Repair every text of JSON data, the names in its objects included; tuples and sets become lists."""
    if isinstance(data, str):
        return repair(data)
    if isinstance(data, list | tuple | set | frozenset):
        found = [repair_data(item) for item in cast("Iterable[Any]", data)]
        return Repaired([one.data for one in found], sum(one.replaced for one in found))
    inner = as_object(data)
    if inner is None:
        return Repaired(data)
    pairs = [(repair_data(name), repair_data(value)) for name, value in inner.items()]
    replaced = sum(name.replaced + value.replaced for name, value in pairs)
    return Repaired({name.data: value.data for name, value in pairs}, replaced)


class TextRepairer:
    """Repairs a text that comes in pieces: half a character at the end of a piece waits for its other half."""

    def __init__(self) -> None:
        self.replaced = 0
        self._half = ""

    def add(self, piece: str) -> str:
        """Return what can be shown for a piece now."""
        text = self._half + piece
        at = len(text) - 1 if "\ud800" <= text[-1:] <= "\udbff" else len(text)
        self._half = text[at:]
        return self._repaired(text[:at])

    def end(self) -> str:
        """Return what can be shown for a half whose other half never came."""
        half, self._half = self._half, ""
        return self._repaired(half)

    def _repaired(self, text: str) -> str:
        found = repair(text)
        self.replaced += found.replaced
        return found.data


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
