"""The table of requirements: whole, and every row that can be shown now has a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plugins.requirements import MARKER, Requirements, not_shown, rows, rows_shown, summary

TESTS = Path(__file__).parent
COUNTS = {"000": 85, "001": 50, "002": 56, "003": 62, "004": 89}
_GAPS = """

"""
GAPS = frozenset(_GAPS.split())
"""Rows that wait for nothing and still have no test: this list only ever shrinks."""


def _marked(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if MARKER not in text:
        return
    for call in ast.walk(ast.parse(text)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == MARKER:
            yield from (str(arg.value) for arg in call.args if isinstance(arg, ast.Constant))


def test_the_table_has_every_row_of_every_seed() -> None:
    for seed, count in COUNTS.items():
        expected = [f"{seed}-{number:02}" for number in range(1, count + 1)]
        assert [one for one in rows() if one.startswith(seed)] == expected


def test_every_row_says_its_seed_what_it_waits_for_and_what_it_is_about() -> None:
    for one, row in rows().items():
        assert row["seed"] == one[:3]
        assert row["needs"]
        assert isinstance(row["needs"], list)
        assert row["needs"] == ["nothing"] or "nothing" not in row["needs"]
        assert re.fullmatch(r"\S.{5,90}\S", str(row["title"]))
    titles = [row["title"] for row in rows().values()]
    assert len(set(titles)) == len(titles)


def test_every_row_that_waits_for_nothing_has_a_test() -> None:
    marked = {one for path in TESTS.rglob("test_*.py") for one in _marked(path)}
    for folder in (TESTS, TESTS.parent / "examples"):
        marked |= {one for path in folder.rglob("*.scenario") for one in rows_shown(path)}
    missing = {one for one, row in rows().items() if row["needs"] == ["nothing"]} - marked - GAPS
    assert not missing, f"no test is marked with {', '.join(sorted(missing))}"


def test_a_gap_is_a_row_that_waits_for_nothing() -> None:
    assert all(rows()[gap]["needs"] == ["nothing"] for gap in GAPS)


class _Item:
    """A test as the plugin sees it."""

    def __init__(self, nodeid: str, *ids: str) -> None:
        self.nodeid = nodeid
        self.ids = ids
        self.user_properties: list[tuple[str, str]] = []

    def iter_markers(self, name: str) -> Iterator[pytest.Mark]:
        yield pytest.Mark(name, self.ids, {}, _ispytest=True)


class _Report:
    """What became of a phase of a test."""

    def __init__(self, item: _Item, when: str, outcome: str) -> None:
        self.nodeid, self.when, self.outcome = item.nodeid, when, outcome
        self.user_properties = item.user_properties


def _plugin(*items: _Item) -> Requirements:
    plugin = Requirements()
    plugin.pytest_collection_modifyitems(list(items))
    return plugin


def test_an_unknown_row_in_a_marker_fails_the_collection() -> None:
    with pytest.raises(pytest.UsageError, match=r"test_b: no requirement has the id '000-99'"):
        _plugin(_Item("test_a", "000-01"), _Item("test_b", "000-02", "000-99"))


def test_a_row_is_shown_by_a_passing_test_and_no_failing_one() -> None:
    good, bad, error = _Item("good", "000-01", "000-02"), _Item("bad", "000-02"), _Item("error", "000-03")
    plugin = _plugin(good, bad, error)
    for report in (
        _Report(good, "setup", "passed"),
        _Report(good, "call", "passed"),
        _Report(bad, "call", "failed"),
        _Report(error, "setup", "failed"),
    ):
        plugin.pytest_runtest_logreport(report)
    report = {one: {**row, "tests": plugin.outcomes.get(one, {})} for one, row in rows().items()}
    missing = not_shown(report)
    assert "000-01" not in missing
    assert {"000-02", "000-03", "000-04"} <= set(missing)
    text = summary(report)
    assert text.startswith("1 of 342 rows are shown by a passing test")
    assert "studio: " in text
    assert "  000-02  Ways out written in Python run" in text
    assert "  002-33  Priorities of the fixes: it ranks the fixes of another program" in text


def test_a_row_that_no_test_can_show_says_why() -> None:
    assert {one for one, row in rows().items() if "reason" in row} == {
        one for one, row in rows().items() if row["needs"] == ["no-check"]
    }
