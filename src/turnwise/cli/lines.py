"""The lines of a talk in the terminal: those that a person types, and those that come through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TypeVar

from turnwise.cli.watching import PROMPT

T = TypeVar("T")
"""The type of the things among which a number chooses."""
_MOST_DIGITS = 3
"""The most digits of the number of a button or a line."""


def typed_lines() -> Iterator[str]:
    """Yield the lines that a person types, with editing and history where the system has them."""
    with suppress(ImportError):
        import_module("readline")  # `input` uses it
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            sys.stdout.write("\n")
            return
        except UnicodeDecodeError:
            yield ""


def piped_lines() -> Iterator[str]:
    """Yield the lines that come through a pipe. Invalid UTF-8 becomes replacement characters."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n")


def numbered_choice(line: str, things: Sequence[T]) -> T | None:
    """Return the thing whose number, from 1, a line has; `None` if the line has no such number."""
    text = line.strip()
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return things[int(text) - 1] if is_number and 1 <= int(text) <= len(things) else None
