"""The documents on the page about DyGram are correct, and each code that it names has a page."""

from __future__ import annotations

import re
from pathlib import Path

from turnwise.api.documents import check_text

PAGE = Path(__file__).parents[2] / "docs" / "dygram.md"


def test_the_examples_of_the_page_have_no_problems() -> None:
    found = re.findall(r"^```dygram\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    assert [check_text(text.encode(), "page.dy") for text in found] == [[]] * len(found)


def test_each_edge_of_the_table_is_read_as_one() -> None:
    rows = re.findall(
        r"^\| `(a[^`]*)`", PAGE.read_text("utf-8").partition("## Edges")[2].partition("## Fields")[0], re.MULTILINE
    )
    assert len(rows) > 10
    declared = 'task a { prompt: "A."; } state b; state d; tool t; context x { y: 0; } '
    for row in rows:
        inner = (
            "context c { x: 0; y: 0; }" if re.search(r"(reads|writes|stores|write: .*)-> c|c -> a", row) else "state c;"
        )
        codes = {
            one.code for one in check_text(f"{declared}{inner} {row};".encode(), "row.dy") if one.severity == "error"
        }
        assert not codes, (row, codes)
