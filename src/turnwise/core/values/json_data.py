"""JSON data from elsewhere: conversion of any value to it, lookups in it, and repair of text that UTF-8 cannot encode.

It does not limit how much data may be stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, NamedTuple, cast

from msgspec import to_builtins
from msgspec.json import decode, encode

from turnwise.core.values.nesting import TOO_DEEP, is_text_too_deep
from turnwise.errors import TurnwiseError, describe, message_of
from turnwise.flow.late_pattern import late_pattern


def as_object(data: Any) -> dict[str, Any] | None:
    """Return the data if it is an object, else `None`."""
    return cast("dict[str, Any]", data) if isinstance(data, dict) else None


def as_list(data: Any) -> list[Any] | None:
    """Return the data if it is a list, else `None`."""
    return cast("list[Any]", data) if isinstance(data, list) else None


REPLACEMENT = "\ufffd"
"""What stands in the place of a lone surrogate."""
_LONE = late_pattern("[\ud800-\udfff]")


class Repaired(NamedTuple):
    """Text or JSON data that UTF-8 can encode, with the number of lone surrogates that were replaced."""

    data: Any
    """The repaired text or JSON data."""
    replaced: int = 0
    """How many lone surrogates were replaced."""


def repair(text: str) -> Repaired:
    """Return a text that UTF-8 can encode: surrogate pairs are joined, lone surrogates replaced and counted."""
    if text.isascii():
        return Repaired(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = _joined(text)
        return Repaired(*_LONE.subn(REPLACEMENT, joined))
    return Repaired(text)


def repair_data(data: Any) -> Repaired:
    """Return JSON data with every text repaired, keys included; tuples and sets become lists."""
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
    """Repairs a text that arrives in pieces; half a surrogate pair at the end of a piece waits for the next piece."""

    def __init__(self) -> None:
        self.replaced = 0
        self._half = ""

    def add(self, piece: str) -> str:
        """Return the text that can be shown after adding a piece."""
        if not self._half and piece.isascii():
            return piece
        text = self._half + piece
        at = len(text) - 1 if "\ud800" <= text[-1:] <= "\udbff" else len(text)
        self._half = text[at:]
        return self._repaired(text[:at])

    def end(self) -> str:
        """Return the replacement for a half surrogate pair that is left at the end; empty if none is left."""
        if not self._half:
            return ""
        half, self._half = self._half, ""
        return self._repaired(half)

    def _repaired(self, text: str) -> str:
        found = repair(text)
        self.replaced += found.replaced
        return found.data


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


# conversion --------------------------------------------------------------------------------------

_BYTES = (bytes, bytearray, memoryview)


class NotJson(TurnwiseError):
    """Raised if a value cannot be converted to JSON data; the text says why."""


class JsonData(NamedTuple):
    """JSON data, the length of its text in bytes, and how many lone surrogates were replaced."""

    data: Any
    """The data with lone surrogates replaced."""
    length: int = 0
    """The length of the data as JSON text, in bytes."""
    replaced: int = 0
    """How many lone surrogates were replaced."""


def to_json_data(value: Any) -> JsonData:
    """Return a copy of a value as JSON data, as it will be read back from a journal. Raises `NotJson`."""
    replaced = 0
    try:
        known = to_builtins(value, builtin_types=_BYTES, enc_hook=dump_model)
        try:
            text = encode(known)
        except UnicodeEncodeError:
            known, replaced = repair_data(known)
            text = encode(known)
        if is_text_too_deep(text):
            raise NotJson(TOO_DEEP)
        data = decode(text)
        wrong = _lost(known) if data != known else ""  # data that is equal afterwards lost nothing
    except RecursionError:
        raise NotJson("it is nested too deeply, or in itself") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise NotJson(message_of(error) or type(error).__name__) from None
    if wrong:
        raise NotJson(wrong)
    return JsonData(data, len(text), replaced)


def copy_data(data: Any) -> Any:
    """Return a deep copy of JSON data, for code that may change its arguments."""
    if isinstance(data, dict):
        pairs = cast("dict[str, Any]", data).items()
        return {name: copy_data(value) if isinstance(value, dict | list) else value for name, value in pairs}
    if isinstance(data, list):
        items = cast("list[Any]", data)
        return [copy_data(item) if isinstance(item, dict | list) else item for item in items]
    return data


def _lost(data: Any) -> str:
    """Return what JSON would silently replace by `null` or a text; an empty text if there is nothing."""
    if isinstance(data, float):
        return "" if isfinite(data) else "it holds NaN or infinity"
    if isinstance(data, _BYTES):
        return "it holds bytes; give a text, decoded or in base64"
    if isinstance(data, dict):
        data = cast("dict[Any, Any]", data).values()
    elif not isinstance(data, list | tuple | set | frozenset):
        return ""
    return next((wrong for item in cast("Iterable[Any]", data) if (wrong := _lost(item))), "")


def dump_model(value: Any) -> Any:
    """Return a pydantic model as data. Raises `TypeError` for any other object that the encoder does not know."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        try:
            return dump(mode="json")
        except Exception as error:
            raise NotJson(f"its model_dump() failed: {describe(error)}") from error
    raise TypeError(f"it holds an object of the class {type(value).__name__}")
