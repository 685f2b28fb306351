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
    """How the value was set, such as by the user, a button, a tool or the flow."""
    confidence: float | None = None
    """How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say."""
    words: tuple[int, int] | None = None
    """Start and end (exclusive) of the value's words in the turn's message, in characters; `None` if not known."""
    place: Place | None = None
    """Where the value's words are: the journal position of the message, and start and end (exclusive) in it; `None` if
    not known."""
    last_item: int = 0
    """The number of the newest id, if the value is a list of records whose items got ids; else 0."""


class FieldCleared(Event, frozen=True, tag="field_cleared"):
    """The value of a field was removed; if the field had none, a blank value or null was written to it."""

    field: str
    """The address of the field."""
    how: ValueOrigin
    """How the value was removed: by the user, a tool, the flow."""


class NothingSet(Event, frozen=True, tag="nothing_set"):
    """A `set` or `set_on_leave` of the flow computed no value, so that the field was not set."""

    field: str
    """The address of the field."""
    missing: tuple[str, ...]
    """The names that the expression reads and that had no value."""
    removed: bool = False
    """True if the field had a value before, which is removed (`field_cleared` follows)."""

    @property
    def text(self) -> str:
        """The event in words: `nothing was set in u.tags: u.tags is missing`."""
        what = f"{self.field} lost its value, nothing was set" if self.removed else f"nothing was set in {self.field}"
        return f"{what}: {', '.join(self.missing)} {'is' if len(self.missing) == 1 else 'are'} missing"


class WordsHidden(Event, frozen=True, tag="words_hidden"):
    """Words of the user that hold a secret are hidden from models, whether or not the value was applied."""

    place: Place
    """The position of the message in the journal, and start and end (exclusive) of the words in it."""


class FieldShelved(Event, frozen=True, tag="field_shelved"):
    """An answer became inactive: it is kept, but guards see no value and it is not submitted (law 5.7)."""

    field: str
    """The address of the field."""


class FieldRevived(Event, frozen=True, tag="field_revived"):
    """An inactive answer became active again."""

    field: str
    """The address of the field."""
