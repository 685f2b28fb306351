"""Dialogues in files: the lines of a demonstration, and what is said about a file that is none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from support.asking import request
from turnwise.core.language import language_of
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.models.scripted import DialogueModel, read_dialogue

HOW = (
    "a dialogue is {start, lines: [{node, say, replies}]}; "
    "a reply is a text, or {text, calls: [{tool, arguments}], finish: length}, or {fails: reason}"
)
WRONG = [
    (None, ": the dialogue cannot be read: No such file or directory"),
    (b"\xff", ": the dialogue is no text in UTF-8"),
    (b"start: a\nlines: [", ":2:9: the dialogue is no YAML: expected the node content, but found '<stream end>'"),
    (b"- a", f": Expected `object`, got `array`; {HOW}"),
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
