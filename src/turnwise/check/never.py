"""Reports comparisons with impossible values: no option of the field, beyond its bounds, on no button."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.core.forms.buttons import CONFIRM, EDIT, NO, OTHER, RESTART, YES
from turnwise.core.machine import Machine, Question
from turnwise.core.values import bounds
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field

_FIXED_BUTTONS = (YES, NO, OTHER, CONFIRM, EDIT, RESTART)
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
Fault = tuple[int, str, str]
"""A place in an expression, what is wrong there, and a way out."""


class Never:
    """Knows the values that fields and buttons of a flow can have, as far as they are a closed set."""

    def __init__(self, machine: Machine, questions: Iterable[Question], free: frozenset[str]) -> None:
        self.fields = machine.fields
        self.free = free
        found = dict.fromkeys(_FIXED_BUTTONS)
        for question in questions:
            found |= dict.fromkeys(option.value for option in question.field.options)
            found[question.key] = None
        self.buttons = tuple(found)
        self.known: dict[int, tuple[Fault, ...]] = {}

    def faults(self, expression: Expression) -> tuple[Fault, ...]:
        """What is wrong in an expression of the flow."""
        found = self.known.get(id(expression))
        if found is None:
            found = self.known[id(expression)] = tuple(self.looked_up(expression))
        return found

    def looked_up(self, expression: Expression) -> Iterator[Fault]:
        """What is wrong in an expression that was not seen before."""
        for part in s.walk(expression):
            match part:
                case s.Binary("in", item, s.Sequence(values)):
                    yield from (fault for value in values for fault in self.compared("==", item, value))
                case s.Binary("in", s.Literal(str()) as value, group):
                    name = _name(group)
                    field = self.fields.get(name)
                    if field is not None and field.type == "list":
                        yield from self.no_option(name, field, value)
                case s.Binary(op, left, right) if op in _MIRRORED:
                    yield from self.compared(op, left, right)
                    yield from self.compared(_MIRRORED[op], right, left)
                case _:
                    pass

    def compared(self, op: str, side: Expression, other: Expression) -> Iterator[Fault]:
        """What is wrong with comparing a field or the button with a constant."""
        name = _name(side)
        if not name or not isinstance(other, s.Literal) or other.value in ("", None):
            return
        field = self.fields.get(name)
        if isinstance(other.value, str) and op in ("==", "!="):
            if name == "message.button" and other.value not in self.buttons:
                yield other.at, f"no button has the value '{other.value}'", nearest(other.value, self.buttons)
            elif field is not None and field.type != "list":
                yield from self.no_option(name, field, other)
        elif field is not None and isinstance(other.value, int | float) and not isinstance(other.value, bool):
            yield from _beyond(name, field, op, other, other.value)

    def no_option(self, name: str, field: Field, value: s.Literal) -> Iterator[Fault]:
        """A text that is no option of a field which takes nothing else."""
        options = [option.value for option in field.options]
        if options and name not in self.free and value.value not in options:
            hint = nearest(str(value.value), options)
            yield value.at, f"'{value.value}' is no option of '{name}'", hint


def _name(expression: Expression) -> str:
    match expression:
        case s.Select(s.Name(of), name):
            return f"{of}.{name}"
        case _:
            return ""


def _beyond(name: str, field: Field, op: str, value: s.Literal, number: float) -> Iterator[Fault]:
    """A number that a field's bounds leave out, or beyond which it has none."""
    if field.type not in ("integer", "number"):
        return
    low, high = bounds(field)
    if high is not None and (number > high or (op == ">" and number == high)):
        how = "always" if op in ("<", "<=", "!=") else "never"
        yield value.at, f"'{name}' is at most {high}, so this {how} holds", ""
    elif low is not None and (number < low or (op == "<" and number == low)):
        how = "always" if op in (">", ">=", "!=") else "never"
        yield value.at, f"'{name}' is at least {low}, so this {how} holds", ""
