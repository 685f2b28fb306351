"""Reads values that a model sends as text: JSON of the declared type is taken as such, and a list is never split.

It does not read what people write: their lists are split at commas, by `read_value`.
"""

from __future__ import annotations

from typing import Any

from msgspec import DecodeError
from msgspec.json import decode
from msgspec.structs import replace

from turnwise.core.values import Rules, match_option
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

_SEVERAL = late_pattern(r"[,;\n]")
"""What a text of several items has between them. It may belong to one item, and nobody can know."""
_EXAMPLE = '["…", "…"]'
_TEXTS = ("string", "choice")
_NONE = object()


def as_declared(field: Field, raw: Any, rules: Rules, *, may_split: bool = False) -> Any:
    """Return a value that a model sent as `read_value` takes it: where a text is JSON of the field's type, its value.
    Refuse a text for a list that is neither JSON nor surely one item; with `may_split` it stays a text, for it has the
    words of a user.
    """
    if not isinstance(raw, str) or not raw.strip():
        return raw
    if field.type == "list":
        return _items(field, raw, rules, may_split=may_split)
    if field.type in _TEXTS or field.options:
        return raw
    found = _decoded(raw)
    if isinstance(found, str):
        raw, found = found, _decoded(found)
    is_number = field.type in ("integer", "number") and type(found) in (int, float) and not may_split
    return found if is_number or (field.type == "boolean" and isinstance(found, bool)) else raw


def object_in(raw: Any) -> dict[str, Any] | None:
    """Return an object, also where a model sent it as JSON text; `None` for everything else."""
    return as_object(_decoded(raw) if isinstance(raw, str) else raw)


def list_in(raw: Any) -> Any:
    """Return the list that a text holds as JSON; any other value as it is."""
    found = _decoded(raw) if isinstance(raw, str) else raw
    return raw if as_list(found) is None else found


def _items(field: Field, text: str, rules: Rules, *, may_split: bool) -> Any:
    if match_option(field.options, text):
        return [text]
    found = _decoded(text)
    if isinstance(found, str):
        inner = as_list(_decoded(found))
        return [found] if inner is None else inner
    if as_list(found) is not None:
        return found
    looks_like_json = found is None or text.strip()[0] in "[{" or as_object(found) is not None
    if looks_like_json or (_SEVERAL.search(text) and not may_split):
        refused = rules.refused("list")
        return replace(refused, text=f"{refused.text} {_EXAMPLE}")
    return text if may_split else [text]


def _decoded(text: str) -> Any:
    """Return the JSON value of a text, a marker where it is no JSON."""
    try:
        return decode(text)
    except (DecodeError, RecursionError, UnicodeEncodeError):
        return _NONE
