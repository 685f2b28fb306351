"""Functions for SQL that read what rows contain: the standing of a state, the text of an event."""

from __future__ import annotations

import sqlite3

from msgspec import DecodeError

from turnwise.errors import UnknownFormat
from turnwise.runner.search import find_text, has_text, node_and_status
from turnwise.stores.encoded import UNREADABLE, event_of, state_of


def node_of(blob: bytes | None) -> str | None:
    """Return the node in charge in a stored state (a function for SQL); `None` without a state."""
    return _standing(blob)[0]


def status_of(blob: bytes | None) -> str | None:
    """Return the status of a stored state (a function for SQL); `None` without a state."""
    return _standing(blob)[1]


def waits_of(blob: bytes | None) -> str | None:
    """Return what a stored state waits for (a function for SQL); `None` without a state."""
    return _standing(blob)[2]


def _standing(blob: bytes | None) -> tuple[str | None, str | None, str | None]:
    try:
        return node_and_status(state_of(blob)) if blob is not None else (None, None, None)
    except (UnknownFormat, DecodeError, *UNREADABLE):
        return None, None, None


def event_has_text(body: bytes, text: str) -> bool:
    """Return whether a stored event contains a text in its message or reply (a function for SQL)."""
    try:
        return has_text(event_of(body), text)
    except (DecodeError, *UNREADABLE):
        return False


def name_has_text(words: str | None, text: str) -> bool:
    """Return whether a name contains a text (a function for SQL)."""
    return words is not None and find_text(words.casefold(), text) >= 0


def add_functions(db: sqlite3.Connection) -> None:
    """Register the SQL functions of this module with a connection."""
    for name, count, function in (
        ("turnwise_node", 1, node_of),
        ("turnwise_status", 1, status_of),
        ("turnwise_waits", 1, waits_of),
        ("turnwise_said", 2, event_has_text),
        ("turnwise_has", 2, name_has_text),
    ):
        db.create_function(name, count, function, deterministic=True)
