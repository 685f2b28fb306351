"""A guard's tree as one closure: names are looked up, types checked, missing values carried along.

A closure gives `True`, `False`, a value, or `None` for unknown (law 2.10); it raises `GuardFault`
where CEL has an error. Nothing is evaluated here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from turnwise.core.guards import arithmetic, calls, compare, hints, logic
from turnwise.core.guards import logic as macros
from turnwise.core.guards.env import Env
from turnwise.core.guards.scope import FUNCTION_ROOTS, ROOTS, Names, Reads, Root, Term
from turnwise.core.guards.types import CONVERTERS, LIST, is_blank, named, type_of
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field


class Compiler:
    """Compiles expressions over some names, and notes what they read.

    It raises the first fault; given a list of faults, it adds all of them instead, except those that
    may only follow from one of their own parts.
    """

    def __init__(
        self, names: Names, reads: Reads | None = None, depth: int = 0, faults: list[GuardError] | None = None
    ) -> None:
        self.names = names
        self.faults = faults
        self.variables: dict[str, tuple[str, int]] = {}
        self.reads = reads or Reads()
        self.depth = depth

    def inside(self, variable: str, item: str) -> Compiler:
        """A compiler for the body of a macro, where a variable has the type of the items. Its value
        stands in a slot of its own, so that a variable may hide another of the same name.
        """
        compiler = Compiler(self.names, self.reads, self.depth + 1, self.faults)
        compiler.variables = {**self.variables, variable: (item, compiler.depth)}
        return compiler

    @property
    def known_faults(self) -> int:
        """How many faults have been noted."""
        return 0 if self.faults is None else len(self.faults)

    def note(self, error: GuardError, known: int) -> None:
        """Note a fault, unless a part of the same expression has one. Raises it where none are collected."""
        if self.faults is None:
            raise error
        if len(self.faults) == known:
            self.faults.append(error)

    # conditions ------------------------------------------------------------------------------

    def condition(self, expression: Expression) -> Callable[[Env], bool | None]:
        """The closure of an expression that stands for true or false (law 1.3)."""
        known = self.known_faults
        try:
            return self.truth(expression)
        except GuardError as error:
            self.note(error, known)
            return _unknown

    def truth(self, expression: Expression) -> Callable[[Env], bool | None]:
        """The closure of a condition, whose own faults are raised."""
        match expression:
            case s.Logic(op, parts):
                tests = [self.condition(part) for part in parts]
                return logic.combination(tests, decisive=op == "||")
            case s.Not(of):
                return logic.negation(self.condition(of))
            case s.Conditional(test, then, other):
                return logic.choice(self.condition(test), self.condition(then), self.condition(other))
            case _:
                return self.leaf(expression)

    def leaf(self, expression: Expression) -> Callable[[Env], bool | None]:
        """The closure of a condition that is no combination of others."""
        term = self.term(expression)
        if term.type in ("bool", "dyn"):
            return term.run
        if term.address or (term.type == "string" and isinstance(expression, s.Name | s.Select)):
            return self.presence(term)
        message = f"this is {named(term.type)}, not true or false"
        raise GuardError("TW032", message, expression.at, hints.of_condition(term.type))

    @staticmethod
    def presence(term: Term) -> Callable[[Env], bool]:
        """Whether a term has a value."""
        run, address = term.run, term.address
        if term.is_stored:
            return lambda env: address in env.fields
        return lambda env: run(env) is not None

    @staticmethod
    def absence(term: Term) -> Callable[[Env], bool]:
        """Whether a term has no value."""
        run, address = term.run, term.address
        if term.is_stored:
            return lambda env: address not in env.fields
        return lambda env: run(env) is None

    # terms -----------------------------------------------------------------------------------

    def term(self, expression: Expression) -> Term:
        """The compiled form of any expression."""
        known = self.known_faults
        try:
            return self.value(expression)
        except GuardError as error:
            self.note(error, known)
            return Term("dyn", _unknown)

    def value(self, expression: Expression) -> Term:
        """The compiled form of an expression, whose own faults are raised."""
        match expression:
            case s.Literal(value):
                return _literal(value)
            case s.Name(name, at):
                return self.name(name, at)
            case s.Select():
                return self.select(expression)
            case s.Call():
                return macros.macro(self, expression) or calls.call(self, expression)
            case s.Logic() | s.Not():
                return Term("bool", self.condition(expression))
            case _:
                return self.combined(expression)

    def combined(self, expression: s.Binary | s.Minus | s.Sequence | s.Conditional) -> Term:
        """The compiled form of an expression that is made of others."""
        match expression:
            case s.Binary():
                return self.binary(expression)
            case s.Minus(of):
                return arithmetic.minus(self.term(of), expression.at)
            case s.Sequence(items):
                return self.sequence(items, expression.at)
            case s.Conditional(test, then, other):
                return self.conditional(self.condition(test), self.term(then), self.term(other), expression.at)
        assert_never(expression)

    def binary(self, expression: s.Binary) -> Term:
        """Arithmetic, a comparison, or membership; `x == ""` and `x == null` ask for presence."""
        op, left, right = expression.op, expression.left, expression.right
        if op in ("==", "!="):
            asked = _asked_presence(left, right)
            if asked is not None:
                term = self.term(asked)
                return Term("bool", self.presence(term) if op == "!=" else self.absence(term))
        if op == "in":
            return compare.member(self.term(left), self.term(right), expression.at)
        if op in compare.OPERATORS:
            return compare.compare(op, self.term(left), self.term(right), expression.at)
        return arithmetic.binary(op, self.term(left), self.term(right), expression.at)

    def conditional(self, test: Callable[[Env], bool | None], then: Term, other: Term, at: int) -> Term:
        """`test ? then : other`; a constant text beside a date or time is read as one."""
        then, other, kind = compare.unified(then, other, at)
        return Term(kind, logic.choice(test, then.run, other.run))

    def sequence(self, items: tuple[Expression, ...], at: int) -> Term:
        """`[a, b]`."""
        terms = [self.term(item) for item in items]
        kinds = {term.type for term in terms}
        if len(kinds) > 1 and not kinds <= {"int", "double"}:
            raise GuardError("TW032", "the items of this list have different types", at)
        kind = LIST + ("double" if len(kinds) > 1 else kinds.pop() if kinds else "dyn")
        if all(term.is_constant for term in terms):
            values = [term.constant for term in terms]
            return Term(kind, lambda _env: values, constant=values)
        runs = [term.run for term in terms]

        def run(env: Env) -> list[Any] | None:
            found = [item(env) for item in runs]
            return None if None in found else found

        return Term(kind, run)

    # names -----------------------------------------------------------------------------------

    def name(self, name: str, at: int) -> Term:
        """A bare name: the variable of a macro, or a root."""
        if name in self.variables:
            kind, slot = self.variables[name]
            return Term(kind, lambda env: env.bound[slot])
        root = self.names.roots.get(name) or ROOTS.get(name)
        if root is not None:
            return self.root(name, root)
        if name in self.names.records:
            fields = ", ".join(f"{name}.{field}" for field in list(self.names.records[name])[:4])
            raise GuardError("TW031", f"'{name}' is a record, name one of its fields", at, fields)
        roots = {**ROOTS, **self.names.roots}
        parts = [key for key in roots if key.startswith(f"{name}.")]
        if parts:
            raise GuardError("TW031", f"'{name}' is no value, name one of its parts", at, ", ".join(parts))
        known = [*self.variables, *dict.fromkeys(key.partition(".")[0] for key in roots), *self.names.records]
        hint = hints.of_name(name, known, self.names.bare.get(name, ""))
        raise GuardError("TW031", f"nothing is called '{name}'", at, hint)

    def select(self, expression: s.Select) -> Term:
        """`record.field`, or a root of two names."""
        if not isinstance(expression.of, s.Name):
            message = f"'{text_of(expression.of)}' has no parts: fields are named as record.field"
            hint = f"write size({text_of(expression.of)})" if expression.name in ("size", "length") else ""
            raise GuardError("TW033", message, expression.at, hint)
        first = expression.of
        if first.name in self.variables:
            raise GuardError("TW032", f"the items of the list have no '{expression.name}'", expression.at)
        key = f"{first.name}.{expression.name}"
        root = self.names.roots.get(key) or ROOTS.get(key)
        if root is not None:
            return self.root(key, root)
        if first.name not in self.names.records and not self.names.is_open:
            self.refuse_part(first, expression)
        at = first.at if first.name not in self.names.records else expression.at
        return self.field(key, self.names.field(first.name, expression.name, at))

    def refuse_part(self, first: s.Name, part: s.Select) -> None:
        """Raise what is wrong with a part of what is no record: no such part of a root, or no such root."""
        roots = {**ROOTS, **self.names.roots}
        parts = [key.partition(".")[2] for key in roots if key.startswith(f"{first.name}.")]
        if parts:
            raise GuardError("TW031", f"'{first.name}' has no '{part.name}'", part.at, nearest(part.name, parts))
        if first.name in roots:
            hint = nearest(f"{first.name}.{part.name}", [key for key in roots if "." in key])
            raise GuardError("TW031", f"'{first.name}' has no parts", part.at, hint)
        known = [*self.names.records, *(key.partition(".")[0] for key in roots), *FUNCTION_ROOTS]
        hint = nearest(first.name, dict.fromkeys(known)) or nearest(first.name, self.names.records)
        raise GuardError("TW031", f"nothing is called '{first.name}'", first.at, hint)

    def field(self, address: str, of: Field) -> Term:
        """A field: its value, else its default, else unknown."""
        self.reads.add(address, of, None)
        is_any = (self.names.is_open and of.type == "string") or address in self.names.unsure
        kind = "dyn" if is_any else type_of(of)
        convert, default = CONVERTERS.get(kind), None if is_blank(of.default) else of.default
        run = _field_reader(address, default, convert)
        return Term(kind, run, address=address, is_stored=convert is None and default is None)

    def root(self, key: str, root: Root) -> Term:
        """A root that is no function."""
        return self.read(key, root.type, root.read, root.convert)

    def read(
        self, key: str, kind: str, read: Callable[[Any], Any], convert: Callable[[Any], Any] | None = None
    ) -> Term:
        """A root by its key, with the way to read it from a state."""
        self.reads.add(key, None, read)
        if convert is None:
            return Term(kind, lambda env: env.source.get(key, read))

        def run(env: Env) -> Any:
            value = env.source.get(key, read)
            return None if value is None else convert(value)

        return Term(kind, run)


def _unknown(_env: Env) -> None:
    """Stands for what could not be compiled."""


def _literal(value: Any) -> Term:
    kind = {"bool": "bool", "int": "int", "float": "double", "str": "string"}.get(value.__class__.__name__, "null")
    return Term(kind, lambda _env: value, constant=value)


def _field_reader(address: str, default: Any, convert: Callable[[Any], Any] | None) -> Callable[[Env], Any]:
    if convert is None:

        def read(env: Env) -> Any:
            found = env.fields.get(address)
            return default if found is None else found.value

        return read
    converted_default = None if default is None else convert(default)

    def read_converted(env: Env) -> Any:
        found = env.fields.get(address)
        return converted_default if found is None else convert(found.value)

    return read_converted


def _asked_presence(left: Expression, right: Expression) -> Expression | None:
    """The field whose presence `x == ""` or `x == null` asks for, if that is what it is."""
    for empty, other in ((right, left), (left, right)):
        if isinstance(empty, s.Literal) and empty.value in ("", None) and isinstance(other, s.Name | s.Select):
            return other
    return None
