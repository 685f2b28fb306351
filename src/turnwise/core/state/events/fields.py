"""Events about values of fields: set, cleared, hidden from models, kept while they do not apply."""

from __future__ import annotations

from typing import Any

from turnwise.core.state import Place, ValueOrigin
from turnwise.core.state.events.base import Event


class FieldSet(Event, frozen=True, tag="field_set"):
    """The value of a field was set."""

    field: str
    """The address of the field."""
    value: Any
    """The new value in its stored form."""
    how: ValueOrigin
    """How it was set: typed, chosen, by a model, by a tool, by the flow."""
    confidence: float | None = None
    """How sure the reader of the message was, from 0 to 1; it decides nothing. `None` if it did not say."""
    words: tuple[int, int] | None = None
    """Start and end of its words in the message of the turn."""
    place: Place | None = None
    """Where its words stand: the position of the message, start and end in it."""
    last_item: int = 0
    """Where items of a list of records got new ids: the number of the last one; else 0."""


class FieldCleared(Event, frozen=True, tag="field_cleared"):
    """The value of a field was removed; where it had none, a blank value or null was written to it."""

    field: str
    """The address of the field."""
    how: ValueOrigin
    """Who removed it: the user, a tool, the flow."""


class NothingSet(Event, frozen=True, tag="nothing_set"):
    """A `set` or `set_on_leave` computed no value."""

    field: str
    """The address of the field."""
    missing: tuple[str, ...]
    """The names that it reads and that had no value."""
    removed: bool = False
    """True where the field had a value before, which is removed (`field_cleared` follows)."""

    @property
    def text(self) -> str:
        """The event in words: `nothing was set in u.tags: u.tags is missing`."""
        what = f"{self.field} lost its value, nothing was set" if self.removed else f"nothing was set in {self.field}"
        return f"{what}: {', '.join(self.missing)} {'is' if len(self.missing) == 1 else 'are'} missing"


class WordsHidden(Event, frozen=True, tag="words_hidden"):
    """Words of the user that contain a secret. They are hidden from models, whether or not the value was applied."""

    place: Place
    """The position of the message, start and end of the words in it."""


class FieldShelved(Event, frozen=True, tag="field_shelved"):
    """An answer became inactive: kept, but missing to guards and not submitted (law 5.7)."""

    field: str
    """The address of the field."""


class FieldRevived(Event, frozen=True, tag="field_revived"):
    """An inactive answer counts again."""

    field: str
    """The address of the field."""
