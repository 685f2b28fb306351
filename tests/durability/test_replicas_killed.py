"""Several processes on one database are killed, stopped and cut off: nothing acknowledged is lost, nothing is twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import turnwise
from support.durable.opened import keep_address
from support.postgres import server

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
THREATS = 2000 if IS_SOAK else 6


def campaign(folder: Path, *arguments: object) -> dict[str, Any]:
    """What a campaign counted; fails with what it found wrong."""
    keep_address(folder / "replicas.db", server().fresh() + "&dead_after=1s&readers=2")
    tests = Path(__file__).parents[1]
    path = os.pathsep.join(map(str, (Path(turnwise.__file__).parents[1], tests)))
    program = [sys.executable, "-m", "support.durable.replicas", *map(str, (folder, *arguments))]
    ran = subprocess.run(
        program, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.mark.parametrize("replicas", [2, 3] if IS_SOAK else [3])
def test_replicas_that_are_killed_stopped_and_cut_off_lose_and_repeat_nothing(tmp_path: Path, replicas: int) -> None:
    done = campaign(tmp_path, THREATS, replicas, replicas)
    print(done)
    assert sum(done["done"].values()) == THREATS
    assert min(done["done"].values()) > 0
    assert done["turns"] > 2 * THREATS
    assert done["seen"]["done again"] <= max(2, done["seen"]["effects done"] / 50)
