"""Law 2.1: which texts have something to read."""

from __future__ import annotations

import time

import pytest

from turnwise.runner.readable import is_readable

NOTHING = [
    *("", " ", "\u00a0", "\u200b", "\ufeff", "\u2060\u200d", "\u00ad", "\u061c\u202e", "\ufe0f", "\U000e0020", "\x07"),
    *("\u3164", "\u2800", "\u115f\u1160\uffa0", "\ufffd", "\u0301", "\U0001f3fb"),
    *(".", "-", "—", "*", ":", "“”", "()", '""', "**", "**  **", "***", "> ", "- [ ]", "|---|---|", "==="),
    *(
        "```\n```",
        "```json\n```",
        "~~~\n~~~",
        "![]()",
        "<br>",
        "<br/>",
        "<p></p>",
        "<div class='x'> </div>",
        "<!-- -->",
    ),
    *("<answer></answer>", "<bed></bed>", "&nbsp;", "&#8203;", "\\n"),
    *("null", "`null`", '"null"', "undefined", "{}", "[]", "{\n}", '{"text": ""}', '[{"a": null}]'),
    *("<|end|>", "<|im_end|>", "<｜end▁of▁sentence｜>", "</s>", "<s></s>", "<eos>", "<end_of_turn>", "<unused12>"),
    *("[DONE]", "data: [DONE]", "[INST][/INST]", "<|im_en", "<channel|>", "<pad>" * 3000),
    *("<|im_start|>assistant\n", "<|start_header_id|>assistant<|end_header_id|>\n\n", "<start_of_turn>model\n"),
]
SOMETHING = [
    *(
        "a",
        "I",
        "s",
        "ß",
        "ا",
        "न",
        "日",
        "0",
        "-5",
        "1.",
        "5%",
        "?",
        "!",
        "¿",
        "？",
        "👍",
        "🫨",
        "1️⃣",
        "✓",
        "→",
        "€",
        "∅",
    ),
    *(
        "None",
        "None.",
        "Null",
        "null and void",
        "false",
        "model",
        '{"a": 1}',
        "[1]",
        '{"a": false}',
        "{name}",
        "[NAME]",
    ),
    *(
        "<b>5</b>",
        "<br>x",
        "`x`",
        "```\nx\n```",
        "<Bob>",
        "<img src='x.png'>",
        "<https://a.org>",
        "&lt;br&gt;",
        "&amp;5",
    ),
    *("<|im_end|>Hello", "Hello<|im_end|>", "x</s>", "[DONE] yes", "data: 5", "<think", "C++", "¯\\_(ツ)_/¯"),
]


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", NOTHING)
def test_a_text_that_shows_nothing(text: str) -> None:
    assert not is_readable(text)


@pytest.mark.law("2.1")
@pytest.mark.parametrize("text", SOMETHING)
def test_a_text_with_something_to_read(text: str) -> None:
    assert is_readable(text)


@pytest.mark.parametrize(
    "piece", ["<", "<a ", "&", "{", "[", "<|", "<b>", "```\n", "<x>", "<!--", "\\", "<start_of_turn>   "]
)
def test_a_long_text_takes_no_time_that_grows_with_its_square(piece: str) -> None:
    begin = time.process_time()
    is_readable(piece * (100_000 // len(piece)))
    assert time.process_time() - begin < 5  # with a square it takes minutes
