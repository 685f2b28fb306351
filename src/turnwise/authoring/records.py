"""Declares records as pydantic classes: the annotations are the fields.

The class stays a model like any other; what of it a flow can say is read from it when a flow names it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, ForwardRef, dataclass_transform, get_args, get_type_hints

import pydantic
from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from turnwise.authoring.annotations import FieldArguments, FieldDeclarations, InexpressibleDeclaration, declarations_of
from turnwise.authoring.source import shown_text
from turnwise.flow.call_sites import ClassFields, class_site
from turnwise.flow.converters import type_name
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span, nearest_name, problem
from turnwise.flow.model import Field, OptionsFrom
from turnwise.flow.model import Record as PlainRecord


def field(  # noqa: PLR0913  one argument for each key of a field
    default: Any = None,
    *,
    about: str = "",
    title: str | None = None,
    format: str | None = None,  # noqa: A002  the key of the documents
    ge: Any = None,
    le: Any = None,
    gt: Any = None,
    lt: Any = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str = "",
    type: str | None = None,  # noqa: A002  the key of the documents
    options: Iterable[Any] | Mapping[str, Any] | None = None,
    options_from: OptionsFrom | str | None = None,
    value: str | None = None,
    secret: bool | None = None,
    names: bool | None = None,
    validate: Any = None,
    refuse: str | None = None,
) -> Any:
    """Return a field of a `tw.Record` with the properties that its type lacks: bounds, a description, a guard. `title`
    is what it is called in summaries, `format` how users read it, as in texts: `currency: EUR`. `ge` and `le` are its
    bounds, `pattern` a regular expression, `options` the allowed answers, `options_from` the list that holds them,
    `value` an expression from which it is derived; a `secret` is never shown, and a field that `names` the conversation
    is what lists call it. A new value must not fail the guard `validate`, else the reply is `refuse`. `type` is for
    what Python has no class for, as `"phone"`.
    """
    bounds = {"ge": ge, "le": le, "gt": gt, "lt": lt, "min_length": min_length, "max_length": max_length}
    known = {name: bound for name, bound in bounds.items() if bound is not None}
    make: Any = pydantic.Field
    info: Any = make(default=default, description=about or None, pattern=pattern or None, **known)
    own = {"type": type, "options": options, "value": value, "secret": secret, "validate": validate, "refuse": refuse}
    own |= {"options_from": options_from, "title": title, "format": format, "names": names}
    info.metadata.append(FieldArguments(**own))
    return info


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


@dataclass_transform(kw_only_default=True, field_specifiers=(pydantic.Field, pydantic.PrivateAttr))
class _Class(ModelMetaclass):
    """Hides attributes without a type from pydantic, which would raise its own error; the flow reports them."""

    def __new__(mcs, of: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **more: Any) -> type:
        """The class, its attributes without a type noted."""
        bare = {key: value for key, value in namespace.items() if _is_bare(key, value, bases, namespace)}
        known = {key: value for base in bases[::-1] for key, value in getattr(base, "_bare", {}).items()}
        kept = {key: value for key, value in namespace.items() if key not in bare}
        made: Any = super().__new__(mcs, of, bases, kept, **more)
        made._bare = known | bare  # noqa: SLF001  its own
        return made


def _is_bare(key: str, value: Any, bases: tuple[type, ...], namespace: Mapping[str, Any]) -> bool:
    """Return true for a value in the body of a class that could be a field, had it a type."""
    if key.startswith("_") or key == "model_config" or hasattr(value.__class__, "__get__"):
        return False
    if isinstance(value, type) and value.__qualname__.startswith(f"{namespace.get('__qualname__')}."):
        return False
    if any(key in getattr(base, "__class_vars__", ()) for base in bases):
        return False
    is_later = not _LATER.isdisjoint(namespace)
    return not is_later and key not in namespace.get("__annotations__", ())


_LATER = frozenset({"__annotate__", "__annotate_func__"})
"""Where Python (from 3.14 on) has not evaluated annotations yet, pydantic reports what has none."""


class Record(BaseModel, metaclass=_Class):
    """A record of a flow, as a class: `class User(tw.Record)` is the record `user`, its annotations are the fields.

    `class User(tw.Record, name="person")` gives it another name.
    """

    model_config = ConfigDict(defer_build=True, arbitrary_types_allowed=True, protected_namespaces=())
    """The settings of Pydantic for all record classes."""
    _of_flow: ClassVar[Any] = None
    _bare: ClassVar[Mapping[str, Any]] = {}
    _name: ClassVar[Any] = "record"
    _place: ClassVar[Span] = NOWHERE

    def __init_subclass__(cls, name: str | None = None, **more: Any) -> None:
        """Note the name of the record, and where the class stands."""
        super().__init_subclass__(**more)
        cls._of_flow = None
        cls._name = snake_case(cls.__name__) if name is None else name
        cls._place = class_site(cls.__name__)

    @classmethod
    def __turnwise__(cls) -> PlainRecord:
        """The record as a flow has it; read from the class once."""
        if cls._of_flow is None:
            cls._of_flow = _record_of(cls, cls._name, cls._place, cls._bare)
        return cls._of_flow


def snake_case(name: str) -> str:
    """Return the record name for the name of a class: `HealthPlan` is `health_plan`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _record_of(cls: type[Record], name: Any, span: Span, bare: Mapping[str, Any]) -> PlainRecord:
    """Return the record that a class declares, with a diagnostic for what a flow cannot express."""
    faults: list[Diagnostic] = []
    if cls is Record:
        faults.append(problem("TW085", "tw.Record has no fields itself: make a class of it", span))
    if not cls.__pydantic_fields_complete__:
        with suppress(Exception):  # a name that is not resolved then is reported field by field
            cls.model_rebuild(raise_errors=False)
    fields = [_field_of(cls, key, info, span, faults) for key, info in cls.model_fields.items()]
    faults += [_untyped(cls, key, value, span.of(key)) for key, value in bare.items()]
    faults += [problem("TW085", f"'{cls.__name__}.{what}' {why}", span.of(what)) for what, why in _unsupported(cls)]
    return PlainRecord(name, tuple(fields), faults=tuple(faults), span=span)


def _untyped(cls: type[Record], name: str, value: Any, span: Span) -> Diagnostic:
    """Report an attribute without a type, with the line that declares it as a field."""
    kind = type(value).__name__ if isinstance(type_name(type(value)), str) else "str"
    written = "tw.field(…)" if isinstance(value, FieldInfo) else shown_text(repr(value), _LONGEST)
    hint = f"write it with one: {name}: {kind} | None = {written}"
    if isinstance(value, type):
        hint = "define it outside of the class"
    return problem("TW085", f"'{cls.__name__}.{name}' has no type", span, hint)


_LONGEST = 40


def _field_of(cls: type[Record], name: str, info: FieldInfo, span: Span, faults: list[Diagnostic]) -> Field:
    own = span.parts.under(name) if isinstance(span.parts, ClassFields) else None
    place = Span(*span[:3], own)
    annotation = _resolved(cls, info.annotation)
    wrong = [annotation] if isinstance(annotation, InexpressibleDeclaration) else []
    found = FieldDeclarations() if wrong else declarations_of(annotation, info)
    wrong += found.wrong
    faults += [problem("TW085", f"'{cls.__name__}.{name}': {one.message}", place, one.hint) for one in wrong]
    return Field(name, **found.values, span=place)


def _resolved(cls: type[Record], annotation: Any) -> Any:
    """Resolve the names in an annotation where the class stands; return `Wrong` for one that is not found."""
    if not _is_open(annotation):
        return annotation
    known = vars(sys.modules.get(cls.__module__, sys))
    try:
        return get_type_hints(SimpleNamespace(__annotations__={"it": annotation}), {**known}, include_extras=True)["it"]
    except NameError as error:
        near = nearest_name(error.name or "", [name for name in known if not name.startswith("__")])
        hint = f"did you mean '{near}'?" if near else "import it, or define it in the module itself"
        return InexpressibleDeclaration(f"nothing is called '{error.name}' where its type is looked for", hint)
    except Exception as error:  # noqa: BLE001  annotations are the author's code
        return InexpressibleDeclaration(
            f"its type cannot be read: {shown_text(f'{type(error).__name__}: {error}')}",
            "define what it names before the class",
        )


def _is_open(annotation: Any) -> bool:
    """Return true if there are names in an annotation that were not found when the class was made."""
    return isinstance(annotation, ForwardRef | str) or any(map(_is_open, get_args(annotation)))


def _unsupported(cls: type[Record]) -> Iterable[tuple[str, str]]:
    """Yield what a class has beside fields and a flow cannot express, each with the reason."""
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
