"""The conditions of guards: what each reads, and its verdict for a value of that.

A condition is judged by the very closure that judges it in a conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.check.domains import can_be_missing, closed, values
from turnwise.core.guards.compare import OPERATORS
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.env import Env, GuardFault, Recorded
from turnwise.core.guards.scope import FUNCTION_ROOTS, Names
from turnwise.core.guards.types import LIST, READERS
from turnwise.core.state import FieldValue
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field

Row = tuple[bool | None, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A leaf of a guard. `reads` is the one field or root that decides it, empty where it is not known how:
    then it may have any verdict. `constants` are what that is compared with, `kind` is its type.
    """

    expression: Expression
    test: Callable[[Env], bool | None]
    reads: str = ""
    kind: str = ""
    constants: tuple[Any, ...] = ()


class Reader:
    """Knows the fields of a flow, and what values tell conditions apart."""

    def __init__(self, names: Names, free: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.free = free
        self.fields = {f"{of}.{name}": field for of, fields in names.records.items() for name, field in fields.items()}

    def condition(self, expression: Expression) -> Condition:
        """A leaf of a guard that links."""
        compiler = Compiler(self.names)
        test = compiler.condition(expression)
        if len(compiler.reads.refs) != 1:
            return Condition(expression, test)
        (key,) = compiler.reads.refs
        plain = _subject(expression)
        if plain is not None:
            kind = Compiler(self.names).term(plain).type
            constants = self.constants(expression, plain, kind)
            if constants is not None and kind != "dyn":
                return Condition(expression, test, key, kind, tuple(constants))
        if self.few(key) is not None:
            return Condition(expression, test, key, "string")
        return Condition(expression, test)

    def constants(self, expression: Expression, plain: Expression, kind: str) -> list[Any] | None:
        """What a field or root is compared with; `None` where that does not decide the condition."""
        if _is_presence(expression, plain):
            return []
        if not isinstance(expression, s.Binary):
            return None
        is_size = _is_size(expression.left) or _is_size(expression.right)
        if is_size is not kind.startswith(LIST):
            return None
        other = expression.right if _subject(expression.left) is plain else expression.left
        if kind == "string" and expression.op not in ("==", "!=", "in"):
            return None
        term = Compiler(self.names).term(other)
        if not term.is_constant:
            return None
        if is_size:
            return [term.constant]
        found = term.constant if expression.op == "in" else [term.constant]
        convert = READERS.get(kind)
        return [convert(one) if convert is not None and isinstance(one, str) else one for one in found]

    def few(self, key: str) -> tuple[Any, ...] | None:
        """All values of a field or root that has few."""
        return closed(self.field(key), key, is_free=key in self.free)

    def field(self, key: str) -> Field | None:
        """The field at an address."""
        return self.fields.get(key)

    def rows(self, conditions: Sequence[Condition]) -> dict[Row, Any]:
        """The verdicts that conditions on one field or root have together, each with a value that brings
        them about.
        """
        key = conditions[0].reads
        if not key:
            return {(True,): None, (False,): None, (None,): None}
        field = self.field(key)
        few = self.few(key)
        if few is None:
            few = values(field, conditions[0].kind, [c for one in conditions for c in one.constants])
        found: dict[Row, Any] = {}
        for value in (*few, *((None,) if can_be_missing(field, key) else ())):
            env = _surroundings(key, value, is_field=field is not None)
            found.setdefault(tuple(_verdict(one.test, env) for one in conditions), value)
        return found


def _surroundings(key: str, value: Any, *, is_field: bool) -> Env:
    """A state in which one thing is known."""
    if value is None:
        return Env({}, Recorded({}))
    return Env({key: FieldValue(value, "command", 0, 0)}, Recorded({})) if is_field else Env({}, Recorded({key: value}))


def _verdict(test: Callable[[Env], bool | None], env: Env) -> bool | None:
    """An error holds as little as unknown does, and no contrary of it holds either."""
    try:
        return test(env)
    except GuardFault:
        return None


def _subject(expression: Expression) -> Expression | None:
    """The field or root that a condition asks about, where it compares it with something or asks for it."""
    match expression:
        case s.Name() | s.Select():
            return expression
        case s.Call("has", (of,), None):
            return of
        case s.Call("size", (of,), None) | s.Call("size", (), of) if of is not None:
            return _subject(of)
        case s.Call(name, _, of) if name == "visits" or (isinstance(of, s.Name) and of.name in FUNCTION_ROOTS):
            return expression
        case s.Binary(op, left, right) if op in OPERATORS or op == "in":
            return _subject(left) or (_subject(right) if op in OPERATORS else None)
        case _:
            return None


def _is_presence(expression: Expression, plain: Expression) -> bool:
    """True if a condition is a field or root itself, or asks whether it has a value."""
    return expression is plain or (isinstance(expression, s.Call) and expression.name == "has")


def _is_size(expression: Expression) -> bool:
    return isinstance(expression, s.Call) and expression.name == "size"
