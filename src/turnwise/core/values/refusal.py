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
    """Why a value was refused: a code, a sentence (ISO), the bound that it exceeds. For one of several arguments,
    `subject` is its name and `value` its value. `formatting.refusal` renders `words` for users.
    `readings` are the values that an ambiguous one may be.
    """

    reason: ValueRefusal
    text: str
    bound: Any = None
    subject: str = ""
    value: Any = None
    kind: FieldType = "string"
    words: Mapping[str, Any] = {}
    readings: tuple[Any, ...] = ()


class Rules(Struct, frozen=True):
    """The settings for reading values: language, time zone, size limits; and the time of the turn, without which bounds
    that move with the clock are not judged.
    """

    language: Language
    zone: str = "UTC"
    max_chars: int = 10_000
    max_items: int = 200
    max_list_bytes: int = 262_144
    at_ms: int | None = None

    def refused(self, reason: ValueRefusal, **values: object) -> Refused:
        """Return a refusal with its sentence in the language."""
        bound = values.get("bound", values.get("allowed", values.get("options")))
        return Refused(reason, self.language.text(f"refused_{reason}", **values), bound)
