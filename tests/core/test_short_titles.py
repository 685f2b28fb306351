"""What a field is called in a sentence: its title without what explains it."""

from __future__ import annotations

import json

import pytest

import turnwise as tw
from turnwise.core.link import link


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("your age", "your age"),
        ("Name (first and last)", "Name"),
        ("Size: small or large?", "Size"),
        ("Question 1: which article has Haus?", "Question 1: which article has Haus"),
        ("Frage 12: ich …", "Frage 12: ich"),
        ("3: why (in a word)?", "3: why"),
        ("Question 2, about you: why?", "Question 2, about you"),
        ("Question 4 (of 5): why so?", "Question 4 (of 5)"),
        ("Day, as a date", "Day"),
        ("Dogs, cats and birds", "Dogs, cats and birds"),
    ],
)
def test_a_title_is_cut_where_its_explanation_begins(title: str, short: str) -> None:
    flow = {"flow": "f", "start": "a", "language": "en"}
    flow |= {"records": {"u": {"x": {"type": "string", "about": title}}}, "nodes": {"a": {"say": "A."}}}
    assert link(tw.loads(json.dumps(flow))).short_title("u.x") == short
