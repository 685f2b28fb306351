"""`wait` of a scenario: time passes, and the timers that come due fire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwise.api.chat import Chat
from turnwise.api.open import Turn
from turnwise.testing.play import play_file
from turnwise.testing.scenario import parse_scenarios

SLOW = """\
flow:
  flow: slow
  start: talk
  nodes:
    talk: {say: Hello., transitions: [{id: late, at: timer, in: 10m, end: late}]}

scenario: nothing is said
start:
wait: 20m
status: ended late
"""


def test_a_timer_that_cannot_fire_is_a_problem_of_the_scenario(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = parse_scenarios(SLOW, tmp_path / "slow.scenario")
    (played,) = play_file(file)
    assert played.passed

    async def refused(self: Chat, *_: Any, **__: Any) -> Turn:
        return Turn(self.name, self.machine, await self.state(), refused="busy", refusal="a turn is under way")

    monkeypatch.setattr(Chat, "fire", refused)
    (played,) = play_file(file)
    assert [(one.number, one.text) for one in played.problems] == [
        (9, "the timer 'late' came due in 'wait: 20m': a turn is under way")
    ]

    async def silent(self: Chat, *_: Any, **__: Any) -> Turn:
        return Turn(self.name, self.machine, await self.state())

    monkeypatch.setattr(Chat, "fire", silent)
    (played,) = play_file(file)
    assert [one.text for one in played.problems] == [
        "the timer 'late' came due in 'wait: 20m': it did not fire, and is still armed"
    ]
