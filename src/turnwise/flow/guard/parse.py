"""Parses a guard: a tokenizer and a Pratt parser, whose errors name what was expected."""

from __future__ import annotations

import re

from turnwise.errors import TurnwiseError
from turnwise.flow.guard.syntax import (
    ITEM_ACCESS,
    PRECEDENCE,
    TERNARY,
    UNARY,
    Binary,
    Call,
    Conditional,
    Expression,
    Literal,
    Logic,
    LogicOperator,
    Minus,
    Name,
    Not,
    Select,
    Sequence,
    is_higher,
)
from turnwise.flow.late_pattern import late_pattern

Token = tuple[str, str, int]
"""A token: its kind (`number`, `string`, `name`, `op`, `end`), its text, and the index of its first character, from 0.
A bare tuple, because a thousand guards are tens of thousands of them."""


class TokenError(Exception):
    """Raised for a character that begins no token."""

    def __init__(self, message: str, at: int, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.hint = hint


_TOKEN = late_pattern(
    r"""\s+|//[^\n]*
    |(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+\.[0-9]+|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[rR]"[^"\n]*"|[rR]'[^'\n]*')
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<op>&&|\|\||==|!=|<=|>=|[-<>+*/%!?:,.()\[\]{}])""",
    re.VERBOSE,
)
_SINGLE = {"=": "'=='", "&": "'&&'", "|": "'||'"}


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a guard's text, followed by two `end` tokens, so that a parser can always look ahead."""
    tokens: list[Token] = []
    place, length, match = 0, len(text), _TOKEN.match
    while place < length:
        found = match(text, place)
        if found is None:
            raise _strange(text, place)
        if found.lastgroup is not None:
            tokens.append((found.lastgroup, found.group(), place))
        place = found.end()
    tokens += [("end", "", length)] * 2
    return tokens


def _strange(text: str, place: int) -> TokenError:
    character = text[place]
    if character in "\"'":
        return TokenError("this text has no closing quote", place)
    if text.startswith("=>", place):
        return TokenError("'=>' means nothing", place, "write '>='")
    if character in _SINGLE:
        return TokenError(f"'{character}' alone means nothing", place, f"write {_SINGLE[character]}")
    return TokenError(f"{character!r} has no meaning in a guard", place)


MAX_CHARS = 10_000
"""How many characters a guard may have."""
MAX_DEPTH = 60
"""How deep the expressions of a guard may be nested."""
MAX_OPERATORS = 100
"""How many expressions may stand one in another, as in a sum: all that reads the tree of a guard recurses over it."""

_CONSTANTS = {"true": True, "false": False, "null": None}
_WORDS = {"and": "write '&&'", "or": "write '||'", "not": "write '!'", "is": "write '=='"}
_NOTHING = ("None", "null", "nil", "undefined")
_REFUSED_CALLS = ("exists_one", "type", "dyn", "bytes", "uint")
_ESCAPE = late_pattern(r"\\(?:([abfnrtv\\\"'`?])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class GuardError(TurnwiseError):
    """Raised for a guard that cannot be parsed, names something unknown, or mixes types."""

    def __init__(self, code: str, message: str, at: int = 0, hint: str = "") -> None:
        super().__init__(f"{message}; {hint}" if hint else message)
        self.code = code
        self.message = message
        self.at = at
        self.hint = hint


def parse(text: str) -> Expression:
    """Return the syntax tree of a guard's text. Raise `GuardError` with the position of the error."""
    if len(text) > MAX_CHARS:
        raise GuardError("TW030", f"the guard has {len(text):,} characters; the limit is {MAX_CHARS:,}")
    try:
        tokens = tokenize(text)
    except TokenError as error:
        raise GuardError("TW030", error.message, error.at, error.hint) from None
    parser = _Parser(tokens)
    expression = parser.expression(0)
    if parser.kind != "end":
        raise parser.unexpected("an operator, or the end")
    if len(tokens) > MAX_OPERATORS and is_higher(expression, MAX_OPERATORS):
        hint = "divide it, for instance into a derived field"
        raise GuardError("TW030", f"the guard has more than {MAX_OPERATORS} operators one in another", hint=hint)
    return expression


class _Parser:
    """The tokens, and the one that comes next: its kind, its text, its place."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0
        self.is_negative = False
        self.kind, self.text, self.at = tokens[0]

    def advance(self) -> None:
        """Go on to the following token; the end stays the end."""
        if self.kind != "end":
            self.place += 1
            self.kind, self.text, self.at = self.tokens[self.place]

    def accept(self, text: str) -> bool:
        """Take an operator if it comes next."""
        if self.text == text and self.kind == "op":
            self.advance()
            return True
        return False

    def expect(self, text: str, what: str) -> None:
        """Take an operator, or raise."""
        if not self.accept(text):
            raise self.unexpected(f"'{text}' {what}")

    def unexpected(self, expected: str) -> GuardError:
        """Return the error that something else was expected here."""
        found = "the guard ends here" if self.kind == "end" else f"found '{self.text}'"
        before = self.tokens[self.place - 1][1] if self.place else ""
        hint = self.absence() or _WORDS.get(self.text.lower()) or _WORDS.get(before.lower(), "")
        return GuardError("TW030", f"{found}, expected {expected}", self.at, hint)

    def absence(self) -> str:
        """Return the hint for `x is None` and `x is not None`, empty for anything else."""
        words = [text for _, text, _ in self.tokens[self.place : self.place + 3]]
        negated = words[1:2] == ["not"]
        nothing = words[2:3] if negated else words[1:2]
        if words[:1] != ["is"] or not nothing or nothing[0] not in _NOTHING:
            return ""
        first = self.place
        while first and (self.tokens[first - 1][0] == "name" or self.tokens[first - 1][1] == "."):
            first -= 1
        address = "".join(text for _, text, _ in self.tokens[first : self.place])
        return f"write {'' if negated else '!'}has({address or '…'})"

    def expression(self, binding: int) -> Expression:
        """Parse an expression whose operators bind tighter than `binding`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise GuardError("TW030", f"the guard is nested more than {MAX_DEPTH} deep", self.at)
        left = self.prefix()
        while True:
            power = PRECEDENCE.get(self.text, 0) if self.kind in ("op", "name") else 0
            if power <= binding:
                self.depth -= 1
                return left
            left = self.infix(left, power)

    def infix(self, left: Expression, power: int) -> Expression:
        """Parse an operator and its right operand."""
        op, at = self.text, self.at
        self.advance()
        match op:
            case ".":
                return self.member(left)
            case "&&" | "||":
                parts = [left, self.expression(power)]
                while self.accept(op):
                    parts.append(self.expression(power))
                return Logic(op, _flat(op, parts), at)
            case "?":
                then = self.expression(TERNARY)
                self.expect(":", "and what holds otherwise")
                return Conditional(left, then, self.expression(0), at)
            case "[":
                key = self.expression(0)
                self.expect("]", "to close '['")
                return Call(ITEM_ACCESS, (key,), left, (), at)
            case "{":
                raise GuardError("TW033", "guards have no messages or maps", at)
            case _:
                return Binary(op, left, self.expression(power), at)

    def member(self, of: Expression) -> Expression:
        """Parse a field or a method call after a dot."""
        if self.kind != "name":
            raise self.unexpected("a name after '.'")
        name, at = self.text, self.at
        self.advance()
        if self.accept("("):
            return self.call(name, at, of)
        return Select(_path(of) if type(of) is Select else of, name, at)

    def prefix(self) -> Expression:
        """Parse a value, or an operator before one."""
        kind, text, at = self.kind, self.text, self.at
        is_negative, self.is_negative = self.is_negative, False
        if kind == "end":
            raise self.unexpected(_A_VALUE)
        if kind == "op":
            return self.prefix_operator(text, at)
        if kind == "name" and text == "in":
            raise self.unexpected(_A_VALUE)
        self.advance()
        if kind == "number":
            return _number(text, at, is_negative=is_negative)
        if kind == "string":
            return Literal(_unquoted(text, at), at)
        if text in _CONSTANTS:
            return Literal(_CONSTANTS[text], at)
        if self.kind == "string" and text in ("b", "br", "rb", "B"):
            raise GuardError("TW033", "guards have no bytes", at)
        return self.call(text, at, None) if self.accept("(") else Name(text, at)

    def prefix_operator(self, op: str, at: int) -> Expression:
        """`!x`, `-x`, `(x)`, `[x]`."""
        if op not in ("!", "-", "(", "[", "{"):
            raise self.unexpected(_A_VALUE)
        self.advance()
        match op:
            case "(":
                inner = self.expression(0)
                self.expect(")", "to close '('")
                return inner
            case "[":
                return Sequence(self.items("]"), at)
            case "!":
                return Not(self.expression(UNARY), at)
            case "-":
                self.is_negative = True
                return _negated(self.expression(UNARY), at)
            case _:
                raise GuardError("TW033", "guards have no maps", at)

    def items(self, closing: str) -> tuple[Expression, ...]:
        """Return expressions with commas between them, to the closing bracket."""
        found: list[Expression] = []
        while not self.accept(closing):
            if found:
                self.expect(",", f"or '{closing}'")
                if self.accept(closing):
                    break
            found.append(self.expression(0))
        return tuple(found)

    def call(self, name: str, at: int, of: Expression | None) -> Expression:
        """Parse the arguments of a call, after its opening bracket."""
        if name in _REFUSED_CALLS:
            raise GuardError("TW033", f"guards have no {name}()", at)
        args: list[Expression] = []
        named: list[tuple[str, Expression]] = []
        while not self.accept(")"):
            if args or named:
                self.expect(",", "or ')'")
            following = self.tokens[self.place + 1] if self.kind == "name" else None
            if following is not None and following[1] == ":" and following[0] == "op":
                key = self.text
                self.advance()
                self.advance()
                named.append((key, self.expression(0)))
            else:
                args.append(self.expression(0))
        return Call(name, tuple(args), of, tuple(named), at)


def _path(expression: Expression) -> Expression:
    """Return what has a field: `desk.memo` before `.text` is the name of a record, for no field has parts."""
    match expression:
        case Select(Name(record, at), name):
            return Name(f"{record}.{name}", at)
        case _:
            return expression


_A_VALUE = "a value, a field or a function"


def _flat(op: LogicOperator, parts: list[Expression]) -> tuple[Expression, ...]:
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


def _number(text: str, at: int, *, is_negative: bool) -> Literal:
    digits = text[2:] if text[:2] in ("0x", "0X") else text
    if digits is not text or text.isdigit():
        whole = int(digits, 10 if digits is text else 16) if len(digits.lstrip("0")) <= 19 else 2**64
        if whole > (2**63 if is_negative else 2**63 - 1):
            raise GuardError("TW030", "this number is larger than 64 bits hold", at)
        return Literal(whole, at)
    value = float(text)
    if value == float("inf"):
        raise GuardError("TW030", "this number is too large", at)
    return Literal(value, at)


def _unquoted(text: str, at: int) -> str:
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
            raise GuardError("TW030", f"\\{strange} is no escape", at + found.start() + 1, hint)
        code = int(x or u or long, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise GuardError("TW030", f"\\{found.group()[1:]} is no character", at + found.start() + 1)
        return chr(code)

    return _ESCAPE.sub(unescape, text[1:-1])
