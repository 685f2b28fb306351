"""Why a user was written to: the turn, and how its delivery stands."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.durable.running import run
from turnwise.stores.memory import MemoryStore

FLOW = {
    "flow": "talk",
    "start": "a",
    "nodes": {
        "a": {"say": "Hi.", "transitions": [{"id": "remind", "at": "timer", "in": "5m", "to": "b"}]},
        "b": {"say": "You?"},
    },
}


@pytest.mark.parametrize(
    ("error", "expected", "values"),
    [
        (
            None,
            "what it said was delivered to the user at 12:05:00, in attempt 1",
            {"status": "delivered", "attempts": 1},
        ),
        (
            tw.DeliveryFailed("503 Later", retry_after_s=60),
            "waits to be delivered to the user, after attempt 1; the next one is due at 12:06:00; the last error: 503 Later",
            {"status": "waiting", "error": "503 Later"},
        ),
        (
            tw.DeliveryFailed("410 Gone", is_final=True),
            "was not delivered: it was given up at 12:05:00, after attempt 1; the last error: 410 Gone",
            {"status": "failed", "error": "410 Gone"},
        ),
    ],
)
def test_the_answer_about_a_turn_says_how_its_delivery_stands(
    error: Exception | None, expected: str, values: dict[str, Any]
) -> None:
    async def play() -> None:
        clock = tw.ManualClock(1_767_960_000_000)

        def receive(delivery: tw.Delivery) -> None:
            if error is not None:
                raise error

        app = tw.open(FLOW, store=MemoryStore(), deliver=receive, clock=clock)
        chat = app.chat("ada")
        await chat.say("hi")
        clock.move_s(300)
        await app.tick()
        answer = await chat.why("turn 2")
        stands = answer.fact("delivery_stands")
        assert stands is not None
        assert expected in stands.text.replace("2026-01-09 ", "").replace(" UTC", "")
        assert values.items() <= stands.values.items()
        last = await chat.why("why delivery")
        assert (str(last.subject), last.line) == ("the delivery", stands.text)
        assert (await chat.why("delivery", turn=1)).line == (
            "nothing had to be delivered of turn 1: a receiver gets the turns for which no caller waits,"
            " where the program gave `deliver`"
        )
        assert answer.fact("timer_fired") is not None, "why the user was written to"
        assert (await chat.why("turn 1")).fact("delivery_stands") is None, "a reply to a message has no delivery"

    run(play())
