"""The lines of a talk in the terminal: those that a person types, and those that come through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module

from turnwise.cli.watching import PROMPT


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
