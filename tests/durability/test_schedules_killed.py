"""Processes that are killed around the firing of schedules: no time is lost, and none fires twice (laws 3.8, 6.7)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.shell import environment

ROUNDS = 200 if os.environ.get("TURNWISE_SOAK") == "1" else 6
LIVES = 2000 if os.environ.get("TURNWISE_SOAK") == "1" else 40


def campaign(folder: Path, *words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "support.durable.firing", folder, *words]
    done = subprocess.run(command, env=environment(), cwd="tests", capture_output=True, timeout=3600, check=False)
    assert not done.returncode, done.stderr.decode()
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.law("6.7")
def test_two_processes_on_one_file_fire_each_time_once(tmp_path: Path) -> None:
    found = campaign(tmp_path, "both", str(ROUNDS))
    assert (found["wrong"], found["failed"]) == ([], 0)
    assert found["fired"]["each"] >= ROUNDS


@pytest.mark.law("3.8")
@pytest.mark.law("6.7")
def test_lives_that_are_killed_around_a_firing_fire_each_time_once(tmp_path: Path) -> None:
    found = campaign(tmp_path, str(LIVES), "7")
    assert found["wrong"] == []
    assert found["killed"] > LIVES / 3
    assert found["fired"]["each"] > LIVES
    assert found["fired"]["offered"] > LIVES / 4
