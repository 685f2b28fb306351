"""A process that is killed in a turn of an operator: the turn is finished by the next process (laws 3.8, 6.10)."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import turnwise as tw
from support.shell import environment

pytestmark = pytest.mark.law("3.8", "6.10")

FLOW = """
flow: killed
start: talk
person: {queue: desk}
commands: [hand_over]
records: {user: {terms: boolean}}
nodes:
  talk: {prompt: Talk., transitions: [{id: agreed, when: user.terms, to: next}]}
  next: {prompt: Go on.}
"""
LIFE = """
    import asyncio, os, signal, sqlite3, sys
    import turnwise as tw

    def is_committed():
        db = sqlite3.connect(sys.argv[2].removeprefix("sqlite:///"))
        try:
            return db.execute("SELECT count(*) FROM claim").fetchone()[0] == 1
        finally:
            db.close()

    class Deadly:
        async def reply(self, request):
            if request.node == "next":
                while not is_committed():  # the first commit of the turn is written meanwhile
                    await asyncio.sleep(0.01)
                os.kill(os.getpid(), signal.SIGKILL)
            return tw.ModelReply("Hello.")

    with tw.open_sync(tw.loads(open(sys.argv[1]).read()), store=sys.argv[2], model=Deadly()) as app:
        chat = app.chat("ada")
        chat.say("hello")
        chat.take_over("Lena")
        chat.operator_say("Do you agree?")
        chat.say("yes")
        chat.give_back("agreed", set={"user.terms": True}, key="back")
"""


class Speaking:
    """A model that answers."""

    async def reply(self, request: tw.ModelRequest) -> tw.ModelReply:
        """Say where it is, and how many words were a person's."""
        words = sum(bool(message.person) for message in request.transcript)
        return tw.ModelReply(f"{request.node}, {words} of a person")


def test_the_turn_that_gives_back_is_finished_after_a_kill(tmp_path: Path) -> None:
    flow, store, life = tmp_path / "killed.flow.yaml", f"sqlite:///{tmp_path / 'talks.db'}", tmp_path / "life.py"
    flow.write_text(FLOW, "utf-8")
    life.write_text(dedent(LIFE), "utf-8")
    ran = subprocess.run([sys.executable, life, flow, store], env=environment(), timeout=60, check=False)
    assert ran.returncode == -signal.SIGKILL
    with tw.open_sync(tw.load(flow), store=store, model=Speaking()) as app:
        chat = app.chat("ada")
        turn = chat.give_back("agreed", set={"user.terms": True}, key="back")
        assert turn.is_duplicate
        assert turn.text == "next, 1 of a person"
        assert turn.node == "next"
        assert turn.person is None
        assert app.queue() == ()
        assert chat.rerun().agrees


def test_a_person_is_in_charge_after_the_process_ended(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'talks.db'}"
    with tw.open_sync(tw.loads(FLOW), store=store, model=Speaking()) as app:
        app.chat("ada").say("hello")
        app.chat("ada").take_over("Lena")
    with tw.open_sync(tw.loads(FLOW), store=store, model=Speaking()) as app:
        assert [one.person.operator for one in app.queue()] == ["Lena"]
        assert app.chat("ada").say("hello?").text == ""
        assert app.chat("ada").give_back().text == "talk, 0 of a person"
