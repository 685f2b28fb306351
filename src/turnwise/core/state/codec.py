"""Encodes and decodes states and journal entries as JSON; checks the format first (law 1.4)."""

from __future__ import annotations

from msgspec import DecodeError, Struct
from msgspec.json import Decoder, Encoder

from turnwise.core.state import FORMAT, State
from turnwise.core.state.events import Entry
from turnwise.errors import UnknownFormat


class _Format(Struct):
    format: int | None = None


_encoder = Encoder()
_formats = Decoder(_Format)
_states = Decoder(State)
_entries = Decoder(Entry)


def encode_state(state: State) -> bytes:
    """The state as JSON."""
    return _encoder.encode(state)


def decode_state(data: bytes | str) -> State:
    """The state that was encoded. Raises `UnknownFormat` where its format is another."""
    try:
        found = _formats.decode(data).format
    except DecodeError:
        found = None
    if found != FORMAT:
        raise UnknownFormat("the state", found, FORMAT)
    return _states.decode(data)


def encode_entry(entry: Entry) -> bytes:
    """A journal entry as JSON."""
    return _encoder.encode(entry)


def decode_entry(data: bytes | str) -> Entry:
    """The journal entry that was encoded."""
    return _entries.decode(data)
