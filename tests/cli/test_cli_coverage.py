"""`turnwise test --coverage`: a table, what is missing, pages, data, and a limit that fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.chats import INTAKE
from support.shell import ROOT, Terminal, run

EXAMPLE = ROOT / "examples" / "eligibility"
LINES = INTAKE.read_text("utf-8").splitlines()


def line_of(text: str) -> int:
    """The line of the flow that has a text."""
    return next(number for number, line in enumerate(LINES, 1) if text in line)


MALE, GROUPS, INELIGIBLE = line_of("id: ineligible_male"), line_of("id: three_groups"), line_of("ineligible: {say")
SCENARIO = """\
flow: intake.flow.yaml
scenario: a man
commands: set(user.gender, "man")
node: ineligible
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "intake.flow.yaml").write_bytes(INTAKE.read_bytes())
    (tmp_path / "a.scenario").write_text(SCENARIO, "utf-8")
    (tmp_path / "b.scenario").write_text(
        SCENARIO.replace('gender, "man"', "age, 12").replace("a man", "young"), "utf-8"
    )
    return tmp_path


def test_what_is_missing_stands_below_a_table_with_its_place(folder: Path) -> None:
    ran = run("test", "a.scenario", "--coverage", at=folder)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[:2] == [
        "flow              nodes  transitions  leaves  all",
        "intake.flow.yaml  2/5    1/5          2/12    22 %",
    ]
    assert f'intake.flow.yaml:{MALE}  ineligible_male: leaf user.gender == "male" never seen not held' in ran.lines
    assert f"intake.flow.yaml:{GROUPS}  three_groups: never judged" in ran.lines
    assert ran.lines[-1] == "1 passed, 0 failed"


def test_files_of_one_flow_are_counted_together(folder: Path) -> None:
    ran = run("test", ".", "--coverage", at=folder)
    assert ran.lines[1].split() == ["intake.flow.yaml", "2/5", "2/5", "4/12", "36", "%"]


def test_the_example_is_covered_whole() -> None:
    ran = run("test", EXAMPLE, "--coverage", "--fail-under", "100")
    assert ran.code == 0
    assert ran.lines[1].endswith("100 %")


@pytest.mark.parametrize(("least", "code"), [("0", 0), ("36.36", 0), ("36.37", 1), ("100", 1)])
def test_too_little_fails(folder: Path, least: str, code: int) -> None:
    ran = run("test", ".", "--fail-under", least, at=folder)
    assert ran.code == code
    assert ran.err == (f"coverage is 36.36 %, and {least} % is asked for\n" if code else "")


def test_json_is_one_object_with_scenarios_and_coverage(folder: Path) -> None:
    ran = run("test", "a.scenario", "--coverage", "--json", at=folder)
    found = json.loads(ran.out)
    assert [one["passed"] for one in found["scenarios"]] == [True]
    (flow,) = found["coverage"]
    assert (flow["flow"], flow["file"], flow["percent"]) == ("health_intake", "intake.flow.yaml", 22.73)
    assert flow["leaves"] == {"seen": 2, "all": 12}
    assert {"line": GROUPS, "text": "three_groups: never judged"} in flow["missing"]


def test_a_scenario_that_fails_or_cannot_be_played_still_fails(folder: Path) -> None:
    (folder / "bad.scenario").write_text("usr: x\n", "utf-8")
    (folder / "a.scenario").write_text(SCENARIO.replace("ineligible", "profiler"), "utf-8")
    ran = run("test", ".", "--coverage", at=folder)
    assert ran.code == 1
    assert ran.lines[-1] == "1 passed, 2 failed"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("usr: x\n", "a.scenario:1: which flow? begin with 'flow: path/to.flow.yaml'"),
        (SCENARIO.replace("intake", "gone"), "a.scenario:1: there is no file gone.flow.yaml"),
    ],
)
def test_where_nothing_could_be_played_that_is_said_and_is_not_enough(folder: Path, text: str, error: str) -> None:
    (folder / "a.scenario").write_text(text, "utf-8")
    ran = run("test", "a.scenario", "--fail-under", "0", "--html", "out", at=folder)
    assert ran.code == 1
    assert ran.lines == [error, "no flow was run, so nothing was counted", "0 passed, 1 failed"]
    said = "no flow was run, so nothing was counted, and 0 % is asked for"
    assert ran.err == f"wrote out/index.html\n{said}\n"
    page = (folder / "out" / "index.html").read_text("utf-8")
    assert "no flow was run, so nothing was counted" in page
    assert "<table" not in page
    screen = Terminal("test", str(folder / "a.scenario"), "--coverage")
    assert "no flow was run, so nothing was counted" in screen.expect("0 passed, 1 failed")
    assert screen.end() == 1


def test_a_terminal_shows_a_table(folder: Path) -> None:
    screen = Terminal("test", str(folder / "a.scenario"), "--coverage")
    shown = screen.expect("1 passed")
    assert "│" in shown
    assert "three_groups: never judged" in shown
    assert screen.end() == 0


@pytest.mark.parametrize("least", ["101", "-1", "much"])
def test_a_share_that_is_none_is_wrong_usage(folder: Path, least: str) -> None:
    assert run("test", "a.scenario", "--fail-under", least, at=folder).code == 2
