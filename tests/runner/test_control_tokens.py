"""Law 2.1: control tokens of a chat template around a reply are no part of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.opened import close_all, opened
from turnwise.core.prompts import ModelRequest
from turnwise.runner.replies import ReplyText

AROUND = {
    "Hello!<|im_end|>": "Hello!",
    "Hello!</s>": "Hello!",
    "Hello!<|eot_id|>": "Hello!",
    "Hello!<end_of_turn>": "Hello!",
    "Hello!<|assistant|>": "Hello!",
    "Hello!\n<|im_end|>\n": "Hello!\n",
    "Hello! <|end|><|endoftext|>": "Hello! ",
    "Hello!<｜end▁of▁sentence｜>": "Hello!",
    "Hello!<|im_end|>\n</s>": "Hello!",
    "Hello![/INST]": "Hello!",
    "Hello!<eos>": "Hello!",
    "Hello!<|im_en": "Hello!",
    "Hello!<|return|>": "Hello!",
    "<|assistant|>Hello!": "Hello!",
    "<|assistant|> Hello!": "Hello!",
    "<|im_start|>assistant\nHello!<|im_end|>": "Hello!",
    "<|start_header_id|>assistant<|end_header_id|>\n\nHello!": "Hello!",
    "<start_of_turn>model\nHello!<end_of_turn>": "Hello!",
    "\n<|begin_of_text|>Hello!": "Hello!",
    "<s> Hello!</s>": "Hello!",
    "<bos>Hello!": "Hello!",
    "[/INST] Hello!": "[/INST] Hello!",
    "[/INST]Hello!": "Hello!",
    "</s>\nHello!": "Hello!",
    "Hello!<|im_end|>\n<|im_start|>user\nWhat?<|im_end|>": "Hello!",
    "Hello!<end_of_turn>\n<start_of_turn>model\nAnd more": "Hello!",
    "Hello!<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWhat?": "Hello!",
    "Hallo! Wie geht's?<|im_end|>": "Hallo! Wie geht's?",
    "`code` and text<|im_end|>": "`code` and text",
    "```\ncode\n```\n<|im_end|>": "```\ncode\n```\n",
}
WHOLE = [
    "Qwen ends a message with `<|im_end|>`",
    'It ends with "<|im_end|>"',
    'It ends with "<|im_end|>".',
    "A message ends with <|im_end|>, and the next begins.",
    "```\nHello!<|im_end|>\n```",
    "```\n<|im_start|>user\nHello!<|im_end|>\n```\nThat is a message.",
    "`<|im_start|>user` begins a message.",
    "<|im_end|> ends a message.",
    "It costs <s>50</s>",
    "<s>50</s> 40 coins",
    "3 < 4",
    "a <| b",
    "x <",
    "[1] and [2]",
    "[INST",
    "Done [ok]",
    "<b>Hello</b>",
    "<https://example.org>",
    "if a <b",
    "Hello <Ada>",
]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", [*AROUND, *WHOLE])
def test_control_tokens_around_a_reply_are_removed_wherever_it_is_cut(text: str) -> None:
    for pieces in ([text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))):
        reply, shown, seen = ReplyText(ModelRequest("here", ())), "", list[str]()
        for added in [*map(reply.add, pieces), reply.end()]:
            shown = added.text if added.replaces else shown + added.text
            seen.append(shown)
        assert shown == AROUND.get(text, text), pieces
        assert all(shown.startswith(one) for one in seen), pieces  # nothing was taken back


@pytest.mark.law("2.1")
@pytest.mark.parametrize("at_once", [False, True])
def test_a_reply_is_stored_and_told_to_the_model_without_control_tokens(*, at_once: bool) -> None:
    text = "<|assistant|>Hello!<|im_end|>"
    given: Any = tw.ModelReply(text) if at_once else list(text)
    model = tw.ScriptedModel([given, "Yes."])
    chat = opened(flow_of("flow: f\nstart: a\nnodes: {a: {prompt: Talk.}}"), model=model)
    turn = chat.say("hello")
    assert (turn.text, turn.warnings) == ("Hello!", ())
    chat.say("again")
    assert [one.text for one in model.calls[-1].transcript] == ["hello", "Hello!", "again"]


@pytest.mark.law("2.1")
def test_a_call_before_a_control_token_is_noticed() -> None:
    flow = "flow: f\nstart: a\ntools: {find: {about: finds, args: {bed: string}}}\nnodes: {a: {prompt: Talk.}}"
    model = tw.ScriptedModel(['find(bed="3")<|im_end|>', "Hello!"])
    assert opened(flow_of(flow), model=model, tools={"find": _find}).say("hello").text == "Hello!"


def _find(bed: str) -> str:
    return bed
