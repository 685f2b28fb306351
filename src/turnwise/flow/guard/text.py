"""A guard's tree as text, with as few parentheses as its precedence needs: `parse(text_of(e)) == e`."""

from __future__ import annotations

import json
from typing import Any

from turnwise.flow.guard.syntax import (
    ATOM,
    BINDING,
    TERNARY,
    UNARY,
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
            return text, UNARY if text.startswith("-") else ATOM  # also minus nought, which is not below it
        case Name(name):
            return name, ATOM
        case Select(of, name):
            return f"{_text(of, ATOM)}.{name}", ATOM
        case Call():
            return _call(expression), ATOM
        case Sequence(items):
            return f"[{', '.join(_text(item, 0) for item in items)}]", ATOM
        case _:
            return _operation(expression)


def _operation(expression: Not | Minus | Binary | Logic | Conditional) -> tuple[str, int]:
    match expression:
        case Not(of):
            return f"!{_text(of, UNARY)}", UNARY
        case Minus(of):
            return f"-{_text(of, ATOM)}", UNARY
        case Binary(op, left, right):
            binding = BINDING[op]
            return f"{_text(left, binding)} {op} {_text(right, binding + 1)}", binding
        case Logic(op, parts):
            binding = BINDING[op]
            return f" {op} ".join(_text(part, binding + 1) for part in parts), binding
        case Conditional(test, then, other):
            return f"{_text(test, TERNARY + 1)} ? {_text(then, TERNARY + 1)} : {_text(other, 0)}", TERNARY


def _call(call: Call) -> str:
    of = f"{_text(call.of, ATOM)}." if call.of is not None else ""
    args = [_text(arg, 0) for arg in call.args]
    args += [f"{key}: {_text(value, 0)}" for key, value in call.named]
    return f"{of}{call.name}({', '.join(args)})"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value)
