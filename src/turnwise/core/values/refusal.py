"""Why a value is refused, and the settings by which values are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from msgspec import Struct

from turnwise.core.language import Language
from turnwise.core.state.kinds import ValueRefusal
from turnwise.flow.model import FieldType


@final
class Refused(Struct, frozen=True):
    """Why a value is refused: the code, a sentence with ISO dates, and the bound that it exceeds."""

    reason: ValueRefusal
    """The code of why the value is refused."""
    text: str
    """Why the value is refused, in a sentence with ISO dates."""
    bound: Any = None
    """The bound that the value exceeds; `None` if it exceeds none."""
    subject: str = ""
    """The name of the argument or field, if there are several; else empty."""
    value: Any = None
    """The refused value of `subject`; `None` without a subject."""
    kind: FieldType = "string"
    """The type of the field that refuses the value."""
    words: Mapping[str, Any] = {}
    """The values by name from which `formatting.refusal` renders the sentence for users."""
    readings: tuple[Any, ...] = ()
    """The possible values of an ambiguous text; empty if it is not ambiguous."""


class Rules(Struct, frozen=True):
    """The settings for reading values: language, time zone, size limits and the time of the turn."""

    language: Language
    """The language in which values and refusals are written."""
    zone: str = "UTC"
    """The time zone in which local dates and times are read."""
    max_chars: int = 10_000
    """The most characters that a text field may hold."""
    max_items: int = 200
    """The most items that a list may hold."""
    max_list_bytes: int = 262_144
    """The most bytes that a list of records may have as JSON."""
    at_ms: int | None = None
    """When the turn began, in milliseconds since 1970; with `None`, bounds that move with the clock do not apply."""

    def refused(self, reason: ValueRefusal, **values: object) -> Refused:
        """Return a refusal for a reason, with its sentence in the language of the rules."""
        bound = values.get("bound", values.get("allowed", values.get("options")))
        return Refused(reason, self.language.text(f"refused_{reason}", **values), bound)
