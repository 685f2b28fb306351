"""What all events share."""

from __future__ import annotations

from msgspec import Struct


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """What all events share: nothing but being one."""
