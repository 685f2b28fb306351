"""A yes to a call may repeat exactly what the call does, and nothing else (laws 4.5 and 5.5)."""

from __future__ import annotations

import pytest

from support.chats import OneSyncChat, flow_of
from support.tools import facts, made, uses
from turnwise.core.state import events as e
from turnwise.models.scripted import ScriptedModel

FLOW = """
    flow: trips
    start: desk
    tools:
      cancel_booking:
        about: cancel a booking
        kind: effect
        confirm: true
        args: {booking: string, refund: number, DAY}
    nodes:
      desk: {prompt: Help with the booking., tools: {allow: [cancel_booking]}}
"""


def answer(message: str, *, on: str | None = None) -> str:
    ran: list[str] = []

    def cancel_booking(booking: str, refund: float, on: str = "") -> str:
        ran.append(f"{booking} {refund} {on}")
        return "done"

    arguments = {"booking": "B7", "refund": 40, **({"on": on} if on else {})}
    model = ScriptedModel([uses(made("cancel_booking", **arguments)), *["Well."] * 8])
    flow = FLOW.replace(", DAY", ", on: date" if on else "")
    chat = OneSyncChat(flow_of(flow), tools=[cancel_booking], model=model)
    chat.say("cancel my trip")
    turn = chat.say(message)
    if ran:
        return "yes"
    return "no" if any(one.reason == "declined" for one in facts(turn, e.CallRefused)) else "nothing"


@pytest.mark.law("4.5", "5.5")
@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("yes, cancel B7", "yes"),
        ("yes, cancel booking B7 and refund 40", "yes"),
        ("yes, cancel", "yes"),
        ("yes, now", "yes"),
        ("yes, cancel booking B7 and refund 50", "nothing"),
        ("yes, cancel booking B8", "nothing"),
        ("yes, don't cancel", "nothing"),
        ("yes, stop", "nothing"),
        ("cancel", "no"),
        ("no, cancel the booking", "no"),
    ],
)
def test_a_yes_may_repeat_what_the_call_does(message: str, wanted: str) -> None:
    assert answer(message) == wanted


@pytest.mark.law("4.5")
def test_now_is_no_yes_to_a_call_with_a_time() -> None:
    assert answer("yes, now", on="2026-05-01") == "nothing"
    assert answer("yes", on="2026-05-01") == "yes"
