"""Why a person has to check something is answered with the reason of the approval, of the handover, or of the move."""

from __future__ import annotations

import pytest

import turnwise as tw
from asked_stories import ask
from support.chats import flow_of

NEEDED = [
    (
        "case-1040",
        "why does a human have to check this?",
        "transition expert",
        "before: intake → expert by expert: a ref",
    ),
    (
        "case-1040",
        "Warum muss ein Mensch das freigeben?",
        "transition expert",
        "before: intake → expert by expert: a ref",
    ),
    ("case-1040", "why did this need a human?", "transition expert", "before: intake → expert by expert: a referral"),
    (
        "romy",
        "why does a human have to look at this?",
        "transition asked",
        "after: questions → nurse by asked: a nurse",
    ),
    ("romy", "Warum muss das ein Mensch prüfen?", "transition asked", "after: questions → nurse by asked: a nurse"),
    ("with_lena", "why did a person have to take over?", "the person", "Lena took over: on shift"),
    ("case-1042", "why does a person have to review this?", "the person", "no person is awaited or in charge"),
    ("maria", "why does no human check this?", "the person", "no person is awaited or in charge"),
    ("sofia", "why do I have to tell a person my age?", "field user.age", "user.age has no value"),
]


@pytest.mark.parametrize(("story", "question", "subject", "line"), NEEDED, ids=[" ".join(row[:2]) for row in NEEDED])
def test_why_a_person_is_needed_is_the_reason_of_what_needs_one(
    story: str, question: str, subject: str, line: str
) -> None:
    answer = ask(story, question)
    assert (str(answer.subject), answer.line[: len(line)]) == (subject, line)


FLOW = """
flow: f
start: a
tools: {send: {about: sends a mail, args: {to: string}, confirm: true}}
nodes: {a: {prompt: Talk., tools: {allow: [send]}}}
"""


def send(to: str) -> str:
    return to


@pytest.mark.parametrize(
    "question",
    ["why must a person check that?", "Warum muss das ein Mensch freigeben?", "why does a human have to approve this?"],
)
def test_a_call_that_waits_for_approval_says_what_asks_for_it(question: str) -> None:
    model = tw.ScriptedModel([tw.call("send", to="Ada"), "Sent."])
    chat = tw.open_sync(flow_of(FLOW), model=model, tools=[send]).chat("a")
    chat.say("send it")
    line = "the call of send waits for approval, with to = Ada, because its `confirm` asks for one"
    assert chat.why(question).line == line
    chat.say("yes")
    assert (chat.why(question).turn, chat.why(question).line) == (1, line)
