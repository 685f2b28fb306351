"""What version 0.1 exported and stored is read and goes on; what it allowed and is now refused is named in one line.

The files were written by the last code of that version: a form with a secret field, a tool that changes the world and
waits for consent, a fork, a timer that is armed.
"""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from turnwise.core.replay import Difference
from turnwise.core.state.events import EffectAsked, Entry, FieldSet
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock

OLD = Path(__file__).parent / "version_0_1"
FLOW = OLD / "booking.flow.yaml"
WRITTEN_MS = 1_795_386_556_733
"""When the files were written: the timer is not due yet."""


class Desk:
    """The tools of the flow, and the days that were booked."""

    def __init__(self) -> None:
        self.booked: list[Any] = []

    def look(self, q: str) -> dict[str, str]:
        return {"done": "yes"}

    def book(self, day: Any) -> dict[str, bool]:
        self.booked.append(str(day))
        return {"ok": True}

    def tools(self) -> list[Any]:
        return [self.look, self.book]


def opened(desk: Desk, **more: Any) -> Any:
    model, clock = ScriptedModel(["Booked.", "Late.", "Yes?"]), ManualClock(WRITTEN_MS)
    return tw.open_sync(FLOW, model=model, clock=clock, tools=desk.tools(), **more)


def goes_on(app: Any, desk: Desk) -> None:
    """The held call is made once, with its values; the fork asks on, and its timer fires."""
    held = app.chat("held")
    assert held.replay()
    assert [held.turn(number).number for number in range(1, 6)] == [1, 2, 3, 4, 5]
    assert "to_talk" in [decision.taken for decision in held.explain(turn=5)]
    assert held.state().fingerprint == held.machine.fingerprint
    held.say("yes")
    assert desk.booked == ["2026-12-01"]
    assert held.replay()
    fork = app.chat("fork")
    (timer,) = fork.state().timers
    assert fork.fire(timer.transition).node == "late"
    assert fork.rerun().difference is None


def test_an_export_is_imported_and_goes_on() -> None:
    desk = Desk()
    with opened(desk) as app:
        for name in ("held", "fork"):
            assert app.import_((OLD / f"{name}.turnwise").read_bytes()).name == name
        goes_on(app, desk)


def test_a_rerun_names_the_first_thing_that_is_done_differently() -> None:
    with opened(Desk()) as app:
        found = app.import_((OLD / "held.turnwise").read_bytes()).rerun()
    assert found.folds
    assert isinstance(found.difference, Difference)
    then, now = found.difference.then, found.difference.now
    assert isinstance(then, Entry)
    assert isinstance(now, Entry)
    assert isinstance(then.event, FieldSet)
    assert then.event.field == "c.tags"  # a list of texts that was stored as it stood is read first now (law 7.3a)
    assert isinstance(now.event, EffectAsked)


def test_a_database_is_opened_and_its_conversations_go_on(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    file.write_bytes(gzip.decompress((OLD / "store.db.gz").read_bytes()))
    desk = Desk()
    with opened(desk, store=f"sqlite:///{file}") as app:
        assert sorted(app.conversations()) == ["fork", "held"]
        goes_on(app, desk)
    with closing(sqlite3.connect(file)) as found:
        assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_flow_that_is_refused_now_is_named_in_one_line() -> None:
    with tw.open_sync(FLOW, tools=Desk().tools()) as app, pytest.raises(tw.ImportRefused) as refused:
        app.import_((OLD / "aged.turnwise").read_bytes())
    assert str(refused.value) == (
        "the file: the flow with fingerprint f184329b77b9bd38 cannot be used: aged.flow.yaml:9:16: TW032 a date is never a "
        "moment in time; compare a date with 'today', or take the day of a moment: date(…)"
    )
