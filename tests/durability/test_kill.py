"""Kill -9: at every place of a turn, and again and again under load. Nothing acknowledged is lost, nothing is twice,
and what a tool did outside goes by its policy (law 4.5).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import turnwise
from support.chats import talk
from support.durable.places import PLACES
from support.durable.scopes import SCOPE_PLACES, faults
from support.durable.script import SCOPES
from turnwise.core.state import events as e

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
LIVES = 2000 if IS_SOAK else 28
SCOPE_LIVES = 2000 if IS_SOAK else 24
MOST_PLACES = 1000 if IS_SOAK else 7
"""At how many places of each kind a conversation is broken off."""


def campaign(*arguments: object) -> dict[str, Any]:
    """What a campaign counted; fails with what it found wrong."""
    tests = Path(__file__).parents[1]
    path = os.pathsep.join(map(str, (Path(turnwise.__file__).parents[1], tests)))
    program = [sys.executable, "-m", "support.durable.campaign", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": path}
    ran = subprocess.run(program, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


def settled(done: dict[str, Any]) -> list[int]:
    """How often each way to settle a crash was seen: no process is stopped here, so none stood still in a call."""
    return [count for way, count in done["seen"].items() if way != "stood still in"]


def test_a_process_that_is_killed_at_any_place_of_a_turn_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    done = campaign("points", tmp_path, MOST_PLACES)
    print(done)
    assert set(done["killed"]) == set(PLACES)
    for place, count in done["killed"].items():
        reached = done["places"][place]
        tried = len(range(0, reached, -(-reached // MOST_PLACES)))
        assert count >= 0.8 * tried and count > 4, place
    assert min(settled(done)) > 0, "no crash in the middle of a tool had to be settled"


def test_so_do_processes_that_are_killed_again_and_again_under_load(tmp_path: Path) -> None:
    done = campaign("lives", tmp_path, LIVES, LIVES)
    print(done)
    assert set(done["killed"]) == {*PLACES, "at a random time"}
    assert min(done["killed"].values()) > 0
    assert sum(done["killed"].values()) > 0.9 * LIVES
    assert done["turns"] > 10 * LIVES
    assert min(settled(done)) > LIVES / 20
    assert done["left"] > LIVES, "few callers left before they had their answer"


@pytest.mark.law("6.3")
@pytest.mark.requirement("003-27")
def test_a_process_that_is_killed_where_a_scope_opens_or_closes_leaves_none_half_done(tmp_path: Path) -> None:
    done = campaign("scopes", tmp_path, SCOPE_LIVES, SCOPE_LIVES)
    print(done)
    assert set(done["killed"]) == set(SCOPE_PLACES)
    assert sum(done["killed"].values()) > 0.9 * SCOPE_LIVES
    assert min(done["killed"].values()) > 0
    assert done["turns"] > SCOPE_LIVES


def test_a_scope_that_is_half_open_or_half_closed_would_be_noticed() -> None:
    chat = talk(SCOPES.machine, understand=[()] * 9, model=["Hello.", "Back."])
    chat.chat.say("hello")
    chat.chat.say("begin survey")
    chat.set(**{"survey/result__mood": "fine"})
    state, entries = chat.chat.state(), chat.chat.journal()
    assert not list(faults(SCOPES.machine, entries, state, is_over=False))
    opened = next(one.seq for one in entries if isinstance(one.event, e.ScopeOpened))
    found = [*faults(SCOPES.machine, entries[:opened], state, is_over=False)]
    assert found == [f"the scope survey is half open at {opened}"]
    closed = e.ScopeClosed("survey", "completed", "", "call")
    entry = e.Entry(len(entries) + 1, state.turn, 0, closed)
    found = [*faults(SCOPES.machine, (*entries, entry), state, is_over=False)]
    assert found[0] == f"the scope survey is half closed at {entry.seq}"
    assert found[1].startswith("what survey returned")
