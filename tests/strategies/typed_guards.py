"""Random guards over fields of every type, and random values for those fields: well-typed, not sensible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

_INTEGERS = ["x.a", "x.b", "x.d_int", "x.d_zero"]
_NUMBERS = ["x.n", "x.m"]
_TEXTS = ["x.s", "x.p", "x.kind", "x.d_text"]
_DATES = ["x.day", "x.d_day"]
_CLOCKS = ["x.clock"]
_MOMENTS = ["x.at", "x.later"]
_SPANS = ["x.span", "x.wait", "x.d_span"]
_FLAGS = ["x.t", "x.f", "x.u", "x.d_off"]
_ALL = [
    *_INTEGERS, *_NUMBERS, *_TEXTS, *_DATES, *_CLOCKS, *_MOMENTS, *_SPANS, *_FLAGS,
    "x.mail", "x.phone", "x.l", "x.ints", "x.days", "x.spans", "x.tags", "x.d_list",
]  # fmt: skip
_WORDS = ["a", "b", "ab", "abc", "Red", "Green", "basic", "10:00", "plan"]
_DAYS = ["2026-01-01", "2026-06-15", "2026-11-20"]
_HOURS = ["09:30", "10:00", "17:45:30", "23:59"]
_LENGTHS = ["0s", "90s", "1h", "2h", "1d"]
_COMPARED = ["==", "!=", "<", "<=", ">", ">="]

small = st.integers(-3, 6)


def _one_of(names: Sequence[str]) -> SearchStrategy[str]:
    return st.sampled_from(names)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _spaced(parts: Sequence[str]) -> str:
    return f"({' '.join(parts)})"


integers = st.recursive(
    st.one_of(
        _one_of(_INTEGERS),
        small.map(str),
        _one_of(["default(x.a, 2)", "default(x.a, x.b)", "default(x.a / x.b, 1)"]),
        _one_of(
            [
                "size(x.s)",
                "size(x.l)",
                "size(x.ints)",
                "size(default(x.l, []))",
                "x.day.getMonth()",
                "x.clock.getHours()",
                "x.span.getHours()",
            ]
        ),
    ),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/%"), inner).map(_spaced),
    max_leaves=3,
)
numbers = st.one_of(integers, _one_of(_NUMBERS), st.sampled_from(["0.5", "1.5", "2.0"]))
texts = st.one_of(
    _one_of(_TEXTS),
    _one_of(_WORDS).map(_quoted),
    st.just("x.s.lower()"),
    st.just('default(x.s, "a")'),
    st.just("(x.s + x.p)"),
)
moments = st.one_of(
    _one_of(_MOMENTS),
    _one_of(_DAYS).map(_quoted),
    st.just('(x.at + duration("1h"))'),
    st.just("datetime(x.day, x.clock)"),
)
dates = st.one_of(
    _one_of(_DATES),
    _one_of(_DAYS).map(_quoted),
    _one_of(['(x.day + duration("7d"))', 'default(x.day, "2026-06-15")', "date(x.at)", "today"]),
)
clocks = st.one_of(
    _one_of(_CLOCKS), _one_of(_HOURS).map(_quoted), _one_of(['(x.clock + duration("90m"))', "time(x.at)"])
)
spans = st.one_of(
    _one_of(_SPANS), _one_of(_LENGTHS).map(_quoted), _one_of(["(x.later - x.at)", "(x.day - x.d_day)", "(x.wait * 2)"])
)


def _pairs(fields: Sequence[str], sides: SearchStrategy[str]) -> SearchStrategy[str]:
    return st.tuples(_one_of(fields), _one_of(_COMPARED), sides).map(_spaced)


plain_leaves = st.one_of(
    _one_of(_ALL),
    _one_of(_ALL).map("has({})".format),
    _one_of(_ALL).map('{} == ""'.format),
    _one_of(_FLAGS).map("default({}, true)".format),
    _pairs(["default(x.a, 2)", "default(x.n, 1)"], small.map(str)),
    _pairs(['default(x.kind, "Green")'], _one_of(_WORDS).map(_quoted)),
    _pairs(_INTEGERS, small.map(str)),
    _pairs(_NUMBERS, st.sampled_from(["0.5", "1.5", "2.0", "3"])),
    _pairs(_TEXTS, _one_of(_WORDS).map(_quoted)),
    _pairs([*_MOMENTS, *_DATES], _one_of(_DAYS).map(_quoted)),
    _pairs(_CLOCKS, _one_of(_HOURS).map(_quoted)),
    _pairs(_SPANS, _one_of(_LENGTHS).map(_quoted)),
    st.tuples(_one_of(_TEXTS), st.lists(_one_of(_WORDS).map(_quoted), min_size=1, max_size=3)).map(
        lambda it: f"{it[0]} in [{', '.join(it[1])}]"
    ),
    st.tuples(_one_of(["x.l", "x.tags", "x.d_list"]), _one_of(["a", "b", "x", "z"])).map(
        lambda it: f'"{it[1]}" in {it[0]}'
    ),
    st.tuples(_one_of(["x.l", "x.ints", "x.tags", "x.s"]), _one_of(_COMPARED), st.integers(0, 4)).map(
        lambda it: f"size({it[0]}) {it[1]} {it[2]}"
    ),
)
"""Conditions on one field, as authors mostly write them."""

rich_leaves = st.one_of(
    st.tuples(numbers, _one_of(_COMPARED), numbers).map(_spaced),
    st.tuples(texts, _one_of(_COMPARED), texts.filter(lambda text: not text.startswith('"'))).map(_spaced),
    st.tuples(_one_of(_MOMENTS), _one_of(_COMPARED), moments).map(_spaced),
    st.tuples(_one_of(_DATES), _one_of(_COMPARED), dates).map(_spaced),
    st.tuples(_one_of(_CLOCKS), _one_of(_COMPARED), clocks).map(_spaced),
    st.just("yearsBetween(x.day, x.d_day) >= 1"),
    st.tuples(_one_of(_SPANS), _one_of(_COMPARED), spans).map(_spaced),
    st.tuples(_one_of(["x.s", "x.p"]), _one_of(["contains", "startsWith", "endsWith"]), texts).map(
        lambda it: f"{it[0]}.{it[1]}({it[2]})"
    ),
    _one_of(["^a+$", "b", "^(Red|Green)$", "[0-9]"]).map(lambda it: f'x.s.matches("{it}")'),
    st.tuples(_one_of(["exists", "all"]), _one_of(_COMPARED), small).map(
        lambda it: f"x.ints.{it[0]}(g, g {it[1]} {it[2]})"
    ),
    st.tuples(_one_of(_COMPARED), small).map(lambda it: f"size(x.ints.filter(g, g {it[0]} {it[1]})) >= 1"),
    st.just('x.days.exists(d, d > "2026-02-01")'),
    st.just("x.l.exists(g, x.tags.exists(h, h == g))"),
    _one_of(["x.s", "x.p"]).map("{} in x.l".format),
    st.just("int(x.s) > 3"),
    st.tuples(_one_of(_FLAGS), _one_of(_FLAGS)).map(lambda it: f"{it[0]} == {it[1]}"),
)
"""Conditions on several fields, and on what is computed from them."""


def combined(leaves: SearchStrategy[str], most: int) -> SearchStrategy[str]:
    """Guards of some leaves, joined in every way."""
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(_spaced),
            inner.map("!({})".format),
            st.tuples(inner, inner, inner).map(lambda it: f"({it[0]} ? {it[1]} : {it[2]})"),
        ),
        max_leaves=most,
    )


plain_guards = combined(plain_leaves, 5)
guards = combined(st.one_of(plain_leaves, rich_leaves), 6)

VALUES: dict[str, SearchStrategy[object]] = {
    **dict.fromkeys(["t", "f", "u", "d_off"], st.booleans()),
    **dict.fromkeys(["a", "b", "d_int", "d_zero"], small),
    **dict.fromkeys(["n", "m"], st.sampled_from([-1, 0, 0.5, 1.5, 2, 3.25])),
    **dict.fromkeys(["s", "p", "d_text"], st.sampled_from([*_WORDS, "42"])),
    **dict.fromkeys(["day", "d_day"], st.sampled_from(_DAYS)),
    **dict.fromkeys(["at", "later"], st.sampled_from([f"{day}T10:00:00Z" for day in _DAYS])),
    "clock": st.sampled_from(["9:30", "10:00", "23:59"]),
    **dict.fromkeys(["span", "wait", "d_span"], st.sampled_from(_LENGTHS)),
    "mail": st.just("me@example.org"),
    "phone": st.just("+49301234"),
    "kind": st.sampled_from(["Red", "Green", "Blue"]),
    **dict.fromkeys(["l", "d_list"], st.lists(st.sampled_from(["a", "b", "x"]), min_size=1, max_size=3)),
    "ints": st.lists(small, min_size=1, max_size=3),
    "days": st.lists(st.sampled_from(_DAYS), min_size=1, max_size=2),
    "spans": st.lists(st.sampled_from(_LENGTHS), min_size=1, max_size=2),
    "tags": st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=3, unique=True),
}
values: SearchStrategy[dict[str, object]] = st.fixed_dictionaries({}, optional=VALUES)
"""Values for any of the fields; the others are missing."""

root_leaves = st.one_of(
    st.tuples(st.sampled_from(["turns", 'visits("home")', 'tools.count("search")']), _one_of(_COMPARED), small).map(
        lambda it: f"{it[0]} {it[1]} {it[2]}"
    ),
    st.just('tools.used("think")'),
    _pairs(["message.text"], _one_of(_WORDS).map(_quoted)),
    _pairs(["now"], _one_of(_DAYS).map(_quoted)),
    st.tuples(_one_of(_INTEGERS), _one_of(_COMPARED), st.just("turns")).map(_spaced),
    st.just("x.s == message.text"),
)
"""Conditions on what no field change turns, some beside a field."""
guards_with_roots = combined(st.one_of(plain_leaves, rich_leaves, root_leaves), 6)

ROOTS: dict[str, SearchStrategy[Any]] = {
    "turns": small,
    'visits("home")': small,
    'tools.count("search")': small,
    'tools.used("think")': st.booleans(),
    "message.text": st.sampled_from(_WORDS),
    "now": st.integers(1_767_000_000_000, 1_800_000_000_000),
}
roots: SearchStrategy[dict[str, Any]] = st.fixed_dictionaries({}, optional=ROOTS)
"""Values for any of the roots, as they are recorded."""

DOMAINS: dict[str, list[object]] = {
    **{name: [True, False] for name in ("x.t", "x.f", "x.u", "x.d_off")},
    **{name: list(range(-6, 10)) for name in ("x.a", "x.b", "x.d_int")},
    "x.kind": ["Red", "Green", "Blue"],
}
"""Fields whose few values can all be tried."""

_BOUNDED_INTEGERS = st.recursive(
    st.one_of(_one_of(["x.a", "x.b", "x.d_int"]), small.map(str)),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/%"), inner).map(_spaced),
    max_leaves=3,
)
bounded_guards = combined(
    st.one_of(
        _one_of(list(DOMAINS)),
        _one_of(list(DOMAINS)).map("has({})".format),
        _pairs(["x.a", "x.b", "x.d_int"], small.map(str)),
        st.tuples(_BOUNDED_INTEGERS, _one_of(_COMPARED), _BOUNDED_INTEGERS).map(_spaced),
        st.tuples(st.just("x.kind"), _one_of(["==", "!="]), _one_of(['"Red"', '"Green"', '"Blue"'])).map(_spaced),
        st.tuples(_one_of(_FLAGS), _one_of(["==", "!="]), _one_of(["x.t", "x.f", "true", "false"])).map(_spaced),
        st.lists(small, min_size=1, max_size=3).map("x.a in {}".format),
    ),
    5,
)
"""Guards over those fields alone."""
