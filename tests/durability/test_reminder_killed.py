"""A process that is killed while it says a reminder: the reminder is said once, and as often as it may (laws 2.15, 3.8)."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import turnwise as tw
from support.chats import NOON_MS
from support.shell import environment

FLOW = """
flow: killed
start: ask
records: {u: {size: string}}
nodes:
  ask:
    form: {fields: [{field: u.size, ask: Which size?}]}
    transitions:
      - {id: nudge, at: timer, in: 10m, stay: true, say: Still there?, repeat: 2}
      - {to: done}
  done: {say: "You take {{ u.size }}.", end: done}
"""
LIFE = """
    import os, signal, sys
    import turnwise as tw

    clock = tw.ManualClock(int(sys.argv[4]))
    with tw.open_sync(tw.load(sys.argv[1]), store=sys.argv[2], clock=clock) as app:
        chat = app.chat("ada")
        chat.start()
        store = app.app.runtime.store
        commit = store.commit

        def die(*given):
            written = commit(*given) if sys.argv[3] == "stored" else None
            if written is None:
                os.kill(os.getpid(), signal.SIGKILL)
            written.add_done_callback(lambda _: os.kill(os.getpid(), signal.SIGKILL))
            return written

        store.commit = die
        clock.move_s(600)
        app.tick()
"""


def said(chat: tw.SyncChat) -> list[str]:
    """The texts of the machine, in order."""
    return [entry.event.text for entry in chat.journal() if isinstance(entry.event, tw.events.Said)]


@pytest.mark.law("2.15")
@pytest.mark.law("3.8")
@pytest.mark.parametrize(("place", "fires"), [("fired", 1), ("stored", 0)])
def test_a_process_that_is_killed_around_a_reminder_says_it_once(tmp_path: Path, place: str, fires: int) -> None:
    flow, store, life = tmp_path / "killed.flow.yaml", f"sqlite:///{tmp_path / 'talks.db'}", tmp_path / "life.py"
    flow.write_text(FLOW, "utf-8")
    life.write_text(dedent(LIFE), "utf-8")
    ran = subprocess.run(
        [sys.executable, life, flow, store, place, str(NOON_MS)], env=environment(), timeout=60, check=False
    )
    assert ran.returncode == -signal.SIGKILL
    clock = tw.ManualClock(NOON_MS + 600_000)
    with tw.open_sync(tw.load(flow), store=store, clock=clock) as app:
        chat = app.chat("ada")
        assert app.tick() + app.tick() <= fires  # or the application has fired it when it was opened
        assert said(chat) == ["Which size?", "Still there?"]
        assert chat.why("nudge").facts[0].values["number"] == "1st"
        clock.move_s(600)
        assert [app.tick(), app.tick()] == [1, 0]
        clock.move_s(3600)
        assert app.tick() == 0
        assert said(chat) == ["Which size?", "Still there?", "Still there?"]
        assert chat.rerun().agrees
        assert chat.say("large").text == "You take large."
