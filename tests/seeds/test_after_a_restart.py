"""What the seeds ask of conversations that outlive their process: it is killed, and another one goes on."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from threading import Timer

import pytest

from support.chats import OneSyncChat, flow_of
from support.shell import ROOT, environment
from support.stored import asked
from turnwise.api.open import Turn, open_sync
from turnwise.archive import Archive

FORM = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
ONE_STOP = """
flow: stop
start: hello
nodes:
  hello: {say: Welcome., once: next}
  next: {say: Here we are., end: done}
"""
STEPS = """
flow: steps
start: general
tools: {think: {about: think}}
nodes:
  general: {say: General., transitions: [{at: timer, in: 1h, to: general}]}
  thought: {say: Thought., enter_when: tools.used("think"), transitions: [{at: timer, in: 1h, to: general}]}
"""
LIFE = """
import os, signal, sys, turnwise as tw
chat = tw.open_sync(sys.argv[1], store="sqlite:///" + sys.argv[2]).chat("main")
for line in sys.argv[3:]:
    chat.tool_used(line[1:]) if line.startswith("!") else chat.say(line)
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(tmp_path: Path, flow: str | Path, *lines: str) -> OneSyncChat:
    """A life that ends with `kill -9` right after its last answer, and the next one. `!tool` is a use of a tool."""
    document = tmp_path / "flow.flow.yaml"
    document.write_text(flow.read_text("utf-8") if isinstance(flow, Path) else dedent(flow), "utf-8")
    command = [sys.executable, "-c", LIFE, document, tmp_path / "x.db", *lines]
    done = subprocess.run(command, capture_output=True, env=environment(), check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    return OneSyncChat(document, store=f"sqlite:///{tmp_path / 'x.db'}")


def status(turn: Turn) -> str:
    assert turn.state is not None
    assert turn.state.frame.form is not None
    return turn.state.frame.form.status


@pytest.mark.requirement("000-06")
def test_a_one_time_stop_goes_on_after_a_restart(tmp_path: Path) -> None:
    with killed(tmp_path, ONE_STOP, "hi") as chat:
        assert chat.turn().text == "Welcome."
        turn = chat.say("anything")
        assert (turn.text, turn.outcome) == ("Here we are.", "done")


@pytest.mark.requirement("001-23", "001-48")
def test_the_step_in_charge_and_the_uses_of_tools_outlive_the_process(tmp_path: Path) -> None:
    with killed(tmp_path, STEPS, "hi", "!think") as chat:
        state = chat.state()
        assert (state.node, state.tools.counts) == ("thought", {"think": 1})
        turn = chat.tool_used("think")
        (enter,) = [decision.candidate("enter_thought") for decision in turn.decisions]
        assert enter is not None
        assert enter.verdict is not None
        assert (enter.verdict.verdict, turn.state.node) == ("held", "thought")


@pytest.mark.requirement("003-12")
def test_after_fifty_turns_and_a_restart_the_transcript_is_whole(tmp_path: Path) -> None:
    flow = "flow: long\nstart: a\nfallback: Go on.\nnodes: {a: {say: Hi., transitions: [{at: timer, in: 9h, to: a}]}}\n"
    with killed(tmp_path, flow, *(f"message {number}" for number in range(50))) as chat:
        said = [entry.event.text for entry in chat.journal() if hasattr(entry.event, "text")]
        assert [text for text in said if text.startswith("message")] == [f"message {number}" for number in range(50)]
        assert said.count("Hi.") + said.count("Go on.") == 50
        assert chat.replay()


@pytest.mark.requirement("004-06")
def test_a_form_goes_on_with_its_next_question_after_a_restart(tmp_path: Path) -> None:
    with killed(tmp_path, FORM, "hello", "yes") as chat:
        assert chat.say("Partial").text == "What is the check for?"


def passed(turn: Turn) -> bool:
    assert turn.form is not None
    return turn.form["status"]["pass_"]


DONE = ("hello", "Yes", "Partial", "Billing", "Wait", "No Rush", "yes")


@pytest.mark.requirement("004-73")
def test_a_form_that_was_stopped_is_stopped_after_a_restart(tmp_path: Path) -> None:
    with killed(tmp_path, FORM, "hello", "no") as chat:
        turn = chat.turn()
        assert (status(turn), passed(turn)) == ("stopped", True)
        assert status(chat.say("ok")) == "stopped"


@pytest.mark.requirement("004-73", "004-54")
def test_what_waits_for_confirmation_still_does_after_a_restart(tmp_path: Path) -> None:
    with killed(tmp_path, FORM, *DONE[:6]) as chat:
        turn = chat.turn()
        assert (status(turn), passed(turn)) == ("awaiting_confirmation", False)
        assert turn.form["status"]["next_gate"] is None
        assert chat.say("yes").state.node == "handed_over"


@pytest.mark.requirement("004-73", "004-18")
def test_after_an_edit_and_a_restart_nothing_is_confirmed(tmp_path: Path) -> None:
    with killed(tmp_path, FORM, *DONE[:6], "edit") as chat:
        turn = chat.turn()
        assert (turn.state.frame.form.editing, passed(turn)) == ("chooser", False)
        assert chat.say("Urgent").state.values["case.urgency"].value == "Urgent"


@pytest.mark.requirement("004-73", "004-13")
def test_what_was_confirmed_is_confirmed_after_a_restart(tmp_path: Path) -> None:
    with killed(tmp_path, FORM, *DONE) as chat:
        assert chat.state().closed_forms == {"intake": "handed_off"}
        assert [made.data["to"] for made in chat.turn().artefacts if made.kind == "HANDOFF"] == ["planner"]


@pytest.mark.requirement("004-77")
def test_a_locked_file_is_waited_for_or_the_turn_is_refused_and_the_same_key_works_once(tmp_path: Path) -> None:
    path, flow = tmp_path / "x.db", flow_of(ONE_STOP)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    with open_sync(flow, store=f"sqlite:///{path}", store_retry_s=20) as app:
        chat = app.chat("main")
        chat.start()
        other.execute("BEGIN IMMEDIATE")
        Timer(0.3, other.execute, ["COMMIT"]).start()
        assert chat.say("waited for", key="1").outcome == "done"
    with open_sync(flow, store=f"sqlite:///{path}", store_retry_s=0.05) as app:
        chat = app.chat("main")
        app.chat("b").start()
        other.execute("BEGIN IMMEDIATE")
        assert app.chat("b").say("hi", key="2").refused == "store_unavailable"
        other.execute("COMMIT")
        assert app.chat("b").say("hi", key="2").outcome == "done"
        assert app.chat("b").say("hi", key="2").is_duplicate
        assert app.chat("b").replay()
    other.close()

    async def agrees(archive: Archive) -> bool:
        return (await archive.replay("b", runs=True)).agrees

    assert asked(path, agrees)
