"""`tw.judge`: trying a guard on values; what types they have, and what is no value or no root."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest

import turnwise as tw

VERDICTS: list[tuple[str, Any, str]] = [
    ("1 in r.x", [1], "held"),
    ("2 in r.x", (1, 3), "not_held"),
    ("r.x.exists(n, n > 2)", [1, 2, 3], "held"),
    ("r.x.all(n, n > 2)", [1, 2, 3], "not_held"),
    ("r.x.exists(n, n > 2.2)", [1, 2.5], "held"),
    ("true in r.x", [True], "held"),
    ('"a" in r.x', ["a"], "held"),
    ("size(r.x) == 0", [], "held"),
    ('r.x.exists(d, d < "2026-01-01")', [date(2025, 1, 1)], "held"),
    ('r.x > "2026-01-01"', date(2026, 1, 2), "held"),
    ('r.x > "2026-01-01"', date(2026, 1, 1), "not_held"),
    ('r.x > "2026-01-01T12:00:00Z"', datetime.fromisoformat("2026-01-01T13:00"), "held"),
    ('r.x > "2026-01-01T12:00:00Z"', datetime(2026, 1, 1, 13, tzinfo=timezone(timedelta(hours=2))), "not_held"),
    ('r.x < duration("2h")', timedelta(hours=1), "held"),
    ('r.x == "10:00"', time(10), "held"),
    ('r.x == "10:00:05"', time(10, 0, 5), "held"),
    ('r.x > "2026-01-01"', "2025-01-01", "not_held"),
    ('r.x > "2026-01-01"', "tomorrow", "held"),
    ('r.x.startsWith("2026") && r.x > "2026-01-01"', "2026-05-01", "held"),
    ("r.x", True, "held"),
    ("r.x", None, "unknown"),
    ("r.x > 3", None, "unknown"),
    ("has(r.x)", "", "not_held"),
]


@pytest.mark.parametrize(("guard", "value", "verdict"), VERDICTS)
def test_the_type_of_a_value_is_its_own(guard: str, value: Any, verdict: str) -> None:
    judged = tw.judge(guard, {"r": {"x": value}})
    assert judged.verdict == verdict
    assert judged.held is (verdict == "held")


NEEDS: list[tuple[str, Any, Any]] = [
    ('r.x > "2026-01-01"', "2025-01-01", "2026-01-02"),
    ('r.x > "2026-01-01"', date(2025, 1, 1), "2026-01-02"),
    ('r.x > "2026-01-01"', None, "2026-01-02"),
    ('r.x < "2026-01-01T12:00:00Z"', datetime(2026, 2, 1, tzinfo=UTC), "2026-01-01T00:00:00Z"),
    ("r.x > 3", None, 4),
    ("3 in r.x", [1], [1, 3]),
    ("r.x.exists(n, n > 2)", [1, 2], [1, 2, 3]),
]


@pytest.mark.parametrize(("guard", "value", "needed"), NEEDS)
def test_what_would_make_it_hold_is_of_the_type_of_the_value(guard: str, value: Any, needed: Any) -> None:
    judged = tw.judge(guard, {"r": {"x": value}})
    assert [(need.field, need.value) for need in judged.needs[0]] == [("r.x", needed)]
    assert tw.judge(guard, {"r": {"x": needed}}).held


ROOTS: list[tuple[str, dict[str, Any], str]] = [
    ("turns > 2", {"turns": 3}, "held"),
    ("turns > 2", {"turns": None}, "unknown"),
    ("turns > 2", {}, "unknown"),
    ('message.text.contains("x")', {"message.text": "axb", "turns": 1}, "held"),
    ("tools.used('look')", {'tools.used("look")': True}, "held"),
    ('tools.count("look") > 1', {"tools.count('look')": 2}, "held"),
    ('visits("a") == 1', {'visits("a")': 1}, "held"),
    ('now > timestamp("2026-01-01T00:00:00Z")', {"now": datetime.fromisoformat("2026-02-02")}, "held"),
    ('now > timestamp("2026-01-01T00:00:00Z")', {"now": "2025-02-02"}, "not_held"),
]


@pytest.mark.parametrize(("guard", "roots", "verdict"), ROOTS)
def test_roots_are_given_by_their_names(guard: str, roots: dict[str, Any], verdict: str) -> None:
    assert tw.judge(guard, {}, roots).verdict == verdict


WRONG: list[tuple[Any, Any, Any, type[Exception], str]] = [
    ("r.x", {}, {"foo": "x"}, tw.GuardError, "no root is called 'foo'"),
    ("r.x", {}, {"turn": 1}, tw.GuardError, "no root is called 'turn'; did you mean 'turns'?"),
    ("r.x", {}, {"mesage.text": 1}, tw.GuardError, "no root is called 'mesage.text'; did you mean 'message.text'?"),
    ("r.x", {}, {"tools.usd('x')": 1}, tw.GuardError, "no root is called 'tools.usd('x')'"),
    ("r.x", {}, {"turns": "3"}, tw.WrongArgument, "roots['turns'] must be a whole number, not str '3'"),
    ("r.x", {}, {"turns": True}, tw.WrongArgument, "roots['turns'] must be a whole number, not bool True"),
    (
        "r.x",
        {},
        {"now": "soon"},
        tw.WrongArgument,
        "roots['now'] must be a moment: a datetime, or its ISO text, not str 'soon'",
    ),
    (
        "r.x",
        {"r": 1},
        None,
        tw.WrongArgument,
        "values['r'] must be a mapping from the fields of 'r' to their values, not int 1",
    ),
    (
        "r.x",
        5,
        None,
        tw.WrongArgument,
        "values must be a mapping from records to their fields, as in {'user': {'age': 35}}, not int 5",
    ),
    ("r.x", {"r": {"x": {}}}, None, tw.WrongArgument, "values['r']['x'] must be a text, a number,"),
    ("r.x", {"r": {"x": [1, "a"]}}, None, tw.WrongArgument, "values['r']['x'] must be a text, a number,"),
    ("r.x", {"r": {"x": [[1]]}}, None, tw.WrongArgument, "values['r']['x'] must be a text, a number,"),
    ("r.x", {"r": {"x": [b"1"]}}, None, tw.WrongArgument, "values['r']['x'][0] must be a text, a number,"),
    (5, {}, None, tw.WrongArgument, "guard must be the text of a guard, not int 5"),
    ('r.x.contain("a")', {}, None, tw.GuardError, "there is no function 'contain'; did you mean 'contains'?"),
    ("r.x >", {}, None, tw.GuardError, "the guard ends here, expected a value"),
]


@pytest.mark.parametrize(("guard", "values", "roots", "kind", "said"), WRONG)
def test_what_is_no_guard_no_value_or_no_root_is_told(
    guard: Any, values: Any, roots: Any, kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind) as found:
        tw.judge(guard, values, roots)
    assert str(found.value).startswith(said)
