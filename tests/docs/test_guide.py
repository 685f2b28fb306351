"""The guide on rules: what it says the checker says is what the checker says; its code runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from turnwise.api.documents import check_text

PAGE = Path(__file__).parents[2] / "docs" / "building-a-flow.md"
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(*titles: str) -> list[tuple[str, str]]:
    """The blocks under some headings, in order, by language."""
    parts = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return [block for part in parts if part.startswith(titles) for block in _FENCED.findall(part)]


@pytest.mark.requirement("000-76")
def test_the_guide_on_rules_shows_what_the_checker_says_of_them() -> None:
    (_, good), (_, nothing), (_, bad), (_, told) = blocks("Rules that explain themselves")
    assert nothing == "no problems\n"
    assert check_text(good.encode(), "flow.yaml") == []
    assert [str(one) for one in check_text(bad.encode(), "flow.yaml")] == told.splitlines()


@pytest.mark.requirement("000-76")
def test_the_guide_shows_code_beside_a_mirror_that_disagrees() -> None:
    ((language, text),) = blocks("Move between rules and code")
    assert language == "python"
    assert "mirror=True" in text
    assert "mirror_disagrees" in text
    exec(compile(text, "<guide>", "exec"), {"__name__": "guide"})
