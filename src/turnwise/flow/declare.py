"""Declares the classes of the flow model and the keys of documents: `part` for a class, `key` for an attribute.

The constructor, the reader, the writer, the type check, the JSON Schema and the reference page all use the declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields
from typing import Any, NamedTuple, Protocol, TypeVar, dataclass_transform

from turnwise.flow.converters import convert
from turnwise.flow.diagnostic import NOWHERE, Span
from turnwise.flow.frozen import frozen, put
from turnwise.flow.kinds import Flag, Integer, Kind, Text
from turnwise.flow.shapes import SHAPE_OF, SHAPES, Key, Shape, ShortForm

Class = TypeVar("Class")
"""The class that is declared."""
In_contra = TypeVar("In_contra", contravariant=True)
"""The type of the values that a converter takes."""
Out_co = TypeVar("Out_co", covariant=True)
"""The type of the values that a converter returns."""


class Takes(Protocol[In_contra, Out_co]):
    """The type of a `converter` for type checkers: what the constructor accepts, and what it stores."""

    def __call__(self, value: In_contra, /) -> Out_co: ...  # noqa: D102


def converter(kind: Kind) -> Any:
    """Return a kind as a dataclass converter; type checkers see it as `Takes`, with its two types."""
    return kind


class _Declared(NamedTuple):
    """The metadata that `key` adds to a field of a dataclass."""

    about: str
    kind: Kind
    name: str
    required: bool
    is_converted: bool


_KINDS: dict[type, Kind] = {str: Text(), bool: Flag(), int: Integer()}


def key(
    about: str,
    kind: Kind | None = None,
    *,
    converter: Any = None,
    default: Any = MISSING,
    factory: Any = MISSING,
    name: str = "",
    required: bool = False,
) -> Any:
    """Declare an attribute of a flow class as a key of flow documents, with its description `about`. `kind` says what
    stands under the key, and without one the default does: a text, true or false, or a whole number. A kind that is
    given as `converter` also converts what the constructor takes. `name` is the key where the attribute has another
    name. A key without a default, or that is `required`, must be in the document.
    """
    found = kind or converter or _KINDS[default.__class__]
    is_required = required or (default is MISSING and factory is MISSING)
    declared = _Declared(about, found, name, is_required, converter is not None)
    return field(default=default, default_factory=factory, metadata={"key": declared})


def hidden(*, default: Any = MISSING, factory: Any = MISSING, init: bool = True) -> Any:
    """Declare an attribute of a flow class that is no key of documents, and not compared or in the fingerprint. Without
    `init` the constructor does not take it.
    """
    return field(default=default, default_factory=factory, init=init, compare=False, repr=False)


@dataclass_transform(frozen_default=True, field_specifiers=(key, hidden, field))
def part(
    title: str,
    short: ShortForm | None = None,
    *,
    is_bare: bool = False,
    first: tuple[str, ...] = (),
    prepare: Callable[[Any], None] | None = None,
) -> Callable[[type[Class]], type[Class]]:
    """Return a decorator for classes of the flow model: frozen dataclasses whose constructors convert arguments.
    `title` describes the class, `short` is its short form in documents. `first` names the keys with which its documents
    begin, where the constructor has another order. `prepare` is called with each object before its arguments are
    converted.
    """

    def declare(cls: type[Class]) -> type[Class]:
        converted: list[tuple[str, Kind]] = []

        def finish(made: Any) -> None:
            if prepare is not None:
                prepare(made)
            span: Span = getattr(made, "span", NOWHERE)
            for name, kind in converted:
                value = getattr(made, name)
                kept = convert(kind, value, span, name)
                if kept is not value:
                    put(made, name, kept)

        made = frozen(cls, finish)
        declared = _declared(made)
        converted += [(one.name, key.kind) for one, key in declared if key.is_converted]
        keys = [Key(key.name or one.name, key.kind, key.about, one.name, key.required) for one, key in declared]
        keys.sort(key=lambda one: first.index(one.name) if one.name in first else len(first))
        SHAPES[made.__name__] = SHAPE_OF[made] = Shape(title, made, tuple(keys), short, is_bare)
        return made

    return declare


def _declared(cls: Any) -> list[tuple[Field[Any], _Declared]]:
    """Return the attributes of a class that are keys, with the metadata of `key`."""
    return [(one, one.metadata["key"]) for one in fields(cls) if one.metadata]
