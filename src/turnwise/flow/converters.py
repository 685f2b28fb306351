"""Converts the arguments of the flow model's constructors: a list to a tuple, a text to an option, `"30m"` to seconds.

A value that cannot be converted stays as it is, and `type_check` reports it. Documents need no conversion: the reader
makes objects that are in shape already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, ValuesView
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Any, TypeVar, cast

from turnwise.errors import TurnwiseError
from turnwise.flow import kinds as k
from turnwise.flow.call_sites import within
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import NOWHERE, Span
from turnwise.flow.durations import read_duration_s
from turnwise.flow.frozen import is_frozen, make
from turnwise.flow.shapes import SHAPES

Class = TypeVar("Class")
"""The class of a part of a flow."""

PART_METHOD = "__turnwise__"
"""The method by which an object of another class, such as a pydantic model, returns the part of a flow that it is."""


def convert(kind: k.Kind, value: Any, span: Span = NOWHERE, key: str = "") -> Any:
    """Return an argument as the model stores it; `span` is the place of the call, `key` the argument's name."""
    match kind:
        case k.Many():
            return _many(kind, value, span, key)
        case k.Named(name):
            return _many(k.Many(k.Object(name)), value, span, key)
        case k.Object(name):
            return _part(name, value, span, key)
        case k.When() if isinstance(value, bool):
            return "true" if value else "false"
        case k.When():
            return tuple(cast("list[Any]", value)) if isinstance(value, list) else value
        case k.Table(is_written=True) if isinstance(value, Mapping):
            entries = cast("Mapping[Any, Any]", value)
            return {text(name): _written(one) for name, one in entries.items()}
        case k.Table(is_named=True) if isinstance(value, Mapping):
            return {text(name): text(one) for name, one in cast("Mapping[Any, Any]", value).items()}
        case _:
            by_class = _BY_KIND.get(kind.__class__)
            return by_class(value) if by_class is not None else value


def _many(kind: k.Many, value: Any, span: Span, key: str) -> Any:
    if kind.split and isinstance(value, Mapping) and isinstance(kind.of, k.Object):
        of = SHAPES[kind.of.shape].of
        pairs = cast("Mapping[Any, Any]", value).items()
        return tuple([of(one, () if more is None else more) for one, more in pairs])
    if isinstance(value, list | Iterator | ValuesView):
        value = tuple(cast("Iterable[Any]", value))
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        kept = tuple([convert(kind.of, item, span, f"{key}.{number}") for number, item in enumerate(items)])
        return items if all(a is b for a, b in zip(items, kept, strict=True)) else kept
    if kind.single and isinstance(text(value), str):
        return (convert(kind.of, value, span, key),)
    return cast("Any", value)


def _part(name: str, value: Any, span: Span, key: str) -> Any:
    """Convert a value, such as a short form, to a part of a flow; other values are unchanged."""
    shape = SHAPES[name]
    part = part_of(value)
    if isinstance(part, shape.of):
        return part
    arguments: dict[str, Any] = {"span": within(span, key)} if shape.has_span else {}
    if name == "Confirm" and isinstance(value, bool):
        return shape.of(**arguments) if value else None
    if name == "Transition":
        found = function(value)
        return shape.of(guard=found, **arguments) if isinstance(found, PythonGuard) else value
    if shape.is_bare:
        first = convert(shape.keys[0].kind, value, span, key)
        return shape.of(first, **arguments) if isinstance(first, str | tuple) else value
    return part


def part_of(value: Any) -> Any:
    """Return the part of a flow that a value stands for, such as the record for a class; other values unchanged."""
    stands_for = getattr(value, PART_METHOD, None)
    return value if stands_for is None else stands_for()


def text(value: Any) -> Any:
    """Return a value as text if it is a number or a part of a flow (its name); any other value unchanged."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return name_of(value) or value


def name_of(value: Any) -> str:
    """Return the name of a part of a flow, or of a value that stands for one; empty for other values."""
    value = part_of(value)
    name = getattr(value, "name", "") if is_dataclass(value) and not isinstance(value, type) else ""
    return name if isinstance(name, str) else ""


def _seconds(value: Any) -> Any:
    if isinstance(value, timedelta):
        return value.total_seconds()
    found = read_duration_s(value) if isinstance(value, str) else None
    return value if found is None else found


def _written(value: Any) -> Any:
    """Return a value that is written to a field; a date or time is a constant, which stands in quotes."""
    return f'"{value.isoformat()}"' if isinstance(value, date | time) else data(value)


def data(value: Any) -> Any:
    """Return a value as JSON data; dates, times, enum members and tuples are converted."""
    match value:
        case Enum():
            return data(value.value)
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case list() | tuple():
            return [data(item) for item in cast("list[Any]", value)]
        case Mapping():
            return {key: data(item) for key, item in cast("Mapping[Any, Any]", value).items()}
        case _:
            return value


_TYPES: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    date: "date",
    time: "time",
    datetime: "datetime",
    timedelta: "duration",
    list: "list",
}


def type_name(value: Any) -> Any:
    """Return the field type of a Python class, such as `integer` for `int`; any other value unchanged."""
    return _TYPES.get(value, value) if isinstance(value, type) else value


def _word_or_name(value: Any) -> Any:
    """Return the name of a field type, or of a part of the flow."""
    found = type_name(value)
    return found if isinstance(found, str) else text(found)


_BY_KIND: dict[type, Callable[[Any], Any]] = {
    k.Text: text,
    k.Name: text,
    k.Duration: _seconds,
    k.OneOf: type_name,
    k.WordOrName: _word_or_name,
    k.Table: data,
    k.Anything: data,
    k.Bound: data,
}


def function(value: Any) -> Any:
    """Return a function as a guard with its parameters and source; a value that cannot be a guard unchanged."""
    if isinstance(value, PythonGuard) or hasattr(value, PART_METHOD) or not callable(value) or isinstance(value, type):
        return value
    from turnwise.flow.describe import describe

    try:
        return describe(value)
    except TurnwiseError:
        return value


def functions(value: Any) -> Any:
    """Return a list with each function as a guard with its parameters and source; any other value unchanged."""
    return tuple([function(one) for one in cast("Iterable[Any]", value)]) if isinstance(value, list | tuple) else value


# copies of parts ---------------------------------------------------------------------------------


def copy_with(part: Class, **values: Any) -> Class:
    """Return a copy of a part of a flow with other values, which must be in stored form."""
    of = _class_of(part)
    slots: tuple[str, ...] = cast("Any", of).__slots__
    return make(of, **{name: getattr(part, name) for name in slots} | values)


def _class_of(part: Class) -> type[Class]:
    """Return the class of the model that a part has, or that its own class is derived from."""
    return next(of for of in type(part).__mro__ if is_frozen(of))


def without_subclass(part: Class) -> Class:
    """Return the part as an object of the model's own class; raise `TypeError` for an error in a subclass of the
    program.
    """
    of = _class_of(part)
    if type(part) is of:
        return part
    names = [field.name for field in fields(cast("Any", of)) if field.init]
    for cls in type(part).__mro__[: type(part).__mro__.index(of)]:
        known = vars(cls).get("__dataclass_fields__", {})
        for name in names:
            value: Any = vars(cls).get(name)
            if name not in known and value is not None and not hasattr(value.__class__, "__get__"):
                raise TypeError(
                    f"'{name}' of the class {cls.__name__} has no effect: give it to 'super().__init__()', or decorate "
                    f"{cls.__name__} with '@dataclass(frozen=True)' and write '{name}' with its type"
                )
    try:
        return of(**{name: getattr(part, name) for name in names})
    except AttributeError as error:
        name = type(part).__name__
        raise TypeError(f"'{name}.__init__' does not call 'super().__init__()' ({error})") from None
