"""Kill -9 while two processes deliver from one store: each at least once, in order per conversation, none lost, and one
twice only after a kill between the answer and its mark.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import turnwise
from support.durable.deliveries import Accepted, Kill, judged

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
CONVERSATIONS, EACH, KILLS = (200, 100, 200) if IS_SOAK else (16, 60, 40)


@pytest.mark.law("3.13")
def test_processes_that_are_killed_deliver_each_in_order_and_lose_none(tmp_path: Path) -> None:
    tests = Path(__file__).parents[1]
    path = os.pathsep.join(map(str, (Path(turnwise.__file__).parents[1], tests)))
    numbers = map(str, (CONVERSATIONS, EACH, KILLS, 7))
    program = [sys.executable, "-m", "support.durable.deliveries", str(tmp_path), *numbers]
    ran = subprocess.run(
        program, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
    done = json.loads(ran.stdout.splitlines()[-1])
    print(done)
    assert done["killed"] >= 0.5 * KILLS, "all was delivered before most were killed"
    assert done["repeated"] > 0, "no process was killed between an answer and its mark"


def test_the_judge_finds_what_was_lost_turned_round_or_repeated() -> None:
    good = [Accepted(n, "c0", n, f"c0-{n}", 11) for n in (2, 3, 4)]
    assert judged(good, [], 1, 3) == []
    assert judged(good[:2], [], 1, 3) == ["c0: 2 of 3 arrived"]
    assert judged([good[1], good[0], good[2]], [], 1, 3) == ["c0: turn 2 came after turn 3"]
    again = [good[0], good[0]._replace(at_s=2.5, sender=12), *good[1:]]
    assert judged(again, [], 1, 3) == ["c0: turn 2 came twice, and its first sender was not killed"]
    assert judged(again, [Kill(2.2, 11)], 1, 3) == []
    assert judged(again, [Kill(2.2, 12), Kill(2.6, 11)], 1, 3) == judged(again, [], 1, 3)


def test_a_receiver_may_read_a_request_after_its_sender_was_killed() -> None:
    """Where the receiver has little of the processor: the kill came between sending and the mark, as any other."""
    again = [Accepted(2.0, "c0", 2, "c0-2", 11), Accepted(2.5, "c0", 2, "c0-2", 12)]
    assert judged(again, [Kill(1.9, 11)], 1, 1) == []
