"""Writes files and standard output; if this fails, raises an error with one line that says why.

It decides nothing about what is written.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

from turnwise.errors import CannotWrite

STANDARD_STREAM = "-"
"""The path that means standard input, or standard output."""


_data: ContextVar[TextIO | None] = ContextVar("turnwise_data", default=None)
"""Where data goes while it is alone on standard output."""


@contextmanager
def stdout_for_data() -> Generator[None]:
    """Reserve standard output for data inside the context: what a flow's code prints goes to standard error."""
    token = _data.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _data.reset(token)


def put_data(line: str) -> None:
    """Write a line of data on standard output."""
    out = _data.get() or sys.stdout
    out.write(line + "\n")
    out.flush()


def put_text(file: Path | None, text: str) -> None:
    """Write a text to a file, which it replaces, or (`None`) to standard output. Raises `CannotWrite`."""
    if file is None or str(file) == STANDARD_STREAM:
        sys.stdout.write(text)
        return
    with reporting_write_errors(file):
        file.write_text(text, "utf-8")


def refuse_existing(file: Path | None) -> None:
    """Raise `CannotWrite` for a folder, and for a file that exists: replacing one needs `--force`."""
    if file is None or str(file) == STANDARD_STREAM:
        return
    with reporting_write_errors(file):
        if file.is_dir():
            raise IsADirectoryError
        if file.exists():
            raise CannotWrite(file, "there is such a file already; --force replaces it")


@contextmanager
def reporting_write_errors(path: Path) -> Generator[None]:
    """Raise `CannotWrite` for a system error while the file or folder `path` is written inside the context."""
    try:
        yield
    except OSError as error:
        raise CannotWrite(path, _reason(path, error)) from None


def _reason(path: Path, error: OSError) -> str:
    """Return why a path could not be written, and what to do."""
    match error:
        case FileNotFoundError():
            return f"there is no folder {path.parent}; make it first, or name another"
        case NotADirectoryError():
            file = next((folder for folder in path.parents if folder.is_file()), path.parent)
            return f"{file} is a file, not a folder; name another place"
        case IsADirectoryError():
            return "this is a folder; name a file in it"
        case FileExistsError():
            return "this is a file; name a folder"
        case _:
            return f"it cannot be written: {error.strerror}"
