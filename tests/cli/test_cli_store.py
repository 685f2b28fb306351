"""`turnwise store` and `turnwise chat --store`: through pipes, as JSON, and in a terminal."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from support.shell import ROOT, Ran, Terminal, run
from turnwise.core.state.retention import DAY_MS

ELIGIBILITY = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
FIRST = "Do we have patient information available?"
SECOND = "Does the patient have a known history of inconsistencies in their insurance coverage?"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store with two conversations, of which one is a hundred days old."""
    path = tmp_path / "talks.db"
    for name, lines in (("old talk", "1\nPartial\n"), ("new", "1\n")):
        assert chat(path, name, given=lines).code == 0
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE event SET at_ms = at_ms - ? WHERE conversation = 1", (100 * DAY_MS,))
        db.execute("UPDATE conversation SET at_ms = at_ms - ?, began_ms = began_ms - ? WHERE n = 1", [100 * DAY_MS] * 2)
    return path


def chat(path: Path, name: str, *args: str, given: str = "") -> Ran:
    return run("chat", ELIGIBILITY, "--store", f"sqlite:///{path}", "--conversation", name, *args, given=given)


def found(*args: str | Path) -> Any:
    """The JSON document that a command prints."""
    ran = run("store", *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


# talking with a store -----------------------------------------------------------------------------


def test_a_talk_goes_on_where_it_was(file: Path) -> None:
    ran = chat(file, "new", given="Partial\n")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[:2] == [SECOND, "[1] Yes   [2] No   [3] Partial"]
    assert ran.lines[2] == "What is the check for?"
    again = chat(file, "new", given="/why\n")
    assert again.lines[0] == "What is the check for?"
    assert "answered: case.insurance_history = Partial" in again.lines


def test_a_talk_as_json_goes_on_too(file: Path) -> None:
    first, second = map(json.loads, chat(file, "new", "--json", given="3\n").lines)
    assert (first["turn"], first["text"]) == (2, SECOND)
    assert (second["turn"], second["text"]) == (3, "What is the check for?")


def test_conversations_of_a_store_do_not_mix(file: Path) -> None:
    assert chat(file, "a third").lines[0] == FIRST
    assert chat(file, "main").lines[0] == FIRST


def test_a_talk_without_a_store_is_not_kept(tmp_path: Path) -> None:
    assert run("chat", ELIGIBILITY, at=tmp_path, given="1\n").lines[0] == FIRST
    assert run("chat", ELIGIBILITY, at=tmp_path).lines[0] == FIRST
    assert list(tmp_path.iterdir()) == []


def test_a_talk_whose_words_are_erased_goes_on(file: Path) -> None:
    found("retain", file, "--events", "30")
    assert chat(file, "old talk", given="/why\n/why-not x\n").code == 0
    ran = chat(file, "old talk", given="Billing\n/state\n")
    assert ran.lines[0] == "(this conversation continues; its earlier turns are no longer stored)"
    assert ran.lines[1] == "What should happen if the check fails?"
    assert "  case.insurance_history = Partial   (direct, turn 3)" in ran.lines


# upkeep -------------------------------------------------------------------------------------------


def test_info_tells_what_takes_how_much_room(file: Path) -> None:
    info = found("info", file)
    assert (info["conversations"], info["open_turns"], info["erased"], info["file"]) == (2, 0, 0, str(file))
    assert info["file_bytes"] == file.stat().st_size == sum(info["bytes"].values())
    assert list(info["bytes"]) == [
        *("events", "decisions", "snapshots", "erased", "states", "receipts", "timers", "deliveries", "flows"),
        *("free", "overhead"),
    ]
    assert info["newest_ms"] - info["oldest_ms"] >= 100 * DAY_MS
    lines = run("store", "info", f"sqlite:///{file}").lines
    assert lines[0] == "\tsize\tcontains"
    assert [line.split("\t")[0] for line in lines[1:13]] == [
        *("events", "decisions", "states", "snapshots", "erased"),
        *("receipts", "timers", "deliveries", "flows", "free", "overhead", "all"),
    ]
    assert "2 conversations, 0 turns under way" in lines


def test_conversations_are_listed(file: Path) -> None:
    old, new = found("conversations", file)
    assert (old["conversation"], old["flow"], old["is_open"]) == ("old talk", "eligibility", False)
    assert (new["conversation"], new["entries"] > 10) == ("new", True)
    lines = run("store", "conversations", file).lines
    assert lines[0] == "conversation\tname\tflow\tentries\tbegan\tlast turn\tnow"
    assert [line.split("\t")[0] for line in lines[1:]] == ["old talk", "new"]


def test_a_list_says_which_have_ended(tmp_path: Path) -> None:
    path, flow = tmp_path / "talks.db", tmp_path / "over.flow.yaml"
    flow.write_text("{flow: over, start: a, nodes: {a: {say: Bye., end: served}}}")
    assert run("chat", flow, "--store", f"sqlite:///{path}", given="hello\n").code == 0
    assert chat(path, "other").code == 0
    assert [line.split("\t")[-1] for line in run("store", "conversations", path).lines[1:]] == [
        "ended: served",
        "waits",
    ]
    ended, waits = found("conversations", path)
    assert (ended["status"], ended["outcome"], waits["status"]) == ("ended", "served", "waiting")


def test_what_is_older_is_erased_and_vacuum_removes_its_traces(file: Path) -> None:
    assert b'"text":"Partial"' in file.read_bytes()
    ran = run("store", "retain", file, "--events", "30", "--decisions", "7")
    assert (ran.code, ran.err) == (0, "")
    erased, hint = ran.out.split("; ")
    assert erased.endswith(" events erased, 0 decisions trimmed")
    assert hint == f"turnwise store vacuum {file} removes their traces\n"
    assert run("store", "retain", file, "--events", "30").out == "0 events erased, 0 decisions trimmed\n"
    ran = run("store", "vacuum", file)
    assert (ran.code, ran.out.endswith(" released; no trace of erased or forgotten data is left\n")) == (0, True)
    assert b'"text":"Partial"' not in file.read_bytes()
    assert found("info", file)["erased"] > 10


def test_a_conversation_is_forgotten(file: Path) -> None:
    assert found("forget", file, "old talk") == {"forgotten": "old talk"}
    assert [one["conversation"] for one in found("conversations", file)] == ["new"]
    ran = run("store", "forget", file, "old talk")
    assert (ran.code, ran.out, ran.err) == (1, "", "there is no conversation 'old talk'\n")
    ran = run("store", "forget", file, "nev")
    assert (ran.code, ran.err) == (1, "there is no conversation 'nev'; did you mean 'new'?\n")
    assert "bytes_given_back" in found("vacuum", file)


@pytest.mark.parametrize(
    "args", [("retain", "--events", "-1"), ("retain", "--events", "soon"), ("forget",), ("shrink",)]
)
def test_wrong_usage(file: Path, args: tuple[str, ...]) -> None:
    command, *rest = args
    ran = run("store", command, file, *rest)
    assert (ran.code, ran.out) == (2, "")


def test_a_name_cannot_steer_the_terminal(file: Path) -> None:
    chat(file, "evil\x1b[2J\tname\nline")
    ran = run("store", "conversations", file)
    assert "\x1b" not in ran.out
    assert ran.lines[-1].startswith("evil[2J name line\tevil[2J name line\teligibility\t")


def test_in_a_terminal_there_are_tables_and_bars(file: Path) -> None:
    terminal = Terminal("store", "info", file)
    terminal.expect("counting")
    terminal.expect("messages and everything that happened")
    terminal.expect("2 conversations, 0 turns under way")
    assert terminal.end() == 0
    terminal = Terminal("store", "conversations", file, columns=160)
    terminal.expect("old talk")
    assert terminal.end() == 0
    terminal = Terminal("store", "vacuum", file)
    terminal.expect("released")
    assert terminal.end() == 0


def test_a_time_that_no_calendar_knows_does_not_hide_the_list(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("UPDATE conversation SET began_ms = ? WHERE n = 1", (10**15,))
    ran = run("store", "conversations", file)
    assert (ran.code, ran.err) == (0, "")
    assert "no date" in ran.lines[1]
