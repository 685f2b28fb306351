"""A flow document as text: read from disk with its limits. It knows no syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.flow.diagnostic import Diagnostic, Span, problem

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 2_000_000
"""A document over this size is refused before it is read whole."""


def read_source(path: str | Path) -> str | Diagnostic:
    """The text of a file, or why it cannot be had."""
    here = Span(str(path))
    try:
        with open(path or ".", "rb") as file:  # noqa: PTH123  importing `pathlib` takes 2 ms
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        from turnwise.authoring.meant import file_meant

        return problem("TW001", "there is no such file", here, file_meant(path))
    except IsADirectoryError:
        from turnwise.authoring.meant import folder_meant

        return problem("TW001", "this is a folder, not a flow document", here, folder_meant(path))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return problem("TW001", f"the file cannot be read: {reason or error}", here)
    return decode_source(content, str(path))


def decode_source(content: bytes, file: str) -> str | Diagnostic:
    """The text of a document's bytes, which must be UTF-8."""
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
