"""The solver denies only what can never be, and what it gives as possible really is."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings

from strategies.typed_guards import bounded_guards, guards, plain_guards, values
from support.guards import env, machine
from turnwise.check.solver import Impossible, Possible, Solver, Undecided
from turnwise.core.guards import Env, GuardFault, Recorded
from turnwise.core.guards.compile import Compiler
from turnwise.core.state import FieldValue
from turnwise.flow.guard import Expression, parse

EXAMPLES = 20_000 if os.environ.get("TURNWISE_SOAK") == "1" else 100


def holds(expression: Expression, on: Env) -> bool:
    try:
        return Compiler(machine().names).condition(expression)(on) is True
    except GuardFault:
        return False


def of(values: dict[str, object]) -> Env:
    return env(**values)


@settings(max_examples=EXAMPLES)
@given(guards, values)
def test_what_is_impossible_never_holds_and_what_is_denied_always_does(guard: str, found: dict[str, object]) -> None:
    expression, on = parse(guard), of(found)
    solver = Solver(machine())
    if solver.is_impossible([expression]):
        assert not holds(expression, on)
    if solver.is_impossible([], unless=[expression]):
        assert holds(expression, on)


@settings(max_examples=EXAMPLES)
@given(guards, guards, values)
def test_a_guard_that_entails_another_never_holds_alone(guard: str, other: str, found: dict[str, object]) -> None:
    one, two, on = parse(guard), parse(other), of(found)
    solver = Solver(machine())
    for first, second in ((one, two), (two, one), (one, parse(f"{guard} || {other}"))):
        if solver.entails(first, second) and holds(first, on):
            assert holds(second, on)


@settings(max_examples=EXAMPLES)
@given(plain_guards)
def test_a_possible_guard_holds_with_the_values_that_are_given(guard: str) -> None:
    expression = parse(guard)
    answer = Solver(machine()).is_possible([expression])
    if isinstance(answer, Possible) and answer.is_certain:
        known = {key: FieldValue(value, "command", 0, 0) for key, value in answer.values.items() if value is not None}
        assert holds(expression, Env(known, Recorded({})))


@settings(max_examples=EXAMPLES)
@given(bounded_guards, values)
def test_every_guard_entails_itself_and_excludes_its_contrary(guard: str, found: dict[str, object]) -> None:
    expression, contrary = parse(guard), parse(f"!({guard})")
    solver = Solver(machine())
    assert not isinstance(solver.is_possible([expression, contrary]), Possible)
    assert not isinstance(solver.is_possible([expression], unless=[expression]), Possible)
    assert not (holds(expression, of(found)) and holds(contrary, of(found)))


@pytest.mark.parametrize(
    "guard",
    [
        "x.a > 50 && x.a < 40",
        "x.a > 50 && x.a < 51",
        "x.t && !x.t",
        "x.t == true && x.t == false",
        'x.kind != "Red" && x.kind != "Green" && x.kind != "Blue"',
        'x.kind == "Red" && x.kind == "Blue"',
        'x.kind.startsWith("R") && x.kind == "Blue"',
        'x.s in ["a", "b"] && x.s == "c"',
        "has(x.s) && !has(x.s)",
        'x.s == "" && x.s == "a"',
        "size(x.l) > 3 && !has(x.l)",
        "size(x.l) > 3 && x.l.size() < 2",
        'x.day > "2026-01-01" && x.day < "2026-01-02"',
        'x.span > "1h" && x.span < "30m"',
        '"a" in x.l && !("a" in x.l)',
        'x.s.matches("^a") && !x.s.matches("^a")',
        'visits("home") < 0',
        "turns < 0",
        'tools.last == "a" && tools.last == "b"',
        'form.status == "confirmed" && form.status == "stopped"',
        'message.button == "a" && message.button == "b"',
        "(x.a > 3 ? x.t : x.f) && x.a > 3 && !x.t",
    ],
)
def test_what_can_never_be_is_seen(guard: str) -> None:
    assert isinstance(Solver(machine()).is_possible([parse(guard)]), Impossible)


@pytest.mark.parametrize(
    "guard",
    [
        "x.a > 50 && x.a < 52",
        "x.n > 50 && x.n < 51",
        "x.a > x.b && x.b > x.a",
        'x.at > "2026-01-01" && x.at < "2026-01-02"',
        'x.s.startsWith("a") && x.s == "b"',
        'tools.last == "a" && tools.count("a") > 3',
        'x.s.lower() == "a" && x.s == "A"',
        'x.s != "a"',
    ],
)
def test_what_can_be_or_is_not_understood_is_not_denied(guard: str) -> None:
    assert isinstance(Solver(machine()).is_possible([parse(guard)]), Possible)


@pytest.mark.parametrize(
    "guard", ["has(x.a) || !has(x.a)", "tools.used('a') || !tools.used('a')", "turns >= 0", "has(x.d_int)", "true"]
)
def test_what_always_is_is_seen(guard: str) -> None:
    assert Solver(machine()).is_impossible([], unless=[parse(guard)])


@pytest.mark.parametrize("guard", ["x.t || !x.t", "x.a >= 0 || x.a < 0"])
def test_unknown_is_not_held(guard: str) -> None:
    assert not Solver(machine()).is_impossible([], unless=[parse(guard)])


def test_what_takes_too_long_is_left_undecided() -> None:
    choices = " && ".join(f'(x.s.contains("{n}a") || x.p.contains("{n}b"))' for n in range(12))
    one, two, three = (f'x.s.endsWith("{end}")' for end in "uvw")
    never = " && ".join(f"({a} ? !({b}) : {b})" for a, b in ((one, two), (two, three), (three, one)))
    assert isinstance(Solver(machine()).is_possible([parse(never)]), Impossible)
    assert isinstance(Solver(machine()).is_possible([parse(f"{choices} && {never}")]), Undecided)
