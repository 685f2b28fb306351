"""Reads typed values: returns the canonical form that a field stores, or the reason why it refuses a value.

A value is JSON data: dates and times are ISO texts, durations are seconds. It reads whole values,
never sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any, get_args

from msgspec.structs import replace

from turnwise.core.language import folded, normalized, trimmed
from turnwise.core.language.answers import plain_answer
from turnwise.core.state.kinds import ValueRefusal
from turnwise.core.values.entries import Piece, entries_of, pieces_of
from turnwise.core.values.items import is_item, read_item, read_items
from turnwise.core.values.moments import read_date, read_datetime, read_time
from turnwise.core.values.moving_bounds import MovingBound, bound_at, is_moving, moving_bound
from turnwise.core.values.numbers import read_integer, read_number
from turnwise.core.values.numerals import read_numeral
from turnwise.core.values.patterns import field_regex
from turnwise.core.values.phones import EXTENSION as EXTENSION
from turnwise.core.values.phones import read_phone
from turnwise.core.values.questions import read_answers, read_question
from turnwise.core.values.refusal import Refused as Refused
from turnwise.core.values.refusal import Rules as Rules
from turnwise.core.values.yes_no import yes_or_no_option
from turnwise.flow.converters import copy_with
from turnwise.flow.durations import read_duration_s
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field, FieldType, Option
from turnwise.flow.model.words import ItemType

REDACTED = "[secret]"
"""What stands for a secret value everywhere but in the store."""

Value = None | bool | int | float | str | list[Any] | dict[str, Any]
"""A value of a field, as JSON data; `None` stands for `null`."""


def read_value(field: Field, raw: object, rules: Rules) -> Value | Refused:
    """Return the canonical value of `raw` (JSON data or text typed by a user) for a field, or its refusal."""
    if raw is None or (isinstance(raw, str) and (not raw.strip() or not raw.isascii())):
        unreadable = _unreadable(raw, rules)
        if unreadable is not None:
            return unreadable
        raw = trimmed(raw) if isinstance(raw, str) else raw
    if field.secret and holds_placeholder(raw):
        return rules.refused("placeholder")
    if field.parts:
        return _of_record(field, raw, rules)
    if field.type == "list":
        return _list(field, raw, rules)
    if field.options:
        return _option(field.options, raw, rules)
    value = _READERS[field.type](raw, rules)
    if type(value) is Refused and value.readings and field.type in ("number", "time"):
        value = decided_by_bounds(field, value, rules)
    if type(value) is Refused:
        tells_value = field.secret and value.reason == "ambiguous"
        return rules.refused(field.type) if tells_value else value
    is_bounded = field.min is not None or field.max is not None or field.pattern
    return _bounded(field, value, rules) if is_bounded else value


def _of_record(field: Field, raw: object, rules: Rules) -> Value | Refused:
    """Return a list of records, or one item of it."""
    if is_item(field):
        return read_item(field, raw, rules, read_value)
    items = read_items(field, raw, rules, read_value)
    return items if isinstance(items, Refused) else _bounded(field, items, rules)


def decided_by_bounds(field: Field, refused: Refused, rules: Rules) -> Value | Refused:
    """Return the only reading of an ambiguous number or time that is within a field's bounds, else its refusal.
    A date is never decided so.
    """
    readings = [_bounded(field, one, rules) for one in refused.readings]
    accepted = [one for one in readings if type(one) is not Refused]
    if len(accepted) == 1:
        return accepted[0]
    return refused if accepted else readings[0]


def is_empty(given: object) -> bool:
    """Return whether a value clears a field: null or a blank text; an empty list is a value (law 1.3)."""
    return given is None or _is_blank(given)


def holds_placeholder(raw: object) -> bool:
    """Return whether a value contains the placeholder that hides secrets; no field accepts it."""
    if isinstance(raw, list | tuple):
        items: list[Any] = list(raw)  # pyright: ignore[reportUnknownArgumentType]
        return any(holds_placeholder(item) for item in items)
    if isinstance(raw, dict):
        return holds_placeholder(list(raw.values()))  # pyright: ignore[reportUnknownArgumentType]
    return isinstance(raw, str) and REDACTED in raw


def read_text(raw: object, rules: Rules) -> Value | Refused:
    """Return a text in canonical form, or its refusal, for a field without options or pattern."""
    if isinstance(raw, str) and raw.isascii() and 0 < len(text := raw.strip()) <= rules.max_chars:
        return text
    return _unreadable(raw, rules) or _string(raw, rules)


def _unreadable(raw: object, rules: Rules) -> Refused | None:
    """Return the refusal of a value that no field accepts, `None` for all others."""
    if raw is None or _is_blank(raw):
        return rules.refused("blank")
    try:
        if isinstance(raw, str):
            raw.encode()
    except UnicodeEncodeError:  # half a character, which no journal can keep
        return rules.refused("string")
    return None


def match_option(options: tuple[Option, ...], text: str) -> str | None:
    """Return the option whose value or synonym a text is, ignoring case and outer spaces; `None` if there is none."""
    if not options:
        return None
    if text in [one.value for one in options]:  # the usual case; no two options have the same name
        return text
    names = _folded_names(options)
    return names.get(folded(text)) or names.get(folded(normalized(text)))


@lru_cache(maxsize=1024)
def _folded_names(options: tuple[Option, ...]) -> Mapping[str, str]:
    """Return the options by their folded values and synonyms; of two with the same name the first."""
    return {folded(word): one.value for one in reversed(options) for word in (*reversed(one.words), one.value)}


def is_free_text(field: Field) -> bool:
    """Return whether the field accepts any text: it has neither options nor a pattern."""
    return field.type == "string" and not field.options and not field.pattern


def is_read_as_text(field: Field) -> bool:
    """Return whether a field takes texts, with or without a pattern, or lists of texts (law 7.3a).
    A message is interpreted before it answers such a field.
    """
    is_text = field.type == "string" or (field.type == "list" and field.of in (None, "string") and not field.parts)
    return is_text and not field.options


def item_type(field: Field) -> FieldType:
    """Return the type of a list field's items; text if their record is unknown or refused."""
    kind: Any = field.of or ("choice" if field.options else "string")
    return kind if kind in _ITEM_TYPES else "string"


_ITEM_TYPES = frozenset(get_args(ItemType))


def item_field(field: Field) -> Field:
    """Return the field definition of a list's items; for a list of records it has the fields of an item as `parts`."""
    if field.parts:
        return copy_with(field, type="item", min=None, max=None, default=None)
    return copy_with(field, type=item_type(field), of=None, min=None, max=None, default=None)


def _list(field: Field, raw: object, rules: Rules) -> Value | Refused:
    if isinstance(raw, str):
        raw = [raw] if match_option(field.options, raw) else _entries(field, raw, rules)
    if type(raw) is Refused:
        return rules.refused("list") if field.secret else raw
    if not isinstance(raw, list | tuple):
        return rules.refused("list")
    given: list[Any] = list(raw)  # pyright: ignore[reportUnknownArgumentType]
    values = _items(field, given, rules)
    if type(values) is Refused and values.reason == "blank":  # blank entries are left out; most lists have none
        values = _items(field, [entry for entry in given if not _is_blank(entry)], rules)
    if type(values) is Refused:
        return values
    if given and not values:
        return rules.refused("blank")
    if len(values) > rules.max_items:
        return rules.refused("items", allowed=rules.max_items)
    return _bounded(field, values, rules)


def _entries(field: Field, text: str, rules: Rules) -> list[str] | Refused:
    """Split a text into the items of a list; a comma or stop inside of a number or word does not split it."""
    item, found = item_field(field), list[str]()
    if item.options:
        return rules.language.joint.split(text)
    if item.type == "string":
        return read_entries(field, text, list(pieces_of(text, rules)), rules)
    for entry in rules.language.spaced_parts(text):
        is_number = read_numeral(entry, rules.language.thousands_mark) is not None
        found += [entry] if is_number else entry.split(",")
    return found


def read_entries(field: Field, text: str, pieces: Sequence[Piece], rules: Rules) -> list[str] | Refused:
    """Return the entries of a list that a text, divided into `pieces`, holds; if it can be split in two ways, those
    that the field accepts, else the refusal.
    """
    found = entries_of(text, pieces, rules)
    if type(found) is not Refused or not field.pattern:
        return found
    accepted = [one for one in found.readings if not isinstance(_items(field, one, rules), Refused)]
    return accepted[0] if len(accepted) == 1 else found


def _items(field: Field, entries: list[Any], rules: Rules) -> list[Any] | Refused:
    """Return the list items in canonical form, each option at most once, or the first refusal."""
    is_text = field.of in (None, "string") and not field.options and not field.pattern
    item = None if is_text else item_field(field)
    values: list[Any] = []
    for entry in entries:
        value = read_text(entry, rules) if item is None else read_value(item, entry, rules)
        if item is not None and item.type == "integer" and isinstance(entry, str):  # its comma may part two items
            typed = read_number(entry, rules)
            value = typed if type(typed) is Refused and typed.readings else value
        if type(value) is Refused:
            return value
        if not (field.options and value in values):
            values.append(value)
    return values


def _is_blank(entry: object) -> bool:
    return isinstance(entry, str) and not (entry.strip() if entry.isascii() else trimmed(entry))


def _option(options: tuple[Option, ...], raw: object, rules: Rules) -> Value | Refused:
    found = match_option(options, str(raw)) or yes_or_no_option(options, str(raw), rules.language)
    if found is None:
        return rules.refused("option", options=", ".join(option.shown for option in options))
    return found


# one reader per type ---------------------------------------------------------------------------

_LONGEST_S = timedelta.max.total_seconds()
_EMAIL = late_pattern(r"[^\s@<>()\[\],;:\\\"]+@[^\s@<>()\[\],;:\\\".]+(?:\.[^\s@<>()\[\],;:\\\".]+)+")


def _string(raw: object, rules: Rules) -> Value | Refused:
    if not isinstance(raw, str):
        return rules.refused("string")
    text = raw.strip() if raw.isascii() else trimmed(raw)
    return text if len(text) <= rules.max_chars else rules.refused("length", allowed=rules.max_chars)


def _boolean(raw: object, rules: Rules) -> Value | Refused:
    if isinstance(raw, bool):
        return raw
    found = plain_answer(rules.language, raw, "true") if isinstance(raw, str) else None
    return rules.refused("boolean") if found is None else found


def _duration(raw: object, rules: Rules) -> Value | Refused:
    if isinstance(raw, str):
        seconds = read_duration_s(raw)
    else:
        seconds = raw if isinstance(raw, int | float) and not isinstance(raw, bool) else None
    if seconds is None or not abs(seconds) <= _LONGEST_S:
        return rules.refused("duration")
    return int(seconds) if float(seconds).is_integer() else seconds


def _email(raw: object, rules: Rules) -> Value | Refused:
    text = raw.strip().rstrip(".,;:!?") if isinstance(raw, str) else ""
    return text if len(text) <= 254 and _EMAIL.fullmatch(text) else rules.refused("email")


_READERS: dict[str, Callable[[object, Rules], Value | Refused]] = {
    "string": _string,
    "choice": _string,
    "integer": read_integer,
    "number": read_number,
    "boolean": _boolean,
    "date": read_date,
    "time": read_time,
    "datetime": read_datetime,
    "duration": _duration,
    "email": _email,
    "phone": read_phone,
    "question": read_question,
    "answers": read_answers,
}


# bounds ----------------------------------------------------------------------------------------


def _bounded(field: Field, value: Value, rules: Rules) -> Value | Refused:
    if field.min is None and field.max is None and not field.pattern:
        return value
    measured = len(value) if isinstance(value, list) or (_is_measured(field) and isinstance(value, str)) else value
    low, high = bounds(field, rules)
    if low is not None and measured < low:  # pyright: ignore[reportOperatorIssue]
        return _beyond("min", field, low, rules)
    if high is not None and measured > high:  # pyright: ignore[reportOperatorIssue]
        is_text = _is_measured(field) and isinstance(value, str)
        return rules.refused("length", allowed=field.max) if is_text else _beyond("max", field, high, rules)
    if field.pattern and isinstance(value, str) and not field_regex(field.pattern).fullmatch(value):
        return rules.refused("pattern")
    return value


def _beyond(reason: ValueRefusal, field: Field, bound: object, rules: Rules) -> Refused:
    """Return the refusal of a value beyond a bound in its stored form."""
    written = field.min if reason == "min" else field.max
    written = bound if is_moving(field.type, written) else written
    words = {"bound": bound} if field.type in ("date", "time", "datetime", "duration", "number") else {}
    return replace(rules.refused(reason, bound=written), kind=field.type, words=words)


def _is_measured(field: Field) -> bool:
    """Return whether `min` and `max` limit the length of a text rather than its value."""
    return field.type in ("string", "email", "phone", "choice")


@lru_cache(maxsize=1024)
def _bound(kind: str, bound: float | str) -> Any:
    if kind == "duration" and isinstance(bound, str):
        return read_duration_s(bound)
    return moving_bound(bound) if is_moving(kind, bound) else bound


def bounds(field: Field, rules: Rules | None = None) -> tuple[Any, Any]:
    """Return the lowest and highest allowed value of a field in its unit; `None` for a bound that it does not have.
    There is no bound that moves with the clock where the rules have no time.
    """
    low = None if field.min is None else _bound(field.type, field.min)
    high = None if field.max is None else _bound(field.type, field.max)
    return _present(field, low, rules, is_least=True), _present(field, high, rules, is_least=False)


def has_moving_bound(field: Field) -> bool:
    """Return whether a bound of the field moves with the clock, such as `today`."""
    return is_moving(field.type, field.min) or is_moving(field.type, field.max)


def _present(field: Field, bound: Any, rules: Rules | None, *, is_least: bool) -> Any:
    if not isinstance(bound, MovingBound):
        return bound
    if rules is None or rules.at_ms is None:
        return None
    return bound_at(field.type, bound, rules.at_ms, rules.zone, is_least=is_least)
