"""A value as people read it in a text; a secret one is hidden."""

from __future__ import annotations

from typing import Any

from turnwise.core.data import as_list
from turnwise.core.formatting import Place, localized
from turnwise.core.guards.types import CONVERTERS, shown, type_of
from turnwise.core.language import Language
from turnwise.core.values import REDACTED, Refused
from turnwise.flow.model import Field


def readable(language: Language, zone: str, field: Field, value: Any) -> str:
    """A stored value of a field in the language and the time zone of the conversation."""
    if field.secret:
        return REDACTED
    kind = type_of(field)
    convert = CONVERTERS.get(kind)
    return for_people(language, zone, kind, value if convert is None or value is None else convert(value))


def for_people(language: Language, zone: str, kind: str, value: Any) -> str:
    """A value of the guard language, by its type there."""
    if type(value) is str and kind not in ("date", "time"):
        return value
    if isinstance(value, bool):
        return language.text("value_yes" if value else "value_no")
    return localized(kind, value, Place(language.code, zone))


def refusal(language: Language, zone: str, refused: Refused) -> str:
    """Why a value was not taken, as people read it."""
    if not refused.words:
        return refused.text
    field = Field("", type=refused.kind)
    words = {name: readable(language, zone, field, value) for name, value in refused.words.items()}
    is_time = refused.kind in ("date", "time", "datetime")
    reason = _IN_TIME.get(refused.reason, refused.reason) if is_time else refused.reason
    return language.text(f"refused_{reason}", **words)


_IN_TIME = {"min": "early", "max": "late"}


def for_models(language: Language, value: Any) -> str:
    """A value of the guard language in a prompt: dates and times in ISO form."""
    return language.text("value_yes" if value else "value_no") if isinstance(value, bool) else shown(value)


LINE_BREAK = " ↵ "
"""What stands for the end of a line within a value, where a value is to look like no line of ours."""


def in_one_line(value: Any) -> Any:
    """A value, or a list of them, with its texts each in one line."""
    if isinstance(value, str):
        lines = value.splitlines()
        return LINE_BREAK.join(line.strip() for line in lines if line.strip()) if len(lines) > 1 else value
    items = as_list(value)
    return value if items is None else [in_one_line(item) for item in items]
