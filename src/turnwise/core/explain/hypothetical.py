"""Judges a guard on values that a caller supplies, without a flow (`tw.judge`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from msgspec import Struct

from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.tree import plan
from turnwise.core.guards import Env, Recorded
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.scope import ROOTS, Names
from turnwise.core.guards.types import is_blank, time_text, to_date, to_stored, to_time, to_timestamp
from turnwise.core.language import language_of
from turnwise.core.state import FieldValue
from turnwise.core.trace import Need, Verdict, VerdictKind
from turnwise.core.values import Rules
from turnwise.errors import WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError, parse
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field, FieldType

Address = tuple[str, str]
"""The names of a record and of its field."""

_VALUE = "a text, a number, true or false, a date, a time, a time span, or a list of one of these"
_MOMENTS = ("date", "time", "datetime")
_TYPES: dict[type, FieldType] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    datetime: "datetime",
    date: "date",
    time: "time",
    timedelta: "duration",
}
_RESULTS: dict[str, FieldType] = {
    "date": "date",
    "time": "time",
    "datetime": "datetime",
    "timestamp": "datetime",
    "duration": "duration",
}
"""The types of the results of conversions."""
_ROOT_TYPES: dict[str, tuple[type, str]] = {
    "int": (int, "a whole number"),
    "bool": (bool, "true or false"),
    "string": (str, "a text"),
    "timestamp": (datetime, "a moment: a datetime, or its ISO text"),
    "date": (date, "a date: a date, or its ISO text"),
}


class GuardResult(Struct, frozen=True):
    """The result of judging one guard: its verdict, its tree, missing fields, and what would make it hold."""

    verdict: VerdictKind
    """Whether the guard holds, is false, unknown or in error."""
    tree: Verdict
    """The conditions of the guard as a tree, each with its verdict."""
    missing: tuple[str, ...]
    """The addresses of the fields without a value that the guard reads."""
    needs: tuple[tuple[Need, ...], ...]
    """Sets of field changes, each of which would make the guard hold."""
    in_words: tuple[str, ...]
    """In words what would make the guard hold, where no field change does."""

    @property
    def held(self) -> bool:
        """True if the guard is true."""
        return self.verdict == "held"


def judge(guard: str, values: Mapping[str, Mapping[str, Any]], roots: Mapping[str, Any] | None = None) -> GuardResult:
    """Judge a guard on values by record and field; `roots` has values for `message.text`, `turns` and others.

    Types follow from the values, those of fields without one from their use; such a field is missing. A text that is a
    day or a moment is one where it is only compared with others. Raises `GuardError` for a guard that cannot be read
    and an unknown root, `WrongArgument` for anything that is no value.
    """
    if not isinstance(guard, str):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may not check types
        raise WrongArgument("guard", guard, "the text of a guard")
    expression = parse(guard)
    stored = _stored_values(values)
    names = Names(_fields(values, stored, expression), {}, is_open=True)
    test = Compiler(names).condition(expression)
    fields = {f"{record}.{name}": FieldValue(value, "supposed", 0, 0) for (record, name), value in stored.items()}
    env = Env(fields, Recorded(_recorded_roots(roots or {}, names)))
    how = plan(expression, names)
    tree = how.verdict(env)
    needs_plan = NeedsPlan(how, test, Rules(language_of("en")))
    needs, in_words = ((), ()) if tree.verdict == "held" else needs_plan.explain(env, tree)
    return GuardResult(tree.verdict, tree, needs_plan.missing(env, tree), needs, in_words)


# values ------------------------------------------------------------------------------------------


def _each(values: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    outer: Any = values
    if not isinstance(outer, Mapping):
        raise WrongArgument("values", outer, "a mapping from records to their fields, as in {'user': {'age': 35}}")
    for record, known in values.items():
        inner: Any = known
        if not isinstance(inner, Mapping):
            expected = f"a mapping from the fields of '{record}' to their values"
            raise WrongArgument(f"values['{record}']", inner, expected)
        for name, value in known.items():
            yield record, name, value


def _stored_values(values: Mapping[str, Mapping[str, Any]]) -> dict[Address, Any]:
    """Return the values in their stored form, without blank ones. Raises `WrongArgument`."""
    found: dict[Address, Any] = {}
    for record, name, value in _each(values):
        if not is_blank(value):
            _type_of(f"values['{record}']['{name}']", value)
            found[record, name] = _stored(value)
    return found


def _fields(
    values: Mapping[str, Mapping[str, Any]], stored: Mapping[Address, Any], expression: Expression
) -> dict[str, dict[str, Field]]:
    """Return every field with a value or a use, with the type of its value, else the one that its use asks for."""
    records: dict[str, dict[str, Field]] = {}
    uses: dict[Address, list[FieldType]] = {}
    for record, name, kind in _uses(expression, is_condition=True):
        uses.setdefault((record, name), []).append(kind)
    for record, name, value in _each(values):
        if (record, name) in stored:
            kind = _type_of(name, value)
            field = Field(name, "list", kind) if isinstance(value, list | tuple) else Field(name, kind)
            used = uses.get((record, name), [])
            is_day = isinstance(value, str) and _is_moment(used, value)
            records.setdefault(record, {})[name] = Field(name, used[0]) if is_day else field
    for (record, name), kinds in uses.items():
        is_one = kinds[0] not in _MOMENTS or set(kinds) == {kinds[0]}
        records.setdefault(record, {}).setdefault(name, Field(name, kinds[0] if is_one else "string"))
    return records


def _type_of(where: str, value: Any) -> FieldType:
    """Return the type of a value; of a list that of its items. Raises `WrongArgument`."""
    if not isinstance(value, list | tuple):
        found = _scalar_type(value)
        if found is None:
            raise WrongArgument(where, value, _VALUE)
        return found
    items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
    if any(isinstance(item, list | tuple) for item in items):
        raise WrongArgument(where, items, _VALUE)
    kinds: set[FieldType] = {_type_of(f"{where}[{place}]", item) for place, item in enumerate(items)}
    is_mixed = len(kinds) > 1 and kinds != {"integer", "number"}
    if is_mixed:
        raise WrongArgument(where, items, _VALUE)
    return "number" if len(kinds) > 1 else kinds.pop() if kinds else "string"


def _scalar_type(value: Any) -> FieldType | None:
    return next((kind for of, kind in _TYPES.items() if isinstance(value, of)), None)


def _stored(value: Any) -> Any:
    match value:
        case list() | tuple():
            return [_stored(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        case datetime():
            return to_stored(_in_zone(value))
        case date():
            return value.isoformat()
        case time():
            return time_text(value)
        case _:
            return to_stored(value)


def _is_moment(kinds: list[FieldType], text: str) -> bool:
    """True for a text that is a date, a time or a moment, and is only ever compared with one."""
    match list(dict.fromkeys(kinds)):
        case ["date"]:
            return to_date(text) == text
        case ["time"]:
            return to_time(text) == text
        case ["datetime"]:
            return to_timestamp(text) is not None
        case _:
            return False


# uses --------------------------------------------------------------------------------------------


def _uses(expression: Expression, *, is_condition: bool) -> Iterator[tuple[str, str, FieldType]]:
    """Yield the fields that a guard names, each with the type that its use asks for.

    That is true or false where it stands alone as a condition, the type of the constant that it is compared with, and
    a text everywhere else.
    """
    match expression:
        case s.Select(of=s.Name(name=record), name=name) if f"{record}.{name}" not in ROOTS:
            yield record, name, "boolean" if is_condition else "string"
        case s.Binary(left=left, right=right):
            for side, other in ((left, right), (right, left)):
                kind = _type_beside(other) if isinstance(side, s.Select) else None
                for record, name, usual in _uses(side, is_condition=False):
                    yield record, name, kind or usual
        case _:
            for part in s.parts_of(expression):
                yield from _uses(part, is_condition=isinstance(expression, s.Logic | s.Not))


def _type_beside(other: Expression) -> FieldType | None:
    """Return the type that an expression asks of the field beside it; `None` where it asks for none."""
    match other:
        case s.Literal(str() as text):
            if len(text) < len("2026-01-01") or to_timestamp(text) is None:
                return None
            return "date" if len(text) == len("2026-01-01") else "datetime"
        case s.Literal(value):
            return _scalar_type(value)
        case s.Name("today"):
            return "date"
        case s.Name("now"):
            return "datetime"
        case s.Call(name=name):
            return _RESULTS.get(name)
        case _:
            return None


# roots -------------------------------------------------------------------------------------------


def _recorded_roots(roots: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Return roots by the keys that guards read them by. Raises `GuardError` for an unknown one."""
    outer: Any = roots
    if not isinstance(outer, Mapping):
        raise WrongArgument("roots", outer, "a mapping from roots to values, as in {'turns': 2}")
    found: dict[str, Any] = {}
    for name, value in roots.items():
        key, kind = _root(name, names)
        found[key] = None if value is None else _root_value(f"roots[{name!r}]", value, kind)
    return found


def _root(name: str, names: Names) -> tuple[str, str]:
    """Return the key and the type of a root, however it is written."""
    compiler = Compiler(names)
    try:
        kind = compiler.term(parse(name)).type
    except GuardError:
        kind = ""
    refs = [ref for ref in compiler.reads.refs.values() if ref.field is None]
    if len(refs) != 1 or not kind:
        raise GuardError("TW031", f"no root is called '{name}'", 0, nearest(name, ROOTS))
    return refs[0].key, kind


def _root_value(where: str, value: Any, kind: str) -> Any:
    """Return a root as it is recorded: a moment in milliseconds, a date as its text, others unchanged."""
    of, expected = _ROOT_TYPES[kind]
    found: Any = to_timestamp(value) if kind == "timestamp" and isinstance(value, str) else value
    if kind == "date":
        found = value.isoformat() if type(value) is date else to_date(value) if isinstance(value, str) else None
        of = str
    if not isinstance(found, of) or (isinstance(found, bool) and kind != "bool"):
        raise WrongArgument(where, value, expected)
    return round(_in_zone(found).timestamp() * 1000) if isinstance(found, datetime) else found


def _in_zone(moment: datetime) -> datetime:
    """Return a moment without a zone as one in UTC, as guards do."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
