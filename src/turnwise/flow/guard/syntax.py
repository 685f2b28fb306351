"""The tree of a guard. `at` is the place in the text, in characters, and no part of equality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


def _at() -> int:
    place: int = field(default=0, compare=False, repr=False)
    return place


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant: null, true, false, a number or a text."""

    value: bool | int | float | str | None
    at: int = _at()

    def __eq__(self, other: object) -> bool:
        """`1`, `1.0` and `true` are three literals, though Python calls them equal."""
        return isinstance(other, Literal) and (type(self.value), self.value) == (type(other.value), other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: a root (`turns`), a record (`user`), or the variable of a macro."""

    name: str
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Select:
    """`of.name`."""

    of: Expression
    name: str
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Call:
    """`name(args)`, `of.name(args)`, with named arguments such as `within: 3`."""

    name: str
    args: tuple[Expression, ...] = ()
    of: Expression | None = None
    named: tuple[tuple[str, Expression], ...] = ()
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Sequence:
    """`[a, b]`."""

    items: tuple[Expression, ...]
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Not:
    """`!of`."""

    of: Expression
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Minus:
    """`-of`."""

    of: Expression
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right` for arithmetic, comparison and `in`."""

    op: str
    left: Expression
    right: Expression
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Logic:
    """`a && b && c`, or the same with `||`: flat, so that a guard of many parts is not deep."""

    op: str
    parts: tuple[Expression, ...]
    at: int = _at()


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? then : other`."""

    test: Expression
    then: Expression
    other: Expression
    at: int = _at()


Expression = Literal | Name | Select | Call | Sequence | Not | Minus | Binary | Logic | Conditional


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is made of."""
    match expression:
        case Literal() | Name():
            return ()
        case Select(of) | Not(of) | Minus(of):
            return (of,)
        case Call(_, args, of, named):
            return (*((of,) if of is not None else ()), *args, *(value for _, value in named))
        case Sequence(items):
            return items
        case Binary(_, left, right):
            return (left, right)
        case Logic(_, parts):
            return parts
        case Conditional(test, then, other):
            return (test, then, other)


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and everything in it, from left to right."""
    ahead = [expression]
    while ahead:
        part = ahead.pop()
        yield part
        ahead += reversed(parts_of(part))
