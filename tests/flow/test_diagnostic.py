"""Diagnostics: the nearest name, the place, and how they are shown."""

from __future__ import annotations

import time

import pytest

from turnwise.flow.diagnostic import CODES, Diagnostic, FlowError, Span, has_errors, in_order, nearest, problem, render

FEW = ["profiler", "farewell", "introduction"]
MANY = [f"node_{number}" for number in range(100)] + ["Profiler", "farewell", "ab"]


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("profilr", FEW, "did you mean 'profiler'?"),
        ("PROFILER", FEW, "did you mean 'profiler'?"),
        ("intro", FEW, "known: farewell, introduction, profiler"),
        ("quite", [], ""),
        ("profilr", MANY, "did you mean 'Profiler'?"),
        ("pprofiler", MANY, "did you mean 'Profiler'?"),
        ("prafiler", MANY, "did you mean 'Profiler'?"),
        ("porfiler", MANY, "did you mean 'Profiler'?"),
        ("node_55", MANY, "did you mean 'node_55'?"),
        ("nodes_55", MANY, "did you mean 'node_55'?"),
        ("b", MANY, "did you mean 'ab'?"),
        ("nothing like it", MANY, ""),
        ("x" * 100_000, MANY, ""),
    ],
)
def test_the_nearest_name_is_a_hint(name: str, known: list[str], hint: str) -> None:
    assert nearest(name, known) == hint


def test_a_thousand_names_among_a_thousand_take_no_time() -> None:
    known = [f"a_long_field_name_{number}" for number in range(1000)]
    begun = time.process_time()
    assert all(nearest(f"a_long_field_nam_{number}", known) for number in range(1000))
    assert time.process_time() - begun < 2


def test_a_diagnostic_says_place_code_message_and_hint() -> None:
    found = problem(
        "TW012", "transition goes to 'profilr', which no node is called", Span("a.yaml", 14, 11), "did you mean 'x'?"
    )
    assert str(found) == "a.yaml:14:11: TW012 transition goes to 'profilr', which no node is called; did you mean 'x'?"
    assert str(problem("TW055", "half", Span("a.yaml"))) == "a.yaml: TW055 warning: half"
    assert str(problem("TW007", "nothing")) == "flow: TW007 nothing"
    assert found.as_data() == {
        "code": "TW012", "severity": "error", "message": "transition goes to 'profilr', which no node is called",
        "hint": "did you mean 'x'?", "file": "a.yaml", "line": 14, "column": 11,
        "subject": {"node": None, "transition": None, "field": None},
    }  # fmt: skip


def test_a_diagnostic_keeps_its_place_and_no_other() -> None:
    span = Span("a.yaml", 1, 2, {"to": (3, 4)})
    assert problem("TW012", "x", span).span == Span("a.yaml", 1, 2)
    assert problem("TW012", "x", span.of("to")).span == Span("a.yaml", 3, 4)
    assert problem("TW012", "x", span.of("when")).span == Span("a.yaml", 1, 2)
    assert len({problem("TW012", "x", span), problem("TW012", "x", span)}) == 1


def test_problems_are_sorted_by_their_places() -> None:
    late, early = problem("TW010", "b", Span("a", 9, 1)), problem("TW011", "a", Span("a", 2, 7))
    assert in_order([late, early]) == [early, late]
    assert str(FlowError([late, early])) == f"{early}\n{late}"
    assert has_errors([late])
    assert not has_errors([problem("TW055", "x")])


def test_a_problem_is_shown_under_its_line() -> None:
    found = Diagnostic("TW010", "no", Span("a.yaml", 2, 3))
    assert render(found, ["a: 1", "b c: 2"]) == "a.yaml:2:3: TW010 no\n    b c: 2\n      ^"
    assert render(found, ["a"]) == "a.yaml:2:3: TW010 no"
    wide = render(Diagnostic("TW010", "no", Span("a.yaml", 1, 500)), ["x" * 2000])
    assert max(len(line) for line in wide.splitlines()) < 200


def test_every_code_has_a_line_and_a_number_of_its_own() -> None:
    assert list(CODES) == sorted(CODES)
    assert len({code.about for code in CODES.values()}) == len(CODES)
