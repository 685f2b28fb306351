"""Anything as the JSON data that a journal gives back, or why it is none. How much may be kept is not known here."""

from __future__ import annotations

from math import isfinite
from typing import Any

from msgspec import to_builtins
from msgspec.json import decode, encode

from turnwise.errors import TurnwiseError


class NoData(TurnwiseError):
    """Something that is no JSON data; the words say why."""


def plain(value: Any) -> tuple[Any, int]:
    """JSON data, and how many characters it takes. Raises `NoData`."""
    try:
        known = to_builtins(value, builtin_types=_BYTES, enc_hook=_as_data)
        data = encode(known)
        found = decode(data)
        fault = _fault(known) if found != known else ""  # what came back the same lost nothing
    except RecursionError:
        raise NoData("it is nested too deeply, or in itself") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise NoData(str(error)) from None
    if fault:
        raise NoData(fault)
    return found, len(data)


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
        return dump(mode="json")
    raise TypeError(f"it holds an object of the class {type(value).__name__}")
