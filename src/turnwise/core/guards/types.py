"""The types of the guard language, and how stored values are read as values of these types.

Stored values are JSON. A date and a time of day are ISO texts in the language too: in canonical form they sort as
the days and times do. A moment (`datetime`) is stored as an ISO text, a time span as a number of seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, cast

from turnwise.core.guards import GuardFault
from turnwise.core.state.items import ID, is_id
from turnwise.flow.durations import read_duration_s, write_duration
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

Type = str
"""A type: a key of `_NAMES`, or `list:` and the type of the items."""

LIST_PREFIX = "list:"
"""What stands before the type of the items in the type of a list."""
ITEM_PREFIX = "item:"
"""The beginning of the type of an item of a list of records; the name of the record follows."""
ANSWERS = "answers"
"""The type of a map from the ids of questions to their answers."""
NUMERIC = ("int", "double")
"""The types with arithmetic."""
FAILURES = (ValueError, TypeError, KeyError, OverflowError, AttributeError)
"""The exceptions that a conversion raises for a value that it cannot read."""
_CLOCK = late_pattern(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_WIDEST_WHOLE = 2.0**53
"""From here on a double does not know its last digit."""

_TYPES: dict[str, Type] = {
    "string": "string",
    "integer": "int",
    "number": "double",
    "boolean": "bool",
    "date": "date",
    "time": "time",
    "datetime": "timestamp",
    "duration": "duration",
    "email": "string",
    "phone": "string",
    "choice": "string",
    "question": "question",
    "answers": ANSWERS,
}
_NAMES = {
    "int": ("a whole number", "whole numbers"),
    "double": ("a number", "numbers"),
    "bool": ("true or false", "true and false"),
    "string": ("a text", "texts"),
    "date": ("a date", "dates"),
    "time": ("a time of day", "times of day"),
    "timestamp": ("a moment in time", "moments in time"),
    "duration": ("a time span", "time spans"),
    "question": ("a question", "questions"),
    ANSWERS: ("a map of answers", "maps of answers"),
    "null": ("null", "nulls"),
    "dyn": ("any value", "values"),
}


def type_of(field: Field) -> Type:
    """Return the type of the guard language that a field has."""
    if field.parts:
        return f"{LIST_PREFIX}{ITEM_PREFIX}{field.of}" if field.type == "list" else f"{ITEM_PREFIX}{field.of}"
    if field.type == "list":
        return LIST_PREFIX + _TYPES.get(field.of or "string", "dyn")
    return _TYPES[field.type]


def type_words(kind: Type) -> str:
    """Return the name of a type with its article, for messages: `a date`, `a list of texts`."""
    if kind.startswith(ITEM_PREFIX):
        return f"an item of '{kind.removeprefix(ITEM_PREFIX)}'"
    if not kind.startswith(LIST_PREFIX):
        return _NAMES[kind][0]
    item = kind.removeprefix(LIST_PREFIX)
    if item.startswith(ITEM_PREFIX):
        return f"a list of '{item.removeprefix(ITEM_PREFIX)}'"
    return (
        f"a list of {type_words(item).replace('a list', 'lists') if item.startswith(LIST_PREFIX) else _NAMES[item][1]}"
    )


def comparable(left: Type, right: Type) -> bool:
    """Return whether values of the two types may be compared for equality."""
    if left.startswith(LIST_PREFIX) and right.startswith(LIST_PREFIX):
        return comparable(left.removeprefix(LIST_PREFIX), right.removeprefix(LIST_PREFIX))
    return left == right or "dyn" in (left, right) or (left in NUMERIC and right in NUMERIC)


def is_blank(value: Any) -> bool:
    """Return whether a value counts as missing: null or blank text (law 1.3)."""
    return value is None or (isinstance(value, str) and not value.strip())


def unset_value(field: Field) -> Any:
    """Return the value that a field has in guards without a stored one: its default, or an empty list; else `None`.
    A map of answers has no answers.
    """
    if not is_blank(field.default):
        return field.default
    return [] if field.type == "list" else {} if field.type == "answers" else None


def has_value(value: Any) -> bool:
    """Return whether `has` is true for a value: it is not missing, and no empty list or map."""
    return value is not None and value not in ([], {})


def to_date(text: str) -> str | None:
    """Return an ISO date in canonical form, `None` for any other text."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return None


def to_time(text: str) -> str | None:
    """Return a time of day such as `9:30` or `18:30:05` in canonical form, `None` for any other text."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hour, minute, second = (int(part or 0) for part in found.groups())
    try:
        return time_text(time(hour, minute, second))
    except ValueError:
        return None


def time_text(clock: time) -> str:
    """Return a time of day in its stored form, such as `18:30`, with seconds only if there are any."""
    return clock.isoformat("seconds" if clock.second else "minutes")


def to_timestamp(text: str) -> datetime | None:
    """Return the moment of an ISO text, in UTC if it has no zone, at midnight if it is only a date; else `None`."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def to_duration(value: float | str) -> timedelta | None:
    """Return the duration of a number of seconds, or of a text such as `2h` or `PT30M`; `None` for any other."""
    seconds = read_duration_s(value) if isinstance(value, str) else value
    try:
        return None if seconds is None else timedelta(seconds=seconds)
    except OverflowError:
        return None


def _each(convert: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda values: [convert(value) for value in values]


CONVERTERS: dict[Type, Callable[[Any], Any]] = {
    "timestamp": to_timestamp,
    "duration": to_duration,
    f"{LIST_PREFIX}timestamp": _each(to_timestamp),
    f"{LIST_PREFIX}duration": _each(to_duration),
}
"""The functions that convert stored values to values of the language, by type; other types are used as they are stored.
"""

READERS: dict[Type, Callable[[Any], Any]] = {
    **CONVERTERS,
    "date": to_date,
    "time": to_time,
    f"{LIST_PREFIX}date": _each(to_date),
    f"{LIST_PREFIX}time": _each(to_time),
}
"""The functions that convert a constant text for a comparison with a value of a type, by that type."""


def to_stored(value: Any) -> Any:
    """Return a value of the guard language as JSON data."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
        return int(seconds) if seconds.is_integer() else seconds
    if isinstance(value, list | tuple):
        return [to_stored(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def checked_converter(function: Callable[..., Any], result: Type, *, quotes_value: bool = True) -> Callable[..., Any]:
    """Return a converter to the type `result` that raises `GuardFault` where `function` raises, or returns `None`. With
    `quotes_value` false, the text of the error does not contain the value: it may be secret.
    """

    def read(*values: Any) -> Any:
        try:
            found = function(*values)
        except FAILURES:
            found = None
        if found is None:
            value = repr(value_text(values[0])) if quotes_value else "a secret value"
            raise GuardFault(f"{value} cannot be read as {type_words(result)}")
        return found

    return read


def _shown_parts(value: Any) -> str:
    """Return a list by its items, a question as what it asks, an item by its values, and answers with their ids."""
    if not isinstance(value, dict):
        joint = "; " if value and isinstance(value[0], dict) and is_id(value[0].get(ID)) else ", "
        return joint.join([value_text(item) for item in value])
    parts = cast("dict[str, Any]", value)
    if is_id(parts.get(ID)):
        return ", ".join([value_text(one) for name, one in parts.items() if name != ID])
    return (
        str(parts["ask"]) if "ask" in parts else ", ".join([f"{key}: {value_text(one)}" for key, one in parts.items()])
    )


def value_text(value: Any, field: Field | None = None) -> str:
    """Return a value of the guard language as text, formatted by its field if that is given."""
    if value is None or type(value) is str:
        return value or ""
    if type(value) is int and (field is None or field.type != "duration"):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | dict):
        return _shown_parts(value)
    if isinstance(value, timedelta):
        return write_duration(value.total_seconds())
    if field is not None and field.type == "duration" and isinstance(value, int | float):
        return write_duration(value)
    if isinstance(value, datetime):
        return str(to_stored(value))
    if type(value) is float and value.is_integer() and abs(value) < _WIDEST_WHOLE:
        return str(int(value))
    return str(value)


def conversion_hint(kind: str, wanted: str) -> str:
    """Return how to convert a value of the type `kind` to the type `wanted`, as a hint; empty if there is no
    conversion.
    """
    match kind, wanted:
        case "timestamp", "date" | "time":
            return f"take it from the moment: {wanted}(…)"
        case "date" | "time", "timestamp":
            return "make a moment of it: datetime(day, time)"
        case "date" | "time" | "timestamp" | "duration" | "int" | "double", "string":
            return "write it as a text: string(…)"
        case _:
            return ""
