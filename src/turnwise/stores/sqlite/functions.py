"""Functions for SQL that read what rows contain: the standing of a state, the text of an event."""

from __future__ import annotations

import sqlite3
from functools import cache

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder

from turnwise.core.state import Ended, Failed, Waiting
from turnwise.runner.search import PERSON, find_text, has_text
from turnwise.stores.sqlite.rows import UNREADABLE, event_of, unpack_json


class _Frame(Struct):
    node: str


class _Standing(Struct):
    """The parts of a state that lists show."""

    status: Waiting | Ended | Failed
    frames: tuple[_Frame, ...]
    person: Raw = Raw(b"")


@cache
def _states() -> Decoder[_Standing]:
    return Decoder(_Standing)


def node_of(blob: bytes | None) -> str | None:
    """Return the node of a stored state (a function for SQL)."""
    found = _standing(blob)
    return found.frames[-1].node if found is not None else None


def status_of(blob: bytes | None) -> str | None:
    """Return the status of a stored state (a function for SQL)."""
    found = _standing(blob)
    if found is None:
        return None
    return "ended" if isinstance(found.status, Ended) else "failed" if isinstance(found.status, Failed) else "waiting"


def waits_of(blob: bytes | None) -> str | None:
    """Return what a stored state waits for (a function for SQL)."""
    found = _standing(blob)
    if found is None or isinstance(found.status, Ended):
        return None if found is None else ""
    return PERSON if found.person else found.status.what if isinstance(found.status, Waiting) else ""


def _standing(blob: bytes | None) -> _Standing | None:
    try:
        return _states().decode(unpack_json(blob)) if blob is not None else None
    except (DecodeError, *UNREADABLE):
        return None


def said(body: bytes, text: str) -> bool:
    """Return whether a stored event contains a text in its message or reply (a function for SQL)."""
    try:
        return has_text(event_of(body), text)
    except (DecodeError, *UNREADABLE):
        return False


def has(words: str | None, text: str) -> bool:
    """Return whether a name contains a text (a function for SQL)."""
    return words is not None and find_text(words.casefold(), text) >= 0


def add_functions(db: sqlite3.Connection) -> None:
    """Register the functions above with a connection."""
    for name, count, function in (
        ("turnwise_node", 1, node_of),
        ("turnwise_status", 1, status_of),
        ("turnwise_waits", 1, waits_of),
        ("turnwise_said", 2, said),
        ("turnwise_has", 2, has),
    ):
        db.create_function(name, count, function, deterministic=True)
