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
        data = encode(value, enc_hook=_as_data)
    except RecursionError:
        raise NoData("it is nested too deeply, or in itself") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise NoData(str(error)) from None
    if b"null" in data and _has_no_number(to_builtins(value, enc_hook=_as_data)):
        raise NoData("it holds NaN or infinity")
    return decode(data), len(data)


def _has_no_number(data: Any) -> bool:
    """Whether a number in it is none: JSON would have `null` in its place."""
    if isinstance(data, float):
        return not isfinite(data)
    if isinstance(data, dict):
        data = data.values()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    elif not isinstance(data, list | tuple | set | frozenset):
        return False
    return any(_has_no_number(item) for item in data)  # pyright: ignore[reportUnknownVariableType]


def _as_data(value: Any) -> Any:
    """What the encoder does not know as data: a pydantic model. Raises `TypeError` for anything else."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    raise TypeError(f"it holds an object of the class {type(value).__name__}")
