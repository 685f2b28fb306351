"""Comparisons with values that can never be there: what a closed set has not, what no field takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from turnwise.core.forms.values import CONFIRM, EDIT, NO, OTHER, RESTART, YES
from turnwise.core.guards.scope import Names
from turnwise.core.state import FAULT_KINDS, FormStatus
from turnwise.core.values import bounds
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field, Flow

_ROOTS: dict[str, tuple[str, ...]] = {"form.status": get_args(FormStatus), "error.kind": FAULT_KINDS}
"""The values of roots that have no others."""
_FIXED_BUTTONS = (YES, NO, OTHER, CONFIRM, EDIT, RESTART)
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


class Never:
    """Knows the values that the fields and roots of a flow can have, as far as they are a closed set."""

    def __init__(self, flow: Flow, names: Names) -> None:
        self.names = names
        questions = [question for node in flow.nodes if node.form is not None for question in node.form.fields]
        self.free = {question.field for question in questions if question.other}
        fields = {
            f"{record}.{name}": field for record, fields in names.records.items() for name, field in fields.items()
        }
        found = dict.fromkeys(_FIXED_BUTTONS)
        for question in questions:
            field = fields.get(question.field)
            options = question.options or (field.options if field is not None else ())
            found |= dict.fromkeys(option.value for option in options)
            found[question.key or question.field.rpartition(".")[2]] = None
        self.buttons = tuple(found)

    def faults(self, expression: Expression) -> Iterator[GuardError]:
        """The constants in an expression that are compared with what they can never be."""
        for part in s.walk(expression):
            match part:
                case s.Binary("in", item, s.Sequence(values)):
                    yield from (fault for value in values for fault in self.compared("==", item, value))
                case s.Binary("in", s.Literal() as value, group):
                    yield from self.unlisted(group, value)
                case s.Binary(op, left, right) if op in _MIRRORED:
                    yield from self.compared(op, left, right)
                    yield from self.compared(_MIRRORED[op], right, left)
                case _:
                    pass

    def compared(self, op: str, side: Expression, other: Expression) -> Iterator[GuardError]:
        """What is wrong with comparing a field or root with a constant."""
        name = _name(side)
        if not name or not isinstance(other, s.Literal) or other.value in ("", None):
            return
        field = self.field(name)
        if isinstance(other.value, str) and op in ("==", "!="):
            yield from self.unknown(name, field, other)
        elif field is not None and isinstance(other.value, int | float) and not isinstance(other.value, bool):
            yield from _beyond(name, field, op, other, other.value)

    def unknown(self, name: str, field: Field | None, value: s.Literal) -> Iterator[GuardError]:
        """A text that is none of the values of a closed set."""
        if name in _ROOTS:
            if value.value not in _ROOTS[name]:
                hint = nearest(str(value.value), _ROOTS[name])
                yield GuardError("TW048", f"'{name}' is never '{value.value}'", value.at, hint)
        elif name == "message.button":
            if value.value not in self.buttons:
                hint = nearest(str(value.value), self.buttons)
                yield GuardError("TW049", f"no button has the value '{value.value}'", value.at, hint)
        elif field is not None and field.type != "list":
            yield from self.no_option(name, field, value)

    def unlisted(self, group: Expression, value: s.Literal) -> Iterator[GuardError]:
        """A text that no item of a list with options can be."""
        name = _name(group)
        field = self.field(name)
        if field is not None and field.type == "list" and isinstance(value.value, str):
            yield from self.no_option(name, field, value)

    def no_option(self, name: str, field: Field, value: s.Literal) -> Iterator[GuardError]:
        """A text that is no option of a field which takes nothing else."""
        options = [option.value for option in field.options]
        if options and name not in self.free and value.value not in options:
            hint = nearest(str(value.value), options)
            yield GuardError("TW049", f"'{value.value}' is no option of '{name}'", value.at, hint)

    def field(self, name: str) -> Field | None:
        """The field at an address, if it is one."""
        record, _, own = name.partition(".")
        return None if name in self.names.unsure else self.names.records.get(record, {}).get(own)


def _name(expression: Expression) -> str:
    match expression:
        case s.Select(s.Name(of), name):
            return f"{of}.{name}"
        case _:
            return ""


def _beyond(name: str, field: Field, op: str, value: s.Literal, number: float) -> Iterator[GuardError]:
    """A number that a field's bounds leave out, or beyond which it has none."""
    if field.type not in ("integer", "number"):
        return
    low, high = bounds(field)
    if high is not None and (number > high or (op == ">" and number == high)):
        how = "always" if op in ("<", "<=", "!=") else "never"
        yield GuardError("TW049", f"'{name}' is at most {high}, so this {how} holds", value.at)
    elif low is not None and (number < low or (op == "<" and number == low)):
        how = "always" if op in (">", ">=", "!=") else "never"
        yield GuardError("TW049", f"'{name}' is at least {low}, so this {how} holds", value.at)
