"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from turnwise.flow.late_pattern import late_pattern


def test_a_late_pattern_finds_what_a_pattern_finds() -> None:
    late, pattern = late_pattern(r"(?P<word>[a-z]+)\d", re.IGNORECASE), re.compile(r"(?P<word>[a-z]+)\d", re.IGNORECASE)
    for text in ("Ab1", "ab", "x Cd2 e3"):
        for method in ("fullmatch", "match", "search"):
            found, expected = getattr(late, method)(text), getattr(pattern, method)(text)
            assert (found and found["word"]) == (expected and expected["word"])
        assert late.findall(text) == pattern.findall(text)
        assert late.sub("-", text) == pattern.sub("-", text)
        assert late.split(text) == pattern.split(text)
    assert late.pattern == pattern.pattern


def test_it_is_compiled_once_and_not_before_it_is_used() -> None:
    late = late_pattern("(")
    with pytest.raises(re.error):
        late.search("a")
    late = late_pattern("a+")
    assert "search" not in vars(late)
    assert late.search("caat") is not None
    assert vars(late)["search"] == late.search
