"""Why a person has to check something is answered with the reason of the approval, of the handover, or of the move."""

from __future__ import annotations

import pytest

import turnwise as tw
from asked_stories import ask
from support.chats import flow_of
from support.whys import lines_of

NEEDED = [
    ("case-1040", "transition expert", "before: intake → expert by expert: a referral with earlier inconsistencies"),
    ("romy", "transition asked", "after: questions → nurse by asked: a nurse is asked for"),
    ("romy", "person", "a person of the queue nurses is awaited since"),
    ("with_lena", "person", "Lena took over: on shift"),
    ("case-1042", "person", "no person is awaited or in charge; no node of the flow hands over to a person"),
]


@pytest.mark.parametrize(("story", "subject", "text"), NEEDED, ids=[" ".join(row[:2]) for row in NEEDED])
def test_why_a_person_is_needed_is_the_reason_of_what_needs_one(story: str, subject: str, text: str) -> None:
    assert text in lines_of(ask(story, subject))


FLOW = """
flow: f
start: a
tools: {send: {about: sends a mail, args: {to: string}, confirm: true}}
nodes: {a: {prompt: Talk., tools: {allow: [send]}}}
"""


def send(to: str) -> str:
    return to


def test_a_call_that_waits_for_approval_says_what_asks_for_it() -> None:
    model = tw.ScriptedModel([tw.call("send", to="Ada"), "Sent."])
    chat = tw.open_sync(flow_of(FLOW), model=model, tools=[send]).chat("a")
    chat.say("send it")
    line = "the call of send waits for approval, with to = Ada, because its `confirm` asks for one"
    assert chat.why("question").line == line
    chat.say("yes")
    for subject in ("question", "send"):
        assert line in lines_of(chat.why(subject, turn=1))
