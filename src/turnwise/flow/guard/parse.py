"""A guard's text as a tree: a Pratt parser, so that precedence is a table and errors know what was
expected. Names and types are not looked up here.
"""

from __future__ import annotations

import re

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
from turnwise.flow.guard.tokens import Token, TokenError, tokenize

MAX_CHARS = 10_000
MAX_DEPTH = 60

_TERNARY, _OR, _AND, _UNARY = 1, 2, 3, 7
_BINDING = {
    "?": _TERNARY,
    "||": _OR,
    "&&": _AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in"), 4),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/", "%"), 6),
    **dict.fromkeys((".", "[", "{"), 8),
}
_CONSTANTS = {"true": True, "false": False, "null": None}
_REFUSED_CALLS = ("map", "exists_one", "type", "dyn", "bytes", "uint")
_ESCAPE = re.compile(r"\\(?:([abfnrtv\\\"'`?])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class GuardError(Exception):
    """A guard that cannot be read, or names something unknown, or mixes types."""

    def __init__(self, code: str, message: str, at: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.at = at
        self.hint = hint


def parse(text: str) -> Expression:
    """The tree of a guard. Raises `GuardError` with the place in the text."""
    if len(text) > MAX_CHARS:
        raise GuardError("TW030", f"the guard has {len(text):,} characters; the limit is {MAX_CHARS:,}")
    try:
        tokens = tokenize(text)
    except TokenError as error:
        raise GuardError("TW030", error.message, error.at, error.hint) from None
    parser = _Parser(tokens)
    expression = parser.expression(0)
    if parser.next.kind != "end":
        raise parser.unexpected("an operator, or the end")
    return expression


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0
        self.next = tokens[0]

    def advance(self) -> Token:
        token = self.next
        self.place += 1
        self.next = self.tokens[min(self.place, len(self.tokens) - 1)]
        return token

    def take(self, text: str) -> bool:
        if self.next.text == text and self.next.kind == "op":
            self.advance()
            return True
        return False

    def expect(self, text: str, what: str) -> None:
        if not self.take(text):
            raise self.unexpected(f"'{text}' {what}")

    def unexpected(self, expected: str) -> GuardError:
        found = "the guard ends here" if self.next.kind == "end" else f"found '{self.next.text}'"
        return GuardError("TW030", f"{found}, expected {expected}", self.next.at)

    def expression(self, binding: int) -> Expression:
        """An expression whose operators bind tighter than `binding`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise GuardError("TW030", f"the guard is nested more than {MAX_DEPTH} deep", self.next.at)
        left = self.prefix()
        while True:
            op = self.next
            power = _BINDING.get(op.text, 0) if op.kind == "op" or op.text == "in" else 0
            if power <= binding:
                self.depth -= 1
                return left
            left = self.infix(left, op, power)

    def infix(self, left: Expression, op: Token, power: int) -> Expression:
        self.advance()
        match op.text:
            case "?":
                then = self.expression(_TERNARY)
                self.expect(":", "and what holds otherwise")
                return Conditional(left, then, self.expression(0), op.at)
            case "&&" | "||":
                parts = [left, self.expression(power)]
                while self.take(op.text):
                    parts.append(self.expression(power))
                return Logic(op.text, _flat(op.text, parts), op.at)
            case ".":
                return self.member(left)
            case "[":
                raise GuardError("TW033", "guards have no indexing with [ ]", op.at, "use 'in', exists or size")
            case "{":
                raise GuardError("TW033", "guards have no messages or maps", op.at)
            case _:
                return Binary(op.text, left, self.expression(power), op.at)

    def member(self, of: Expression) -> Expression:
        name = self.advance()
        if name.kind != "name":
            self.place -= 1
            self.next = name
            raise self.unexpected("a name after '.'")
        if self.take("("):
            return self.call(name, of)
        return Select(of, name.text, name.at)

    def prefix(self) -> Expression:
        token = self.advance()
        match token.kind, token.text:
            case "number", _:
                return _number(token)
            case "string", _:
                return Literal(_unquoted(token), token.at)
            case "name", text if text in _CONSTANTS:
                return Literal(_CONSTANTS[text], token.at)
            case "name", text if text != "in":
                if self.next.kind == "string" and text in ("b", "br", "rb", "B"):
                    raise GuardError("TW033", "guards have no bytes", token.at)
                return self.call(token, None) if self.take("(") else Name(text, token.at)
            case "op", "(":
                inner = self.expression(0)
                self.expect(")", "to close '('")
                return inner
            case "op", "[":
                return Sequence(self.items("]"), token.at)
            case "op", "!":
                return Not(self.expression(_UNARY), token.at)
            case "op", "-":
                return _negated(self.expression(_UNARY), token.at)
            case "op", "{":
                raise GuardError("TW033", "guards have no maps", token.at)
            case _:
                self.place -= 1
                self.next = token
                raise self.unexpected("a value, a field or a function")

    def items(self, closing: str) -> tuple[Expression, ...]:
        found: list[Expression] = []
        while not self.take(closing):
            if found:
                self.expect(",", f"or '{closing}'")
                if self.take(closing):
                    break
            found.append(self.expression(0))
        return tuple(found)

    def call(self, name: Token, of: Expression | None) -> Expression:
        if name.text in _REFUSED_CALLS:
            raise GuardError("TW033", f"guards have no {name.text}()", name.at)
        args: list[Expression] = []
        named: list[tuple[str, Expression]] = []
        while not self.take(")"):
            if args or named:
                self.expect(",", "or ')'")
            following = self.tokens[min(self.place + 1, len(self.tokens) - 1)]
            if self.next.kind == "name" and following.kind == "op" and following.text == ":":
                key = self.advance().text
                self.advance()
                named.append((key, self.expression(0)))
            else:
                args.append(self.expression(0))
        return Call(name.text, tuple(args), of, tuple(named), name.at)


def _flat(op: str, parts: list[Expression]) -> tuple[Expression, ...]:
    flat: list[Expression] = []
    for part in parts:
        if isinstance(part, Logic) and part.op == op:
            flat.extend(part.parts)
        else:
            flat.append(part)
    return tuple(flat)


def _negated(of: Expression, at: int) -> Expression:
    if isinstance(of, Literal) and isinstance(of.value, int | float) and not isinstance(of.value, bool):
        return Literal(-of.value, at)
    return Minus(of, at)


def _number(token: Token) -> Literal:
    text = token.text
    if text[:2] in ("0x", "0X"):
        return Literal(int(text, 16), token.at)
    if text.isdigit():
        if len(text) > 18:
            raise GuardError("TW030", "this number is larger than 64 bits hold", token.at)
        return Literal(int(text), token.at)
    value = float(text)
    if value == float("inf"):
        raise GuardError("TW030", "this number is too large", token.at)
    return Literal(value, token.at)


def _unquoted(token: Token) -> str:
    text = token.text
    if text[0] in "rR":
        return text[2:-1]
    if "\\" not in text:
        return text[1:-1]

    def unescape(found: re.Match[str]) -> str:
        short, x, u, long, strange = found.groups()
        if short is not None:
            return _ESCAPED.get(short, short)
        if strange is not None:
            hint = "double the backslash, or put r before the quote"
            raise GuardError("TW030", f"\\{strange} is no escape", token.at + found.start() + 1, hint)
        code = int(x or u or long, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise GuardError("TW030", f"\\{found.group()[1:]} is no character", token.at + found.start() + 1)
        return chr(code)

    return _ESCAPE.sub(unescape, text[1:-1])
