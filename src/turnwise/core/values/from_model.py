"""Reads values that a model sends as text: JSON of the declared type is taken as such, a list is never split, and what
may mean two things, or stands for no value, is refused.

It does not read what people write: their lists are split at commas, by `read_value`.
"""

from __future__ import annotations

from typing import Any

from msgspec import DecodeError
from msgspec.json import decode
from msgspec.structs import replace

from turnwise.core.values import Refused, Rules, decided_by_bounds, item_field, item_type, match_option
from turnwise.core.values.items import is_item, read_item, read_items
from turnwise.core.values.json_data import as_list, as_object
from turnwise.core.values.numbers import ambiguous_for_a_model
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field, FieldType, Option

_SEVERAL = late_pattern(r"[,;\n]")
"""What a text of several items has between them. It may belong to one item, and nobody can know."""
_AS_NUMBER = "Send it as a JSON number, without quotes."
_EXAMPLE = '["…", "…"]'
_TEXTS = ("string", "choice")
_NO_VALUE = ("null", "undefined")
"""Texts that stand for no value, also where a text is wanted: a model has written its `null` in quotes."""
_NOTHING = (*_NO_VALUE, "none", "nil", "n/a")
"""Texts that stand for no value wherever no text is wanted."""
_NONE = object()


def as_declared(field: Field, raw: Any, rules: Rules, *, may_split: bool = False) -> Any:
    """Return a value that a model sent, parsed if it is JSON text of the field's type; or its refusal. Refused are a
    text for a list that is neither JSON nor surely one item, a number with two readings, and a text that stands for no
    value; with `may_split`, for the words of a user, these stay texts.
    """
    if field.parts:
        return _of_record(field, raw, rules, may_split=may_split)
    given = as_list(raw) if field.type == "list" else None
    if given is not None:
        return _entries(field, given, rules, may_split=may_split)
    if not isinstance(raw, str) or not raw.strip():
        return raw
    if not may_split and _is_no_value(field.type, field.options, raw.strip()):
        return _no_value(field, raw.strip(), rules)
    if field.type == "list":
        return _items(field, raw, rules, may_split=may_split)
    if field.type in _TEXTS or field.options:
        return raw
    return _typed(field, raw, rules, may_split=may_split)


def _of_record(field: Field, raw: Any, rules: Rules, *, may_split: bool) -> Any:
    """Return a list of records, or one item of it, with each value as `read_value` takes it; the list and its items may
    be JSON text, and one item may stand for a list of one.
    """

    def read(part: Field, value: Any, rules: Rules) -> Any:
        return as_declared(part, value, rules, may_split=may_split)

    if is_item(field):
        item = object_in(raw)
        return raw if item is None else read_item(field, item, rules, read)
    found = list_in(raw)
    given = as_list(found) if object_in(found) is None else [found]
    if given is None:
        return raw
    return read_items(field, [object_in(one) or one for one in given], rules, read)


def as_items(field: Field, entries: list[Any], rules: Rules) -> list[Any] | Refused:
    """Return the entries that a model sent for a list, parsed for `read_value`, or the first refusal."""
    found = _entries(field, entries, rules, may_split=False)
    return found if type(found) is Refused else list(found)


def _typed(field: Field, raw: str, rules: Rules, *, may_split: bool) -> Any:
    """Return the JSON value of a text for a number or a boolean, the text itself for any other type."""
    found = _decoded(raw)
    if isinstance(found, str):
        raw, found = found, _decoded(found)
    if field.type == "boolean" and isinstance(found, bool):
        return found
    if may_split or field.type not in ("integer", "number"):
        return raw
    ambiguous = ambiguous_for_a_model(raw, rules) if field.type == "number" else None
    if ambiguous is not None:
        return _decided(field, ambiguous, rules)
    return found if type(found) in (int, float) else raw


def _decided(field: Field, ambiguous: Refused, rules: Rules) -> Any:
    """Return the only reading within the bounds of a field, else its refusal; that of a secret names no value."""
    value = decided_by_bounds(field, ambiguous, rules)
    if type(value) is not Refused or value.reason != "ambiguous":
        return value
    shown = rules.refused(field.type) if field.secret else value
    return replace(shown, text=f"{shown.text} {_AS_NUMBER}")


def _entries(field: Field, entries: list[Any], rules: Rules, *, may_split: bool) -> Any:
    """Return the entries of a list with each read as its items are. A list whose only entry is the JSON text of a list
    is that list; such a text beside others is refused.
    """
    if len(entries) == 1 and isinstance(entries[0], str) and not match_option(field.options, entries[0]):
        inner = as_list(_decoded(entries[0]))
        if inner is not None:
            return inner if may_split else _entries(field, inner, rules, may_split=False)
    if may_split:
        return entries
    kind = item_type(field)
    item = item_field(field) if kind not in _TEXTS else None
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, str) and not (field.options and match_option(field.options, entry)):
            text = entry.strip()
            if text[:1] in ("[", "{") and _is_list_in_text(text):
                return _with_example(rules.refused("list"))
            if _is_no_value(field.type if len(entries) == 1 else kind, field.options, text):
                return _no_value(field, text, rules)
        value = entry if item is None else as_declared(item, entry, rules)
        if type(value) is Refused:
            return value
        found.append(value)
    return found


def _is_list_in_text(text: str) -> bool:
    """True if a text that begins with a bracket is the JSON of a list or an object, or has the look of one in another
    language.
    """
    is_list = text.startswith("[") and text.endswith("]") and any(mark in text for mark in "\"',")
    is_object = text.startswith(("{'", '{"')) and text.endswith("}")
    return is_list or is_object or isinstance(_decoded(text), list | dict)


def _is_no_value(kind: FieldType, options: tuple[Option, ...], text: str) -> bool:
    """True if a stripped text stands for no value in a field. `Null` is a name, and `none` a text as any other."""
    is_none = text in (*_NO_VALUE, "NULL") if kind in _TEXTS else text.casefold() in _NOTHING
    return is_none and not match_option(options, text)


def _no_value(field: Field, text: str, rules: Rules) -> Refused:
    instead = "send [], or leave it out" if field.type == "list" else "send null, or leave it out"
    return replace(rules.refused("blank"), text=f"the text '{text}' is no value: {instead}")


def object_in(raw: Any) -> dict[str, Any] | None:
    """Return the object in a value, parsed if a model sent it as JSON text; `None` if it is none."""
    return as_object(_decoded(raw) if isinstance(raw, str) else raw)


def list_in(raw: Any) -> Any:
    """Return the list that a JSON text holds; any other value unchanged."""
    found = _decoded(raw) if isinstance(raw, str) else raw
    return raw if as_list(found) is None else found


def _items(field: Field, text: str, rules: Rules, *, may_split: bool) -> Any:
    """Return the items in a text for a list, or its refusal."""
    if match_option(field.options, text):
        return [text]
    found = _decoded(text)
    if isinstance(found, str):
        inner = as_list(_decoded(found))
        found = [found] if inner is None else inner
    items = as_list(found)
    if items is not None:
        return _entries(field, items, rules, may_split=may_split)
    looks_like_json = found is None or text.strip()[0] in "[{" or as_object(found) is not None
    if looks_like_json or (_SEVERAL.search(text) and not may_split):
        return _with_example(rules.refused("list"))
    return text if may_split else _entries(field, [text], rules, may_split=False)


def _with_example(refused: Refused) -> Refused:
    return replace(refused, text=f"{refused.text} {_EXAMPLE}")


def _decoded(text: str) -> Any:
    """Return the JSON value of a text, a marker where it is no JSON."""
    try:
        return decode(text)
    except (DecodeError, RecursionError, UnicodeEncodeError):
        return _NONE
