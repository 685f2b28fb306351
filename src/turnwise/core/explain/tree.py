"""The verdict of a guard as a tree: each leaf with its text, its verdict, and the values it read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from turnwise.core.guards import Env, GuardFault, Ref
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.scope import Names, root_shown
from turnwise.core.guards.types import is_blank
from turnwise.core.trace import Group, Leaf, Operand, Verdict, VerdictKind
from turnwise.core.values import REDACTED
from turnwise.flow.guard import Expression, text_of
from turnwise.flow.guard import syntax as s

Test = Callable[[Env], bool | None]
GroupKind = Literal["all", "any", "not", "if"]
_OPPOSITE: dict[VerdictKind, VerdictKind] = {"held": "not_held", "not_held": "held"}


Tell = Callable[[Env, list[VerdictKind]], Verdict]
"""Gives the tree of verdicts; the list gains the verdict of each leaf, from left to right."""


class LeafPlan:
    """A leaf, compiled by itself: its text and that of its opposite, its closure, what it reads."""

    __slots__ = ("expression", "opposite", "read", "refs", "run", "tell", "text")

    def __init__(self, expression: Expression, names: Names) -> None:
        compiler = Compiler(names)
        self.expression = expression
        self.run: Test = compiler.condition(expression)
        write = _without_constants if reads_secret(names, expression) else text_of
        self.text = write(expression)
        self.opposite = write(s.Not(expression))
        self.refs: tuple[Ref, ...] = tuple(compiler.reads.refs.values())
        self.read = _operands([_reader(ref) for ref in self.refs])
        self.tell = _leaf(self.text, self.run, self.read)


def _without_constants(expression: Expression) -> str:
    """The text of a condition on a secret: its constants would tell what the secret is, or is not."""
    return _CONSTANT.sub(lambda found: found[0] if found[0] == '""' else REDACTED, text_of(expression))


_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|-?\b\d[\w.]*(?:[+-]\d+)?|\b(?:true|false)\b')


class GroupPlan:
    """A combination of plans."""

    __slots__ = ("op", "parts", "tell")

    def __init__(self, op: GroupKind, parts: tuple[Plan, ...]) -> None:
        self.op: GroupKind = op
        self.parts = parts
        self.tell = _group(op, [part.tell for part in parts])


Plan = LeafPlan | GroupPlan


def plan(expression: Expression, names: Names) -> Plan:
    """How a guard is explained; made once per guard."""
    match expression:
        case s.Logic(op, parts):
            return GroupPlan("all" if op == "&&" else "any", tuple(plan(part, names) for part in parts))
        case s.Not(of):
            return GroupPlan("not", (plan(of, names),))
        case s.Conditional(test, then, other):
            return GroupPlan("if", (plan(test, names), plan(then, names), plan(other, names)))
        case _:
            return LeafPlan(expression, names)


def leaves(of: Plan) -> list[LeafPlan]:
    """The leaves of a plan, from left to right."""
    if isinstance(of, LeafPlan):
        return [of]
    return [leaf for part in of.parts for leaf in leaves(part)]


def _operands(readers: list[Callable[[Env], Operand]]) -> Callable[[Env], tuple[Operand, ...]]:
    """Return the reader of all values of a leaf."""
    if len(readers) == 1:
        (reader,) = readers
        return lambda env: (reader(env),)
    return lambda env: tuple([read(env) for read in readers])


def _leaf(text: str, run: Test, read: Callable[[Env], tuple[Operand, ...]]) -> Tell:
    def tell(env: Env, kinds: list[VerdictKind]) -> Verdict:
        operands = read(env)
        try:
            held = run(env)
        except GuardFault as fault:
            kinds.append("error")
            return Leaf(text, "error", operands, str(fault))
        kind: VerdictKind = "held" if held else "unknown" if held is None else "not_held"
        kinds.append(kind)
        return Leaf(text, kind, operands)

    return tell


def _group(op: GroupKind, tells: list[Tell]) -> Tell:
    match op:
        case "not":
            return _negation(tells[0])
        case "if":
            return _choice(tells)
        case "all":
            return _combination("all", tells, "held", "not_held")
        case "any":
            return _combination("any", tells, "not_held", "held")


def _combination(op: GroupKind, tells: list[Tell], usual: VerdictKind, decisive: VerdictKind) -> Tell:
    """One decisive part decides; else unknown outweighs an error, and that the usual verdict."""

    def tell(env: Env, kinds: list[VerdictKind]) -> Verdict:
        parts = tuple([one(env, kinds) for one in tells])
        kind = usual
        for part in parts:
            found = part.verdict
            if found == decisive:
                kind = decisive
                break
            if found != usual and kind != "unknown":
                kind = found
        return Group(op, kind, parts)

    return tell


def _negation(of: Tell) -> Tell:
    def tell(env: Env, kinds: list[VerdictKind]) -> Verdict:
        part = of(env, kinds)
        return Group("not", _OPPOSITE.get(part.verdict, part.verdict), (part,))

    return tell


def _choice(tells: list[Tell]) -> Tell:
    def tell(env: Env, kinds: list[VerdictKind]) -> Verdict:
        parts = tuple([one(env, kinds) for one in tells])
        test, then, other = parts[0].verdict, parts[1].verdict, parts[2].verdict
        kind: VerdictKind = then if test == "held" else other if test == "not_held" else test
        return Group("if", kind, parts)

    return tell


def _reader(ref: Ref) -> Callable[[Env], Operand]:
    """How a value that was read is told, with where it came from."""
    key, field = ref.key, ref.field
    if field is None:

        def read_root(env: Env) -> Operand:
            value = root_shown(key, env.source.get(key, _nothing))
            return Operand(key, value, "missing" if value is None else "")

        return read_root
    is_missing = is_blank(field.default)
    absent = Operand(key, None, "missing") if is_missing else Operand(key, field.default, "default")
    is_secret = field.secret

    def read(env: Env) -> Operand:
        found = env.fields.get(key)
        if found is None:
            return absent
        return Operand(key, REDACTED if is_secret else found.value, found.how, found.turn)

    return read


def _nothing(_state: Any) -> None:
    return None
