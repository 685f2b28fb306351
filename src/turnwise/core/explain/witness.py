"""Values that the search tries for a field: those at the boundaries of its conditions.

Every value is one that the field would accept: by its type and bounds, and by its validators (`FieldLimits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import combinations, product
from math import ceil, floor, isfinite
from typing import Any

from msgspec import Struct

from turnwise.core.candidates import Guard
from turnwise.core.explain.item_lists import lists_near
from turnwise.core.guards import Env, GuardFault
from turnwise.core.guards.scope import CLOCK_ROOTS, root_shown
from turnwise.core.guards.types import time_text, to_duration, to_stored, to_time, to_timestamp
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, State
from turnwise.core.values import Refused, Rules, bounds, item_field, read_value
from turnwise.flow.guard import Expression
from turnwise.flow.guard.syntax import Binary, Literal, Minus, walk
from turnwise.flow.model import Field

_TEXTS: dict[str, tuple[str, ...]] = {"string": ("x",), "email": ("someone@example.org",), "phone": ("+4930123456",)}
_SAMPLES: dict[str, tuple[Any, ...]] = {
    "date": ("2026-01-01",),
    "datetime": ("2026-01-01T00:00:00Z",),
    "time": ("12:00",),
    "duration": (60,),
    "integer": (0, 1),
    "number": (0, 1),
}
_LONGEST = 200
_MOST_DAYS = 3660
_FEW = 8
ORDERED_TYPES = ("integer", "number", "duration", "date", "datetime")
"""Types whose values can be near to each other."""


class FieldLimits(Struct, frozen=True):
    """The limits of fields beyond types and bounds: the guards of validators, and which fields are computed."""

    guards: Mapping[str, tuple[Guard, ...]] = {}
    """The guards of the validators of each field, by address."""
    derived: frozenset[str] = frozenset()
    """The fields that are computed and cannot be set."""

    def accepts_value(self, name: str, changed: Env, state: State | None) -> bool:
        """Return whether a field accepts its value in `changed` (law 5.3); other values are those of `state`."""
        if name in self.derived:
            return False
        if name not in changed.fields or name not in self.guards:
            return True
        env = changed if state is None else Env({**state.values, **changed.fields}, state)
        try:  # a validator that is unknown refuses nothing; one in error refuses
            return all(guard.test(env) is not False for guard in self.guards[name])
        except GuardFault:
            return False

    def expressions(self, name: str) -> list[Expression]:
        """Return the conditions of a field's validators, whose constants are worth trying as values."""
        return [guard.expression for guard in self.guards.get(name, ())]

    def values(self, name: str, state: State | None) -> Iterator[Any]:
        """Yield the values that a field's validators compare it with: other fields, the day, the moment."""
        if state is None:
            return
        for ref in (ref for guard in self.guards.get(name, ()) for ref in guard.refs):
            if ref.address in state.values and ref.address != name and not (ref.field and ref.field.secret):
                yield state.values[ref.address].value
            elif ref.key in CLOCK_ROOTS and ref.read is not None:
                yield root_shown(ref.key, ref.read(state))


NO_LIMITS = FieldLimits()
"""The limits of fields without bounds, options or validators."""


def limits_of(machine: Machine, node: str, names: Iterable[str]) -> FieldLimits:
    """Return the limits of the fields `names` (addresses) while a node is in charge, with the validators of
    its form.
    """
    form = machine.nodes[node].form
    guards: dict[str, tuple[Guard, ...]] = {}
    for name in names:
        question = form.by_address.get(name) if form is not None else None
        pairs = (*machine.validators.get(name, ()), *(question.validators if question is not None else ()))
        if pairs:
            guards[name] = tuple([guard for guard, _ in pairs])
    return FieldLimits(guards, frozenset(one.address for one in machine.derived))


def witnesses(
    field: Field, expressions: list[Expression], others: list[Any], current: FieldValue | None, rules: Rules
) -> Iterator[Any]:
    """Yield values of a field to try in a search, the likeliest first; last `None`, which removes the value.
    `expressions` are the conditions on the field, `others` values of what is compared with it, and `current` is its
    value now.
    """
    constants = constants_in(expressions)
    if _compute(expressions):
        constants += _computed(constants)
    flat = [item for value in others for item in (value if isinstance(value, list) else [value])]  # pyright: ignore[reportUnknownVariableType]
    constants += flat
    candidates = _candidates(field, expressions, constants, current, rules)
    yield from _accepted(field, candidates, rules)
    if current is not None:
        yield None


def _candidates(
    field: Field, expressions: list[Expression], constants: list[Any], current: FieldValue | None, rules: Rules
) -> Iterator[Any]:
    if field.type != "list":
        return _scalars(field, constants, rules)
    if not field.parts:
        return _lists(field, constants, current, rules)

    def values_of(part: Field) -> Iterator[Any]:
        known = _lists(part, constants, None, rules) if part.type == "list" else _scalars(part, constants, rules)
        return _accepted(part, known, rules)

    kept: list[Any] = list(current.value) if current is not None and not field.secret else []
    return lists_near(field, expressions, constants, kept, values_of)


def _accepted(field: Field, candidates: Iterable[Any], rules: Rules) -> Iterator[Any]:
    """Yield the values that a field accepts, each once, in their stored form."""
    seen: list[Any] = []
    for value in candidates:
        stored = read_value(field, value, rules)
        if not isinstance(stored, Refused) and stored not in seen:
            seen.append(stored)
            yield stored


def constants_in(expressions: list[Expression]) -> list[Any]:
    """Return the constants, such as 18 in `user.age >= 18`, that occur in conditions."""
    parts = [part for expression in expressions for part in walk(expression)]
    return [part.value for part in parts if isinstance(part, Literal) and part.value is not None]


def _compute(expressions: list[Expression]) -> bool:
    parts = [part for expression in expressions for part in walk(expression)]
    return any(isinstance(part, Minus) or (isinstance(part, Binary) and part.op in "+-*/%") for part in parts)


def is_computed(field: Field, expressions: list[Expression]) -> bool:
    """Return whether conditions compute with a number, so that its bound is none of their constants."""
    return field.type in ("integer", "number") and _compute(expressions)


def values_at_bounds(fitting: list[Any], refused: list[Any]) -> list[Any]:
    """Return the numbers in `fitting`, those nearest to a number in `refused` first."""
    numbers = [value for value in fitting if value is not None]
    numbers.sort(key=lambda number: min((abs(number - other) for other in refused), default=0))
    return numbers + [None] * (None in fitting)


def sort_by_distance(field: Field, values: list[Any], current: FieldValue | None, constants: list[Any]) -> list[Any]:
    """Return values sorted by distance from the current one, whole numbers and `constants` first.

    Only numbers and dates are sorted; other values keep their order.
    """

    def key(value: Any) -> tuple[bool, bool, float]:
        is_odd = field.type == "number" and value is not None and value % 1 != 0 and value not in constants
        return value is None, is_odd, distance(field, value, current)

    return sorted(values, key=key)


def distance(field: Field, value: Any, current: FieldValue | None) -> float:
    """Return how far a value is from the current one: a difference of numbers, or of seconds; 0 if that cannot be
    measured.
    """
    if value is None or field.type not in ORDERED_TYPES:
        return 0
    one, other = _position(value), _position(field.default if current is None else current.value)
    return 0 if one is None or other is None else abs(one - other)


def _position(value: Any) -> float | None:
    if isinstance(value, str):
        moment = to_timestamp(value)
        return None if moment is None else moment.timestamp()
    return value if isinstance(value, int | float) else None


def _numbers_in(constants: Iterable[Any]) -> list[Any]:
    return [c for c in constants if isinstance(c, int | float) and not isinstance(c, bool)]


def _computed(constants: list[Any]) -> list[Any]:
    """Return numbers that arithmetic may ask for: results of it for two of the constants, and small numbers."""
    numbers = _numbers_in(constants)[:_FEW]
    pairs = list(combinations(numbers, 2))
    found = [value for a, b in pairs for value in (a + b, a - b, b - a, a * b)]
    found += [a / b for pair in pairs for a, b in (pair, pair[::-1]) if b]
    return [*found, *(-number for number in numbers), *(sign * n for n in range(_FEW) for sign in (1, -1))]


def _scalars(field: Field, constants: list[Any], rules: Rules) -> Iterator[Any]:
    match field.type:
        case "boolean":
            yield from (True, False)
        case "integer" | "number" | "duration":
            yield from _numbers(field, constants)
        case "date" | "datetime":
            yield from _moments(field.type, constants)
        case "time":
            yield from _clocks(constants)
        case _:
            yield from _texts(field, constants)
    yield from (bound for bound in bounds(field, rules) if bound is not None)
    yield from _SAMPLES.get(field.type, ())


def _numbers(field: Field, constants: list[Any]) -> Iterator[Any]:
    numbers = _numbers_in(constants)
    if field.type == "duration":
        spans = [to_duration(c) for c in constants if isinstance(c, str)]
        numbers += [to_stored(span) for span in spans if span is not None]
    if field.type == "integer":
        numbers = [
            whole for number in numbers if isfinite(number) for whole in dict.fromkeys((floor(number), ceil(number)))
        ]
    for number in numbers:
        yield from (number, number + 1, number - 1)
    if field.type == "number":
        yield from (whole for number in numbers if isfinite(number) for whole in (ceil(number), floor(number)))
        for number in numbers:
            yield from (number + 0.5, number - 0.5)


def _moments(kind: str, constants: list[Any]) -> Iterator[Any]:
    texts = [c for c in constants if isinstance(c, str)]
    found = [moment for moment in map(to_timestamp, texts) if moment is not None]
    spans = [span for span in map(to_duration, texts) if span is not None]
    spans += [timedelta(days=c) for c in constants if type(c) is int and 0 < c <= _MOST_DAYS]
    steps = [timedelta(), *spans, *(-span for span in spans)]
    for beside in (timedelta(), timedelta(days=1), timedelta(days=-1)):
        for moment, step in product(found, steps):
            try:
                stored = to_stored(moment + step + beside)
            except OverflowError:
                continue
            yield stored[:10] if kind == "date" else stored


def _clocks(constants: list[Any]) -> Iterator[Any]:
    """Times of day at those mentioned, a minute from them, and as far away as the time spans that are mentioned."""
    texts = [c for c in constants if isinstance(c, str)]
    found = [datetime.fromisoformat(f"2026-01-02T{clock:0>5}") for clock in map(to_time, texts) if clock is not None]
    spans = [span for span in map(to_duration, texts) if span is not None]
    for beside in (timedelta(), timedelta(minutes=1), timedelta(minutes=-1)):
        for clock, step in product(found, [timedelta(), *spans, *(-span for span in spans)]):
            yield time_text((clock + step % timedelta(days=1) + beside).time())


def _texts(field: Field, constants: list[Any]) -> Iterator[Any]:
    """The texts that are mentioned, the options, then the plainest texts; last combinations of these."""
    texts = [c for c in constants if isinstance(c, str)]
    yield from texts
    yield from [option.value for option in field.options[:_LONGEST]]
    yield from _TEXTS.get(field.type, ())
    yield from ["x" * bound for bound in bounds(field) if isinstance(bound, int) and 0 < bound < _LONGEST]
    yield from ("".join(texts), "x".join(texts))
    for number in constants:
        if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < _LONGEST:
            yield from ("x" * number, "x" * (number + 1))
    yield from (text + "x" for text in texts)


def _lists(field: Field, constants: list[Any], current: FieldValue | None, rules: Rules) -> Iterator[Any]:
    """Lists near the current one: with an item more, without one, of another length; then others."""
    kept: list[Any] = list(current.value) if current is not None and not field.secret else []
    item = item_field(field)
    is_text = item.type in ("string", "choice")
    mentioned = list(
        _accepted(item, _scalars(item, [c for c in constants if isinstance(c, str) or not is_text], rules), rules)
    )
    yield from ([*kept, value] for value in mentioned)
    yield from ([other for other in kept if other != value] for value in mentioned)
    for number in constants:
        if isinstance(number, int) and not isinstance(number, bool) and 0 < number < _LONGEST:
            for size in (number, number + 1, number - 1):
                yield from _sized(mentioned, kept, size, is_distinct=bool(field.options))
    yield from ([value] for value in mentioned)
    yield mentioned
    others = [value for value in _accepted(item, _scalars(item, constants, rules), rules) if value not in mentioned]
    yield from ([*kept, value] for value in others)
    yield from ([value] for value in others)


def _sized(items: list[Any], kept: list[Any], size: int, *, is_distinct: bool) -> Iterator[Any]:
    if size <= len(kept):
        yield kept[:size]
    elif is_distinct:
        more = [value for value in items if value not in kept]
        yield [*kept, *more][:size]
    elif items:
        yield [*kept, *(items * size)][:size]
