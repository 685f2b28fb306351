"""`turnwise test`: scenario files pass, fail with a difference, and can be rewritten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from support.chats import INTAKE
from support.shell import ROOT, run
from turnwise.core.state.kinds import RefusalCode, WarningCode

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
        "    why:      profiler was never entered: complete did not hold, because it needs has(user.name) (user.name is"
        " not known), user.tos_acknowledged (not known)",
        "    because   before: stayed in introduction: 3 candidates, none held; nearest is → ineligible, which lacks"
        " user.gender",
        "wrong.scenario:6: too young",
        "  wrong.scenario:9: field user.age",
        "    expected: 13",
        "    found:    12",
        "    why:      user.age was set to 12, by a command of the program",
        "    because   the program sent commands: set user.age = 12",
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
    why = ["user.age was set to 12, by a command of the program", "the program sent commands: set user.age = 12"]
    miss = {"line": 9, "key": "field user.age", "expected": "13", "found": "12", "why": why}
    assert found[2]["misses"][0] == miss


def test_a_folder_is_searched_and_progress_goes_to_standard_error(folder: Path) -> None:
    ran = run("test", "many", at=folder)
    assert (ran.code, ran.out) == (0, "25 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "which flow?"),
        ("flow: nothere.yaml\nuser: hi\n", "there is no file"),
        (f"flow: {INTAKE}\nusr: hi\n", ":2: no line begins with 'usr'; did you mean 'user'?"),
        (f"flow: {INTAKE}\nnode: home\n", ":2: 'node' is expected of no step"),
        (f"flow: {INTAKE}\nno colon\n", ":2: expected 'key: value'"),
        (f"flow: {INTAKE}\n  indented: x\n", ""),
        (f"flow: {INTAKE}\nzone: Mars/X\nclock: noon\nuser: hi\n", ":2: there is no time zone 'Mars/X'"),
        (f"flow: {INTAKE}\nzone: Mars/X\nclock: noon\nuser: hi\n", ":3: the clock needs a moment with its zone"),
        (f"flow: {INTAKE}\nzone: Europe/Berln\nusr: x\n", "did you mean 'Europe/Berlin'?\nodd.scenario:3: no line"),
        ("flow:\nhistory:\nuser: hi\n", ":1: 'flow' says nothing; write it like 'flow: intake.flow.yaml'"),
        (f"flow: {INTAKE}\npython:\nuser: hi\n", ":2: 'python' says nothing; write it like 'python: intake.py'"),
        (f"flow: {INTAKE}\nclock:\nzone:\nuser: hi\n", ":3: 'zone' says nothing; write it like 'zone: Europe/Berlin'"),
        (
            f"flow: {INTAKE}\nhistory:\nuser: hi\n",
            ":2: no line begins with 'history'; an input begins with user, press,",
        ),
        (f"flow: {INTAKE}\n# only a header\n", ":2: there is no scenario in this file"),
        (f"flow: {INTAKE}\nmodel: Hello.\n", ":2: no input follows 'model'"),
        (f"flow: {INTAKE}\npython: nothere.py\nuser: hi\n", ":2: nothere.py: there is no such Python file"),
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


@pytest.mark.parametrize(
    ("lines", "number", "said"),
    [
        ("node: home", 5, "there is no node 'home'"),
        ("node: introductoin", 5, "there is no node 'introductoin'; did you mean 'introduction'?"),
        ("field user.aeg: 3", 5, "there is no field 'user.aeg'; did you mean 'user.age'?"),
        ("transition to_young: taken", 5, "there is no transition 'to_young'; did you mean 'too_young'?"),
        ("transition complete: takn", 5, "there is no outcome 'takn'; did you mean 'taken'?"),
        ("missing complte: none", 5, "there is no transition 'complte'; did you mean 'complete'?"),
        ("missing complete: user.name, user.aeg", 5, "there is no field 'user.aeg'; did you mean 'user.age'?"),
        ("decision befroe: x", 5, "there is no moment 'befroe'; did you mean 'before'?"),
        ("artefact HANDOF: {}", 5, "there is no artefact 'HANDOF'; did you mean 'HANDOFF'?"),
        ("artefact HANDOFF: {bad json", 5, "this is no JSON: "),
        ("artefact HANDOFF: [1]", 5, "the data of an artefact is a JSON object, or none"),
        ("events: user_said movd", 5, "there is no event 'movd'; did you mean 'moved'?"),
        ("warning: lat", 5, "there is no warning 'lat'; did you mean 'late'?"),
        ("refused: unknown_buton", 5, "there is no refusal 'unknown_buton'; did you mean 'unknown_button'?"),
        ("status: weiting for message", 5, "there is no status 'weiting'; did you mean 'waiting'?"),
        ("form: colecting", 5, "there is no status of a form 'colecting'; did you mean 'collecting'?"),
        ("turn: two", 5, "'two' is no number of a turn"),
        ("bot contains:", 5, "every text contains nothing; write what must be in it"),
        ("zone: UTC", 5, "'zone' is for the whole file; put it above the first scenario"),
        ("scenario:\nuser: hi\nturn: 1", 5, "this scenario has no title; write it like 'scenario: a late answer'"),
        ("fire:\nturn: 2", 5, "which timer? 'fire: remind'"),
        ("press:\nturn: 2", 5, "which button? 'press: Yes'"),
        ("history:\nturn: 2", 5, "no line begins with 'history'; an input begins with user, press,"),
        ("scenario: good\nuser: hi\nnode: introduction", 5, "line 2 has a scenario of this title already"),
        ("commands: set(\nturn: 2", 5, "'set(' is no command"),
        ("commands:\nturn: 2", 5, "no command is named"),
        ("tool: think {x\nturn: 2", 5, "'think {x' is no use of a tool"),
        ("tool: think [1]\nturn: 2", 5, "'think [1]' is no use of a tool"),
        ("wait: 30 minuts\nturn: 2", 5, "'30 minuts' is no time span, write it like 30m or 2h"),
        ("undo: last\nturn: 2", 5, "'last' is no number of a turn"),
        ("start: Mars/X\nturn: 2", 5, "there is no time zone 'Mars/X'"),
        ("understand: sett(user.age, 3)\nuser: hi\nturn: 2", 5, "did you mean 'set'?"),
        ("press: Nope\nturn: 2", 5, "'press' did nothing: no button is offered here; "),
        ("press: Yes @ 999\nturn: 2", 5, "expect that with 'warning: stale_button', or change it"),
        ("user:\nturn: 1", 5, "'user' was refused: "),
        ("tool: thinkk\nturn: 1", 5, "Expect that with 'refused: unknown_tool', or change it"),
        ("commands: set(user.aeg, 3)\nturn: 1", 5, "Expect that with 'refused: unknown_field', or change it"),
        ("undo:\nturn: 2", 5, "'undo' took nothing back; expect what was said with 'bot', or change it"),
        ("undo: 99\nturn: 2", 5, "Expect that with 'refused: unknown_turn', or change it"),
    ],
)
def test_what_means_nothing_is_a_mistake_and_is_never_written_down(
    folder: Path, lines: str, number: int, said: str
) -> None:
    text = f"flow: {INTAKE}\nscenario: good\nstart:\nturn: 1\n{lines}\nscenario: after it\nstart:\nturn: 9\n"
    (folder / "odd.scenario").write_text(text, "utf-8")
    ran = run("test", "odd.scenario", at=folder)
    assert [line for line in ran.lines if line.startswith(f"  odd.scenario:{number}: ") and said in line], ran.out
    assert ran.lines[-1].endswith(", 2 failed")
    assert run("test", "--rewrite", "odd.scenario", at=folder).lines[-1].endswith(", 1 failed")
    assert (folder / "odd.scenario").read_text("utf-8") == text.replace("turn: 9", "turn: 1")


def test_every_mistake_of_a_scenario_is_told_at_once_and_the_sound_ones_are_played(folder: Path) -> None:
    text = f"flow: {INTAKE}\nscenario: odd\nstart:\nnode: home\nfield user.aeg: 3\nusr: hi\n"
    (folder / "odd.scenario").write_text(text + "scenario: sound\nstart:\nturn: 1\n", "utf-8")
    ran = run("test", "--json", "odd.scenario", at=folder)
    odd, sound = json.loads(ran.out)
    assert (ran.code, odd["passed"], sound["passed"]) == (1, False, True)
    assert [problem["line"] for problem in odd["problems"]] == [4, 5, 6]


def test_a_scenario_that_expects_nothing_fails_until_it_is_rewritten(folder: Path) -> None:
    (folder / "odd.scenario").write_text(f"flow: {INTAKE}\nscenario: silent\nuser: hi\n", "utf-8")
    ran = run("test", "odd.scenario", at=folder)
    assert ran.code == 1
    assert ran.lines == [
        "odd.scenario:2: silent",
        "  nothing is expected here, so nothing is shown; --rewrite writes down what comes out",
        "0 passed, 1 failed",
    ]
    assert run("test", "--rewrite", "odd.scenario", at=folder).lines == ["1 passed, 0 failed"]
    assert run("test", "odd.scenario", at=folder).code == 0


@pytest.mark.parametrize(
    ("known", "pattern"),
    [(get_args(RefusalCode), r"Refusal\(\s*\"(\w+)\""), (get_args(WarningCode), r"\.warn\(\s*\"(\w+)\"")],
)
def test_the_codes_that_may_be_expected_are_those_of_the_code(known: tuple[str, ...], pattern: str) -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "src" / "turnwise").rglob("*.py")]
    assert sorted(known) == sorted({code for source in sources for code in re.findall(pattern, source)})


def test_the_codes_of_warnings_are_explained() -> None:
    page = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
    assert [code for code in get_args(WarningCode) if f"| `{code}` |" not in page] == []


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


@pytest.mark.parametrize("name", ["visit.flow.yaml", "visit.yml", "visit.json", "visit.py"])
def test_a_flow_in_place_of_a_scenario_is_told(folder: Path, name: str) -> None:
    (folder / name).write_text("flow: visit\n", "utf-8")
    ran = run("test", name, at=folder)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"{name}: this is a flow; name the scenario files that play it, *.scenario\n"
