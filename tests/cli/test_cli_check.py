"""`turnwise check`: every problem of documents, for people and machines, whatever the files are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.chats import INTAKE
from support.shell import Terminal, run
from turnwise.flow.diagnostic import CODES

BAD = """\
flow: f
start: home
nodes:
  home: {say: Hi., tranistions: []}
  other: {say: x, once: hom}
"""
WARNS = """\
flow: f
start: home
nodes:
  home: {prompt: Talk.}
  lost: {prompt: Lost.}
"""
GUARDED = """\
flow: f
start: home
nodes:
  home: {prompt: Hi., transitions: [{at: before, guard: route, to: other}]}
  other: {say: x}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {
        "bad.yaml": BAD,
        "warns.yaml": WARNS,
        "guarded.yaml": GUARDED,
        "empty.yaml": "",
        "blank.yaml": "\n  \n# nothing\n",
        "syntax.yaml": "flow: [[[\n",
        "list.yaml": "- 1\n- 2\n",
        "number.json": "42",
        "long.yaml": "x" * 200_000,
        "guards.py": "import turnwise as tw\n@tw.guard\ndef route():\n    return True\n",
        "broken.py": "import nothing_here\n",
        "wrong.py": "this is no python\n",
        "leaves.py": "import sys\nsys.exit(3)\n",
    }.items():
        (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / "binary.yaml").write_bytes(os.urandom(64) + b"\xff\xfe\x00" * 100)
    (tmp_path / "folder").mkdir()
    return tmp_path


def test_a_good_flow_has_no_problems() -> None:
    ran = run("check", INTAKE)
    assert (ran.code, ran.out, ran.err) == (0, f"{INTAKE}: no problems\n", "")


def test_every_problem_is_told_with_its_line_and_a_caret(folder: Path) -> None:
    ran = run("check", "bad.yaml", at=folder)
    assert ran.code == 1
    assert ran.lines == [
        "bad.yaml:4:20: TW010 a node has no key 'tranistions'; did you mean 'transitions'?",
        "      home: {say: Hi., tranistions: []}",
        "                       ^",
        "bad.yaml:5:25: TW012 transition goes to 'hom', which no node is called; did you mean 'home'?",
        "      other: {say: x, once: hom}",
        "                            ^",
        "2 errors, 0 warnings",
    ]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("nothere.yaml", "nothere.yaml: TW001 there is no such file"),
        ("folder", "folder: TW001 this is a folder"),
        ("empty.yaml", "empty.yaml:1:1: TW007"),
        ("blank.yaml", "TW007"),
        ("binary.yaml", "TW001"),
        ("syntax.yaml", "TW003"),
        ("list.yaml", "TW011"),
        ("number.json", "TW011"),
        ("long.yaml", "TW011"),
    ],
)
def test_a_file_that_is_no_flow_is_one_clear_problem(folder: Path, file: str, said: str) -> None:
    ran = run("check", file, at=folder)
    assert ran.code == 1
    assert said in ran.out
    assert max(map(len, ran.lines)) < 400
    assert ran.err == ""


def test_a_file_that_may_not_be_read_is_a_clear_problem(folder: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may read everything")
    (folder / "bad.yaml").chmod(0)
    assert "TW001" in run("check", "bad.yaml", at=folder).out


def test_several_files_are_all_checked(folder: Path) -> None:
    ran = run("check", INTAKE, "bad.yaml", "empty.yaml", at=folder)
    assert ran.code == 1
    assert ran.lines[0].endswith("no problems")
    assert ran.lines[-1] == "3 errors, 0 warnings"


def test_a_warning_is_no_error_unless_asked_for(folder: Path) -> None:
    ran = run("check", "warns.yaml", at=folder)
    assert ran.code == 0
    assert "TW051 warning: " in ran.out
    assert ran.lines[-1] == "0 errors, 1 warning"
    assert run("check", "--strict", "warns.yaml", at=folder).code == 1
    assert run("check", "--strict", INTAKE).code == 0


def test_json_is_one_list_alone_on_standard_output(folder: Path) -> None:
    ran = run("check", "--json", INTAKE, "bad.yaml", "warns.yaml", at=folder)
    assert ran.code == 1
    found = json.loads(ran.out)
    assert [(one["code"], one["file"], one["line"], one["column"], one["severity"]) for one in found] == [
        ("TW010", "bad.yaml", 4, 20, "error"),
        ("TW012", "bad.yaml", 5, 25, "error"),
        ("TW051", "warns.yaml", 5, 9, "warning"),
    ]
    assert set(found[0]) == {"code", "severity", "message", "hint", "file", "line", "column", "subject"}
    assert run("check", "--json", INTAKE).out == "[]\n"


def test_a_dash_reads_standard_input() -> None:
    ran = run("check", "-", given=BAD)
    assert ran.code == 1
    assert ran.lines[0].startswith("<stdin>:4:20: TW010 ")
    assert ran.lines[1] == "      home: {say: Hi., tranistions: []}"
    assert run("check", "-", given=INTAKE.read_bytes()).code == 0
    for nothing in (b"", b"\xff\xfe\xff", b"\x00" * 10):
        assert run("check", "-", given=nothing).code == 1


def test_guards_come_from_a_python_file(folder: Path) -> None:
    ran = run("check", "guarded.yaml", at=folder)
    assert ran.code == 1
    assert "TW024 no function 'route' is supplied" in ran.out
    assert run("check", "--python", "guards.py", "guarded.yaml", at=folder).code == 0


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("nothere.py", "nothere.py: there is no such Python file"),
        ("folder", "folder: there is no such Python file"),
        ("broken.py", "broken.py: the file cannot be run: ModuleNotFoundError: No module named 'nothing_here'"),
        ("wrong.py", "wrong.py: the file cannot be run: SyntaxError: "),
        ("leaves.py", "leaves.py: the file cannot be run: SystemExit: 3"),
    ],
)
def test_a_python_file_that_cannot_be_run_is_one_line(folder: Path, file: str, said: str) -> None:
    ran = run("check", "--python", file, "guarded.yaml", at=folder)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(said)
    assert len(ran.err.splitlines()) == 1


def test_in_a_terminal_problems_are_coloured_and_the_caret_stays_below_its_place(folder: Path) -> None:
    wide = BAD.replace("Hi.", "Hi, " + "and hello " * 9)
    (folder / "wide.yaml").write_text(wide, "utf-8")
    terminal = Terminal("check", folder / "wide.yaml")
    assert terminal.end() == 1
    assert "\x1b[31m" in terminal.raw
    lines = terminal.seen.splitlines()
    (caret,) = [line for line in lines if line.strip() == "^" and len(line) > 80]
    source = lines[lines.index(caret) - 1]
    assert source[len(caret) - 1 :].startswith("tranistions")


def test_a_flow_that_is_not_there_is_one_line(folder: Path) -> None:
    ran = run("check", "nowhere.yaml", at=folder)
    assert (ran.code, ran.out, ran.err) == (1, "nowhere.yaml: TW001 there is no such file\n", "")


def test_every_code_is_listed_for_people_and_machines() -> None:
    ran = run("check", "--list")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.lines] == list(CODES)
    told = json.loads(run("check", "--list", "--json").out)
    assert told[0] == {"code": "TW001", "severity": "error", "about": CODES["TW001"].about}
    assert len(told) == len(CODES)


def test_nothing_to_check_is_a_wrong_use() -> None:
    ran = run("check")
    assert ran.code == 2
    assert "name a flow document, or --list" in ran.err


def test_a_warning_that_a_comment_sets_aside_is_not_told(folder: Path) -> None:
    text = WARNS.replace("Lost.}", "Lost.}  # turnwise: ignore TW051 the program goes there")
    ran = run("check", "--strict", "-", given=text)
    assert (ran.code, ran.out) == (0, "<stdin>: no problems\n")
