"""Texts as people read them in one line: without the marks of Markdown."""

from __future__ import annotations

from turnwise.flow.late_pattern import late_pattern

_MARKS = late_pattern(r"\*\*|__|`+|(?m:^\s{0,3}(?:#{1,6}|[-*+]|\d+\.)\s+)|(?<=\])\([^)\s]*\)")
"""Marks of Markdown: emphasis, code, headings, items of lists, and the addresses of links."""


def without_markdown(text: str) -> str:
    """Return a text as people read it, in one line and without Markdown's marks."""
    return " ".join(_MARKS.sub("", text).split())
