"""Looking into JSON data that somebody else has made."""

from __future__ import annotations

from typing import Any, cast


def as_object(data: Any) -> dict[str, Any] | None:
    """The data where it is an object, else `None`."""
    return cast("dict[str, Any]", data) if isinstance(data, dict) else None


def as_list(data: Any) -> list[Any] | None:
    """The data where it is a list, else `None`."""
    return cast("list[Any]", data) if isinstance(data, list) else None
