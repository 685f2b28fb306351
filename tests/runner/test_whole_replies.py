"""Law 2.1: a reply that comes as a whole is read like one that is streamed."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnwise.core.call_names import call_names
from turnwise.core.prompts import ModelRequest
from turnwise.runner.replies import ReplyText, Shown

NAMES = call_names({"book_bed": ("bed", "when"), "list_beds": ()})
REQUEST = ModelRequest("talk", (), call_names=NAMES)
WORDS = st.sampled_from([
    *("Plant", "roses", "5", "it's", "book_bed", "bookBed", "Book-Bed", "list", "call", "use", "with", "bed", "go_to_end"),
    *("<think>", "</think>", "<s>", "</s>", "[INST]", "[", "]", "(", ")", "{", "}", "`", "<", ">", "=", "|", "to=functions."),
    *("[From the application]", "(Ada, a person:)", "null", "…", "?", ".", ",", ":", '"', "“", "ä", "🌹", "\u200b", "\n"),
])  # fmt: skip


def read(text: str) -> tuple[str, str]:
    """Return what is shown of a piece, and the code of the reply if it is none."""
    reply = ReplyText(REQUEST)
    shown = _after(_after("", reply.add(text)), reply.end())
    return shown, _code(reply)


def read_whole(text: str) -> tuple[str, str]:
    """Return the same of a reply that comes as a whole."""
    reply = ReplyText(REQUEST)
    shown = _after(_after("", reply.add_whole(text)), reply.end())
    return shown, _code(reply)


def _after(shown: str, found: Shown) -> str:
    return found.text if found.replaces else shown + found.text


def _code(reply: ReplyText) -> str:
    failed = reply.fault("", "", has_calls=False, has_thoughts=False)
    return failed.code if failed is not None else ""


@pytest.mark.law("2.1")
@given(st.lists(WORDS, max_size=8).map(" ".join) | st.lists(WORDS, max_size=8).map("".join) | st.text(max_size=12))
@example("")
@example("...")
@example("Use book_bed with bed 3")
@example("book_bed")
def test_a_whole_reply_is_read_like_a_streamed_one(text: str) -> None:
    assert read_whole(text) == read(text)


@pytest.mark.law("2.1")
def test_prose_is_shown_at_once_and_what_may_be_a_call_waits() -> None:
    assert ReplyText(REQUEST).add_whole("Plant roses. Use") == Shown("Plant roses. Use")
    assert ReplyText(REQUEST).add("Plant roses. Use").text != "Plant roses. Use"
    assert ReplyText(REQUEST).add_whole("book_bed") == Shown("")
