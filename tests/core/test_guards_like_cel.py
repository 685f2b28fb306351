"""Where guards and CEL coincide, another implementation of CEL gives the same verdicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.guards import verdict

cel = pytest.importorskip("cel", reason="the package common-expression-language is not installed")

small = st.integers(-4, 4)
texts = st.text("ab", max_size=3)
values = st.fixed_dictionaries(
    {
        "a": small,
        "b": small,
        "s": texts.filter(bool),
        "p": texts.filter(bool),
        "t": st.booleans(),
        "f": st.booleans(),
        "ints": st.lists(small, min_size=1, max_size=4),
        "l": st.lists(texts.filter(bool), min_size=1, max_size=3),
    }
)


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _joined(parts: tuple[str, ...]) -> str:
    return f"({' '.join(parts)})"


integers = st.recursive(
    st.sampled_from(["x.a", "x.b", "size(x.s)", "size(x.l)", "size(x.ints)"]) | small.map(_literal),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/%"), inner).map(_joined) | inner.map("-({})".format),
    max_leaves=4,
)
strings = st.recursive(
    st.sampled_from(["x.s", "x.p"]) | texts.filter(bool).map(_literal),
    lambda inner: st.tuples(inner, st.just("+"), inner).map(_joined),
    max_leaves=2,
)
comparisons = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
leaves = st.one_of(
    st.tuples(integers, comparisons, integers).map(_joined),
    st.tuples(strings, comparisons, strings).map(_joined),
    st.sampled_from(["x.t", "x.f", "true", "false", "x.t == x.f"]),
    st.tuples(integers, st.lists(small, min_size=1, max_size=3)).map(lambda it: f"{it[0]} in {it[1]}"),
    st.tuples(strings, st.sampled_from(["contains", "startsWith", "endsWith"]), strings).map(
        lambda it: f"{it[0]}.{it[1]}({it[2]})"
    ),
    st.tuples(strings, st.just("in x.l")).map(_joined),
    # without errors inside: that implementation does not let a later item outweigh one
    st.tuples(st.sampled_from(["exists", "all"]), comparisons, small).map(
        lambda it: f"x.ints.{it[0]}(g, g * g {it[1]} {it[2]})"
    ),
    st.tuples(comparisons, small).map(lambda it: f"size(x.ints.filter(g, g {it[0]} {it[1]})) > 1"),
)
guards = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(_joined),
        inner.map("!({})".format),
        st.tuples(inner, inner, inner).map(lambda it: f"({it[0]} ? {it[1]} : {it[2]})"),
    ),
    max_leaves=6,
)


def _theirs(guard: str, of: dict[str, object]) -> object:
    try:
        return cel.evaluate(guard, {"x": of})
    except (RuntimeError, TypeError, ValueError, OverflowError, ZeroDivisionError):
        return "error"


@pytest.mark.law("2.10", "2.11")
@given(guards, values)
def test_a_guard_has_the_verdict_of_cel(guard: str, of: dict[str, object]) -> None:
    found = verdict(guard, **of)
    assert ("error" if isinstance(found, str) else found) == _theirs(guard, of)


ALIKE = [
    ("timestamp('2026-01-01T10:00:00Z') - duration('1h') == timestamp('2026-01-01T09:00:00Z')", True),
    ("timestamp('2026-01-01T10:00:00Z').getDayOfWeek() == 4", True),
    ("timestamp('2026-01-01T10:00:00Z').getMonth() == 0", True),
    ("timestamp('2026-01-01T10:00:00Z').getDate() == 1", True),
    ("timestamp('2026-01-01T10:00:00Z').getDayOfMonth() == 0", True),
    ("timestamp('2026-01-01T10:00:00Z').getDayOfYear() == 0", True),
    ("duration('1h30m') > duration('89m')", True),
    ("duration('90m').getHours() == 1", True),
    ("duration('90m').getMinutes() == 90", True),
    ("int('42') == 42", True),
    ("int(-3.9) == -3", True),
    ("double('1.5') == 1.5", True),
    ("string(42) == '42'", True),
    ("1 == 1.0", True),
    ("1 < 1.5", True),
    ("[1] == [1.0]", True),
    ("'ab'.size() == 2", True),
    ("'abc'.matches('b+')", True),
    ("'abc'.matches('^b+')", False),
    ("7 / -2 == -3", True),
    ("-7 % 3 == -1", True),
    ("1.0 / 0.0 > 1.0 || true", True),
    ("r'a\\n' == 'a\\\\n'", True),
    ("'\\u00e4' == 'ä'", True),
    ("0x10 == 16", True),
]


@pytest.mark.law("2.11")
@pytest.mark.parametrize(("guard", "expected"), ALIKE)
def test_constants_mean_what_they_mean_in_cel(guard: str, expected: object) -> None:
    assert verdict(guard) == expected
    assert _theirs(guard, {}) == expected
