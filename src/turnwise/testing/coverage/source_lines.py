"""The lines of a document in which the conditions of a guard stand."""

from __future__ import annotations

import re
from pathlib import Path

from turnwise.core.values import REDACTED


def source_lines(file: str) -> list[str]:
    """Return the lines of the file at a path, without spaces; `[]` for an empty path, of a flow without a file."""
    path = Path(file)
    return [_bare(line) for line in path.read_text("utf-8", "replace").splitlines()] if file and path.is_file() else []


def lines_of(texts: list[str], first: int, source: list[str]) -> list[int]:
    """Return the line (from 1) of each leaf of a guard: `texts` are the leaves, and the guard begins in line `first` of
    the lines `source`.
    """
    if not 0 < first <= len(source):
        return [first] * len(texts)
    end = next((at for at in range(first, len(source)) if _KEY.match(source[at])), len(source))
    found: list[int] = []
    line = first
    for text in texts:
        parts = [_bare(part) for part in text.split(REDACTED)]
        line = next((at + 1 for at in range(line - 1, end) if all(one in source[at] for one in parts)), line)
        found.append(line)
    return found


_KEY = re.compile(r"[-{[]*[\w\"]+:(?!:)")
"""A line that begins with a key, or with an item of a list: the guard before it has ended."""


def _bare(text: str) -> str:
    """Normalize the spaces and quotes of a guard, to compare different notations."""
    return "".join(text.split()).replace("'", '"').replace('\\"', '"')
