"""The base class of all events, and what retention leaves in the place of what it erased.

The modules beside this one define the events themselves.
"""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """The base class of all events."""


class Erasure(Struct, frozen=True, gc=False):
    """A record that retention erased something: when, and after how many days."""

    at_ms: int
    """When the data was erased, in milliseconds since 1970."""
    days: float
    """After how many days the rule erases data of this kind."""

    @property
    def day(self) -> str:
        """The day of the erasure, in UTC, such as `2026-11-01`."""
        return f"{datetime.fromtimestamp(self.at_ms / 1000, UTC):%Y-%m-%d}"

    @property
    def duration(self) -> str:
        """How long retention keeps such data, in words, such as `30 days`."""
        return "1 day" if self.days == 1 else f"{self.days:g} days"
