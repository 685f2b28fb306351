"""Encodes and decodes states and journal entries as JSON; reads the formats of older versions (law 1.4)."""

from __future__ import annotations

from typing import Any

from msgspec import DecodeError, Struct, ValidationError, convert
from msgspec.json import Decoder, Encoder

from turnwise.core.state import FORMAT, State
from turnwise.core.state.events import AnyEvent, Entry
from turnwise.errors import UnknownFormat


class _Format(Struct):
    format: int | None = None


_encoder = Encoder()
_formats = Decoder(_Format)
_states = Decoder(State)
_events: Decoder[AnyEvent] = Decoder(AnyEvent)
_entries = Decoder(Entry)
_json = Decoder()


def encode_state(state: State) -> bytes:
    """Return a state as JSON bytes."""
    return _encoder.encode(state)


def decode_state(data: bytes | str) -> State:
    """Return the state of its JSON. Raises `UnknownFormat` where it was stored in a format that is not known."""
    try:
        found = _formats.decode(data).format
    except DecodeError:
        found = None
    if found == 1:
        return convert(_upgraded(_json.decode(data)), State)
    if found != FORMAT:
        raise UnknownFormat("the state", found, f"1 and {FORMAT}")
    return _states.decode(data)


def encode_entry(entry: Entry) -> bytes:
    """Return a journal entry as JSON bytes."""
    return _encoder.encode(entry)


def decode_entry(data: bytes | str) -> Entry:
    """Return the journal entry of its JSON."""
    try:
        return _entries.decode(data)
    except ValidationError:  # a state of format 1 has no `frame`
        return convert(_upgraded(_json.decode(data)), Entry)


def decode_event(data: bytes | str) -> AnyEvent:
    """Return only the event of a journal entry, from the entry's JSON."""
    try:
        return _events.decode(data)
    except ValidationError:
        return convert(_upgraded(_json.decode(data)), AnyEvent)


# format 1 ----------------------------------------------------------------------------------------

_OF_FRAME = (
    "question", "pending", "timers", "approvals", "put_off", "person",
    "visits", "tools", "judged", "decided", "closed_forms", "last_field",
)  # fmt: skip
"""What format 1 kept beside the frames."""


def _upgraded(found: Any) -> Any:
    """Return a state of format 1 as one of format 2; an event or entry with that of its state. In format 1 there was
    never more than one frame.
    """
    match found:
        case {"format": 1, "frames": [frame]}:
            moved = {key: found[key] for key in _OF_FRAME if key in found}
            moved |= {"awaiting_approval": found["held"]} if "held" in found else {}
            return {**found, "format": FORMAT, "frame": {**frame, **moved}}
        case {"state": state}:
            return {**found, "state": _upgraded(state)}
        case {"event": event}:
            return {**found, "event": _upgraded(event)}
        case _:
            return found
