"""A flow from standard input: `-` in the place of its file, and `--from` for the form of the text."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path

from turnwise.api.output import STANDARD_STREAM
from turnwise.errors import WrongUsage

NAME = "<stdin>"
"""The name of standard input in messages, in place of a file's name."""
_form: ContextVar[str] = ContextVar("form of standard input", default="")


def choose_form(form: str) -> str:
    """Set the form of standard input for the command that runs: `yaml`, `json`, `dygram`; empty is YAML.
    JSON is YAML, too. Raises `WrongUsage` for another one.
    """
    if form:
        from turnwise.authoring.formats import TEXT_FORMATS
        from turnwise.flow.diagnostic import nearest

        if form not in TEXT_FORMATS:
            raise WrongUsage(f"--from: no form is called '{form}'; {nearest(form, TEXT_FORMATS)}")
    _form.set(form)
    return form


def need_standard_input(given: Iterable[object]) -> None:
    """Raise `WrongUsage` if a form was chosen and no argument is standard input ('-')."""
    if _form.get() and not any(
        one == Path(STANDARD_STREAM) or (isinstance(one, list) and Path(STANDARD_STREAM) in one) for one in given
    ):
        raise WrongUsage("--from is for standard input, whose flow is '-'; the form of a file is known by its ending")


def read_standard() -> tuple[bytes, str]:
    """Return the content of standard input, and a file name for it, whose suffix is that of its document format."""
    from turnwise.authoring.formats import named_document

    form = _form.get()
    return sys.stdin.buffer.read(), named_document(NAME, form) if form else NAME
