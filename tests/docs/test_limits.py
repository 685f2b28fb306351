"""The limits of a document are those that the guide tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwise.api.documents import check_text
from turnwise.authoring.source import MAX_BYTES, MAX_CHARS, MAX_DEPTH, MAX_PARTS
from turnwise.flow.guard.parse import MAX_CHARS as GUARD_CHARS
from turnwise.flow.guard.parse import MAX_DEPTH as GUARD_DEPTH

GUIDE = Path(__file__).parents[2] / "docs" / "building-a-flow.md"


@pytest.mark.parametrize(
    ("what", "limit", "code"),
    [
        ("bytes", MAX_BYTES, "TW002"),
        ("nesting of lists and mappings", MAX_DEPTH, "TW004"),
        ("keys, values, lists and mappings, after aliases are expanded", MAX_PARTS, "TW005"),
        ("characters of all texts, after aliases are expanded", MAX_CHARS, "TW005"),
        ("characters of a guard", GUARD_CHARS, "TW030"),
        ("nesting of a guard", GUARD_DEPTH, "TW030"),
    ],
)
def test_the_guide_lists_each_limit(what: str, limit: int, code: str) -> None:
    assert f"| {what} | {limit:,} | {code} |" in GUIDE.read_text("utf-8")


HOSTILE = [
    ("[" * 70, "TW004", "nested more than 64 deep"),
    ("x: &a [" + "1," * 1000 + "]\nz: [" + "*a," * 100 + "]", "TW005", "more than 100,000 parts"),
    ("x: &a " + "y" * 50_000 + "\nz: [" + "*a," * 200 + "]", "TW005", "more than 8,000,000 characters"),
    ("#" * 2_000_001, "TW002", "more than 2,000,000 bytes"),
]


@pytest.mark.parametrize(("text", "code", "said"), HOSTILE, ids=[row[2] for row in HOSTILE])
def test_a_document_beyond_a_limit_is_refused_with_its_code(text: str, code: str, said: str) -> None:
    (found,) = check_text(text.encode(), "f.yaml")
    assert (found.code, said in found.message) == (code, True)
