"""Processes that are killed around the firing of schedules: no time is lost, and none fires twice (laws 3.8, 6.7)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.shell import environment

LIVES = 2000 if os.environ.get("TURNWISE_SOAK") == "1" else 40


@pytest.mark.law("3.8")
@pytest.mark.law("6.7")
def test_lives_that_are_killed_around_a_firing_fire_each_time_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "support.durable.firing", tmp_path, str(LIVES), "7"]
    done = subprocess.run(command, env=environment(), cwd="tests", capture_output=True, timeout=3600, check=False)
    assert not done.returncode, done.stderr.decode()
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["wrong"] == []
    assert found["killed"] > LIVES / 3
    assert found["fired"]["each"] > LIVES
