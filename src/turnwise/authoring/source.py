"""A flow document as text: read from disk with its limits. It knows no syntax."""

from __future__ import annotations

from pathlib import Path

from turnwise.flow.diagnostic import Diagnostic, Span, problem

MAX_BYTES = 2_000_000
"""A document over this size is refused before it is read."""


def read_source(path: str | Path) -> str | Diagnostic:
    """The text of a file, or why it cannot be had."""
    file = Path(path)
    here = Span(str(path))
    try:
        size = file.stat().st_size
        if file.is_dir():
            return problem("TW001", "this is a folder, not a flow document", here)
        if size > MAX_BYTES:
            return _too_large(size, here)
        content = file.read_bytes()
    except FileNotFoundError:
        return problem("TW001", "there is no such file", here)
    except OSError as error:
        return problem("TW001", f"the file cannot be read: {error.strerror or error}", here)
    return decode_source(content, str(path))


def decode_source(content: bytes, file: str) -> str | Diagnostic:
    """The text of a document's bytes, which must be UTF-8."""
    if len(content) > MAX_BYTES:
        return _too_large(len(content), Span(file))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        wrong = f"byte {content[error.start]:#04x} is not UTF-8"
        return problem("TW001", wrong, Span(file, line, column), "save the file as UTF-8")


def _too_large(size: int, span: Span) -> Diagnostic:
    return problem("TW002", f"the document has {size:,} bytes; the limit is {MAX_BYTES:,}", span)
