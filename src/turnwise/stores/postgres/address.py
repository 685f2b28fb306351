"""The address of a PostgreSQL store: the part for the database server, and the settings for turnwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct

from turnwise.errors import StoreFailed
from turnwise.stores import shown_address

DEAD_AFTER_S = 10.0
"""After how many seconds without a sign a replica counts as dead."""
READERS = 8
"""How many threads read from the database."""
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m)?", re.ASCII)
_PLACE = re.compile(r"(/[^\0]*?|\[[0-9a-fA-F:.]+\]|[^\s:/,\[\]]+)(?::(\d{1,5}))?", re.ASCII)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, None: 1.0}
_LEAST_DEAD_S = 0.2
_MOST_READERS = 64


class Address(Struct, frozen=True):
    """The parts of a PostgreSQL store's address."""

    conninfo: str
    """The address as it is passed to the server, without turnwise's own options."""
    shown: str
    """The address without a password."""
    dead_after_s: float = DEAD_AFTER_S
    """After how many seconds without a heartbeat a replica counts as dead."""
    readers: int = READERS
    """How many connections for reading there are."""
    listens_at: tuple[str, str] = ("", "")
    """Host and port of the server itself, for the connection that listens, where the address leads to a pooler; both
    empty if it leads to the server."""


def read_address(address: str) -> Address:
    """Return the parts of a PostgreSQL store's address. Raises `StoreFailed` for an invalid address or option."""
    parts = urlsplit(address)
    shown = shown_address(address)
    own, rest = dict[str, Any](), list[tuple[str, str]]()
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name in _OPTIONS:
            attribute, read, expected = _OPTIONS[name]
            found = read(value)
            if found is None:
                raise StoreFailed(shown, f"{name}={value} is not {expected}")
            own[attribute] = found
        else:
            rest.append((name, value))
    conninfo = f"postgresql://{parts.netloc}{parts.path}{'?' if rest else ''}{urlencode(rest, safe='/')}"
    return Address(conninfo, shown, **own)


def _seconds(text: str) -> float | None:
    found = _SECONDS.fullmatch(text)
    seconds = float(found[1]) * _UNITS[found[2]] if found is not None else 0.0
    return seconds if seconds >= _LEAST_DEAD_S else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and 0 < int(text) <= _MOST_READERS else None


def _place(text: str) -> tuple[str, str] | None:
    found = _PLACE.fullmatch(text)
    return (found[1].strip("[]"), found[2] or "") if found is not None else None


_OPTIONS: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "dead_after": ("dead_after_s", _seconds, f"a time of at least {_LEAST_DEAD_S} s, such as 1s or 500ms"),
    "readers": ("readers", _number, f"a number of connections from 1 to {_MOST_READERS}"),
    "listen": ("listens_at", _place, "a host, with its port after a colon, such as db.example.com:5432, or a folder"),
}
"""The options of an address that are ours: the attribute, what reads it, and what is expected."""
