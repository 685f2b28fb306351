"""What would have had to be different: every set that is named makes the guard hold, and no part of it is idle."""

from __future__ import annotations

import os
import time
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from strategies.typed_guards import DOMAINS, bounded_guards, guards, plain_guards, values
from support.guards import env, machine
from support.guards import flow as small_flow
from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.search import Changes, Needs, env_with_changes
from turnwise.core.explain.tree import LeafPlan, leaves_of, plan
from turnwise.core.guards import Env, GuardFault
from turnwise.core.guards.compile import Compiler
from turnwise.core.link import link
from turnwise.core.trace import VerdictKind
from turnwise.core.values import read_value
from turnwise.flow.guard import parse
from turnwise.flow.model import Field

EXAMPLES = 20_000 if os.environ.get("TURNWISE_SOAK") == "1" else 100
SLOWEST_S = 0.05


def made(guard: str) -> NeedsPlan:
    expression = parse(guard)
    names = machine().names
    return NeedsPlan(plan(expression, names), Compiler(names).condition(expression), machine().rules)


def holds(of: NeedsPlan, on: Env) -> bool:
    try:
        return of.test(on) is True
    except GuardFault:
        return False


def kinds_of(guard: str, on: Env) -> tuple[VerdictKind, ...]:
    return tuple(leaf.verdict for leaf in leaves_of(plan(parse(guard), machine().names).verdict(on)))


def sets_of(found: Needs) -> tuple[Changes, ...]:
    """The sets of changes, without the rules that ask for them."""
    return tuple(tuple((name, value) for name, value, _ in wanted) for wanted in found.wanted)


def check(of: NeedsPlan, sets: tuple[Changes, ...], on: Env) -> None:
    """All that is promised of the sets."""
    assert len(sets) <= 3
    assert len({frozenset(name for name, _ in changes) for changes in sets}) == len(sets)
    for changes in sets:
        assert 1 <= len(changes) <= 3
        assert holds(of, env_with_changes(on, changes)), "it does not make the guard hold"
        for number in range(len(changes)):
            fewer = changes[:number] + changes[number + 1 :]
            assert not holds(of, env_with_changes(on, fewer)), f"{changes[number]} is not needed"
        for name, value in changes:
            if value is None:
                assert name in on.fields
            else:
                assert read_value(machine().fields[name], value, machine().rules) == value
                assert name not in on.fields or on.fields[name].value != value


def test_the_values_beside_what_is_needed_are_those_of_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    on, guard = env(a=3), 'x.a >= 65 && x.s == "pro"'
    of, tree = made(guard), plan(parse(guard), machine().names).verdict(on)
    monkeypatch.setattr(LeafPlan, "operands", lambda *_: pytest.fail("the values were read again"))
    (changes,), _ = of.explain(on, tree)
    assert [need.text for need in changes] == ["x.a >= 65 (is 3)", 'x.s == "pro" (not known)']


@pytest.mark.law("2.10")
@settings(max_examples=EXAMPLES)
@given(guards, values)
def test_every_set_of_needs_makes_the_guard_hold_and_has_no_idle_part(guard: str, given_: dict[str, Any]) -> None:
    on = env(**given_)
    of, kinds = made(guard), kinds_of(guard, on)
    if holds(of, on):
        return
    found = of.needs(on, kinds)
    check(of, sets_of(found), on)
    assert not (found.wanted and found.in_words)
    assert any(quick(guard, on, kinds) for _ in range(3)), "the search takes too long"


def quick(guard: str, on: Env, kinds: tuple[VerdictKind, ...]) -> bool:
    """True if the search took no longer than it may; a single measurement may be disturbed."""
    of = made(guard)
    begun = time.process_time()
    of.needs(on, kinds)
    return time.process_time() - begun < SLOWEST_S


@settings(max_examples=EXAMPLES // 5)
@given(plain_guards, values, values, values)
def test_what_is_kept_from_one_conversation_is_right_for_the_next(
    guard: str, one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]
) -> None:
    of = made(guard)
    for given_ in (one, two, three):
        on = env(**given_)
        if not holds(of, on):
            check(of, sets_of(of.needs(on, kinds_of(guard, on))), on)


# how often a way is missed -------------------------------------------------------------------------


def by_brute_force(of: NeedsPlan, on: Env) -> Changes | None:
    """Some changes of at most three fields, found by trying all values of small domains."""
    for size in (1, 2, 3):
        for names in combinations(of.ways.fields, size):
            domains = [[*DOMAINS[name], *([None] if name in on.fields else [])] for name in names]
            for changed in product(*domains):
                changes = tuple(zip(names, changed, strict=True))
                if holds(of, env_with_changes(on, changes)):
                    return changes
    return None


def test_hardly_a_way_is_missed() -> None:
    """Beside a search through all values of small domains: truth values, small numbers, options."""
    found: list[str] = []
    missed: list[str] = []

    @settings(
        max_examples=300 if EXAMPLES == 100 else 1500,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(bounded_guards, st.fixed_dictionaries({}, optional={k[2:]: st.sampled_from(v) for k, v in DOMAINS.items()}))
    def run(guard: str, given_: dict[str, Any]) -> None:
        on = env(**given_)
        of = made(guard)
        if holds(of, on):
            return
        if of.needs(on, kinds_of(guard, on)).wanted:
            found.append(guard)
        elif by_brute_force(of, on) is not None:
            missed.append(guard)

    run()
    assert len(found) > 100
    assert len(missed) <= 0.03 * (len(found) + len(missed)), missed


# what is named ----------------------------------------------------------------------------------------

NAMED: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    ("x.a >= 38", {"a": 35}, [{"x.a": 38}]),
    ("x.a >= 38", {}, [{"x.a": 38}]),
    ("x.a > 38", {"a": 35}, [{"x.a": 39}]),
    ("x.a != 38", {"a": 38}, [{"x.a": 39}]),
    ("x.n > 0.5", {}, [{"x.n": 1}]),
    ("x.t", {}, [{"x.t": True}]),
    ("!x.t", {"t": True}, [{"x.t": False}]),
    ("x.t && !x.f", {}, [{"x.t": True, "x.f": False}]),
    ("x.t || x.f", {}, [{"x.t": True}, {"x.f": True}]),
    ("!has(x.s)", {"s": "a"}, [{"x.s": None}]),
    ('x.s == "gold" && x.a > 3 && x.t', {"a": 4}, [{"x.s": "gold", "x.t": True}]),
    ('x.kind == "Red"', {"kind": "Blue"}, [{"x.kind": "Red"}]),
    ('x.kind != "Red"', {"kind": "Red"}, [{"x.kind": "Green"}]),
    ('x.kind in ["Red", "Blue"]', {}, [{"x.kind": "Red"}]),
    ('x.day > "2026-11-20"', {}, [{"x.day": "2026-11-21"}]),
    ('x.day < "2026-11-20"', {}, [{"x.day": "2026-11-19"}]),
    ('x.at > "2026-11-20T10:00:00Z"', {}, [{"x.at": "2026-11-21T10:00:00Z"}]),
    ('x.span >= "1h30m"', {"span": "1h"}, [{"x.span": 5400}]),
    ("size(x.l) >= 3", {"l": ["a"]}, [{"x.l": ["a", "x", "x"]}]),
    ("size(x.tags) >= 3", {"tags": ["y"]}, [{"x.tags": ["y", "x", "z"]}]),
    ('"b" in x.l', {"l": ["a"]}, [{"x.l": ["a", "b"]}]),
    ('!("b" in x.l)', {"l": ["a", "b"]}, [{"x.l": ["a"]}]),
    ("x.ints.exists(g, g > 9)", {"ints": [1]}, [{"x.ints": [1, 10]}]),
    ('x.s.contains("ab")', {"s": "x"}, [{"x.s": "ab"}]),
    ("size(x.s) >= 3", {"s": "x"}, [{"x.s": "xxx"}]),
    ("x.a < x.b", {"a": 5, "b": 3}, [{"x.a": 2}, {"x.b": 6}]),
    ("x.a + x.b == 7", {"a": 5, "b": 3}, [{"x.a": 4}, {"x.b": 2}]),
    ("x.a % 3 == 1", {"a": 5}, [{"x.a": 4}]),
    ("x.t ? x.a > 3 : x.b > 3", {"t": True, "b": 4}, [{"x.a": 4}, {"x.t": False}]),
    ("x.d_int > 7", {}, [{"x.d_int": 8}]),
    ("x.a >= 38 && has(x.s)", {"a": 35}, [{"x.a": 38, "x.s": "x"}]),
    ("size(x.s) < 30 && x.a >= 38", {"a": 35}, [{"x.a": 38, "x.s": "x"}]),
    ('x.s != "Bob"', {"s": "Bob"}, [{"x.s": "x"}]),
    ('!(x.s in ["x", "y"])', {"s": "x"}, [{"x.s": "xy"}]),
    ('x.s.startsWith("Dr")', {"s": "Bob"}, [{"x.s": "Dr"}]),
    ("x.a >= 38 && x.a < 60", {"a": 90}, [{"x.a": 59}]),
    ("x.a >= 38 && x.a < 60", {"a": 3}, [{"x.a": 38}]),
    ("x.a > 17.5", {"a": 3}, [{"x.a": 18}]),
    ("x.a * 2 > 70", {"a": 35}, [{"x.a": 36}]),
    ("x.a + 5 >= 50", {"a": 35}, [{"x.a": 45}]),
    ("x.a * 1e300 * 1e300 > 1.0", {"a": 3}, []),
]


@pytest.mark.parametrize(("guard", "given_", "expected"), NAMED)
def test_the_changes_that_are_named_are_the_obvious_ones(
    guard: str, given_: dict[str, Any], expected: list[dict[str, Any]]
) -> None:
    on = env(**given_)
    sets = sets_of(made(guard).needs(on, kinds_of(guard, on)))
    assert [dict(found) for found in sets] == expected


def test_a_text_that_must_be_long_is_as_short_as_it_may_be() -> None:
    flow = small_flow(Field("s", "string", min=3, max=9))
    names, rules = link(flow).names, link(flow).rules
    expression = parse("has(x.s)")
    of = NeedsPlan(plan(expression, names), Compiler(names).condition(expression), rules)
    assert sets_of(of.needs(env(), ("not_held",))) == ((("x.s", "xxx"),),)


IN_WORDS = [
    ('tools.used("think")', {}, ('tools.used("think")',)),
    ('!tools.used("think") && x.t', {"t": True}, ('!tools.used("think")',)),
    ('visits("home") >= 2 && x.a > 3', {}, ('visits("home") >= 2 && x.a > 3',)),
    ('now > "2026-01-01" || turns > 3', {}, ('now > "2026-01-01"', "turns > 3")),
    ("!(turns < 3)", {}, ("!(turns < 3)",)),
    ('x.s.matches("^[0-9]{7}$")', {"s": "a"}, ('x.s.matches("^[0-9]{7}$")',)),
    ("x.a > 3 && x.a < 3", {}, ()),
    ("false", {}, ("false",)),
    ("false || turns > 3", {}, ("turns > 3",)),
]


@pytest.mark.parametrize(("guard", "given_", "expected"), IN_WORDS)
def test_what_no_field_can_change_is_named_in_words_as_it_would_have_to_be(
    guard: str, given_: dict[str, Any], expected: tuple[str, ...]
) -> None:
    on = env(**given_)
    found = made(guard).needs(on, kinds_of(guard, on))
    assert found.wanted == ()
    assert found.in_words == expected


def test_values_of_one_conversation_are_not_told_in_another() -> None:
    for guard, own, other in (
        ('x.s != "" && size(x.p) > 3', {"s": "Ada Lovelace"}, {"s": "Bob"}),
        ("size(x.l) >= 3", {"l": ["Ada Lovelace"]}, {"l": ["Bob"]}),
        ("x.p == x.s", {"s": "Ada Lovelace"}, {"s": "Bob"}),
    ):
        of = made(guard)
        first = of.needs(env(**own), kinds_of(guard, env(**own)))
        second = of.needs(env(**other), kinds_of(guard, env(**other)))
        assert first.wanted
        assert second.wanted
        assert "Ada" not in str(second)


def test_a_secret_value_is_told_as_the_value_of_no_field() -> None:
    for guard in ("x.s == x.secret", "x.secret == x.s", "x.s.contains(x.secret)"):
        on = env(secret="hunter2", s="a")
        assert "hunter2" not in str(made(guard).needs(on, kinds_of(guard, on)))


HARD = [
    " && ".join(f'(x.a == {n} || x.b == {n} || x.s == "w{n}")' for n in range(20)),
    " || ".join(f"(x.a == {n} && x.b == {n + 1} && x.a + x.b == 0)" for n in range(60)),
    "x.ints.all(g, x.ints.exists(h, g * h == 77 && g != h)) && x.a + x.b * x.a == 999",
    "x.l.exists(g, x.l.exists(h, h == g + g)) && size(x.l) == 7",
    'x.s.matches("^(a+)+[0-9]$") && x.p.matches("^(a|b|ab)*c[0-9]{9}$")',
    "x.n * x.n * x.n + x.m * x.m - x.a * x.b * x.n == 12345.678",
    "!" * 40 + "x.t && " + "(" * 40 + "x.a > 3" + ")" * 40,
]


@pytest.mark.parametrize("guard", HARD, ids=lambda guard: guard[:40])
def test_the_search_has_an_end_however_large_the_guard_and_the_values(guard: str) -> None:
    on = env(ints=list(range(200)), l=["word " * 100 + str(n) for n in range(200)], s="a" * 9999, p="ab" * 4999)
    of, kinds = made(guard), kinds_of(guard, on)
    begun = time.process_time()
    check(of, sets_of(of.needs(on, kinds)), on)
    assert time.process_time() - begun < 1
