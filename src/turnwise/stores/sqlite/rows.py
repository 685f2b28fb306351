"""Converts entries, states and timers to rows and back; compresses long ones."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from msgspec import DecodeError, Struct
from msgspec.json import Decoder, Encoder

from turnwise.core.prompts.transcript import PARTS, is_part
from turnwise.core.state import Ended, Failed, State, Timer, Waiting
from turnwise.core.state.codec import decode_state
from turnwise.core.state.events import AnyEvent, Decided, Entry, Erased, Snapshot

LONG_BYTES = 2048
"""Above this size a text is compressed."""

SAID, DECIDED, SNAPSHOT, ERASED = 1, 2, 3, 4
_KINDS: dict[type, int] = {
    **dict.fromkeys(PARTS, SAID),
    Decided: DECIDED,
    Snapshot: SNAPSHOT,
    Erased: ERASED,
}
EVENT = "seq, turn, at_ms, body"
"""The columns that `entry_of` reads."""

UNREADABLE = (zlib.error, DecodeError, UnicodeDecodeError, TypeError)
"""What reading a row raises where a damaged page gave something else."""

_encoder = Encoder()
_events: Decoder[AnyEvent] = Decoder(AnyEvent)
_timers = Decoder(Timer)


def pack(data: bytes) -> bytes:
    """As it is, or compressed: JSON never begins as zlib does. Compressing lets other threads run, so it is the
    writer's work: done in the loop, a turn would wait until the writer lets it go on.
    """
    return data if len(data) <= LONG_BYTES else zlib.compress(data, 1)


def unpack(data: bytes) -> bytes:
    """What was packed."""
    return zlib.decompress(data) if data[:1] == b"\x78" else data


def kind_of(event: AnyEvent) -> int:
    """The kind of an event, by which it is found."""
    kind = _KINDS.get(type(event), 0)
    return 0 if kind == SAID and not is_part(event) else kind


def body_of(event: AnyEvent) -> bytes:
    """An event, not packed yet."""
    return _encoder.encode(event)


def entry_of(row: tuple[Any, ...]) -> Entry:
    """The entry of a row of `EVENT`."""
    seq, turn, at_ms, body = row
    return Entry(seq, turn, at_ms, _events.decode(unpack(body)))


def entries_of(rows: Iterable[tuple[Any, ...]]) -> tuple[Entry, ...]:
    """The entries of rows of `EVENT`."""
    return tuple(map(entry_of, rows))


def state_of(blob: bytes) -> State:
    """The state that was packed. Raises `UnknownFormat`."""
    return decode_state(unpack(blob))


class _Standing(Struct):
    """Of a state only how the conversation stands."""

    status: Waiting | Ended | Failed


_standings = Decoder(_Standing)


def status_of(blob: bytes) -> tuple[str, str]:
    """How the conversation of a state stands, and the outcome of one that has ended."""
    match _standings.decode(unpack(blob)).status:
        case Ended(outcome):
            return "ended", outcome
        case Failed():
            return "failed", ""
        case Waiting():
            return "waiting", ""


def document_blob(document: str) -> bytes:
    """A kept flow, packed."""
    return pack(document.encode())


def document_of(blob: bytes) -> str:
    """The flow that was packed."""
    return unpack(blob).decode()


def timer_blob(timer: Timer) -> bytes:
    """A timer."""
    return _encoder.encode(timer)


def timer_of(blob: bytes) -> Timer:
    """The timer that was kept."""
    return _timers.decode(blob)
