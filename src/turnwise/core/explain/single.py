"""The verdict of one guard on some values: for trying a rule out, and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.tree import plan
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.env import Env, Recorded
from turnwise.core.guards.roots import ROOTS
from turnwise.core.guards.scope import Names
from turnwise.core.language import language_of
from turnwise.core.state import FieldValue
from turnwise.core.trace import Need, Verdict, VerdictKind
from turnwise.core.values import Rules
from turnwise.flow.guard import Expression, parse
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field, FieldType


class Judged(Struct, frozen=True):
    """Whether a guard is held, its tree, the fields that are missing, and what would make it hold."""

    verdict: VerdictKind
    tree: Verdict
    missing: tuple[str, ...]
    needs: tuple[tuple[Need, ...], ...]
    in_words: tuple[str, ...]

    @property
    def held(self) -> bool:
        """True if the guard is held."""
        return self.verdict == "held"


def judge(guard: str, values: Mapping[str, Mapping[str, Any]], roots: Mapping[str, Any] | None = None) -> Judged:
    """Judge a guard on values by record and field; `roots` gives `message.text`, `turns` and the like.

    Types follow from the values; a field without one is missing. Raises `GuardError`.
    """
    expression = parse(guard)
    records = {record: {name: _field(name, value) for name, value in known.items()} for record, known in values.items()}
    for record, name, kind in _undeclared(expression, is_condition=True):
        records.setdefault(record, {}).setdefault(name, Field(name, kind))
    names = Names(records, {}, is_open=True)
    compiler = Compiler(names)
    test = compiler.condition(expression)
    fields = {
        f"{record}.{name}": FieldValue(value, "command", 0, 0)
        for record, known in values.items()
        for name, value in known.items()
        if value is not None and value != ""
    }
    env = Env(fields, Recorded(roots or {}))
    kinds: list[VerdictKind] = []
    how = plan(expression, names)
    tree = how.tell(env, kinds)
    needs_plan = NeedsPlan(how, test, Rules(language_of("en")))
    missing = tuple(ref.key for ref in compiler.reads.refs.values() if ref.field is not None and ref.key not in fields)
    needs, in_words = ((), ()) if tree.verdict == "held" else needs_plan.tell(env, tuple(kinds))
    return Judged(tree.verdict, tree, missing, needs, in_words)


def _undeclared(expression: Expression, *, is_condition: bool) -> Iterator[tuple[str, str, FieldType]]:
    """The fields that a guard names, each with the type that its use asks for: true or false where it
    stands alone as a condition, the type of the constant that it is compared with, else a text.
    """
    match expression:
        case s.Select(of=s.Name(name=record), name=name) if f"{record}.{name}" not in ROOTS:
            yield record, name, "boolean" if is_condition else "string"
        case s.Binary(left=left, right=right):
            yield from _compared(left, right)
            yield from _compared(right, left)
        case s.Logic() | s.Not():
            for part in s.parts_of(expression):
                yield from _undeclared(part, is_condition=True)
        case _:
            for part in s.parts_of(expression):
                yield from _undeclared(part, is_condition=False)


def _compared(side: Expression, other: Expression) -> Iterator[tuple[str, str, FieldType]]:
    """The fields of one side of a comparison; a field beside a constant has the constant's type."""
    is_direct = isinstance(side, s.Select)
    kind = _TYPES.get(type(other.value)) if is_direct and isinstance(other, s.Literal) else None
    for record, name, usual in _undeclared(side, is_condition=False):
        yield record, name, kind or usual


_TYPES: dict[type, FieldType] = {bool: "boolean", int: "integer", float: "number"}


def _field(name: str, value: Any) -> Field:
    """A field of the type that a value has."""
    match value:
        case bool():
            return Field(name, "boolean")
        case int():
            return Field(name, "integer")
        case float():
            return Field(name, "number")
        case list() | tuple():
            return Field(name, "list")
        case _:
            return Field(name)
