"""Scopes in the terminal: what a talk shows as it goes into and out of them, and the commands about stored ones."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from support.inner import REPLIES, opened, talked
from support.shell import run

CHAT = """
flow: lesson
start: talk
commands: [{start: [survey]}]
records: {feedback: {mood: {type: choice, options: [good, bad]}}, key: {pin: {type: string, secret: true}}}
nodes:
  talk: {say: Welcome., transitions: [{at: before, when: 'message.text == "x"', to: talk}]}
  survey:
    title: A short survey
    scope: {returns: feedback, summary: "It was {{ feedback.mood }}."}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
"""


@pytest.fixture
def store(tmp_path: Path) -> str:
    address = f"sqlite:///{tmp_path}/x.db"

    async def whole() -> None:
        async with opened(*REPLIES, store=address) as app:
            await talked(app.chat("a"))

    asyncio.run(whole())
    return address


def test_the_frames_of_a_conversation(store: str) -> None:
    ran = run("frames", "--store", store, "a")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines == [
        "A lesson: in chat, 5 messages",
        "  quiz (Quiz), closed: over; opened by the tool open_quiz in turn 2, closed in turn 5; in quiz/play",
        "      4 messages, 2 turns, 0 of 1000 tokens",
        "      stays: Points: 3",
        "      12 tokens saved in 1 later request (an estimate)",
        "    quiz/rest (Rest), closed: completed; entered by pause in turn 3, closed in turn 4; in quiz/rest/prompt",
        "        2 messages, 1 turn, 0 tokens",
        "        stays: rest: completed",
        "        7 tokens saved in 1 later request (an estimate)",
        "  survey (A short survey), open; called by asks in turn 6; in survey/form",
        "      1 message, 0 of 5 turns, 0 tokens",
    ]
    found = json.loads(run("frames", "--store", store, "a", "--json").out)
    assert [one["scope"] for one in found] == ["", "quiz", "quiz/rest", "survey"]
    assert run("frames", "--store", store, "b").code == 1


def test_the_transcript_has_a_lane_for_each_frame(store: str) -> None:
    ran = run("transcript", "--store", store, "a")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines == [
        "   1  user: hello",
        "   1  chat: Hello.",
        "   2  user: a quiz",
        "   2  ┌ quiz, opened by the tool open_quiz",
        "   2  │ quiz/play: First question?",
        "   3  │ user: pause",
        "   3  │ ┌ quiz/rest, entered by pause",
        "   3  │ │ quiz/rest/prompt: Nice weather.",
        "   4  │ │ user: it rains",
        "   4  │ └ quiz/rest, completed: rest: completed",
        "   4  │ quiz/play: Where were we?",
        "   5  │ user: over",
        "   5  └ quiz, over: Points: 3",
        "   5  chat: Three points!",
        "   6  user: feedback",
        "   6  ┌ survey, called by asks",
        "   6  │ survey/form: How was it?",
    ]
    inside = run("transcript", "--store", store, "a", "--frame", "quiz/rest")
    assert inside.lines == ["   3  quiz/rest/prompt: Nice weather.", "   4  user: it rains"]
    found = json.loads(run("transcript", "--store", store, "a", "--frame", "quiz/rest", "--json").out)
    assert [one["text"] for one in found] == ["Nice weather.", "it rains"]
    unknown = run("transcript", "--store", store, "a", "--frame", "quis")
    assert (unknown.code, unknown.out) == (1, "")
    assert "no frame 'quis'; did you mean 'quiz'?" in unknown.err


def test_secrets_are_hidden_in_both(tmp_path: Path) -> None:
    flow = tmp_path / "f.yaml"
    form = "form: {fields: [{field: key.pin, ask: Which pin?}]}"
    flow.write_text(
        CHAT.replace("start: [survey]", "start: [survey, ask]")
        + f'  ask:\n    scope: {{returns: key, summary: "The pin is {{{{ key.pin }}}}."}}\n    {form}\n'
    )
    store = f"sqlite:///{tmp_path}/x.db"
    talk = run("chat", flow, "--store", store, given="hello\nask\nmango-17\n")
    assert "out of ask: completed" in talk.out
    for command in ("frames", "transcript"):
        for more in ((), ("--json",)):
            ran = run(command, "--store", store, "main", *more)
            assert (ran.code, "mango-17" in ran.out, "ask" in ran.out) == (0, False, True), ran.out


def test_a_talk_shows_the_way_into_a_scope_and_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text(CHAT)
    ran = run("chat", tmp_path / "f.yaml", given="hello\na short survey\n/state\ngood\n/state\n")
    assert (ran.code, ran.err) == (0, "")
    assert [line for line in ran.lines if "survey" in line or "←" in line] == [
        "  (to begin one, say: A short survey)",
        "  → into survey, opened by the user",
        "node survey/form, turn 3, waiting for a button",
        "  in survey, opened by the user in turn 3; 0 turns and 0 tokens in it",
        "  ← out of survey: completed",
        "  (to begin one, say: A short survey)",
    ]
    ran = run("chat", tmp_path / "f.yaml", "--json", given="hello\na short survey\ngood\n")
    turns = [json.loads(line) for line in ran.lines]
    assert [turn["scopes"] for turn in turns if turn["scopes"]] == [
        [{"opened": "survey", "by": "user", "transition": "", "tool": ""}],
        [{"closed": "survey", "outcome": "completed", "summary": "It was good."}],
    ]
    assert turns[0]["starts"] == [{"label": "A short survey", "value": "A short survey"}]
