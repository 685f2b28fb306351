"""Compiles a guard's syntax tree to one closure: resolves names and checks types, and evaluates only constants."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from turnwise.core.guards import Env, Evaluate, Test, functions, hints, items, operators
from turnwise.core.guards.logic import choice, combination, filtered, mapped, quantifier, strict
from turnwise.core.guards.scope import FUNCTION_ROOTS, ROOTS, ROOTS_BEHIND_RECORDS, Names, Reads, Root, Term, constant
from turnwise.core.guards.types import (
    ANSWERS,
    CONVERTERS,
    LIST_PREFIX,
    Type,
    has_value,
    type_of,
    type_words,
    unset_value,
)
from turnwise.flow.addresses import field_of, record_of
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field

Made = TypeVar("Made")
"""The type of what an expression is compiled to."""
_DEEPEST = 2
"""How deep macros over lists may nest: each level multiplies the work by the length of a list."""


class Compiler:
    """Compiles expressions to closures, and collects in `reads` the fields and roots that they read.

    It raises the first fault. With a list of `faults` it adds all of them instead, except those that may only follow
    from a fault in a part of the same expression.
    """

    def __init__(
        self, names: Names, reads: Reads | None = None, depth: int = 0, faults: list[GuardError] | None = None
    ) -> None:
        self.names = names
        self.faults = faults
        self.variables: dict[str, tuple[Type, int]] = {}
        """The variables of the macros around: their types, and their slots in `Env.bound`."""
        self.reads = reads or Reads()
        self.depth = depth

    # conditions ------------------------------------------------------------------------------

    def condition(self, expression: Expression) -> Test:
        """Return the closure of an expression used as a condition: true, false or unknown (law 1.3)."""
        return self._noting(self._condition, expression, _unknown)

    def _condition(self, expression: Expression) -> Test:
        compile_ = self._conditions.get(type(expression))
        if compile_ is not None:
            return compile_(self, expression)
        term = self.term(expression)
        if term.type in ("bool", "dyn"):
            return term.run
        if term.address or (term.type == "string" and isinstance(expression, s.Name | s.Select)):
            return _presence(term)
        message = f"this is {type_words(term.type)}, not true or false"
        raise GuardError("TW032", message, expression.at, hints.of_condition(term.type))

    def _logic_condition(self, expression: s.Logic) -> Test:
        return combination([self.condition(part) for part in expression.parts], decisive=expression.op == "||")

    def _not_condition(self, expression: s.Not) -> Test:
        return strict(operator.not_, self.condition(expression.of))

    def _conditional_condition(self, expression: s.Conditional) -> Test:
        parts = expression.test, expression.then, expression.other
        return choice(*[self.condition(part) for part in parts])

    def _noting(self, compile_: Callable[[Expression], Made], expression: Expression, instead: Made) -> Made:
        """Compile an expression; on an error collect it, unless a part has one already, and return `instead`."""
        known = len(self.faults) if self.faults is not None else 0
        try:
            return compile_(expression)
        except GuardError as error:
            if self.faults is None:
                raise
            if len(self.faults) == known:
                self.faults.append(error)
            return instead

    # terms -----------------------------------------------------------------------------------

    def term(self, expression: Expression) -> Term:
        """Compile an expression to a term: its type and the closure that computes it."""
        return self._noting(self._term, expression, Term("dyn", _unknown))

    def _term(self, expression: Expression) -> Term:
        return self._terms[type(expression)](self, expression)

    def _literal(self, expression: s.Literal) -> Term:
        return constant(_TYPES_OF_CONSTANTS.get(type(expression.value), "null"), expression.value)

    def _logic(self, expression: s.Logic | s.Not) -> Term:
        return Term("bool", self.condition(expression))

    def _minus(self, expression: s.Minus) -> Term:
        return operators.minus(self.term(expression.of), expression.at)

    def _conditional(self, expression: s.Conditional) -> Term:
        decide = self.condition(expression.test)
        first, second = self.term(expression.then), self.term(expression.other)
        first, second, kind = operators.unified_branches(first, second, expression.at)
        return Term(kind, choice(decide, first.run, second.run))

    def _binary(self, expression: s.Binary) -> Term:
        """Compile arithmetic, a comparison or membership; `x == ""` and `x == null` test presence."""
        op, left, right = expression.op, expression.left, expression.right
        asked = _asked_presence(left, right) if op in ("==", "!=") else None
        if asked is not None:
            is_present = _presence(self.term(asked))
            return Term("bool", is_present if op == "!=" else lambda env: not is_present(env))
        terms = self.term(left), self.term(right)
        if op == "in":
            return operators.membership(*terms, expression.at)
        if op in operators.COMPARISONS:
            return operators.compare(op, *terms, expression.at)
        return operators.arithmetic(op, *terms, expression.at)

    def _sequence(self, expression: s.Sequence) -> Term:
        """Compile a list `[a, b]`."""
        terms = [self.term(item) for item in expression.items]
        kinds = {term.type for term in terms}
        if len(kinds) > 1 and not kinds <= {"int", "double"}:
            raise GuardError("TW032", "the items of this list have different types", expression.at)
        kind = LIST_PREFIX + ("double" if len(kinds) > 1 else kinds.pop() if kinds else "dyn")
        if all(term.is_constant for term in terms):
            return constant(kind, [term.constant for term in terms])
        return Term(kind, strict(lambda *values: list(values), *[term.run for term in terms]))

    def _call(self, call: s.Call) -> Term:
        """Compile a macro or function call; a macro evaluates its arguments itself."""
        if call.name == "has" and call.of is None:
            if len(call.args) != 1 or not is_nameable(call.args[0]):
                raise GuardError("TW032", "has() takes one field, as in has(user.name)", call.at)
            return Term("bool", _presence(self.term(call.args[0])))
        if call.name in s.MACROS and call.of is not None:
            return self._over_list(call, call.of)
        return functions.call(self.names, self.reads, call, self.term)

    def _over_list(self, call: s.Call, of: Expression) -> Term:
        if call.name == "map":
            group, inner, slot = self._inside(call, of)
            value = inner.term(call.args[1])
            return Term(LIST_PREFIX + value.type, mapped(group.run, slot, value.run))
        group, body, slot = self.macro(call, of)
        if call.name == "filter":
            return Term(group.type, filtered(group.run, slot, body))
        return Term("bool", quantifier(group.run, slot, body, decisive=call.name == "exists"))

    def macro(self, call: s.Call, of: Expression) -> tuple[Term, Test, int]:
        """Compile the parts of a macro: its list, its condition, and the depth at which the item is bound."""
        group, inner, slot = self._inside(call, of)
        return group, inner.condition(call.args[1]), slot

    def compile_loop(self, of: Expression, item: str, number: str, at: int) -> tuple[Term, Compiler]:
        """Return the list of a loop (`of`) in a text, and a compiler for the texts inside. In these the variable `item`
        and its position, the variable `number` (empty for none), are bound. `at` is the offset of the loop.
        """
        call = s.Call("for", (s.Name(item, at), of), of, at=at)
        group, inner, slot = self._inside(call, of)
        if number:
            inner.variables[number] = ("int", -slot)
        return group, inner

    def _inside(self, call: s.Call, of: Expression) -> tuple[Term, Compiler, int]:
        """Return the list of a macro, what compiles its second argument, and where that finds an item."""
        group = self.term(of)
        if not group.type.startswith(LIST_PREFIX) and group.type != "dyn":
            raise GuardError("TW032", f"{call.name}() needs a list, this is {type_words(group.type)}", call.at)
        if len(call.args) != 2 or not isinstance(call.args[0], s.Name):
            takes = (
                "an expression, as in map(g, g * 2)" if call.name == "map" else "a condition, as in exists(g, g > 3)"
            )
            raise GuardError("TW032", f"{call.name}() takes a name and {takes}", call.at)
        if self.depth >= _DEEPEST:
            message = f"{call.name}() stands inside two others; guards nest these two deep at most"
            raise GuardError("TW032", message, call.at)
        slot = self.depth + 1
        inner = Compiler(self.names, self.reads, slot, self.faults)
        inner.variables = {**self.variables, call.args[0].name: (group.type.removeprefix(LIST_PREFIX), slot)}
        return group, inner, slot

    # names -----------------------------------------------------------------------------------

    def _name(self, expression: s.Name) -> Term:
        """Compile a bare name: a macro variable or a root."""
        name, at = expression.name, expression.at
        if name in self.variables:
            kind, slot = self.variables[name]
            return Term(kind, lambda env: env.bound[slot])
        roots: dict[str, Root] = {**ROOTS, **self.names.roots}
        if name in roots:
            return self._root(name, roots[name])
        if name in self.names.records:
            fields = ", ".join(f"{name}.{field}" for field in list(self.names.records[name])[:4])
            raise GuardError("TW031", f"'{name}' is a record, name one of its fields", at, fields)
        parts = [key for key in roots if key.startswith(f"{name}.")]
        if parts:
            raise GuardError("TW031", f"'{name}' is no value, name one of its parts", at, ", ".join(parts))
        known = [*self.variables, *dict.fromkeys(key.partition(".")[0] for key in roots), *self.names.records]
        hint = hints.of_name(name, known, self.names.bare.get(name, ""))
        raise GuardError("TW031", f"nothing is called '{name}'", at, hint)

    def _select(self, expression: s.Select) -> Term:
        """Compile `record.field`, a root of two names, or a value of an item of a list of records."""
        if isinstance(expression.of, s.Call) or self._is_variable(expression.of):
            return items.item_part(self.names, self.term(expression.of), expression, self._slot_of(expression.of))
        if not isinstance(expression.of, s.Name):
            raise _no_parts(text_of(expression.of), expression.name, expression.at)
        first = expression.of
        key = f"{first.name}.{expression.name}"
        root = self.names.roots.get(key) or ROOTS.get(key)
        if first.name in ROOTS_BEHIND_RECORDS and expression.name in self.names.records.get(first.name, {}):
            root = None
        if root is not None:
            return self._root(key, root)
        is_record = first.name in self.names.records
        if not is_record and not self.names.is_open:
            raise self._no_such_part(first, expression)
        at = expression.at if is_record else first.at
        return self._field(self.names.address(key), self.names.field(first.name, expression.name, at))

    def _slot_of(self, expression: Expression) -> int:
        """Return where a variable is bound, 0 for any other expression."""
        name = expression.name if isinstance(expression, s.Name) else ""
        return self.variables[name][1] if name in self.variables else 0

    def _is_variable(self, expression: Expression) -> bool:
        return isinstance(expression, s.Name) and expression.name in self.variables

    def _no_such_part(self, first: s.Name, part: s.Select) -> GuardError:
        """Return the error of `first.part` if `first` is no record: unknown part, or unknown root."""
        whole = f"{first.name}.{part.name}"
        if whole in self.names.records:
            fields = ", ".join(f"{whole}.{field}" for field in list(self.names.records[whole])[:4])
            return GuardError("TW031", f"'{whole}' is a record, name one of its fields", first.at, fields)
        if "." in first.name:
            return self._no_such_path(first, part)
        roots = {**ROOTS, **self.names.roots}
        parts = [key.partition(".")[2] for key in roots if key.startswith(f"{first.name}.")]
        if parts:
            return GuardError("TW031", f"'{first.name}' has no '{part.name}'", part.at, nearest(part.name, parts))
        if first.name in roots:
            hint = nearest(f"{first.name}.{part.name}", [key for key in roots if "." in key])
            return GuardError("TW031", f"'{first.name}' has no parts", part.at, hint)
        known = [*self.names.records, *(key.partition(".")[0] for key in roots), *FUNCTION_ROOTS]
        hint = nearest(first.name, dict.fromkeys(known)) or nearest(first.name, self.names.records)
        return GuardError("TW031", f"nothing is called '{first.name}'", first.at, hint)

    def _no_such_path(self, path: s.Name, part: s.Select) -> GuardError:
        """Return the error of a name of three parts or more, which begins with no record."""
        fields = self.names.records.get(record_of(path.name), {})
        is_value = field_of(path.name) in fields or path.name in ROOTS or path.name.partition(".")[0] in self.variables
        if is_value:
            return _no_parts(path.name, part.name, part.at)
        return GuardError("TW031", f"nothing is called '{path.name}'", path.at, nearest(path.name, self.names.records))

    def _field(self, address: str, of: Field) -> Term:
        """Compile a field: its value, else its default, else unknown; a list is empty instead (law 1.3)."""
        self.reads.add(address, of, None)
        is_any = (self.names.is_open and of.type == "string") or address in self.names.unsure
        kind = "dyn" if is_any else type_of(of)
        convert, default = CONVERTERS.get(kind), unset_value(of)
        run = _field_reader(address, default, convert)
        return Term(kind, run, address=address, is_stored=convert is None and default is None and kind != "dyn")

    def _root(self, key: str, root: Root) -> Term:
        return self.reads.root(key, root.type, root.read, root.convert)

    # Three class patterns on structs take ten times as long as a look into a table.

    _terms: ClassVar[Mapping[type[Expression], Callable[..., Term]]] = {
        s.Literal: _literal,
        s.Name: _name,
        s.Select: _select,
        s.Call: _call,
        s.Logic: _logic,
        s.Not: _logic,
        s.Binary: _binary,
        s.Minus: _minus,
        s.Sequence: _sequence,
        s.Conditional: _conditional,
    }
    _conditions: ClassVar[Mapping[type[Expression], Callable[..., Test]]] = {
        s.Logic: _logic_condition,
        s.Not: _not_condition,
        s.Conditional: _conditional_condition,
    }
    """The expressions that are conditions by their kind; all others are terms."""


def _no_parts(of: str, part: str, at: int) -> GuardError:
    hint = f"write size({of})" if part in ("size", "length") else ""
    return GuardError("TW033", f"'{of}' has no parts: fields are named as record.field", at, hint)


_TYPES_OF_CONSTANTS: dict[type, Type] = {bool: "bool", int: "int", float: "double", str: "string"}


def _unknown(_env: Env) -> None:
    """Evaluate to unknown: replaces an expression that could not be compiled."""


def _presence(term: Term) -> Callable[[Env], bool]:
    """Return a closure that tests whether a term has a value; an empty list is none."""
    run, address = term.run, term.address
    if term.is_stored:
        return lambda env: address in env.fields
    if term.type.startswith(LIST_PREFIX) or term.type in ("dyn", ANSWERS):
        return lambda env: has_value(run(env))
    return lambda env: run(env) is not None


def is_nameable(expression: Expression) -> bool:
    """Return whether an expression is a name, a field or one answer of a field of answers, as `has` needs."""
    return isinstance(expression, s.Name | s.Select) or (
        isinstance(expression, s.Call) and expression.name == s.ITEM_ACCESS
    )


def _asked_presence(left: Expression, right: Expression) -> Expression | None:
    """Return the field whose presence `x == ""` or `x == null` tests; `None` for any other comparison."""
    for empty, other in ((right, left), (left, right)):
        if isinstance(empty, s.Literal) and empty.value in ("", None) and is_nameable(other):
            return other
    return None


def _field_reader(address: str, default: Any, convert: Callable[[Any], Any] | None) -> Evaluate:
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


def over_items(call: s.Call, of: Expression, names: Names) -> tuple[Evaluate, Test]:
    """Return the compiled list of an `exists` or `all`, and its compiled condition on one item, bound at depth 1."""
    group, body, _ = Compiler(names).macro(call, of)
    return group.run, body
