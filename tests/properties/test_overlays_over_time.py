"""Overlays with random dates, zones, forcings and undos: a conversation has those that a plain reading of the calendar
gives, and its journal runs again to the same prompts (law 6.6).
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import turnwise as tw
from support.chats import flow_of

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SOME = settings(max_examples=500 if IS_SOAK else 12, deadline=None)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo")
FIRST = date(2026, 3, 1)
NAMES = ("a", "b", "c")


class Year:
    """A random flow and conversation, and what a plain reading of it gives."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = Random(seed)
        self.zone = chance.choice(ZONES)
        self.days = {name: self._days() for name in NAMES}
        self.priority = {name: chance.randrange(3) for name in NAMES}
        self.own: dict[str, bool | None] = {}
        self.all: dict[str, bool | None] = {}
        lines = [
            f'  {name}: {{from: "{first}", to: "{last}", persona: I am {name}., priority: {self.priority[name]}}}'
            for name, (first, last) in self.days.items()
        ]
        overlays = "\n".join(lines)
        flow = f"flow: f\nstart: n\npersona: I am nobody.\noverlays:\n{overlays}\nnodes: {{n: {{prompt: Talk.}}}}"
        self.at = datetime(2026, 3, 1, tzinfo=UTC)
        self.clock = tw.ManualClock(self._ms())
        self.model = tw.ScriptedModel(["…"] * 99)
        self.app = tw.open_sync(flow_of(flow), model=self.model, clock=self.clock)
        self.chat = self.app.chat("x")
        self.chat.start(time_zone=self.zone)

    def _days(self) -> tuple[date, date]:
        first = FIRST + timedelta(days=self.chance.randrange(60))
        return first, first + timedelta(days=self.chance.randrange(20))

    def _ms(self) -> int:
        return round(self.at.timestamp() * 1000)

    def expected(self) -> list[str]:
        """The overlays that are active now, by a plain reading."""
        today = self.at.astimezone(ZoneInfo(self.zone)).date()
        found: list[str] = []
        for name in sorted(NAMES, key=lambda one: self.priority[one]):
            forced = self.own.get(name)
            forced = self.all.get(name) if forced is None else forced
            first, last = self.days[name]
            if forced if forced is not None else first <= today <= last:
                found.append(name)
        return found

    def go_on(self) -> None:
        """Let time pass, and perhaps force an overlay; then say something and compare."""
        chance = self.chance
        self.at += timedelta(hours=chance.randrange(100))
        self.clock.set_ms(self._ms())
        kind, name, on = chance.randrange(5), chance.choice(NAMES), chance.choice((True, False, None))
        if kind == 0:
            self.app.force_overlay(name, on)
            self.all[name] = on
        elif kind == 1:
            self.chat.force_overlay(name, on)
            self.own[name] = on
        elif kind == 2:
            self.chat.undo(to=chance.randrange(1, self.chat.state().turn + 1))
        self.chat.say("hello")
        expected, state = self.expected(), self.chat.state()
        assert list(state.overlays.active if state.overlays is not None else ()) == expected
        persona = self.model.calls[-1].instructions[0]
        assert persona == (f"I am {expected[0]}." if expected else "I am nobody.")


@pytest.mark.law("6.6")
@SOME
@given(st.integers(0, 10_000))
def test_a_conversation_has_the_overlays_of_the_calendar(seed: int) -> None:
    year = Year(seed)
    for _ in range(8):
        year.go_on()
    replayed: Any = year.chat.rerun()
    assert (replayed.folds, replayed.difference) == (True, None)
    for turn in range(1, year.chat.state().turn + 1):
        shown = [fact for fact in year.chat.why("the model", turn=turn).facts if fact.kind == "prompt_shown"]
        assert all(fact.values["is_proved"] for fact in shown)
    year.app.close()
