"""The commands that ask a store later: their output, their exit codes, and what they refuse in one line."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode

from support.shell import Ran, run
from support.stored import INTAKE, stored

LINES = ("hello", "Ada", "40", "Gone")


@pytest.fixture
def store(tmp_path: Path) -> str:
    with stored(tmp_path / "x.db") as chat:
        for line in LINES:
            chat.app.chat("42").say(line)
        chat.app.chat("43").say("hello")
    return f"sqlite:///{tmp_path / 'x.db'}"


def asked(store: str, command: str, *more: object) -> Ran:
    """A command that ends well: nothing on standard error."""
    ran = run(command, "--store", store, *more)
    assert (ran.code, ran.err) == (0, "")
    return ran


def data(store: str, command: str, *more: object) -> Any:
    return json.loads(asked(store, command, *more, "--json").out)


def test_explain(store: str, tmp_path: Path) -> None:
    assert asked(store, "explain", "42", "--turn", 3).lines == [
        "after turn 3: Asks for “plan”: 2 of 3 answered (/why question says why)",
        "turn 3, a message",
        "answered: user.age = 40",
        "before: stayed in ask: 1 candidate, which did not hold; nearest is → refused, which needs user.age < 18 (is 40)",
        "  young → refused “under 18”: false",
        "    ✗ user.age < 18   user.age is 40 (direct, turn 3)",
        "    would hold with: user.age = 17",
    ]
    head, line, *_ = asked(store, "explain", "42", "--turn", 3, "--transition", "young").lines
    assert (head, line[:21]) == ("turn 3, a message", "before: stayed in ask")
    assert "done was not judged in turn 4" in asked(store, "explain", "42", "--transition", "done").out
    with stored(tmp_path / "x.db") as chat:
        about = chat.app.chat("42").turn().about
        decisions = json.loads(encode(chat.app.chat("42").explain()))
        assert data(store, "explain", "42") == [{"about": about, **decision} for decision in decisions]
    assert {one["about"] for one in data(store, "explain", "42", "--turn", 3)} == {"turn 3, a message"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dune", "no transition is called 'dune'; did you mean 'done'?"),
    ],
)
def test_a_transition_that_is_not_there_is_an_error_also_for_machines(store: str, name: str, said: str) -> None:
    ran = run("explain", "--store", store, "42", "--transition", name)
    assert (ran.code, ran.out, ran.err) == (1, "", f"{said}\n")
    if name == "dune":
        ran = run("explain", "--store", store, "42", "--transition", name, "--json")
        assert (ran.code, json.loads(ran.out), ran.err) == (1, {"error": said}, f"{said}\n")
    else:
        assert data(store, "explain", "42", "--transition", name) == []


def test_history(store: str) -> None:
    assert asked(store, "history", "42").lines == [
        "ask  before  young: judged 4 times, held 0, taken 0",
        "ask  after  done: judged 0 times, held 0, taken 0",
        "ask  timer  reminder: judged 0 times, held 0, taken 0",
        "served  after  once_bye: judged 0 times, held 0, taken 0",
    ]
    (young,) = data(store, "history", "--transition", "young")
    assert (young["judged"], young["held"], young["outcomes"]) == (5, 0, {"unknown": 3, "false": 2})


def test_what_if(store: str) -> None:
    lines = asked(store, "what-if", "42", "--turn", 3, "--set", "user.age=17").lines
    assert lines[0] == "42, turn 3: stayed then, → refused by young now"
    assert lines[-1] == "1 decision judged again, 1 otherwise"
    found = data(store, "what-if", "--rule", "young=user.age >= 18")
    assert [(one["conversation"], one["turn"]) for one in found["otherwise"]] == [("42", 3), ("42", 4)]
    assert found["judged"] == 5


def test_replay(store: str, tmp_path: Path) -> None:
    assert asked(store, "replay").lines == [
        "42: 29 events, 4 turns, folded and run again: the same",
        "43: 7 events, 1 turn, folded and run again: the same",
    ]
    assert asked(store, "replay", "43", "--fold").lines == ["43: 7 events, 1 turn, folded: the same"]
    other = tmp_path / "other.flow.yaml"
    other.write_text(INTAKE.replace("How old are you?", "Your age?"), "utf-8")
    ran = run("replay", "--store", store, "42", "--flow", other)
    assert (ran.code, ran.err) == (1, "")
    assert ran.lines[0] == "42: 29 events, 4 turns, folded and run again: not the same"
    assert [found["agrees"] for found in data(store, "replay")] == [True, True]


def test_export_and_import(store: str, tmp_path: Path) -> None:
    file, other = tmp_path / "42.jsonl", f"sqlite:///{tmp_path / 'y.db'}"
    assert asked(store, "export", "42", file).out == ""
    assert file.stat().st_mode & 0o077 == 0, "only its owner may read it"
    assert asked(store, "export", "42").out.encode() == file.read_bytes()
    assert asked(other, "import", file).lines == ["42: 29 events, 4 turns of intake"]
    assert asked(other, "import", file, "--as", "44").lines == [
        "44: 30 events, 4 turns of intake",
        "it may not use tools that change the world; --effects allows them",
    ]
    assert asked(other, "import", file, "--as", "45", "--effects").lines == ["45: 30 events, 4 turns of intake"]
    assert asked(other, "replay", "44").lines == ["44: 30 events, 4 turns, folded and run again: the same"]
    assert run("import", "--store", other, "-", "--as", "46", given=file.read_bytes()).lines[0].startswith("46: 30")
    ran = run("export", "--store", store, "42", file)
    assert (ran.code, ran.err) == (1, f"{file}: there is such a file already; --force replaces it\n")
    assert asked(store, "export", "43", file, "--force").out == ""
    assert [path.name for path in tmp_path.glob("*.jsonl*")] == ["42.jsonl"], "nothing is left beside it"


def test_undo_and_fork(store: str) -> None:
    assert asked(store, "undo", "42").lines[-1] == "[1] Basic   [2] Plus   [3] Gone"
    assert asked(store, "undo", "42", "--to", 1).lines[-1] == "What is your name?"
    assert asked(store, "fork", "42", "44", "--turn", 3).lines == ["44: as 42 was at the end of turn 3, in ask"]
    assert asked(store, "replay", "44").out.endswith("the same\n")


def test_diff_and_migrate(store: str, tmp_path: Path) -> None:
    old, new = tmp_path / "old.flow.yaml", tmp_path / "new.flow.yaml"
    old.write_text(INTAKE, "utf-8")
    new.write_text(INTAKE.replace("Basic, Plus, Gone", "Basic, Plus"), "utf-8")
    assert run("diff", old, old).code == 0
    ran = run("diff", old, new, "--store", store)
    assert (ran.code, ran.err) == (1, "")
    assert ran.lines[1:4] == [
        "  node ask: must finish on the old version",
        "    must finish on the old version: 'user.plan': Gone is no option any more",
        "  node refused: compatible",
    ]
    assert "  waiting in ask: 1 must finish on the old version, 1 compatible" in ran.lines
    fingerprint = ran.lines[0].split()[1]
    assert run("diff", fingerprint, new, "--store", store).lines == ran.lines
    found = json.loads(run("diff", fingerprint, new, "--store", store, "--json").out)
    assert (found["fit"], found["conversations"]["counts"]) == ("must_finish", {"must_finish": 1, "compatible": 1})
    dry = asked(store, "migrate", new, "--dry-run").lines
    assert dry[-1].startswith("1 conversation would be moved to ")
    done = data(store, "migrate", new)
    assert (done["moved"], done["counts"]) == (1, {"must_finish": 1, "compatible": 1})
    stuck = asked(store, "migrate", new, "--map-field", "user.plan=").lines
    assert stuck[-2] == "    its answers are being confirmed, and 'user.plan' would have to be asked first"
    asked(store, "undo", "42")
    assert asked(store, "migrate", new).lines[-1].startswith("1 conversation moved to ")
    assert asked(store, "replay").out.count("run again: the same") == 2
    assert "young" in asked(store, "explain", "42", "--turn", 3).out


WRONG: list[tuple[tuple[str, ...], str]] = [
    (("explain", "nobody"), "there is no conversation 'nobody'\n"),
    (("explain", "422"), "there is no conversation '422'; did you mean '42'?\n"),
    (("replay", "422", "--fold"), "there is no conversation '422'; did you mean '42'?\n"),
    (("what-if", "42", "--rule", "done=a", "--rule", "done=b"), "--rule names 'done' twice: once as 'a'\n"),
    (("what-if", "42", "--rule", "young=user.age <"), "the rule supposed for young:1:11: "),
    (("what-if", "42", "--rule", "young=user.edge > 3"), "the rule supposed for young:1:6: "),
    (("explain", "42", "--turn", "9"), "conversation '42' has no turn 9; there are 1 to 4"),
    (("history", "--transition", "yung"), "no transition is called 'yung'; did you mean 'young'?"),
    (("what-if", "42"), "there is nothing to suppose; add --set FIELD=VALUE, --rule TRANSITION=GUARD, or --flow FILE"),
    (("what-if", "--turn", "3", "--set", "user.age=3"), "--turn needs a conversation"),
    (("what-if", "42", "--set", "user.age"), "--set takes NAME=VALUE, not 'user.age'"),
    (("what-if", "42", "--set", "user.edge=3"), "no field is called 'user.edge'; did you mean 'user.age'?"),
    (("fork", "42", "43"), "there is a conversation '43' already; choose another name"),
    (("fork", "42", "44", "--turn", "0"), "conversation '42' has no turn 0; there are 1 to 4"),
    (("undo", "nobody"), "there is no conversation 'nobody'"),
    (("import", "/nowhere.jsonl"), "/nowhere.jsonl: it cannot be read: No such file or directory"),
    (("import", "/dev/zero"), "/dev/zero: this is no conversation that turnwise exported"),
    (("import", "/"), "/: it cannot be read: Is a directory"),
    (
        ("export", "42", "/nowhere/42.jsonl"),
        "/nowhere/42.jsonl: there is no folder /nowhere; make it first, or name another",
    ),
    (("replay", "nobody"), "there is no conversation 'nobody'"),
    (("migrate", "/nowhere.flow.yaml"), "/nowhere.flow.yaml: "),
    (("diff", "0123456789abcdef", "/nowhere.flow.yaml"), "/nowhere.flow.yaml: "),
]


@pytest.mark.parametrize(("arguments", "reason"), WRONG)
def test_what_cannot_be_done_is_one_line(store: str, arguments: tuple[str, ...], reason: str) -> None:
    ran = run(arguments[0], "--store", store, *arguments[1:])
    is_wrong_usage = reason.startswith(("--", "there is nothing to suppose"))
    assert ran.code == (2 if is_wrong_usage else 1)
    assert ran.out == ""
    assert ran.err.startswith(reason)
    assert ran.err.count("\n") == 1


def test_old_names_that_no_version_has_are_refused(store: str, tmp_path: Path) -> None:
    old, new = tmp_path / "old.flow.yaml", tmp_path / "new.flow.yaml"
    old.write_text(INTAKE, "utf-8")
    new.write_text(INTAKE.replace("ask:", "query:").replace("start: ask", "start: query"), "utf-8")
    new.write_text(new.read_text("utf-8").replace('query: "', 'ask: "'), "utf-8")
    for command, options in (("diff", [old]), ("migrate", [])):
        for wrong, said in (
            (("--map", "aks=query"), "no node was called 'aks'; did you mean 'ask'?"),
            (("--map", "ask=query", "--map-field", "user.nam="), "no field was called 'user.nam'; did you mean 'user.name'?"),
            (("--map", "ask=query", "--map", "ask=bye"), "--map names 'ask' twice: once as 'query'"),
        ):  # fmt: skip
            ran = run(command, "--store", store, *options, new, *wrong)
            code = 2 if said.startswith("--") else 1
            assert (ran.code, ran.out, ran.err) == (code, "", f"{said}\n")
    assert data(store, "migrate", new, "--map", "ask=query")["moved"] == 2
    assert data(store, "migrate", new, "--map", "ask=query")["moved"] == 0, "the same again does nothing"


def test_to_fold_only_and_to_run_another_flow_exclude_each_other(store: str, tmp_path: Path) -> None:
    ran = run("replay", "--store", store, "--fold", "--flow", tmp_path / "x.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "--fold runs nothing, and --flow names the flow to run" in ran.err


_ERASED = r"turn 2 of conversation '42' was erased by retention on \d{4}-\d\d-\d\d, which keeps events for 1000 days\n"


def test_a_fork_from_an_erased_turn_says_that_it_was_erased(store: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as db:
        db.execute("UPDATE event SET at_ms = at_ms - 1000 * 86400000 WHERE turn < 3")
    assert run("store", "retain", tmp_path / "x.db", "--events", "1000").code == 0
    ran = run("fork", "--store", store, "42", "44", "--turn", "2")
    assert ran.code == 1
    assert re.fullmatch(_ERASED, ran.err)


def test_looking_at_an_empty_file_makes_no_store_of_it(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    said = f"{path}: this file is empty; there is no store in it yet\n"
    for args in (("store", "info", path), ("explain", "--store", f"sqlite:///{path}", "42")):
        ran = run(*args)
        assert (ran.code, ran.out, ran.err) == (1, "", said)
    assert path.stat().st_size == 0


def test_asking_makes_no_store(tmp_path: Path) -> None:
    for command in ("explain", "undo", "export"):
        ran = run(command, "--store", f"sqlite:///{tmp_path / 'no.db'}", "42")
        assert (ran.code, ran.err) == (1, f"{tmp_path / 'no.db'}: there is no such store\n")
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_named_once_for_all(store: str) -> None:
    assert run("explain", "42", TURNWISE_STORE=store).code == 0
    assert run("explain", "42").code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("undo", "42", "--to", "99"), "conversation '42' has no turn 99; there are 1 to 4"),
        (("undo", "42", "--to", "0"), "conversation '42' has no turn 0; there are 1 to 4"),
        (("undo", "42", "--to", "-1"), "conversation '42' has no turn -1; there are 1 to 4"),
        (("fork", "42", " "), "NEW must be a name of 1 to 200 printable characters, not str ' '"),
        (("export", "42", "."), ".: this is a folder; name a file in it"),
    ],
)
def test_what_names_no_turn_and_no_place_changes_nothing(store: str, arguments: tuple[str, ...], said: str) -> None:
    before = asked(store, "replay", "42").out
    ran = run(arguments[0], "--store", store, *arguments[1:])
    assert (ran.code, ran.err.strip(), ran.out) == (1, said, "")
    assert asked(store, "replay", "42").out == before


def test_a_stroke_in_place_of_a_file_is_standard_output(store: str) -> None:
    assert asked(store, "export", "42", "-").out == asked(store, "export", "42").out


def test_diff_of_two_flows_says_that_they_are_two(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(f"{{flow: {name}, start: a, nodes: {{a: {{say: Hello.}}}}}}")
    ran = run("diff", tmp_path / "one", tmp_path / "two")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(
        "the old flow is 'one' and the new one 'two': conversations move only between versions of one flow"
    )


def test_a_name_that_cannot_be_shown_begins_no_conversation(store: str, tmp_path: Path) -> None:
    file, other = tmp_path / "42.jsonl", f"sqlite:///{tmp_path / 'y.db'}"
    asked(store, "export", "42", file)
    for wrong in ("a\x1b[2J", "a\u202eb", "x" * 201):
        for ran in (run("fork", "--store", store, "42", wrong), run("import", "--store", other, file, "--as", wrong)):
            assert (ran.code, "a name of 1 to 200 printable characters" in ran.err) == (1, True), ran.err
            assert "\x1b" not in ran.err
    assert asked(other, "import", file, "--as", "ada:" + "x" * 200).lines[0].endswith("4 turns of intake")


def test_a_model_reads_the_question(store: str, tmp_path: Path) -> None:
    choices = """
- {calls: [{tool: subject, arguments: {subject: field user.age, turn: 3}}]}
"""
    (tmp_path / "choices.yaml").write_text(choices, "utf-8")
    ran = run(
        "explain", "--store", store, "42", "how many summers has she seen?",
        "--question-model", f"scripted:{tmp_path / 'choices.yaml'}", "--json",
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    answer = json.loads(ran.out)
    assert answer["read_as"] == "why field user.age, at the end of turn 3 (as the model read it)"
    assert answer["line"] == data(store, "explain", "42", "user.age", "--turn", 3)["line"]
