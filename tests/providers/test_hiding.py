"""Keys are hidden in whatever comes from a provider, however it is cut into pieces."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnwise.models.redaction import KeyHider, hide_keys_in_data, keys_in
from turnwise.runner.model_port import TextDelta

KEYS = ("aabaabaab", "sk-12345678")
_texts = st.lists(st.sampled_from(["a", "b", "ab", "aab", *KEYS, "sk-", "1234", "5678", " "]), max_size=12).map("".join)


@given(_texts, st.lists(st.integers(0, 60), max_size=6))
def test_a_text_in_pieces_is_told_as_a_whole_would_be(text: str, cuts: list[int]) -> None:
    hider = KeyHider(KEYS)
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    told: list[Any] = []
    for begin, end in pairwise(edges):
        told += hider.hide(TextDelta(text[begin:end]))
    told += hider.flush()
    said = "".join(event.text for event in told)
    assert not any(key in said for key in KEYS)
    if not any(key in text for key in KEYS):
        assert said == text


def test_an_innocent_text_is_not_changed() -> None:
    hider = KeyHider(KEYS)
    told = [event for piece in ("We ask", " as", " ever") for event in hider.hide(TextDelta(piece))]
    assert "".join(event.text for event in [*told, *hider.flush()] if isinstance(event, TextDelta)) == "We ask as ever"


def test_keys_are_hidden_in_data() -> None:
    data = {"a": ["x sk-12345678", 1, None], "sk-12345678": {"b": True}}
    assert hide_keys_in_data(data, KEYS) == {"a": ["x [key]", 1, None], "[key]": {"b": True}}


def test_only_what_can_be_a_key_is_one() -> None:
    found = keys_in(
        {"OPENAI_API_KEY": "EMPTY", "GROQ_API_KEY": "gsk_12345", "PATH": "/usr/bin/x", "AWS_SESSION_TOKEN": "t" * 20}
    )
    assert found == ("t" * 20, "gsk_12345")
