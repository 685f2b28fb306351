"""Prepares guards for the solver: finds their conditions, and for each the values that change its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from itertools import pairwise
from math import ceil, floor, isfinite
from typing import Any

from msgspec import Struct

from turnwise.core.guards import Env, GuardFault, Recorded
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.hints import ROOT_VALUES
from turnwise.core.guards.operators import COMPARISONS
from turnwise.core.guards.scope import FUNCTION_ROOTS, SINCE_ENTRY, Names
from turnwise.core.guards.types import LIST_PREFIX, READERS, time_text, to_stored
from turnwise.core.state import FieldValue
from turnwise.core.values import bounds
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field

MOST_OPTIONS = 64
"""How many options a field may have so that each of them is tried."""
_ABSENT = ("message.", "form.", "error.", "event.", "scope.", "person.outcome", "tools.last")
"""The prefixes of roots that can be missing; all others always have a value."""
_LONGEST = 10_000
_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
_OTHER_TEXT = "\x00"
"""A text that stands for all texts which no guard contains."""


def possible_values(field: Field | None, key: str, *, is_free: bool) -> tuple[Any, ...] | None:
    """Return all values of a field, or of a built-in name (`form.status`) as `key`, if they are few, else `None`. With
    `is_free` the options of a field do not limit its values.
    """
    if field is None:
        return ROOT_VALUES.get(key)
    if field.type == "boolean":
        return (True, False)
    if field.type in ("choice", "string") and field.options and not is_free and len(field.options) <= MOST_OPTIONS:
        return tuple(option.value for option in field.options)
    return None


def sample_values(field: Field | None, kind: str, constants: Iterable[Any]) -> list[Any]:
    """Return values of which each gives the comparisons with `constants` another combination of results. `kind` is the
    type of the values in the guard language.
    """
    found = list(constants)
    match kind:
        case "bool":
            return [True, False]
        case "int":
            return _within(field, _whole(found), least=None if field else 0)
        case "double":
            return _within(field, _between(_numbers(found)))
        case "duration":
            return _within(field, _between([c.total_seconds() for c in found if isinstance(c, timedelta)]))
        case "timestamp":
            return list(_moments(field, [c for c in found if isinstance(c, datetime)]))
        case "date":
            return _in_order(field, _days([c for c in found if isinstance(c, str)]))
        case "time":
            return _in_order(field, _clocks([c for c in found if isinstance(c, str)]))
        case _ if kind.startswith(LIST_PREFIX):
            return [["x"] * size for size in _within(field, _whole(found), least=0) if size <= _LONGEST]
        case _:
            return [*dict.fromkeys(c for c in found if isinstance(c, str)), _OTHER_TEXT]


def _numbers(constants: list[Any]) -> list[float]:
    return [c for c in constants if isinstance(c, int | float) and not isinstance(c, bool) and isfinite(c)]


def _whole(constants: list[Any]) -> list[int]:
    """Return the whole numbers at the constants and next to them."""
    at = {whole for c in _numbers(constants) for whole in (floor(c), ceil(c))} or {0}
    return sorted({whole + step for whole in at for step in (-1, 0, 1)})


def _between(constants: Iterable[float]) -> list[float]:
    """Return the constants, a number between each two of them, and one beyond each end."""
    at = sorted(set(constants)) or [0.0]
    between = [(low + high) / 2 for low, high in pairwise(at)]
    return sorted({at[0] - 1, *at, *between, at[-1] + 1})


def _within(field: Field | None, found: list[Any], least: int | None = None) -> list[Any]:
    """Return the numbers that are within a field's bounds, and the bounds."""
    low, high = bounds(field) if field is not None else (None, None)
    low = least if low is None else low
    edges = [edge for edge in (low, high) if edge is not None]
    inside = (n for n in [*found, *edges] if (low is None or n >= low) and (high is None or n <= high))
    return list(dict.fromkeys(inside))


def _days(constants: list[str]) -> set[str]:
    """Return the days of the constants, and the days before and after them."""
    at = {datetime.fromisoformat(day) for day in constants} or {datetime(2026, 1, 1)}  # noqa: DTZ001  a day has no zone
    return {_moved(day, timedelta(days=step)).date().isoformat() for day in at for step in (-1, 0, 1)}


def _clocks(constants: list[str]) -> set[str]:
    """Return the times of day of the constants, and one second before and after, within the day."""
    at = {datetime.combine(_EPOCH, time.fromisoformat(clock)) for clock in constants or ["12:00"]}
    moved = {clock + timedelta(seconds=step) for clock in at for step in (-1, 0, 1)}
    return {time_text(clock.time()) for clock in moved if clock.date() == _EPOCH.date()}


def _in_order(field: Field | None, found: set[str]) -> list[str]:
    """Return the texts, which sort as the days and times do, that are within a field's bounds, and the bounds."""
    low, high = bounds(field) if field is not None else (None, None)
    edges = {edge for edge in (low, high) if isinstance(edge, str)}
    return sorted(text for text in found | edges if (not low or text >= low) and (not high or text <= high))


def _moments(field: Field | None, constants: list[datetime]) -> Iterator[Any]:
    """Yield moments at the constants, between and beyond them; in milliseconds for `now`."""
    at = sorted(set(constants)) or [datetime.fromisoformat("2026-01-01T00:00:00+00:00")]
    between = [low + (high - low) / 2 for low, high in pairwise(at)]
    edge = timedelta(hours=1)
    for moment in sorted({_moved(at[0], -edge), *at, *between, _moved(at[-1], edge)}):
        yield to_stored(moment) if field is not None else (moment - _EPOCH) // timedelta(milliseconds=1)


def _moved(moment: datetime, by: timedelta) -> datetime:
    """Return a moment some time later or earlier; the same moment at the ends of the calendar."""
    try:
        return moment + by
    except OverflowError:
        return moment


Row = tuple[bool | None, ...]
"""The verdicts of some conditions in one state, in the order of the conditions; `None` is unknown."""


class Condition(Struct, frozen=True):
    """A single condition of a guard, without `and`, `or` and `not`."""

    expression: Expression
    """The expression of the condition."""
    test: Callable[[Env], bool | None]
    """Returns the verdict of the condition in a state; `None` for unknown."""
    reads: str = ""
    """The one field or root that decides the verdict; empty if there is none, so that any verdict is possible."""
    kind: str = ""
    """The type of the value that the condition reads; empty if `reads` is."""
    constants: tuple[Any, ...] = ()
    """The constants with which the value is compared."""


class Reader:
    """Reads conditions of guards, and finds the values of a field or root that change their verdicts."""

    def __init__(self, names: Names, free: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.free = free
        self.fields = {f"{of}.{name}": field for of, fields in names.records.items() for name, field in fields.items()}

    def condition(self, expression: Expression) -> Condition:
        """Return the condition that an expression without `and`, `or` and `not` is."""
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
        if self.all_values(key) is not None:
            return Condition(expression, test, key, "string")
        return Condition(expression, test)

    def constants(self, expression: Expression, plain: Expression, kind: str) -> list[Any] | None:
        """Return the constants with which an expression compares `plain`, its field or root of the type `kind`; `None`
        if they do not decide the condition.
        """
        if expression is plain or (isinstance(expression, s.Call) and expression.name == "has"):
            return []  # it asks whether there is a value
        if not isinstance(expression, s.Binary):
            return None
        is_size = _is_size(expression.left) or _is_size(expression.right)
        if is_size is not kind.startswith(LIST_PREFIX):
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

    def all_values(self, key: str) -> tuple[Any, ...] | None:
        """Return all values of the field or root `key` if it has only a few; `None` for others."""
        return possible_values(self.field(key), key, is_free=key in self.free)

    def field(self, key: str) -> Field | None:
        """Return the field at an address; `None` if there is none."""
        return self.fields.get(key)

    def verdict(self, condition: Condition, value: Any) -> bool | None:
        """Return the verdict of a condition for a value of what it reads; `None` for unknown."""
        is_field = self.field(condition.reads) is not None
        return _verdict(condition.test, _surroundings(condition.reads, value, is_field=is_field))

    def rows(self, conditions: Sequence[Condition]) -> dict[Row, Any]:
        """Return the verdicts that conditions on one field or root can have together, each row with a value for it."""
        key = conditions[0].reads
        if not key:
            return {(True,): None, (False,): None, (None,): None}
        field = self.field(key)
        few = self.all_values(key)
        if few is None:
            few = sample_values(field, conditions[0].kind, [c for one in conditions for c in one.constants])
        found: dict[Row, Any] = {}
        can_be_missing = field is not None or (key.startswith(_ABSENT) and key != SINCE_ENTRY)  # despite a default
        for value in (*few, *((None,) if can_be_missing else ())):
            env = _surroundings(key, value, is_field=field is not None)
            found.setdefault(tuple(_verdict(one.test, env) for one in conditions), value)
        return found


def _surroundings(key: str, value: Any, *, is_field: bool) -> Env:
    """Return an environment in which one field or root has a value."""
    if value is None:
        return Env({}, Recorded({}))
    return Env({key: FieldValue(value, "command", 0, 0)}, Recorded({})) if is_field else Env({}, Recorded({key: value}))


def _verdict(test: Callable[[Env], bool | None], env: Env) -> bool | None:
    """Return the verdict; an error counts as unknown, for neither it nor its negation holds."""
    try:
        return test(env)
    except GuardFault:
        return None


def _subject(expression: Expression) -> Expression | None:
    """Return the field or root that a condition compares or asks for; `None` for any other condition."""
    match expression:
        case s.Name():
            return expression
        case s.Select(of):
            return expression if isinstance(of, s.Name | s.Select) and _subject(of) is not None else None
        case s.Call("has", (of,), None):
            return _subject(of)
        case s.Call("size", (of,), None) | s.Call("size", (), of) if of is not None:
            return _subject(of)
        case s.Call(name, _, of) if name == "visits" or (isinstance(of, s.Name) and of.name in FUNCTION_ROOTS):
            return expression
        case s.Binary(op, left, right) if op in COMPARISONS or op == "in":
            return _subject(left) or (_subject(right) if op in COMPARISONS else None)
        case _:
            return None


def _is_size(expression: Expression) -> bool:
    return isinstance(expression, s.Call) and expression.name == "size"
