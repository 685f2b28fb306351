"""A value as people read it in a text; what is secret is not told."""

from __future__ import annotations

from typing import Any

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
