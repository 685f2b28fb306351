"""Records as pydantic models: a class is a record, its annotations are the fields.

The class stays a model like any other; what of it a flow can say is read from it when a flow names it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, ClassVar

import pydantic
from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from turnwise.authoring.annotations import Said, meaning_of
from turnwise.flow.calls import ClassFields
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span, problem
from turnwise.flow.model import Field
from turnwise.flow.model import Record as PlainRecord


def field(  # noqa: PLR0913  one argument for each key of a field
    default: Any = None,
    *,
    about: str = "",
    ge: Any = None,
    le: Any = None,
    gt: Any = None,
    lt: Any = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str = "",
    type: str | None = None,  # noqa: A002  the key of the documents
    options: Iterable[Any] | Mapping[str, Any] | None = None,
    value: str | None = None,
    secret: bool | None = None,
    validate: Any = None,
    refuse: str | None = None,
) -> Any:
    """A field of a `tw.Record`, with what its type does not say: bounds, a text about it, a guard.

    `ge` and `le` are its bounds, `pattern` a regular expression, `options` the allowed answers, `value` an
    expression from which it is derived; a `secret` is never shown. A new value must not fail the guard
    `validate`, else `refuse` is said. `type` is for what Python has no class for, such as `"phone"`.
    """
    bounds = {"ge": ge, "le": le, "gt": gt, "lt": lt, "min_length": min_length, "max_length": max_length}
    known = {name: bound for name, bound in bounds.items() if bound is not None}
    make: Any = pydantic.Field
    info: Any = make(default=default, description=about or None, pattern=pattern or None, **known)
    info.metadata.append(Said(type=type, options=options, value=value, secret=secret, validate=validate, refuse=refuse))
    return info


class Record(BaseModel):
    """A record of a flow, as a class: `class User(tw.Record)` is the record `user`, its annotations are the fields.

    `class User(tw.Record, name="person")` gives it another name.
    """

    model_config = ConfigDict(defer_build=True, arbitrary_types_allowed=True, protected_namespaces=())
    _of_flow: ClassVar[Any] = None
    _name: ClassVar[Any] = "record"
    _place: ClassVar[Span] = NOWHERE

    def __init_subclass__(cls, name: str | None = None, **more: Any) -> None:
        """Note the name of the record, and where the class stands."""
        super().__init_subclass__(**more)
        cls._of_flow = None
        cls._name = snake_case(cls.__name__) if name is None else name
        cls._place = _class_at(sys._getframe(1), cls.__name__)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    @classmethod
    def __turnwise__(cls) -> PlainRecord:
        """The record as a flow has it; read from the class once."""
        if cls._of_flow is None:
            cls._of_flow = _record_of(cls, cls._name, cls._place)
        return cls._of_flow


def snake_case(name: str) -> str:
    """The name of a class as that of a record: `HealthPlan` is `health_plan`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


_NOT_AUTHORS = ("pydantic", "turnwise", "abc", "typing")


def _class_at(frame: FrameType | None, name: str) -> Span:
    """Where the statement of a class stands."""
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in _NOT_AUTHORS:
        frame = frame.f_back
    if frame is None:
        return NOWHERE
    return Span(frame.f_code.co_filename, frame.f_lineno, 1, ClassFields(frame.f_code.co_filename, name))


def _record_of(cls: type[Record], name: Any, span: Span) -> PlainRecord:
    """What a flow can say of a class, and a report of the rest."""
    faults: list[Diagnostic] = []
    if cls is Record:
        faults.append(problem("TW085", "tw.Record has no fields itself: make a class of it", span))
    if not cls.__pydantic_fields_complete__:
        with suppress(Exception):  # what is not resolved then is told field by field
            cls.model_rebuild(raise_errors=False)
    fields = [_field_of(cls, key, info, span, faults) for key, info in cls.model_fields.items()]
    faults += [problem("TW085", f"'{cls.__name__}.{what}' {why}", span.of(what)) for what, why in _unsaid(cls)]
    return PlainRecord(name, tuple(fields), faults=tuple(faults), span=span)


def _field_of(cls: type[Record], name: str, info: FieldInfo, span: Span, faults: list[Diagnostic]) -> Field:
    own = span.parts.under(name) if isinstance(span.parts, ClassFields) else None
    place = Span(*span[:3], own)
    found = meaning_of(info.annotation, info)
    for wrong in found.wrong:
        message = f"'{cls.__name__}.{name}': {wrong.message}"
        faults.append(problem("TW085", message, place, wrong.hint))
    return Field(name, **found.values, span=place)


def _unsaid(cls: type[Record]) -> Iterable[tuple[str, str]]:
    """What a class has beside fields, and a flow cannot have."""
    known = cls.__pydantic_decorators__
    validators: Sequence[Mapping[str, Any]] = (
        known.validators,
        known.field_validators,
        known.root_validators,
        known.model_validators,
    )
    for found in validators:
        for name in found:
            yield name, "is a validator, which conversations do not run; write a guard: tw.field(validate=…)"
    for name in known.computed_fields:
        yield name, "is computed, which a flow cannot do; write an expression: tw.field(value=…)"
    for name in cls.__private_attributes__:
        yield name, "begins with _, so it is no field"


__all__ = ["Record", "field", "snake_case"]
