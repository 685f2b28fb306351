"""What the classes of the flow model take besides their own types: lists for tuples, a text for an option, a
function for its name.

It turns what is meant into what is kept, and leaves what it does not know as it is: `sound` reports that.
Reading documents goes past it, for what a reader makes is in shape already.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, ValuesView
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import wraps
from typing import Any, TypeVar, cast

from turnwise.errors import TurnwiseError
from turnwise.flow.call_sites import called_from, within
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import NOWHERE, Span
from turnwise.flow.durations import read_duration_s

Class = TypeVar("Class")
Convert = Callable[[Any, Span, str], Any]
"""Gives what is kept for a value that stands under a key of a place."""
Finish = Callable[[Any, dict[str, Any]], None]
"""Sees to what concerns several attributes; it is given the object and the arguments that are no attributes."""

PLAIN = "__turnwise__"
"""The method by which a class of another make, such as a pydantic model, gives the part of a flow that it is."""


def lenient(
    finish: Finish | None = None, extras: tuple[str, ...] = (), **converters: Convert
) -> Callable[[type[Class]], type[Class]]:
    """Make a class of the model convert what it is given, and note where it was called."""

    def decorate(cls: type[Class]) -> type[Class]:
        plain: Callable[..., None] = cls.__init__
        known = fields(cast("Any", cls))
        names = tuple(field.name for field in known)
        has_span = "span" in names
        converted = tuple((name, convert) for name, convert in converters.items())

        @wraps(plain)
        def construct(self: Any, *args: Any, **given: Any) -> None:
            if has_span and "span" not in given:
                given["span"] = called_from(sys._getframe(1), names)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  nothing else tells who called
            aside = {name: given.pop(name) for name in extras if name in given}
            plain(self, *args, **given)
            span = self.span if has_span else NOWHERE
            for name, convert in converted:
                value = getattr(self, name)
                kept = convert(value, span, name)
                if kept is not value:
                    object.__setattr__(self, name, kept)
            if finish is not None:
                finish(self, aside)

        plains[cls] = plain
        cls.__init__ = construct
        return cls

    return decorate


plains: dict[type, Callable[..., None]] = {}
"""What makes an object of each class without converting anything."""


def make(cls: type[Class], **values: Any) -> Class:
    """An object of a class whose values are in shape already."""
    made = object.__new__(cls)
    plains[cls](made, **values)
    return made


def altered(part: Class, **values: Any) -> Class:
    """A part of a flow with other values, which are in shape already."""
    of = class_of(part)
    slots: tuple[str, ...] = cast("Any", of).__slots__
    return make(of, **{name: getattr(part, name) for name in slots} | values)


def class_of(part: Class) -> type[Class]:
    """The class of the model that a part has, itself or as the one that its own class was made from."""
    return next(of for of in type(part).__mro__ if of in plains)


def without_subclass(part: Class) -> Class:
    """The part as an object of the class of the model. Raises `TypeError` with what is wrong in the user's class."""
    of = class_of(part)
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


def put(part: Any, name: str, value: Any) -> None:
    """Give an object that is being made one of its values."""
    object.__setattr__(part, name, value)


# converters --------------------------------------------------------------------------------------


def part_of(value: Any, _span: Span | None = None, _key: str = "") -> Any:
    """A part of a flow, where something else may stand for it."""
    plain = getattr(value, PLAIN, None)
    return value if plain is None else plain()


def many(of: Convert) -> Convert:
    """A list of things, as a tuple."""

    def convert(value: Any, span: Span, key: str) -> Any:
        if isinstance(value, list | Iterator | ValuesView):
            value = tuple(cast("Iterable[Any]", value))
        if not isinstance(value, tuple):
            return value
        items = cast("tuple[Any, ...]", value)
        kept = tuple([of(item, span, f"{key}.{number}") for number, item in enumerate(items)])
        return items if all(a is b for a, b in zip(items, kept, strict=True)) else kept

    return convert


def text(value: Any, _span: Span | None = None, _key: str = "") -> Any:
    """A text, or the name of the part that is given in its place; a number as it is written."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return name_of(value) or value


def name_of(value: Any) -> str:
    """The name of a part of a flow, or of what stands for one; empty for anything else."""
    plain = getattr(value, PLAIN, None)
    if plain is not None:
        value = plain()
    elif not is_dataclass(value) or isinstance(value, type):
        return ""
    name = getattr(value, "name", "")
    return name if isinstance(name, str) else ""


_texts = many(text)


def texts(value: Any, span: Span, key: str) -> Any:
    """A list of texts; a single one stands for a list of one."""
    one = text(value)
    return (one,) if isinstance(one, str) else _texts(value, span, key)


def short(of: type[Any], convert: Convert) -> Convert:
    """A part of a flow, or only its first attribute, as `convert` takes it."""
    has_span = any(field.name == "span" for field in fields(of))

    def widen(value: Any, span: Span, key: str) -> Any:
        if isinstance(value, of):
            return value
        first = convert(value, span, key)
        if not isinstance(first, str | tuple):
            return value
        return of(first, span=within(span, key)) if has_span else of(first)

    return widen


def guard(value: Any, _span: Span, _key: str) -> Any:
    """A guard: its text, a bare truth value, or condition objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value


def seconds(value: Any, _span: Span, _key: str) -> Any:
    """A time span: a number of seconds, a `timedelta`, or a text such as `30m`."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    found = read_duration_s(value) if isinstance(value, str) else None
    return value if found is None else found


def data(value: Any, _span: Span | None = None, _key: str = "") -> Any:
    """JSON data, where dates, times, enumerations and tuples may stand in it."""
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
            entries = cast("Mapping[Any, Any]", value)
            return {key: data(item) for key, item in entries.items()}
        case _:
            return value


def table(value: Any, _span: Span, _key: str) -> Any:
    """Values that are written, by address; a date or time is a constant, which stands in quotes."""
    if not isinstance(value, Mapping):
        return value
    entries = cast("Mapping[Any, Any]", value)
    return {
        text(key): f'"{one.isoformat()}"' if isinstance(one, date | time) else data(one) for key, one in entries.items()
    }


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


def type_name(value: Any, _span: Span | None = None, _key: str = "") -> Any:
    """The type of a field: its name, or the class of Python that it is."""
    return _TYPES.get(value, value) if isinstance(value, type) else value


# functions ---------------------------------------------------------------------------------------


def function(value: Any, _span: Span | None = None, _key: str = "") -> Any:
    """A function with what is known about it; what cannot be a guard stays as it is."""
    if isinstance(value, PythonGuard) or hasattr(value, PLAIN) or not callable(value) or isinstance(value, type):
        return value
    from turnwise.flow.describe import describe

    try:
        return describe(value)
    except TurnwiseError:
        return value
