"""`turnwise test`: scenario files pass, fail with a difference, and can be rewritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.shell import ROOT, run
from support.talks import INTAKE

GOOD = f"""\
flow: {INTAKE}
scenario: a man
commands: set(user.gender, "man")
node: ineligible
transition ineligible_male: taken
"""
WRONG = f"""\
flow: {INTAKE}
scenario: a woman
commands: set(user.age, 45)
bot: something
node: profiler
scenario: too young
commands: set(user.age, 12)
node: ineligible
field user.age: 13
decision:
  one
  two
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.scenario").write_text(GOOD, "utf-8")
    (tmp_path / "wrong.scenario").write_text(WRONG, "utf-8")
    (tmp_path / "nothing").mkdir()
    (tmp_path / "many").mkdir()
    for number in range(25):
        (tmp_path / "many" / f"{number}.scenario").write_text(GOOD, "utf-8")
    return tmp_path


def test_what_passes_is_counted(folder: Path) -> None:
    ran = run("test", "good.scenario", at=folder)
    assert (ran.code, ran.out, ran.err) == (0, "1 passed, 0 failed\n", "")
    assert run("test", ROOT / "examples").code == 0


def test_what_fails_is_told_with_its_line_and_a_difference(folder: Path) -> None:
    ran = run("test", "wrong.scenario", at=folder)
    assert ran.code == 1
    assert [line for line in ran.lines if "found:    No model" not in line] == [
        "wrong.scenario:2: a woman",
        "  wrong.scenario:4: bot",
        "    expected: something",
        "  wrong.scenario:5: node",
        "    expected: profiler",
        "    found:    introduction",
        "wrong.scenario:6: too young",
        "  wrong.scenario:9: field user.age",
        "    expected: 13",
        "    found:    12",
        "  wrong.scenario:10: decision",
        "    - one",
        "    - two",
        "    + introduction → ineligible by too_young: under age 38",
        "    + stayed in ineligible: no candidates before the work",
        "0 passed, 2 failed",
    ]


def test_rewriting_writes_down_what_came_out(folder: Path) -> None:
    ran = run("test", "--rewrite", "wrong.scenario", "good.scenario", at=folder)
    assert (ran.code, ran.out) == (0, "3 passed, 0 failed\n")
    assert ran.err == "rewrote wrong.scenario\n"
    text = (folder / "wrong.scenario").read_text("utf-8")
    assert "node: introduction\n" in text
    assert "field user.age: 12\n" in text
    assert "decision:\n  introduction → ineligible by too_young: under age 38\n" in text
    assert (folder / "good.scenario").read_text("utf-8") == GOOD
    assert run("test", "wrong.scenario", at=folder).code == 0


def test_json_is_one_list_alone_on_standard_output(folder: Path) -> None:
    ran = run("test", "--json", "good.scenario", "wrong.scenario", at=folder)
    assert ran.code == 1
    found = json.loads(ran.out)
    assert [(one["scenario"], one["passed"], one["line"]) for one in found] == [
        ("a man", True, 2),
        ("a woman", False, 2),
        ("too young", False, 6),
    ]
    assert found[2]["misses"][0] == {"line": 9, "key": "field user.age", "expected": "13", "found": "12"}


def test_a_folder_is_searched_and_progress_goes_to_standard_error(folder: Path) -> None:
    ran = run("test", "many", at=folder)
    assert (ran.code, ran.out) == (0, "25 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "which flow?"),
        ("flow: nothere.yaml\nuser: hi\n", "TW001 there is no such file"),
        (f"flow: {INTAKE}\nusr: hi\n", ":2: no line begins with 'usr'; did you mean 'user'?"),
        (f"flow: {INTAKE}\nnode: home\n", ":2: 'node' is expected of no step"),
        (f"flow: {INTAKE}\nno colon\n", ":2: expected 'key: value'"),
        (f"flow: {INTAKE}\n  indented: x\n", ""),
        (f"flow: {INTAKE}\ncommands: set(\n", ":2: "),
    ],
)
def test_a_file_that_cannot_be_played_is_told_and_counts_as_failed(folder: Path, content: str, said: str) -> None:
    (folder / "odd.scenario").write_text(content, "utf-8")
    ran = run("test", "odd.scenario", "good.scenario", at=folder)
    assert ran.code == 1
    assert said in ran.out
    assert ran.lines[-1] == "1 passed, 1 failed"
    found = json.loads(run("test", "--json", "odd.scenario", at=folder).out)
    assert [(one["file"], one["passed"]) for one in found] == [("odd.scenario", False)]
    assert said in found[0]["error"]


def test_a_file_that_is_no_text_is_told(folder: Path) -> None:
    (folder / "odd.scenario").write_bytes(b"\xff\xfe\x00\x80")
    ran = run("test", "odd.scenario", at=folder)
    assert ran.code == 1
    assert "odd.scenario: cannot be read" in ran.out


@pytest.mark.parametrize(
    ("path", "said"),
    [("nothere", "there is no such file or folder"), ("nothing", "there is no *.scenario file in this folder")],
)
def test_nothing_to_play_is_an_error(folder: Path, path: str, said: str) -> None:
    ran = run("test", path, at=folder)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"{path}: {said}\n"
