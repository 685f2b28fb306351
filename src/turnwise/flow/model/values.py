"""What a flow knows: records of typed fields, and the conditions that seed 001 writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from turnwise.flow.converters import data, guard, lenient, many, part_of, short, text, texts, type_name
from turnwise.flow.diagnostic import Diagnostic, Span
from turnwise.flow.frozen import frozen
from turnwise.flow.model.words import (
    AnyBound,
    AnyFieldType,
    FieldType,
    Texts,
    hidden,
    span,
)


@lenient()
@frozen
class Condition:
    """One condition object of seed 001, kept as it was written."""

    type: str
    value: str = ""
    window: int | None = None
    description: str = ""
    span: Span = span()


@lenient(value=text, words=texts)
@frozen
class Option:
    """An allowed answer, and further words that mean it."""

    value: str
    words: tuple[str, ...] = ()

    if TYPE_CHECKING:

        def __init__(
            self,
            value: str,
            words: Texts = (),
        ) -> None: ...


_options = many(short(Option, text))


def options(value: Any, span: Span, key: str) -> Any:
    """Options: their texts, or a mapping from each to the further words that mean it."""
    if isinstance(value, Mapping):
        words = cast("Mapping[Any, Any]", value)
        return tuple([Option(option, () if more is None else more) for option, more in words.items()])
    one = text(value)
    return (Option(one),) if isinstance(one, str) else _options(value, span, key)


Guard = str | tuple[Condition, ...]
"""A guard as written: text of the guard language, or condition objects that must all hold."""
AnyGuard = str | bool | Sequence[Condition]
Options = str | Iterable[Option | str | int | float] | Mapping[str, Sequence[str] | str | None]


@lenient(type=type_name, of=type_name, options=options, min=data, max=data, default=data, validate=guard)
@frozen
class Field:
    """One typed value that a flow knows, or one argument of a tool."""

    name: str
    type: FieldType = "string"
    of: FieldType | None = None
    options: tuple[Option, ...] = ()
    min: float | str | None = None
    max: float | str | None = None
    pattern: str = ""
    about: str = ""
    default: Any = None
    value: str = ""
    secret: bool = False
    optional: bool = False
    validate: Guard = ""
    refuse: str = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            type: AnyFieldType = "string",
            of: AnyFieldType | None = None,
            options: Options = (),
            min: AnyBound = None,
            max: AnyBound = None,
            pattern: str = "",
            about: str = "",
            default: Any = None,
            value: str = "",
            secret: bool = False,
            optional: bool = False,
            validate: AnyGuard = "",
            refuse: str = "",
            span: Span = ...,
        ) -> None: ...


@lenient(fields=many(part_of))
@frozen
class Record:
    """A named group of fields, addressed as `record.field`."""

    name: str
    fields: tuple[Field, ...] = ()
    faults: tuple[Diagnostic, ...] = hidden(())
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            fields: Sequence[Field] = (),
            faults: tuple[Diagnostic, ...] = (),
            span: Span = ...,
        ) -> None: ...


def record(value: Any, _span: Span | None = None, _key: str = "") -> Any:
    """A record, or a class that stands for one."""
    return part_of(value)
