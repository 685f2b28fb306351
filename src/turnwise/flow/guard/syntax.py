"""The syntax tree of a guard, the precedence of operators, and the tree as text: `parse(text_of(tree)) == tree`.

`at` is the place in the text, and no part of equality. Writing a tree adds as few parentheses as its precedence needs.
"""

from __future__ import annotations

import json
import typing
from collections.abc import Callable
from typing import Any, cast

from msgspec import Struct

TERNARY, OR, AND, COMPARISON, SUM, PRODUCT, UNARY, ATOM = range(1, 9)
PRECEDENCE = {
    "?": TERNARY,
    "||": OR,
    "&&": AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in"), COMPARISON),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "%"), PRODUCT),
    **dict.fromkeys((".", "[", "{"), ATOM),
}
"""How strongly each operator binds that stands between or behind expressions; a higher number binds more strongly."""


LogicOperator = typing.Literal["&&", "||"]
"""The operators that combine conditions."""


class _Part(Struct, frozen=True, eq=False, gc=False):
    """A part of the tree; two parts are equal wherever they stand."""

    def __eq__(self, other: object) -> bool:
        return other.__class__ is self.__class__ and self._content() == cast("_Part", other)._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__struct_fields__ if name != "at"])


class Literal(_Part, frozen=True, gc=False):
    """A constant in a guard: null, true, false, a number or a text."""

    value: bool | int | float | str | None
    """The constant; `None` stands for `null`."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""

    def _content(self) -> tuple[object, ...]:
        """`1`, `1.0` and `true` are three literals, though Python calls them equal."""
        return type(self.value), self.value


class Name(_Part, frozen=True, gc=False):
    """A bare name in a guard: a root (`turns`), a record (`user`), or the variable of a macro."""

    name: str
    """The name."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


class Select(_Part, frozen=True, gc=False):
    """The selection of a field or attribute in a guard: `of.name`."""

    of: Expression
    """The expression before the dot."""
    name: str
    """The name behind the dot."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


ITEM_ACCESS = "[]"
"""The name of the call that reads an item of a list or one answer of a map: `of[key]`."""
MACROS = ("exists", "all", "filter", "map")
"""The calls over a list whose first argument is the name of each item in the second one."""


class Call(_Part, frozen=True, gc=False):
    """A call in a guard: `name(args)` or `of.name(args)`, also with named arguments; or `of[key]` (`ITEM_ACCESS`)."""

    name: str
    """The name of the function, or `ITEM_ACCESS`."""
    args: tuple[Expression, ...] = ()
    """The arguments without names, in order."""
    of: Expression | None = None
    """The expression before the dot; `None` for a function call."""
    named: tuple[tuple[str, Expression], ...] = ()
    """The named arguments, such as `within: 3`, each with its name."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


class Sequence(_Part, frozen=True, gc=False):
    """A list in a guard: `[a, b]`."""

    items: tuple[Expression, ...]
    """The expressions in the list, in order."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


class Not(_Part, frozen=True, gc=False):
    """A negation in a guard: `!of`."""

    of: Expression
    """The expression that is negated."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


class Minus(_Part, frozen=True, gc=False):
    """A unary minus in a guard: `-of`."""

    of: Expression
    """The expression behind the sign."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


class Binary(_Part, frozen=True, gc=False):
    """A binary operation in a guard (`left op right`): arithmetic, comparison or `in`."""

    op: str
    """The operator as it is written, such as `>=`."""
    left: Expression
    """The expression before the operator."""
    right: Expression
    """The expression behind the operator."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


class Logic(_Part, frozen=True, gc=False):
    """A conjunction `a && b && c` or disjunction `a || b` in a guard, with any number of operands."""

    op: LogicOperator
    """The operator: `&&` or `||`."""
    parts: tuple[Expression, ...]
    """The operands, from left to right."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


class Conditional(_Part, frozen=True, gc=False):
    """A choice in a guard: `test ? then : other`."""

    test: Expression
    """The condition."""
    then: Expression
    """The value where the condition is true."""
    other: Expression
    """The value where the condition is false."""
    at: int = 0
    """The index, from 0, of the part's first character in the text of the guard."""


Expression = Literal | Name | Select | Call | Sequence | Not | Minus | Binary | Logic | Conditional
"""Any part of a guard."""


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct parts of an expression, from left to right."""
    return _PARTS[type(expression)](expression)


def _parts_of_call(call: Call) -> tuple[Expression, ...]:
    of = (call.of,) if call.of is not None else ()
    return (*of, *call.args, *(value for _, value in call.named))


# Three class patterns on structs take ten times as long as a look into a table.

_PARTS: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    Literal: lambda _: (),
    Name: lambda _: (),
    **dict.fromkeys((Select, Not, Minus), lambda one: (one.of,)),
    Call: _parts_of_call,
    Sequence: lambda one: one.items,
    Binary: lambda one: (one.left, one.right),
    Logic: lambda one: one.parts,
    Conditional: lambda one: (one.test, one.then, one.other),
}


def walk(expression: Expression) -> list[Expression]:
    """Return an expression and all expressions inside it, from left to right."""
    found, ahead = list[Expression](), [expression]
    while ahead:
        part = ahead.pop()
        found.append(part)
        inner = _PARTS[type(part)](part)
        if inner:
            ahead += reversed(inner)
    return found


def is_higher(expression: Expression, most: int) -> bool:
    """Return whether expressions are nested more than `most` deep."""
    level: list[Expression] = [expression]
    for _ in range(most):
        level = [part for one in level for part in parts_of(one)]
        if not level:
            return False
    return True


def text_of(expression: Expression) -> str:
    """Return an expression as text of the guard language."""
    return _text(expression, 0)


def _text(expression: Expression, outer: int) -> str:
    text, binding = _written(expression)
    return f"({text})" if binding < outer else text


def _written(expression: Expression) -> tuple[str, int]:
    """Return the text of an expression, and its precedence."""
    return _WRITTEN[type(expression)](expression)


def _literal(literal: Literal) -> tuple[str, int]:
    text = json.dumps(literal.value, ensure_ascii=False)
    return text, UNARY if text.startswith("-") else ATOM  # also minus nought, which is not below it


def _binary(of: Binary) -> tuple[str, int]:
    binding = PRECEDENCE[of.op]
    return f"{_text(of.left, binding)} {of.op} {_text(of.right, binding + 1)}", binding


def _logic(of: Logic) -> tuple[str, int]:
    binding = PRECEDENCE[of.op]
    return f" {of.op} ".join([_text(part, binding + 1) for part in of.parts]), binding


def _conditional(of: Conditional) -> tuple[str, int]:
    test, then = _text(of.test, TERNARY + 1), _text(of.then, TERNARY + 1)
    return f"{test} ? {then} : {_text(of.other, 0)}", TERNARY


def _call(call: Call) -> str:
    if call.name == ITEM_ACCESS and call.of is not None:
        return f"{_text(call.of, ATOM)}[{_text(call.args[0], 0)}]"
    of = f"{_text(call.of, ATOM)}." if call.of is not None else ""
    args = [_text(arg, 0) for arg in call.args]
    args += [f"{key}: {_text(value, 0)}" for key, value in call.named]
    return f"{of}{call.name}({', '.join(args)})"


_WRITTEN: dict[type, Callable[[Any], tuple[str, int]]] = {
    Literal: _literal,
    Name: lambda of: (of.name, ATOM),
    Select: lambda of: (f"{_text(of.of, ATOM)}.{of.name}", ATOM),
    Call: lambda of: (_call(of), ATOM),
    Sequence: lambda of: (f"[{', '.join([_text(item, 0) for item in of.items])}]", ATOM),
    Not: lambda of: (f"!{_text(of.of, UNARY)}", UNARY),
    Minus: lambda of: (f"-{_text(of.of, UNARY if isinstance(of.of, Minus) else ATOM)}", UNARY),
    Binary: _binary,
    Logic: _logic,
    Conditional: _conditional,
}
"""What writes each kind of expression: its text, and its precedence."""
