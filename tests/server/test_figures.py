"""Questions about a conversation of two thousand turns are answered quickly, and from little that is kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import turnwise as tw
from support.served import ROOT, in_loop, served

TURNS = 2_000
MOST_S = 0.1
"""In seconds of the processor, so that other work on the machine does not count."""
MESSAGES = ("what exactly do I agree to?", "I'm Maria, and I'm thirty-five", "hm", "sorry, I am 48", "I am 35")


async def took(client: Any, path: str) -> float:
    begin = time.process_time()
    answer = await client.get(f"/api/conversations/long/{path}")
    assert answer.status_code == 200, answer.text
    return time.process_time() - begin


async def least(client: Any, path: str) -> float:
    """Return the least time of three questions: a collection of garbage may fall into one."""
    return min([await took(client, path) for _ in range(3)])


@in_loop
async def test_a_question_about_one_turn_of_two_thousand_takes_less_than_a_tenth_of_a_second(tmp_path: Path) -> None:
    model = tw.ScriptedModel(["Well, tell me more."] * TURNS * 2)
    app = tw.open(ROOT / "examples/health_intake/health_intake.flow.yaml", model=model)
    async with served(app) as client:
        chat = app.chat("long")
        for number in range(TURNS):
            await chat.say(MESSAGES[number % len(MESSAGES)])
        assert await took(client, "transcript") < 2
        for path in ("timeline", "edges", "trace?turn=1000", "state?turn=1000", "prompt?turn=1000"):
            await took(client, path)  # the first time the outline is made and the plans of guards are compiled
        for path in ("timeline", "edges", "state", "records", "timers", "transcript?after=20000"):
            assert await least(client, path) < MOST_S, path
        for turn in (2, 777, 1_500, 1_999):
            for path in ("trace", "state", "prompt", "decisions"):
                assert await least(client, f"{path}?turn={turn}") < MOST_S, (path, turn)
        await chat.say("and another")
        assert await took(client, "timeline") < MOST_S
