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
000-01 000-02 000-03 000-05 000-07 000-08 000-09 000-10 000-11 000-12 000-13 000-14 000-15 000-16 000-17
000-18 000-19 000-20 000-23 000-24 000-25 000-26 000-27 000-28 000-29 000-30 000-31 000-32 000-33 000-34
000-35 000-36 000-37 000-38 000-39 000-40 000-41 000-45 000-47 000-48 000-49 000-50 000-51 000-52 000-53
000-54 000-55 000-56 000-67 000-68 000-69 000-78 001-03 001-04 001-06 001-08 001-09 001-10 001-11 001-12
001-13 001-14 001-16 001-17 001-21 001-22 001-24 001-25 001-26 001-27 001-32 001-33 001-35 001-40 001-41
001-42 001-43 001-47 001-49 001-50 002-12 002-14 002-17 002-21 002-22 002-27 002-30 002-31 004-01 004-02
004-03 004-04 004-05 004-07 004-08 004-09 004-10 004-11 004-12 004-14 004-15 004-16 004-17 004-19 004-20
004-21 004-22 004-23 004-24 004-25 004-26 004-27 004-28 004-29 004-30 004-31 004-32 004-33 004-34 004-35
004-36 004-37 004-38 004-39 004-40 004-41 004-42 004-43 004-44 004-45 004-46 004-47 004-48 004-49 004-50
004-51 004-52 004-53 004-55 004-56 004-57 004-58 004-59 004-60 004-61 004-62 004-63 004-64 004-65 004-66
004-67 004-68 004-69 004-70 004-71 004-74 004-75 004-76 004-78 004-79 004-80 004-81 004-82 004-83 004-84
004-85 004-86 004-87 004-88
"""
GAPS = frozenset(_GAPS.split())
"""Rows that wait for nothing and still have no test: this list only ever shrinks."""


def _marked(path: Path) -> Iterator[str]:
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
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
