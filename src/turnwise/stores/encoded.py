"""What stores keep of entries and states: JSON, compressed where it is long or the store asks for it, and the kinds of
events by which queries find them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, Literal, get_args

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from turnwise.core.prompts.transcript import TRANSCRIPT_EVENTS, is_in_transcript
from turnwise.core.state import Ended, Failed, State, Waiting
from turnwise.core.state.codec import decode_event, decode_state
from turnwise.core.state.events import AnyEvent, Decided, Entry, Erased, Note, Snapshot, Undone
from turnwise.core.values.nesting import flatten_deep_data
from turnwise.runner.ports import Queued
from turnwise.stores import preset_dictionary

COMPRESSED_FROM_BYTES = 2048
"""The length in bytes above which a text is compressed."""
SAID, DECIDED, SNAPSHOT, ERASED, NOTED, UNDONE = 1, 2, 3, 4, 5, 6
NUMBER_OF_KIND: dict[type, int] = {
    **dict.fromkeys(TRANSCRIPT_EVENTS, SAID),
    **dict.fromkeys(get_args(Note), NOTED),
    Decided: DECIDED,
    Snapshot: SNAPSHOT,
    Erased: ERASED,
    Undone: UNDONE,
}
"""The number that stores keep for the kind of an event, by class, for classes that queries look for."""
ENTRY_COLUMNS = "seq, turn, at_ms, body, frame"
"""The columns that `entry_of` reads."""
UNREADABLE = (zlib.error, DecodeError, UnicodeDecodeError, TypeError)
"""The exceptions that reading a stored row raises where a damaged page returned something else."""


def pack(data: bytes) -> bytes:
    """Return data for storing, compressed if it is long. Stored JSON never begins as compressed data does.
    Compressing lets other threads run, so the writer does it: in the loop, a turn would wait until the writer lets it
    continue.
    """
    return data if len(data) <= COMPRESSED_FROM_BYTES else zlib.compress(data, 1)


def pack_tightly(data: bytes) -> bytes:
    """Return data compressed in any case; a short text is compressed with the preset dictionary."""
    return preset_dictionary.compress(data) if len(data) <= COMPRESSED_FROM_BYTES else pack(data)


def unpack(data: bytes) -> bytes:
    """Return the data that `pack` or `pack_tightly` packed."""
    match data[:1]:
        case b"\x78":
            return zlib.decompress(data)
        case preset_dictionary.MARK:
            return preset_dictionary.decompress(data)
        case _:
            return data


def unpack_json(data: bytes) -> bytes:
    """Return the JSON of a packed entry or state; what is nested too deeply to be read is flattened."""
    return flatten_deep_data(unpack(data))


def kind_of(event: AnyEvent) -> int:
    """Return the number that stands for the type of an event, by which queries find events."""
    kind = NUMBER_OF_KIND.get(type(event), 0)
    return 0 if kind == SAID and not is_in_transcript(event) else kind


def event_of(body: bytes) -> AnyEvent:
    """Return the event that is stored in the body of a database row."""
    return decode_event(unpack_json(body))


def entry_of(row: tuple[Any, ...]) -> Entry:
    """Return the journal entry of a database row with the columns `ENTRY_COLUMNS`."""
    seq, turn, at_ms, body, frame = row
    return Entry(seq, turn, at_ms, event_of(body), frame)


def entries_of(rows: Iterable[tuple[Any, ...]]) -> tuple[Entry, ...]:
    """Return the journal entries of database rows with the columns `ENTRY_COLUMNS`."""
    return tuple(map(entry_of, rows))


def state_of(blob: bytes) -> State:
    """Return the state that is stored in a database row. Raises `UnknownFormat`."""
    return decode_state(unpack_json(blob))


class _Standing(Struct):
    """The part of a state that contains the status of the conversation."""

    status: Waiting | Ended | Failed


_standings = Decoder(_Standing)


def status_of(blob: bytes) -> tuple[Literal["waiting", "ended", "failed"], str]:
    """Return the status of a stored state, and the outcome of a conversation that has ended (else empty)."""
    match _standings.decode(unpack_json(blob)).status:
        case Ended(outcome):
            return "ended", outcome
        case Failed():
            return "failed", ""
        case Waiting():
            return "waiting", ""


def queued_of(conversation: str, blob: bytes) -> Queued | None:
    """Return a stored conversation that waits for a person or has one in charge; `None` for any other."""
    state = state_of(blob)
    person = state.frame.person
    return Queued(conversation, state.flow, state.frame.node, person) if person is not None else None


def document_of(blob: bytes) -> str:
    """Return the flow document that is stored in a database row."""
    return unpack(blob).decode()
