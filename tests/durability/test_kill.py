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

import turnwise
from support.durable.places import PLACES

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
LIVES = 2000 if IS_SOAK else 28
MOST_PLACES = 1000 if IS_SOAK else 10
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


def test_a_process_that_is_killed_at_any_place_of_a_turn_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    done = campaign("points", tmp_path, MOST_PLACES)
    print(done)
    assert set(done["killed"]) == set(PLACES)
    for place, count in done["killed"].items():
        reached = done["places"][place]
        tried = len(range(0, reached, -(-reached // MOST_PLACES)))
        assert count >= 0.8 * tried and count > 4, place
    assert min(done["seen"].values()) > 0, "no crash in the middle of a tool had to be settled"


def test_so_do_processes_that_are_killed_again_and_again_under_load(tmp_path: Path) -> None:
    done = campaign("lives", tmp_path, LIVES, LIVES)
    print(done)
    assert set(done["killed"]) == {*PLACES, "at a random time"}
    assert min(done["killed"].values()) > 0
    assert sum(done["killed"].values()) > 0.9 * LIVES
    assert done["turns"] > 10 * LIVES
    assert min(done["seen"].values()) > LIVES / 20
    assert done["left"] > LIVES, "few callers left before they had their answer"
