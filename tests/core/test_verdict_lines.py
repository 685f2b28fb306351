"""What a verdict line asks for is true: where it comes about, the guard holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import turnwise as tw
from strategies.typed_guards import ROOTS, guards_with_roots, roots, values
from support.chats import scripted_chat, sets
from support.guards import env, machine
from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.search import env_with_changes
from turnwise.core.explain.text import verdict_line, ways_in_words
from turnwise.core.explain.tree import plan
from turnwise.core.guards import Env, GuardFault, Recorded
from turnwise.core.guards.compile import Compiler
from turnwise.core.state import FieldValue
from turnwise.core.trace import Considered
from turnwise.flow.guard import parse

EXAMPLES = 5_000 if os.environ.get("TURNWISE_SOAK") == "1" else 100
TRIES = 40
UNCHANGED = 0.3


@lru_cache(maxsize=64)
def compiled(guard: str) -> Callable[[Env], bool | None]:
    return Compiler(machine().names).condition(parse(guard))


def holds(guard: str, on: Env) -> bool:
    try:
        return compiled(guard)(on) is True
    except GuardFault:
        return False


def reads(guard: str) -> list[str]:
    compiler = Compiler(machine().names)
    compiler.condition(parse(guard))
    return list(compiler.reads.refs)


def considered(guard: str, on: Env) -> Considered:
    """How a candidate with this guard is explained."""
    names = machine().names
    how = plan(parse(guard), names)
    tree = how.verdict(on)
    of = NeedsPlan(how, Compiler(names).condition(parse(guard)), machine().rules)
    needs, in_words = of.explain(on, tree)
    return Considered("go", "false", "to", "away", verdict=tree, needs=needs, in_words=in_words)


POOLS: dict[str, list[Any]] = {
    **{name: [-3, -1, 0, 1, 2, 3, 5, 6, 9] for name in ("x.a", "x.b", "x.d_int", "x.d_zero", "turns")},
    **{name: [-1, 0, 0.5, 1.5, 2, 3.25] for name in ("x.n", "x.m")},
    **{name: ["a", "b", "ab", "abc", "Red", "basic", "10:00", "42"] for name in ("x.s", "x.p", "x.d_text")},
    **{name: [True, False] for name in ("x.t", "x.f", "x.u", "x.d_off", 'tools.used("think")')},
    **{name: ["2025-12-31", "2026-01-01", "2026-06-15", "2026-11-21"] for name in ("x.day", "x.d_day")},
    **{name: ["2025-12-31T10:00:00Z", "2026-06-15T10:00:00Z", "2027-01-01T00:00:00Z"] for name in ("x.at", "x.later")},
    **{name: [0, 60, 3600, 7200, 90000] for name in ("x.span", "x.wait", "x.d_span")},
    **{name: [["a"], ["b", "x"], ["a", "b", "x"]] for name in ("x.l", "x.d_list")},
    "x.kind": ["Red", "Green", "Blue"],
    "x.ints": [[-1], [3, 4], [0, 6, 9]],
    "x.days": [["2025-12-31"], ["2026-06-15", "2026-11-21"]],
    "x.tags": [["x"], ["y", "z"], ["x", "y", "z"]],
    'visits("home")': [0, 1, 3, 9],
    'tools.count("search")': [0, 1, 3, 9],
    "message.text": ["a", "ab", "Red", "plan"],
    "now": [1_767_000_000_000, 1_782_000_000_000, 1_799_000_000_000],
}
"""Values to try for what a rule reads, among them those that make many a rule hold."""


def changed(on: Env, keys: list[str], chance: Random) -> Env:
    """The surroundings with other values for some of these fields and roots."""
    assert isinstance(on.source, Recorded)
    fields, roots_ = dict(on.fields), dict(on.source.values)
    for key in keys:
        if chance.random() < UNCHANGED:
            continue
        value = chance.choice([None, *POOLS.get(key, [])])
        known = fields if key.startswith("x.") else roots_
        known[key] = FieldValue(value, "command", 1, 0) if known is fields else value
        if value is None:
            del known[key]
    return Env(fields, Recorded(roots_))


@pytest.mark.law("2.10")
@settings(max_examples=EXAMPLES, deadline=None)
@given(guards_with_roots, values, roots, st.integers(0, 2**32))
def test_what_the_line_asks_for_makes_the_guard_hold(
    guard: str, known: dict[str, Any], roots_: dict[str, Any], seed: int
) -> None:
    on = Env(env(**known).fields, Recorded(roots_))
    if holds(guard, on):
        return
    told = considered(guard, on)
    line = verdict_line("home", "before", (told,))
    note(line)
    claims = [" && ".join(dict.fromkeys(need.rule for need in needed)) for needed in told.needs]
    for needed, claim in zip(told.needs, claims, strict=True):
        with_changes = env_with_changes(on, tuple((need.field, need.value) for need in needed))
        assert holds(claim, with_changes), "the values that would do are not those that the rule asks for"
    claims += told.in_words
    for claim in claims:
        assert not holds(claim, on), f"{claim} holds already"
        keys, chance = reads(claim), Random(seed)
        for now in (changed(on, keys, chance) for _ in range(TRIES)):
            assert not holds(claim, now) or holds(guard, now), f"{claim} holds, the guard does not: {now}"
    assert line == expected_line(told)


def expected_line(told: Considered) -> str:
    start = "stayed in home: 1 candidate, which did not hold"
    if told.needs and all(need.now is None for need in told.needs[0]):
        return f"{start}; nearest is → away, which lacks {', '.join(need.field for need in told.needs[0])}"
    if told.needs:
        texts = dict.fromkeys(need.text for need in told.needs[0])
        assert all(need.text.startswith(f"{need.rule} (") for need in told.needs[0])
        return f"{start}; nearest is → away, which needs {', '.join(texts)}"
    ways = ways_in_words(told)
    for way, claim in zip(ways, told.in_words, strict=True):
        assert way == claim or (way.startswith(f"{claim} (") and way.endswith(")"))
    return start + (f"; nearest is → away, which waits for {', or '.join(ways)}" if ways else "")


# what people read ----------------------------------------------------------------------------------

FLOW = """
flow: f
start: home
records:
  u:
    age: integer
    vip: boolean
    name: string
    plan: {type: choice, options: [basic, gold]}
    tags: {type: list, of: string}
    a: integer
    b: integer
    level: {type: integer, default: 2}
    since: date
tools: {think: {about: think}}
nodes:
  home:
    prompt: Talk.
    collect: [u]
    transitions: [{id: go, at: before, when: 'GUARD', to: away}]
  away: {prompt: There.}
"""
LINES: list[tuple[str, dict[str, Any], str]] = [
    ("!(u.age < 38)", {"age": 30}, "needs !(u.age < 38) (is 30)"),
    ("!u.vip && u.age > 3", {"age": 30, "vip": True}, "needs !u.vip (is true)"),
    ("!!(u.age > 38)", {"age": 30}, "needs u.age > 38 (is 30)"),
    ('!(u.plan == "basic")', {"plan": "basic"}, 'needs !(u.plan == "basic") (is basic)'),
    ('!has(u.name) && u.plan == "gold"', {"name": "Ada", "plan": "gold"}, "needs !has(u.name) (u.name is Ada)"),
    ('!("a" in u.tags)', {"tags": ["a", "b"]}, 'needs !("a" in u.tags) (u.tags is a, b)'),
    ("!u.tags.exists(t, size(t) > 3)", {"tags": ["gold"]}, "needs !u.tags.exists(t, size(t) > 3) (u.tags is gold)"),
    ("u.vip ? u.age > 60 : u.age > 40", {"vip": True, "age": 50}, "needs u.age > 60 (is 50)"),
    ("u.vip ? !(u.a > 0) : u.b > 4", {"vip": True, "a": 3, "b": 5}, "needs !(u.a > 0) (is 3)"),
    ("!(u.age > 3 || u.vip)", {"age": 5, "vip": True}, "needs !(u.age > 3) (is 5), !u.vip (is true)"),
    ("!(u.age > 3 && u.vip)", {"age": 5, "vip": True}, "needs !(u.age > 3) (is 5)"),
    ("u.age >= 38 && u.age < 60", {"age": 90}, "needs u.age >= 38 && u.age < 60 (is 90)"),
    ("u.a / u.b > 5", {"a": 10, "b": 0}, "needs u.a / u.b > 5 (u.a is 10, u.b is 0)"),
    ("u.a + u.b > 100", {"a": 1}, "lacks u.b"),
    ("u.a > u.b && u.b > 5", {"a": 7, "b": 8}, "needs u.a > u.b && u.b > 5 (u.a is 7, u.b is 8)"),
    ("u.level > 4", {"name": "Ada"}, "needs u.level > 4 (is 2 by default)"),
    ("!(u.age < 38)", {"name": "Ada"}, "lacks u.age"),
    ('!(u.since > "2026-01-01")', {"since": "2026-03-01"}, 'needs !(u.since > "2026-01-01") (is 2026-03-01)'),
    ("turns > 3 && u.age > 40", {"age": 30}, "waits for turns > 3 && u.age > 40 (turns is 1, u.age is 30)"),
    ("turns > 3 || visits(\"away\") > 0", {"age": 30}, 'waits for turns > 3 (is 1), or visits("away") > 0 (is 0)'),
    ("turns > 3 && turns < 5 && u.age > 3", {"age": 30}, "waits for turns > 3 && turns < 5 (is 1)"),
    ('form.status == "confirmed"', {"age": 30}, 'waits for form.status == "confirmed" (not known)'),
    ('message.text == "go" || tools.used("think")', {"age": 30},
     'waits for message.text == "go", or tools.used("think")'),
]  # fmt: skip


@pytest.mark.parametrize(("guard", "known", "said"), LINES)
def test_the_line_of_a_turn_says_what_is_needed(guard: str, known: dict[str, Any], said: str) -> None:
    with scripted_chat(FLOW.replace("GUARD", guard.replace("'", "''"))) as chat:
        turn = chat.commands(sets(**{f"u__{name}": value for name, value in known.items()}))
    error = "; in error: go" if "/ u.b" in guard else ""
    line = f"stayed in home: 1 candidate, which did not hold{error}; nearest is → away, which {said}"
    assert turn.decisions[0].line == line


def test_the_guard_of_a_timer_is_told_like_any_other() -> None:
    of = FLOW.replace("at: before, when: 'GUARD'", "at: timer, in: 5m, when: '!(u.age < 38)'")
    with scripted_chat(of) as chat:
        chat.commands(sets(u__age=30))
        turn = chat.fire("go")
    assert turn.decisions[0].line.endswith("nearest is → away, which needs !(u.age < 38) (is 30)")


NEEDED: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    ("!(has(r.age) && r.age < 38)", {"age": 30}, [{"r.age": 38}]),
    ("!has(r.age) || r.age >= 38", {"age": 30}, [{"r.age": 38}]),
    ("r.age < 20 || r.age > 60", {"age": 55}, [{"r.age": 61}]),
    ("r.age < 20 || r.age > 60", {"age": 25}, [{"r.age": 19}]),
    ("r.age in [1, 40, 90]", {"age": 38}, [{"r.age": 40}]),
    ("!(r.age in [38, 39])", {"age": 39}, [{"r.age": 40}]),
    ("!has(r.vip) || r.age >= 38", {"age": 30, "vip": True}, [{"r.age": 38}, {"r.vip": None}]),
    ('r.day < "2026-01-01" || r.day > "2026-06-01"', {"day": "2026-05-20"}, [{"r.day": "2026-06-02"}]),
]  # fmt: skip


@pytest.mark.parametrize(("guard", "known", "expected"), NEEDED)
def test_a_value_is_preferred_to_none_and_the_nearest_to_others(
    guard: str, known: dict[str, Any], expected: list[dict[str, Any]]
) -> None:
    found = tw.judge(guard, {"r": known}).needs
    assert [{need.field: need.value for need in needed} for needed in found] == expected


def test_every_root_of_the_strategy_is_read_by_its_guards() -> None:
    guard = (
        'turns > visits("home") && tools.used("think") && tools.count("search") > 0 && message.text != "" && now > now'
    )
    assert set(reads(guard)) == set(ROOTS)
