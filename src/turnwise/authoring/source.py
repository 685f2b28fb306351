"""Reads the text of a document, within the size limits that hold for every syntax.

It parses nothing: `MAX_BYTES` bounds the text, the others what a composer may make of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.late_pattern import late_pattern

if TYPE_CHECKING:
    from pathlib import Path

YAML, JSON, DYGRAM, PYTHON = (".yaml", ".yml"), (".json",), (".dy", ".dygram", ".mach"), (".py",)
SUFFIXES = (*YAML, *JSON, *DYGRAM, *PYTHON)
"""The endings of files that may hold a flow. They are apart from the table of formats, because the
readers that it names suggest files by their endings.
"""
MAX_BYTES = 2_000_000
"""A document over this size is refused before it is read whole."""
MAX_DEPTH = 64
"""How deep a document may be nested."""
MAX_PARTS = 100_000
"""How many values a document may have."""
MAX_CHARS = 8_000_000
"""Characters of all texts together, each alias counted in full: a text that stands a thousand times
is small in memory, and large as soon as the flow is written."""

_PARTS = "a part is a key, a value, a list or a mapping; each alias counts as what it stands for"
LONGEST_SHOWN = 60
"""How many characters of a text a message repeats."""
_LONGEST_NUMBER = 40
_INT = late_pattern(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = late_pattern(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SURROGATE = late_pattern("[\ud800-\udfff]")


Load = Callable[[str], "str | Diagnostic"]
"""A function that returns the text of a file, or a diagnostic why the file cannot be read."""


class DocumentRefused(Exception):
    """Raised for a document that cannot be parsed; `diagnostic` holds the reason."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class SizeCount:
    """Counts the parts and characters of a document, to enforce the limits."""

    __slots__ = ("chars", "parts")

    def __init__(self) -> None:
        self.parts = 0
        self.chars = 0

    def add(self, parts: int, chars: int, span: Span) -> None:
        """Count further parts and characters. Raises `DocumentRefused` if there are too many."""
        self.parts += parts
        self.chars += chars
        if self.parts > MAX_PARTS:
            message = f"the document has more than {MAX_PARTS:,} parts, which is the limit"
            raise DocumentRefused(problem("TW005", message, span, _PARTS))
        if self.chars > MAX_CHARS:
            message = f"the document has more than {MAX_CHARS:,} characters, which is the limit"
            raise DocumentRefused(problem("TW005", message, span, "each alias counts as what it stands for"))


def shown_text(text: str, longest: int = LONGEST_SHOWN) -> str:
    """Return a text on one line and cut if it is longer than `longest`, for a message."""
    text = " ".join(text[: 2 * longest].split())
    return text if len(text) <= longest else f"{text[:longest]}…"


def whole_characters(text: str) -> str:
    """Return a text without halves of characters, which UTF-8 cannot encode: they are joined or replaced."""
    if _SURROGATE.search(text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def number_of(text: str) -> int | float | None:
    """Return the number that a bare word means in YAML 1.2; `None` if it is no number, or too large."""
    if len(text) > _LONGEST_NUMBER:
        return None
    if _INT.fullmatch(text):
        return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    if _FLOAT.fullmatch(text):
        value = float(text)
        return value if math.isfinite(value) else None
    return None


def read_source(path: str | Path) -> str | Diagnostic:
    """Return the text of a file, or a diagnostic that says why it cannot be read."""
    content = read_content(path)
    return content if isinstance(content, Diagnostic) else decode_source(content, str(path))


def read_content(path: str | Path) -> bytes | Diagnostic:
    """Return the bytes of a file, or a diagnostic that says why it cannot be read.

    At most one more than a document may have.
    """
    here = Span(str(path))
    try:
        with open(path or ".", "rb") as file:  # noqa: PTH123  importing `pathlib` takes 2 ms
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        from turnwise.authoring.missing import hint_for_file

        return problem("TW001", "there is no such file", here, hint_for_file(path, SUFFIXES))
    except IsADirectoryError:
        from turnwise.authoring.missing import hint_for_folder

        return problem("TW001", "this is a folder, not a flow document", here, hint_for_folder(path, SUFFIXES))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return problem("TW001", f"the file cannot be read: {reason or error}", here)


def decode_source(content: bytes, file: str) -> str | Diagnostic:
    """Return the text of UTF-8 bytes, or a diagnostic that says why they cannot be read."""
    if len(content) > MAX_BYTES:
        message = f"the document has more than {MAX_BYTES:,} bytes, which is the limit"
        return problem("TW002", message, Span(file), "split it into files")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        wrong = f"byte {content[error.start]:#04x} is not UTF-8"
        return problem("TW001", wrong, Span(file, line, column), "save the file as UTF-8")
