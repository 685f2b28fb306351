"""The code that is shown is the code that ran: an older version runs only with functions of the same code (law 6.8)."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from support.chats import sets
from support.stored import asked, stored
from turnwise.archive import Archive
from turnwise.errors import FlowUnavailable

FLOW = """
flow: loans
start: desk
records: {reader: {books: {type: integer}}}
nodes:
  desk: {say: "Version 1.", transitions: [{id: full, at: before, guard: is_full, to: wait}]}
  wait: {say: "Bring one back.", transitions: [{at: before, when: reader.books == 0, to: desk}]}
"""
CHANGED = FLOW.replace("Version 1", "Version 2")
HEAD = """
import turnwise as tw
from functools import partial

MOST = 3

def most(reader):
    return MOST

"""
GUARD = """
@tw.guard
def is_full(reader):
    \"\"\"Whether the reader may take no more.\"\"\"
    return reader.books is not None and reader.books >= most(reader)
"""
FACTORY = """
def made(most_books, step=1):
    def is_full(reader):
        return reader.books is not None and reader.books >= most_books
    return tw.guard(is_full)

is_full = made(3)
"""
LAMBDA = """
is_full = tw.guard(lambda reader: reader.books is not None and reader.books >= 3, name="is_full")
"""


def function(folder: Path, text: str, name: str) -> Any:
    """The function `is_full` of a module with this text."""
    file = folder / f"{name}.py"
    file.write_text(HEAD + text, "utf-8")
    spec = importlib.util.spec_from_file_location(f"same_code_{folder.name}_{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.is_full


SAME = [
    ("the same file again", GUARD, GUARD),
    ("another place in the file", GUARD, "\n\n\n" + GUARD),
    ("layout only", GUARD, GUARD.replace("reader.books is not None and reader", "(reader.books is not None)   and reader")),
    ("a comment only", GUARD, GUARD.replace("    return", "    # the limit of the house\n    return")),
    ("what it does not use", GUARD, GUARD + "\nOTHER = 9\n"),
    ("a closure of the same value", FACTORY, FACTORY.replace("made(3)", "made(2 + 1)")),
    ("a default of the factory", FACTORY, FACTORY.replace("step=1", "step=2")),
    ("the same lambda", LAMBDA, LAMBDA),
]  # fmt: skip
OTHER = [
    ("its source", GUARD, GUARD.replace(">=", ">"), "its source"),
    ("its docstring", GUARD, GUARD.replace("no more", "no others"), "its source"),
    ("a helper", GUARD, "def most(reader):\n    return 9\n" + GUARD, "'most'"),
    ("a constant of a helper", GUARD, "MOST = 9\n" + GUARD, "'MOST'"),
    ("a value of its closure", FACTORY, FACTORY.replace("made(3)", "made(9)"), "most_books"),
    ("a default of a helper", "def most(reader, extra=MOST):\n    return extra\n" + GUARD,
     "MOST = 9\ndef most(reader, extra=MOST):\n    return extra\n" + GUARD, "'most(extra)'"),
    ("a lambda", LAMBDA, LAMBDA.replace(">= 3", ">= 9"), "bytecode"),
    ("a function where a lambda was", LAMBDA, GUARD, "its source"),
]  # fmt: skip


def began(path: Path, folder: Path, text: str) -> None:
    with stored(path, FLOW, function(folder, text, "before")) as chat:
        chat.say("hello")
        chat.commands(sets(reader__books=1))


@pytest.mark.law("6.8")
@pytest.mark.parametrize(("before", "after"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
def test_an_older_version_goes_on_with_the_same_code(tmp_path: Path, before: str, after: str) -> None:
    began(tmp_path / "c.db", tmp_path, before)
    with stored(tmp_path / "c.db", CHANGED, function(tmp_path, after, "after")) as chat:
        turn = chat.commands(sets(reader__books=3))
        assert (turn.refused, turn.text) == (None, "Bring one back.")
        (decision,) = [one for one in turn.decisions if one.candidate("full") is not None]
        assert decision.taken == "full"


@pytest.mark.law("6.8")
@pytest.mark.parametrize(("before", "after", "why"), [case[1:] for case in OTHER], ids=[case[0] for case in OTHER])
def test_an_older_version_is_refused_with_other_code(tmp_path: Path, before: str, after: str, why: str) -> None:
    began(tmp_path / "c.db", tmp_path, before)
    now = function(tmp_path, after, "after")
    with stored(tmp_path / "c.db", CHANGED, now) as chat:
        journal = chat.journal()
        turn = chat.commands(sets(reader__books=3))
        assert turn.refused == "flow_unavailable"
        assert "'is_full'" in turn.text
        assert why in turn.text
        assert "Migrate" in turn.text
        assert "supply the earlier function" in turn.text
        assert chat.journal() == journal
        assert chat.explain(turn=2), "what it did is still shown"
        with pytest.raises(FlowUnavailable, match="is_full"):
            chat.rerun()
        (waiting,) = chat.app.migrate(dry_run=True).conversations
        assert "'is_full'" in waiting.unavailable
        assert chat.app.migrate().moved == 1
        assert chat.commands(sets(reader__books=9)).refused is None


@pytest.mark.law("6.8")
def test_the_earlier_function_may_be_supplied_beside_the_present_one(tmp_path: Path) -> None:
    began(tmp_path / "c.db", tmp_path, GUARD)
    earlier = function(tmp_path, GUARD, "before")
    now = function(tmp_path, GUARD.replace(">=", ">"), "after")

    async def replayed(archive: Archive) -> bool:
        return (await archive.replay("main", runs=True)).agrees

    with pytest.raises(FlowUnavailable, match="is_full"):
        asked(tmp_path / "c.db", replayed, now)
    assert asked(tmp_path / "c.db", replayed, now, earlier)
