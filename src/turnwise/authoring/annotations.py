"""Converts Python annotations to the types of fields, and reports what a field cannot express.

It knows pydantic's words for bounds and texts, and reports everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, GroupedMetadata, Gt, Le, Lt, MaxLen, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from turnwise.flow.converters import PART_METHOD, data, type_name

_NAMED = {"EmailStr": "email", "NameEmail": "email", "PhoneNumber": "phone"}
"""Types of other packages, by their names: none of them needs to be installed."""


class InexpressibleDeclaration(NamedTuple):
    """Something in a Python annotation that a field of a flow cannot express."""

    message: str
    """What the field cannot express."""
    hint: str = ""
    """What to write instead; empty if there is no suggestion."""


class FieldArguments:
    """The arguments of `tw.field` that pydantic's `Field` does not have."""

    def __init__(self, **values: Any) -> None:
        self.values = {key: value for key, value in values.items() if value is not None}


class FieldDeclarations:
    """What a Python annotation declares about a field, and what of it a field cannot express.

    `values` has the declarations by the keys of the flow model.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.wrong: list[InexpressibleDeclaration] = []

    def refuse(self, message: str, hint: str = "") -> None:
        """Record something that the field cannot express."""
        self.wrong.append(InexpressibleDeclaration(message, hint))

    # the type --------------------------------------------------------------------------------

    def read(self, annotation: Any, *, item: bool = False) -> None:
        """Read the type of an annotation and the metadata of its `Annotated`; `item` is true for the type of a list's
        items.
        """
        annotation = getattr(annotation, "__value__", annotation)  # `type Age = …`
        origin = get_origin(annotation)
        if origin is Annotated:
            inner, *more = get_args(annotation)
            self.read(inner, item=item)
            self.metadata(more)
        elif origin in (Union, UnionType):
            self.union(get_args(annotation), item=item)
        elif origin is Literal:
            self.literal(get_args(annotation))
        elif annotation is list or origin is list:
            self.list_of(get_args(annotation), item=item)
        else:
            self.read_plain_type(annotation)

    def union(self, members: tuple[Any, ...], *, item: bool) -> None:
        """Read the union of the types `members`: a type or `None` is that type; `int` and `float` are numbers. `item`:
        of a list's items.
        """
        some = [one for one in members if one is not type(None)]
        if len(some) == 1:
            self.read(some[0], item=item)
        elif set(some) == {int, float}:
            self.read(float, item=item)
        else:
            self.refuse(
                f"a field has one type, this has {' or '.join(map(type_text, some))}", "write one type, or a text"
            )

    def literal(self, words: tuple[Any, ...]) -> None:
        """Read a `Literal` of texts as the options of the field."""
        words = tuple(word for word in words if word is not None)
        if all(isinstance(word, str) for word in words):
            self.values |= {"type": "choice", "options": words}
        else:
            others = ", ".join(repr(word) for word in words if not isinstance(word, str))
            self.refuse(f"the options of a field are texts, and these are not: {others}")

    def list_of(self, of: tuple[Any, ...], *, item: bool) -> None:
        """Read a list type, whose items must have one type."""
        if item:
            self.refuse("a list of lists cannot be a field", "write a list of texts")
            return
        self.values["type"] = "list"
        if not of:
            return
        record = _record_name(of[0])
        if record:
            self.values["of"] = record
            return
        inner = FieldDeclarations()
        inner.read(of[0], item=True)
        self.wrong += inner.wrong
        if inner.values.get("type") == "choice":
            self.values["options"] = inner.values.pop("options", ())
            inner.values.pop("type")
        self.values["of"] = inner.values.pop("type", None)
        if inner.values:
            self.refuse(f"{', '.join(inner.values)} cannot be said of the items of a list")

    def read_plain_type(self, annotation: Any) -> None:
        """Read a type that is neither a union nor a list."""
        known = type_name(annotation)
        name = getattr(annotation, "__name__", "")
        if isinstance(known, str) and isinstance(annotation, type):
            self.values["type"] = known
        elif name in _NAMED:
            self.values["type"] = _NAMED[name]
        elif isinstance(annotation, type) and issubclass(annotation, Enum):
            self.enumeration(annotation)
        else:
            self.refuse(*_why_not(annotation))

    def enumeration(self, words: type[Enum]) -> None:
        """Read an enumeration of texts as the options of the field."""
        self.literal(tuple(word.value for word in words))

    # what stands beside it -------------------------------------------------------------------

    def metadata(self, given: Iterable[Any]) -> None:
        """Read the metadata of an `Annotated`: bounds, patterns and texts."""
        for one in given:
            if isinstance(one, FieldInfo):
                self.info(one)
            elif isinstance(one, GroupedMetadata):
                self.metadata(one)
            elif isinstance(one, str):
                self.values["about"] = one
            elif isinstance(one, FieldArguments):
                self.values |= one.values
            else:
                self.bound(one)

    def info(self, info: FieldInfo) -> None:
        """Read pydantic's `Field`: its default, bounds and description."""
        self.metadata(info.metadata)
        if info.title:
            self.values.setdefault("about", info.title)
        if info.description:
            self.values["about"] = info.description
        others = ("alias", "validation_alias", "serialization_alias", "discriminator")
        name = next((name for name in others if getattr(info, name, None) is not None), "")
        if name:
            self.refuse(f"'{name}' cannot be said of a field: it has one name")
        self.default(info)

    def default(self, info: FieldInfo) -> None:
        """Read the default of pydantic's `Field`, if the field can express it."""
        if info.default_factory is not None:
            if info.default_factory is not list:
                self.refuse("a default that is made by a function cannot be said", "write the default itself")
        elif info.default not in (PydanticUndefined, ..., None, []):
            self.values["default"] = data(info.default)

    def bound(self, given: Any) -> None:
        """Read one bound or pattern of the metadata."""
        match given:
            case Ge(least):
                self.values["min"] = least
            case Le(most):
                self.values["max"] = most
            case Gt(limit):
                self.read_exclusive_bound("min", "gt", limit, 1)
            case Lt(limit):
                self.read_exclusive_bound("max", "lt", limit, -1)
            case MinLen(least):
                self.values["min"] = least
            case MaxLen(most):
                self.values["max"] = most
            case _:
                self.read_other(given)

    def read_exclusive_bound(self, key: str, word: str, limit: Any, step: int) -> None:
        """Read the exclusive bound `word` (`gt`, `lt`) as `key` (`min`, `max`): the next whole number in the direction
        `step` (1 or -1).
        """
        if self.values.get("type") == "integer" and isinstance(limit, int):
            self.values[key] = limit + step
        else:
            self.refuse(f"'{word}' cannot be said of a field that is no whole number", f"use {word[0]}e=")

    def read_other(self, given: Any) -> None:
        """Read other metadata: a pattern, or something that a field cannot express."""
        found = {key: value for key, value in getattr(given, "__dict__", {}).items() if value is not None}
        pattern = found.pop("pattern", None)
        if pattern is not None:
            self.values["pattern"] = pattern if isinstance(pattern, str) else pattern.pattern
        if found or pattern is None:
            slots = getattr(given, "__slots__", ())
            named = ", ".join(found) or ", ".join(slots) or type(given).__name__
            self.refuse(f"'{named}' cannot be said of a field", "write a guard: validate=…")


def declarations_of(annotation: Any, info: FieldInfo | None = None) -> FieldDeclarations:
    """Return what an annotation, and pydantic's `Field` beside it, declare about a field."""
    found = FieldDeclarations()
    if annotation is not Any:
        found.read(annotation)
    if info is not None:
        found.info(info)
    elif annotation is Any:
        found.refuse(*_why_not(annotation))
    stated = found.values.get("type")
    if annotation is Any and info is not None and stated is None:
        found.refuse(*_why_not(annotation))
    return found


def may_be_none(annotation: Any) -> bool:
    """Return whether a type allows `None`."""
    annotation = getattr(annotation, "__value__", annotation)
    if get_origin(annotation) is Annotated:
        return may_be_none(get_args(annotation)[0])
    return get_origin(annotation) in (Union, UnionType) and type(None) in get_args(annotation)


def _record_name(annotation: Any) -> str:
    """Return the name of the record that a class is; empty for any other type."""
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel) and hasattr(annotation, PART_METHOD)):
        return ""
    return str(getattr(annotation, "_name", ""))


def _why_not(annotation: Any) -> InexpressibleDeclaration:
    """Return why a field cannot have a type."""
    name = type_text(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        hint = "make its fields fields of this record; a list may hold records of the flow"
        return InexpressibleDeclaration(f"{name} is a record, and a field holds a single value", hint)
    if annotation is dict or get_origin(annotation) is dict:
        return InexpressibleDeclaration("a mapping cannot be a field", "make its keys fields")
    hint = "known are str, int, float, bool, date, time, datetime, timedelta, Literal, Enum, EmailStr and list[…]"
    return InexpressibleDeclaration(f"a field cannot hold {name}", hint)


def type_text(annotation: Any) -> str:
    """Return a type as Python source: `list[str] | None`."""
    return annotation.__name__ if isinstance(annotation, type) else str(annotation).replace("typing.", "")
