"""A guard's tree as text, with as few parentheses as its precedence needs: `parse(text_of(e)) == e`."""

from __future__ import annotations

import json
from typing import Any

from turnwise.flow.guard.syntax import (
    Binary,
    Call,
    Conditional,
    Expression,
    Literal,
    Logic,
    Minus,
    Name,
    Not,
    Select,
    Sequence,
)

_ATOM, _UNARY, _COMPARISON, _TERNARY = 9, 7, 4, 1
_BINDING = {"||": 2, "&&": 3, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6}


def text_of(expression: Expression) -> str:
    """The text of an expression."""
    return _text(expression, 0)


def _text(expression: Expression, outer: int) -> str:
    text, binding = _written(expression)
    return f"({text})" if binding < outer else text


def _written(expression: Expression) -> tuple[str, int]:
    """The text of an expression, and how tightly it holds together."""
    match expression:
        case Literal(value):
            text = _literal(value)
            return text, _UNARY if text.startswith("-") else _ATOM  # also minus nought, which is not below it
        case Name(name):
            return name, _ATOM
        case Select(of, name):
            return f"{_text(of, _ATOM)}.{name}", _ATOM
        case Call():
            return _call(expression), _ATOM
        case Sequence(items):
            return f"[{', '.join(_text(item, 0) for item in items)}]", _ATOM
        case _:
            return _operation(expression)


def _operation(expression: Not | Minus | Binary | Logic | Conditional) -> tuple[str, int]:
    match expression:
        case Not(of):
            return f"!{_text(of, _UNARY)}", _UNARY
        case Minus(of):
            return f"-{_text(of, _ATOM)}", _UNARY
        case Binary(op, left, right):
            binding = _BINDING.get(op, _COMPARISON)
            return f"{_text(left, binding)} {op} {_text(right, binding + 1)}", binding
        case Logic(op, parts):
            binding = _BINDING[op]
            return f" {op} ".join(_text(part, binding + 1) for part in parts), binding
        case Conditional(test, then, other):
            return f"{_text(test, _TERNARY + 1)} ? {_text(then, _TERNARY + 1)} : {_text(other, 0)}", _TERNARY


def _call(call: Call) -> str:
    of = f"{_text(call.of, _ATOM)}." if call.of is not None else ""
    args = [_text(arg, 0) for arg in call.args]
    args += [f"{key}: {_text(value, 0)}" for key, value in call.named]
    return f"{of}{call.name}({', '.join(args)})"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value)
