"""The names that a guard may use, and the terms they become."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from turnwise.core.guards.env import Env, Ref
from turnwise.core.guards.types import Type
from turnwise.core.state import State
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError
from turnwise.flow.model import Field


class _Open:
    """Stands for a term that is no constant."""


OPEN = _Open()


class Term(Struct):
    """A compiled expression: its type, the closure that gives its value (`None` for unknown), its
    value where it is a constant, its address where it is a field (`is_stored`: one whose value is
    read as it is stored, without default or conversion).
    """

    type: Type
    run: Callable[[Env], Any]
    constant: Any = OPEN
    address: str = ""
    is_stored: bool = False

    @property
    def is_constant(self) -> bool:
        """True if the term is the same in every state."""
        return self.constant is not OPEN


class Root(Struct, frozen=True):
    """A root that is no function: its type, how to read it from a state, how to convert it."""

    type: Type
    read: Callable[[State], Any]
    convert: Callable[[Any], Any] | None = None


class Names(Struct, frozen=True):
    """What a guard may name. `is_open` takes any `record.field` for a field of any type; `unsure` are
    the fields whose type could not be read.
    """

    records: Mapping[str, Mapping[str, Field]]
    roots: Mapping[str, Root]
    tools: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    overlays: frozenset[str] = frozenset()
    is_open: bool = False
    bare: Mapping[str, str] = {}
    unsure: frozenset[str] = frozenset()

    def validated(self, address: str) -> bool:
        """True if the field at an address declares a validator."""
        record, _, name = address.partition(".")
        return bool(self.records[record][name].validate)

    def field(self, record: str, name: str, at: int) -> Field:
        """The field at an address. Raises `GuardError` with the nearest name."""
        fields = self.records.get(record)
        if fields is None:
            if self.is_open:
                return Field(name)
            raise GuardError("TW031", f"nothing is called '{record}'", at, nearest(record, self.records))
        if name in fields:
            return fields[name]
        if self.is_open:
            return Field(name)
        raise GuardError("TW031", f"'{record}' has no field '{name}'", at, nearest(name, fields))


FUNCTION_ROOTS = ("tools", "visits", "overlay")


class Compiling(Protocol):
    """What functions and macros ask of the compiler that calls them."""

    @property
    def names(self) -> Names:
        """The names that may be used."""
        ...

    @property
    def depth(self) -> int:
        """How many macros stand around what is compiled: the slot of the innermost variable."""
        ...

    def term(self, expression: Expression) -> Term:
        """The compiled form of any expression."""
        ...

    def condition(self, expression: Expression) -> Callable[[Env], bool | None]:
        """The closure of an expression that stands for true or false."""
        ...

    def presence(self, term: Term) -> Callable[[Env], bool]:
        """Whether a term has a value."""
        ...

    def inside(self, variable: str, item: Type) -> Compiling:
        """A compiler for the body of a macro, where a variable has the type of the items."""
        ...

    def read(self, key: str, kind: Type, read: Callable[[State], Any]) -> Term:
        """A root by its key, with the way to read it from a state."""
        ...


class Reads(Struct):
    """What the expression that is being compiled reads, in the order of reading."""

    refs: dict[str, Ref] = {}

    def add(self, key: str, of: Field | None, read: Callable[[State], Any] | None) -> None:
        """Note something that is read."""
        if key not in self.refs:
            self.refs[key] = Ref(key, of, read)
