"""The roots of the guard language: what guards may ask beside fields (law 2.11), on states made by folding."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from support.guards import NODES, machine
from turnwise.core.guards import env_of
from turnwise.core.guards.compile import Compiler
from turnwise.core.state import Fault, FormRun, State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold_all
from turnwise.flow.guard import parse

AT_MS = round(datetime(2026, 11, 20, 9, 30, tzinfo=UTC).timestamp() * 1000)


def after(*events: e.AnyEvent) -> State:
    """The state after a start and these events, all in one turn."""
    begun = e.Started("f", 1, machine().fingerprint, NODES[0])
    state = fold_all(e.Entry(seq, 1, AT_MS, event) for seq, event in enumerate((begun, *events), 1))
    assert state is not None
    return state


def used(*tools: str) -> tuple[e.ToolUsed, ...]:
    return tuple(e.ToolUsed(tool) for tool in tools)


def moved(*targets: str) -> tuple[e.Moved, ...]:
    return tuple(e.Moved(NODES[0], target, "t") for target in targets)


SIXTY_FOUR = ("think",) * 64
ROWS: list[tuple[str, tuple[e.AnyEvent, ...], object]] = [
    ('tools.used("think")', (), False),
    ('tools.used("think")', used("think"), True),
    ('tools.used("think")', used("think", *["search"] * 200), True),
    ('tools.used("think", within: 1)', used("think"), True),
    ('tools.used("think", within: 1)', used("think", "search"), False),
    ('tools.used("think", within: 3)', used("think", "search", "search"), True),
    ('tools.used("think", within: 3)', used("think", "search", "search", "search"), False),
    ('tools.used("search", within: 64)', used("search", *SIXTY_FOUR[1:]), True),
    ('tools.used("search", within: 64)', used("search", *SIXTY_FOUR), False),
    ('tools.count("think") == 0', (), True),
    ('tools.count("think") == 200', used(*["think"] * 200), True),
    ('tools.count("think") + tools.count("search") > 2', used("think", "think", "search"), True),
    ('tools.last == "think"', (), None),
    ('tools.last == "think"', used("search", "think"), True),
    ("tools.last", (), False),
    ("has(tools.last)", used("think"), True),
    ('tools.ended_with(["a", "b", "c"])', used("a", "b", "c"), True),
    ('tools.ended_with(["a", "b", "c"])', used("d", "a", "b", "c"), True),
    ('tools.ended_with(["a", "b", "c"])', used("c", "b", "a"), False),
    ('tools.ended_with(["a", "b", "c"])', used("a", "b", "c", "d"), False),
    ('tools.ended_with(["a", "b", "c"])', used("a", "b"), False),
    ('tools.ended_with(["a", "b", "c"])', (), False),
    ('tools.ended_with(["a", "a", "b"])', used("a", "a", "b"), True),
    ('tools.ended_with(["a", "a", "b"])', used("a", "b"), False),
    ('tools.ended_with(["a", ["b", "c"]])', used("a", "c"), True),
    ('tools.ended_with(["a", ["b", ""], "c"])', used("a", "c"), True),
    ('tools.ended_with(["a", ["b", ""], "c"])', used("a", "b", "c"), True),
    ('tools.ended_with(["a", ["b", ""], "c"])', used("a", "d", "c"), False),
    ('tools.ended_with([["a", ""], "b"])', used("b"), True),
    ("message.text", (), False),
    ('message.text == "hello"', (), None),
    ('message.text == "hello"', (e.UserSaid("hello"),), True),
    ('message.text.lower().contains("plan")', (e.UserSaid("Let's PLAN"),), True),
    ('message.text.contains("plan")', (e.UserChose("plan"),), None),
    ('message.button == "plan"', (e.UserChose("plan"),), True),
    ("has(message.button)", (e.UserSaid("plan"),), False),
    ('message.text != ""', (e.UserSaid("hello"),), True),
    ('visits("home") == 1', (), True),
    ('visits("away") == 0', (), True),
    ('visits("away") == 2', moved("away", "home", "away"), True),
    ('visits("home") + visits("away") == 4', moved("away", "home", "away"), True),
    ("turns == 0", (), True),
    ("turns == 2", (e.UserSaid("a"), e.UserSaid("b")), True),
    ("turns == 3", (e.UserSaid("a"), e.UserChose("b"), e.Commands(())), True),
    ("turns == 0", used("think", "think"), True),
    ("turns == 1", (e.UserSaid("a"), e.UserSaid("b"), *moved("away")), True),
    ("errors == 0", (), True),
    ("errors >= 2", (e.Faulted(Fault("model", "x")), e.Faulted(Fault("tool", "y", "think"))), True),
    ("error.kind", (), False),
    ('error.kind == "tool"', (), None),
    ('error.kind == "tool"', (e.Faulted(Fault("tool", "no answer", "think")),), True),
    ('error.tool == "think"', (e.Faulted(Fault("tool", "no answer", "think")),), True),
    ('error.tool == "think"', (e.Faulted(Fault("model", "no answer")),), None),
    ('error.message.contains("answer")', (e.Faulted(Fault("model", "no answer")),), True),
    ('form.status == "collecting"', (), None),
    ('form.status == "collecting"', (e.FormChanged(FormRun()),), True),
    ('form.status in ["confirmed", "handed_off"]', (e.FormChanged(FormRun("handed_off")),), True),
    ('scope.outcome == "completed"', (), None),
    ("has(scope.outcome)", (), False),
    ('now == "2026-11-20T09:30:00Z"', (), True),
    ('now > "2026-11-20"', (), True),
    ('now.getHours("Europe/Berlin") == 10', (), True),
    ('now - timestamp("2026-11-20T09:00:00Z") == duration("30m")', (), True),
    ('tools.used("read_x") || tools.used("write_x") || tools.used("go_to_away")', (), False),
]


@pytest.mark.law("2.11", "2.12")
@pytest.mark.parametrize(("guard", "events", "expected"), ROWS)
def test_a_root_is_read_from_the_state(guard: str, events: tuple[e.AnyEvent, ...], expected: object) -> None:
    test = Compiler(machine().names).condition(parse(guard))
    assert test(env_of(after(*events))) is expected


def test_a_guard_says_what_it_reads_once_each() -> None:
    compiler = Compiler(machine().names)
    compiler.condition(parse('x.a > 3 && x.a < x.b && tools.used("think") && !tools.used("think") && now > x.at'))
    assert list(compiler.reads.refs) == ["x.a", "x.b", 'tools.used("think")', "now", "x.at"]
