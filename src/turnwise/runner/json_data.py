"""Anything as the JSON data that a journal gives back, or why it is none. How much may be kept is not known here."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.json import decode, encode

from turnwise.core.values.json_data import repair_data
from turnwise.errors import TurnwiseError, describe, message_of


class NoData(TurnwiseError):
    """Something that is no JSON data; the words say why."""


class Plain(NamedTuple):
    """JSON data, how many bytes its text takes, and how many lone surrogates were replaced in it."""

    data: Any
    length: int
    replaced: int = 0


def plain(value: Any) -> Plain:
    """JSON data of a value. Raises `NoData`."""
    replaced = 0
    try:
        known = to_builtins(value, builtin_types=_BYTES, enc_hook=_as_data)
        try:
            data = encode(known)
        except UnicodeEncodeError:
            known, replaced = repair_data(known)
            data = encode(known)
        found = decode(data)
        fault = _fault(known) if found != known else ""  # what came back the same lost nothing
    except RecursionError:
        raise NoData("it is nested too deeply, or in itself") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise NoData(message_of(error) or type(error).__name__) from None
    if fault:
        raise NoData(fault)
    return Plain(found, len(data), replaced)


def copied(data: Any) -> Any:
    """A deep copy of JSON data, for code that may change what it is given."""
    if isinstance(data, dict):
        return {name: copied(value) for name, value in data.items()}  # pyright: ignore[reportUnknownVariableType]
    return [copied(item) for item in data] if isinstance(data, list) else data  # pyright: ignore[reportUnknownVariableType]


_BYTES = (bytes, bytearray, memoryview)


def _fault(data: Any) -> str:
    """What in it JSON would silently have something else for, `null` or a text; empty where there is nothing."""
    if isinstance(data, float):
        return "" if isfinite(data) else "it holds NaN or infinity"
    if isinstance(data, _BYTES):
        return "it holds bytes; give a text, decoded or in base64"
    if isinstance(data, dict):
        data = data.values()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    elif not isinstance(data, list | tuple | set | frozenset):
        return ""
    return next((fault for item in data if (fault := _fault(item))), "")  # pyright: ignore[reportUnknownVariableType]


def _as_data(value: Any) -> Any:
    """What the encoder does not know as data: a pydantic model. Raises `TypeError` for anything else."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        try:
            return dump(mode="json")
        except Exception as error:
            raise NoData(f"its model_dump() failed: {describe(error)}") from error
    raise TypeError(f"it holds an object of the class {type(value).__name__}")
