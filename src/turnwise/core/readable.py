"""A value as people read it in a text; what is secret is not told."""

from __future__ import annotations

from typing import Any

from turnwise.core.data import as_list
from turnwise.core.guards.types import shown
from turnwise.core.language import Language
from turnwise.core.values import REDACTED
from turnwise.flow.model import Field


def readable(language: Language, field: Field | None, value: Any) -> str:
    """A value, of a field where it has one, as people read it."""
    if field is not None and field.secret:
        return REDACTED
    if isinstance(value, bool):
        return language.text("value_yes" if value else "value_no")
    return shown(value, field)


LINE_BREAK = " ↵ "
"""What stands for the end of a line within a value, where a value is to look like no line of ours."""


def in_one_line(value: Any) -> Any:
    """A value, or a list of them, with its texts each in one line."""
    if isinstance(value, str):
        lines = value.splitlines()
        return LINE_BREAK.join(line.strip() for line in lines if line.strip()) if len(lines) > 1 else value
    items = as_list(value)
    return value if items is None else [in_one_line(item) for item in items]
