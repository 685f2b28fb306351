"""Dialogues in files: the lines of a demonstration, and what is said about a file that is none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import turnwise as tw
from support.asking import request
from turnwise.core.language import language_of
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.models import model_named
from turnwise.models.dialogue import DialogueModel, read_dialogue

HOW = (
    "a dialogue is {start, lines: [{node, say, replies}], otherwise: [{node, matches, replies}]}; "
    "a reply is a text, or {text, calls: [{tool, arguments}], finish: length}, or {fails: reason}"
)
WRONG = [
    (None, ": the dialogue cannot be read: No such file or directory"),
    (b"\xff", ": the dialogue is no text in UTF-8"),
    (b"start: a\nlines: [", ":2:9: the dialogue is no YAML: expected the node content, but found '<stream end>'"),
    (b"- a", f": Expected `object`, got `array`; {HOW}"),
    (b"otherwise: [{node: a, replies: []}]", ": otherwise[0] has no replies"),
    (
        b"otherwise: [{node: a, matches: '(', replies: [b]}]",
        ": otherwise[0]: '(' is no regular expression: missing ), unterminated subpattern at position 0",
    ),
    (b"lines: [{node: a}]", f": Object missing required field `say` - at `$.lines[0]`; {HOW}"),
]


@pytest.mark.parametrize(("written", "said"), WRONG)
def test_what_is_no_dialogue_is_told_with_its_place(written: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "demo.dialogue.yaml"
    if written is not None:
        path.write_bytes(written)
    with pytest.raises(TurnwiseError) as failure:
        read_dialogue(path)
    assert str(failure.value) == f"{path}{said}"


def test_a_reply_of_a_dialogue_may_be_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "demo.dialogue.yaml"
    path.write_text("lines: [{node: a, say: Hello., replies: [{fails: no network}]}]")
    model = DialogueModel(read_dialogue(path), language_of("en"))
    assert model.offer("a") == ["Hello."]
    with pytest.raises(ProviderFailed, match="no network"):
        asyncio.run(model.reply(request("hello")))


TALK = """
flow: talk
start: chat
nodes: {chat: {prompt: You talk.}, other: {prompt: You talk.}}
"""
SAID = """
start: [Hello!]
lines: [{node: chat, say: A joke., replies: [Here it is.]}]
otherwise:
  - {node: chat, matches: "\\\\bthank", replies: [You are welcome!]}
  - {node: other, replies: [never]}
  - {node: chat, replies: [First., Second.]}
"""


def test_a_model_of_a_dialogue_answers_lines_and_anything_else_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "talk.dialogue.yaml"
    path.write_text(SAID)
    with tw.open_sync(tw.loads(TALK), model=f"scripted:{path}") as app:
        chat = app.chat("a")
        assert chat.start().text == "Hello!"
        lines = ["x", "THANKS a lot", "y", "a joke", "z", "thankless? no: bathank"]
        assert [chat.say(one).text for one in lines] == [
            "First.",
            "You are welcome!",
            "Second.",
            "Here it is.",
            "First.",
            "You are welcome!",
        ]
        assert chat.replay()
        assert app.chat("b").start().text == "Hello!"


def test_without_a_reply_for_anything_else_the_known_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "talk.dialogue.yaml"
    path.write_text("start: [Hello!]\nlines: [{node: chat, say: A joke., replies: [Here it is.]}]")
    with tw.open_sync(tw.loads(TALK), model=f"scripted:{path}") as app:
        chat = app.chat("a")
        chat.start()
        assert "- A joke." in chat.say("something else").text


def test_a_file_for_a_model_is_a_list_or_a_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "talk.yaml"
    path.write_text("word")
    with pytest.raises(TurnwiseError, match=r"a script is a list of replies: .*; or a dialogue: \{start"):
        model_named(f"scripted:{path}")
