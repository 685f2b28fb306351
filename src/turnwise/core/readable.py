"""A value as people read it."""

from __future__ import annotations

from typing import Any

from turnwise.core.guards.types import shown
from turnwise.core.language import Language
from turnwise.flow.model import Field


def readable(value: Any, field: Field | None, language: Language) -> str:
    """A value as people read it: yes and no in their language, all else as it is shown."""
    if isinstance(value, bool):
        return language.text("value_yes" if value else "value_no")
    return shown(value, field)
