"""Flows in Python on the command line: files and modules, what they raise, and what they lack."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import turnwise as tw
from support.shell import run
from turnwise.cli import inputs

FLOW = """\
import turnwise as tw


class User(tw.Record):
    age: int | None = tw.field(ge=0)


@tw.guard(to=["young", "old"])
def route(user: User) -> str | None:
    if user.age is None:
        return None
    return "old" if user.age >= 38 else "young"


flow = tw.Flow(
    "intake",
    start="ask",
    records=[User],
    nodes=[
        tw.Node("ask", form=tw.Form(["user.age"]), after=[route]),
        tw.Node("young", say="Young.", end="young"),
        tw.Node("old", say="Old.", end="old"),
    ],
)
"""
SMALL = 'import turnwise as tw\none = tw.Flow("one", start="a", nodes=[tw.Node("a", say="Hi.", end="x")])\n'

TWICE = """\
import turnwise as tw


@tw.tool
def think(about: str) -> str:
    return about


first = think


@tw.tool
def think(thought: str) -> str:
    return thought


class User(tw.Record):
    name: str | None = None


class Other(tw.Record, name="user"):
    name: str | None = None


flow = tw.Flow("names", start="a", records=[User, Other], tools=[first, think], nodes=[
    tw.Node("a", prompt="Think.", tools=tw.ToolPolicy(allow=["think"]), transitions=[tw.Transition(to="b")]),
    tw.Node("b", say="Hi.", end="x"),
    tw.Node("b", say="Ho.", end="y"),
])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "intake.py": FLOW,
        "package/__init__.py": "",
        "package/flows.py": SMALL
        + "two = tw.Flow('two', start='b', nodes=[tw.Node('b', say='Ho.', end='x')])\nnumber = 3\n",
        "package/broken.py": "import turnwise\n\n\ndef make():\n    return 1 / 0\n\n\nmake()\n",
        "uses.py": "from near import flow\n",
        "near.py": SMALL.replace("one =", "flow ="),
        "none.py": "x = 1\n",
        "twice.py": SMALL + "same = one\n",
        "raises.py": "x = 1\ny = {}['gone']\n",
        "package/relative.py": "from .flows import one\n",
        "leaves.py": "import sys\nsys.exit(3)\n",
        "syntax.py": "x = 1\ndef f(:\n    pass\n",
        "lacks.py": "import not_installed\n",
        "deep.py": "def f():\n    f()\n\n\nf()\n",
        "prints.py": "print('hello from the author')\n" + SMALL,
        "slow.py": "import time\ntime.sleep(1.3)\n" + SMALL,
        "wrong.py": SMALL.replace('"a", nodes', '"b", nodes'),
        "opens.py": SMALL.replace('"a", nodes', '"b", nodes') + "tw.open(one)\n",
        "names.py": TWICE,
        "nasty.py": "class E(Exception):\n    def __str__(self):\n        raise ValueError\nraise E\n",
        "play.scenario": "flow: intake.py\n\nuser: hello\nuser: 40\nnode: old\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["intake.py", "intake.py:flow", "package.flows:two", "uses.py", "twice.py", "package.relative:one"]
)
def test_a_flow_of_a_file_or_module_is_checked(folder: Path, name: str) -> None:
    done = run("check", name, at=folder)
    assert (done.code, done.out, done.err) == (0, f"{name}: no problems\n", "")


TOLD = [
    ("none.py", "none.py: TW088 there is no flow in this file; make one: flow = tw.Flow(…)"),
    ("package/flows.py", "package/flows.py: TW088 there are several flows: one, two; name one: package/flows.py:one"),
    ("package.flows:too", "package.flows: TW088 nothing is called 'too' there; did you mean 'two'?"),
    ("package.flows:number", "package.flows: TW088 'number' is no flow but of the type int"),
    ("package.gone:flow", "package.gone: TW087 there is no module 'package.gone'"),
    ("gone.py", "gone.py: TW001 there is no such file"),
    ("package/relative.py", "package/relative.py:1:1: TW087 the code cannot be run: ImportError: attempted relative import with no known parent package; name it as a module, package.relative:flow"),
    ("raises.py", "raises.py:2:5: TW087 the code cannot be run: KeyError: 'gone'\n    y = {}['gone']\n        ^"),
    ("leaves.py", "leaves.py:2:1: TW087 the code cannot be run: SystemExit: 3"),
    ("syntax.py", "syntax.py:2:7: TW087 the code cannot be run: SyntaxError: invalid syntax\n    def f(:\n          ^"),
    ("lacks.py", "lacks.py:1:1: TW087 the code cannot be run: ModuleNotFoundError: No module named 'not_installed'"),
    ("deep.py", "deep.py:2:5: TW087 the code cannot be run: RecursionError: maximum recursion depth exceeded"),
    ("nasty.py", "nasty.py:4:1: TW087 the code cannot be run: E"),
    ("package.broken:flow", "package/broken.py:5:12: TW087 the code cannot be run: ZeroDivisionError: division by zero"),
    ("wrong.py", 'wrong.py:2:29: TW018 the flow starts at \'b\', which no node is called; known: a\n    one = tw.Flow("one", start="b"'),
    ("opens.py", "opens.py:2:29: TW018 the flow starts at 'b', which no node is called"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), TOLD, ids=[name for name, _ in TOLD])
def test_what_is_wrong_is_one_diagnostic_at_the_authors_line(folder: Path, name: str, expected: str) -> None:
    done = run("check", name, at=folder)
    assert done.code == 1
    assert done.out.startswith(expected)
    assert "Traceback" not in done.out + done.err


MEANT = [
    ("package.flows", "TW001 there is no such file; a module is named with its flow, 'package.flows:one', and a file with its ending, 'package/flows.py'"),
    ("package.broken", "TW001 there is no such file; a module is named with its flow, 'package.broken:flow', and a file with its ending, 'package/broken.py'"),
    ("intake", "TW001 there is no such file; a module is named with its flow, 'intake:flow', and a file with its ending, 'intake.py'"),
    ("json", "TW001 there is no such file"),
    ("package.flosw", "TW001 there is no such file; did you mean 'package.flows:flow'?"),
    ("far.away", "TW001 there is no such file; a file is named with its ending, and a module with its flow: far.away:flow"),
    ("intkae.py", "TW001 there is no such file; did you mean 'intake.py'?"),
    ("package/flow", "TW001 there is no such file; did you mean 'package/flows.py'?"),
    ("package/visit.yaml", "TW001 there is no such file; did you mean 'package/visit.flow.yaml'?"),
    ("package", "TW001 this is a folder, not a flow document; name a flow in it, such as 'package/visit.flow.yaml'"),
    ("nowhere/at.yaml", "TW001 there is no such file"),
    ("pakage.flows:one", "TW087 there is no module 'pakage'; did you mean 'package.flows:one'?"),
    ("package.flwos:one", "TW087 there is no module 'package.flwos'; did you mean 'package.flows:one'?"),
    ("far.away:one", "TW087 there is no module 'far'; it is looked for from this folder on; a file is named with .py"),
    ("visit.yaml:flow", "TW087 there is no module 'visit'; a document holds one flow: leave ':flow' out"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), MEANT, ids=[name for name, _ in MEANT])
def test_a_name_that_leads_nowhere_is_told_with_what_is_meant(folder: Path, name: str, expected: str) -> None:
    (folder / "package" / "visit.flow.yaml").write_text("flow: visit\n", "utf-8")
    (folder / "visit.yaml").write_text("flow: visit\n", "utf-8")
    done = run("check", name, at=folder)
    source = name.rpartition(":")[0] or name
    assert (done.code, done.out.splitlines()[0]) == (1, f"{source}: {expected}")


def test_what_is_called_as_another_is_told_with_the_place_of_the_first(folder: Path) -> None:
    done = run("check", "names.py", at=folder)
    assert [line for line in done.lines if line.startswith("names.py")] == [
        "names.py:12:2: TW017 two tools are called 'think'; the first stands at names.py:4:2",
        "names.py:21:1: TW017 two records are called 'user'; the first stands at names.py:17:1",
        "names.py:28:5: TW017 two nodes are called 'b'; the first stands at names.py:27:5",
    ]


@pytest.mark.parametrize(
    ("name", "told"), [("raises.py", "KeyError: 'gone'"), ("leaves.py", "SystemExit: 3"), ("nasty.py", "E")]
)
def test_code_beside_a_scenario_that_cannot_be_run_is_told_at_the_line_that_names_it(
    folder: Path, name: str, told: str
) -> None:
    (folder / "beside.scenario").write_text(f"flow: intake.py\npython: {name}\n\nuser: hello\n", "utf-8")
    done = run("test", "beside.scenario", at=folder)
    assert (done.code, done.lines[0]) == (1, f"beside.scenario:2: {name}: the file cannot be run: {told}")


def test_what_the_code_prints_is_no_output_of_ours(folder: Path) -> None:
    done = run("check", "--json", "prints.py", at=folder)
    assert (json.loads(done.out), done.err) == ([], "hello from the author\n")


def test_code_that_takes_long_is_told(folder: Path) -> None:
    done = run("check", "slow.py", at=folder)
    assert (done.code, done.err) == (0, "slow.py: the code is running …\n")


def test_code_that_takes_longer_is_told_with_the_place_where_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "waits.py").write_text("import far\nfar.wait()\n" + SMALL, "utf-8")
    (folder / "far.py").write_text("import time\n\n\ndef wait():\n    time.sleep(0.7)\n", "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(inputs, "_REPORTS_S", (0.1, 0.1))
    assert inputs.flow_of(Path("waits.py")).name == "one"
    assert capsys.readouterr().err.splitlines() == [
        "waits.py: the code is running …",
        "waits.py: still running after 0 s, in far.py:5 …",
    ]


INTERRUPTED = "import os, signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(30)\n"


@pytest.mark.parametrize(
    "args", [("check", "hangs.py"), ("chat", "uses_it:flow"), ("check", "--python", "hangs.py", "intake.py")]
)
def test_an_interrupt_of_code_is_one_line(folder: Path, args: tuple[str, ...]) -> None:
    (folder / "hangs.py").write_text(INTERRUPTED, "utf-8")
    (folder / "uses_it.py").write_text("import hangs\n", "utf-8")
    done = run(*args, at=folder)
    named = "uses_it:flow" if "chat" in args else "hangs.py"
    assert (done.code, done.out, done.err.strip()) == (130, "", f"{named}: interrupted in hangs.py:3")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("guards.txt", "guards.txt: this is no Python file: its name ends otherwise than with .py\n"),
        ("syntax.py", "syntax.py: the file cannot be run: SyntaxError: invalid syntax (syntax.py, line 2)\n"),
        ("gone.py", "gone.py: there is no such Python file\n"),
    ],
)
def test_a_file_of_guards_that_is_none_is_told(folder: Path, name: str, told: str) -> None:
    (folder / "guards.txt").write_text("{ this is ''' no python", "utf-8")
    done = run("check", "--python", name, "intake.py", at=folder)
    assert (done.code, done.out, done.err) == (1, "", told)


def test_a_python_flow_is_talked_with_drawn_and_played(folder: Path) -> None:
    talked = run("chat", "intake.py", given="40\n", at=folder)
    assert (talked.code, "Old." in talked.out) == (0, True)
    drawn = run("draw", "intake.py", at=folder)
    assert (drawn.code, "route" in drawn.out) == (0, True)
    played = run("test", "play.scenario", at=folder)
    assert (played.code, played.out) == (0, "1 passed, 0 failed\n")
    failed = run("chat", "raises.py", at=folder)
    assert (failed.code, failed.err) == (1, "raises.py:2:5: TW087 the code cannot be run: KeyError: 'gone'\n")


def test_loading_in_python_leaves_the_path_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    before = list(sys.path)
    assert tw.load("intake.py").name == "intake"
    assert tw.load("package.flows:one").name == "one"
    with pytest.raises(tw.FlowError):
        tw.load("raises.py")
    assert sys.path == before
    assert "turnwise_flow_raises" not in sys.modules
