"""The events of a stream as bytes, and the positions of clients in the journals of conversations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.json import Encoder

from turnwise.server.problems import RequestFailed
from turnwise.server.wire.requests import MOST_DIGITS, Fault

Mode = Literal["chat", "debug", "entries"]
"""What a client receives: messages and turns; with `debug` also entries, seams and evaluations; or entries alone."""
MODES: dict[str, Mode] = {"c": "chat", "d": "debug", "e": "entries"}
"""The modes of streams by their letters in cursors."""
LETTERS: dict[Mode, str] = {mode: letter for letter, mode in MODES.items()}
"""The letters of cursors by mode."""
_encode = Encoder().encode
_DIGEST = 12


class Position(NamedTuple):
    """A place in the stream events of a conversation: a journal entry, and the number of an event of the entry."""

    seq: int
    """The position of the entry in the journal, from 1; 0 before the first one."""
    nth: int = 0
    """The number of the event among those of its entry, from 1; 0 before all of them."""


BEFORE_FIRST = Position(0, 0)
"""The position before the first event of a conversation."""
AFTER_ENTRY = 1 << 30
"""The `nth` of a position after all events of an entry."""


class Item(Struct, frozen=True, gc=False):
    """One event of a stream."""

    name: str
    """The name of the event."""
    payload: bytes
    """The bytes of the event as it is sent, without its id."""
    position: Position | None = None
    """The position of the event; `None` for a transient event."""


def encode_json(data: Any) -> bytes:
    """Return data encoded as JSON."""
    return _encode(data)


def make_item(name: str, data: Any, position: Position | None = None) -> Item:
    """Return a stream event with its data as JSON, which is encoded once for all streams."""
    return Item(name, b"event: %b\ndata: %b\n" % (name.encode(), _encode(data)), position)


def retry_field(milliseconds: int) -> bytes:
    """Return the event-stream field that says after how many milliseconds a client reconnects."""
    return b"retry: %d\n\n" % milliseconds


@lru_cache(maxsize=4096)
def digest(conversation: str) -> str:
    """Return a short hash of a conversation's id for cursors, so that a cursor reveals no ids."""
    return sha256(conversation.encode()).hexdigest()[:_DIGEST]


class Cursor:
    """The positions of one client in all conversations of its stream, as the opaque id of its events."""

    def __init__(self, mode: Mode, positions: Mapping[str, Position]) -> None:
        self.mode: Mode = mode
        self.positions = dict(positions)
        self._letter = LETTERS[mode]
        self._parts = {name: self._part(name, position) for name, position in self.positions.items()}

    def move(self, conversation: str, position: Position) -> None:
        """Record that the client was sent the events up to a position."""
        self.positions[conversation] = position
        self._parts[conversation] = self._part(conversation, position)

    def remove(self, conversation: str) -> None:
        """Remove a conversation that was deleted from the cursor."""
        self.positions.pop(conversation, None)
        self._parts.pop(conversation, None)

    @staticmethod
    def _part(conversation: str, position: Position) -> str:
        return f"{digest(conversation)}-{position.seq}-{position.nth}"

    def __str__(self) -> str:
        return ".".join([self._letter, *self._parts.values()])

    def id_line(self) -> bytes:
        """Return the cursor as the event-stream field `id`, which ends an event."""
        return f"id: {self}\n\n".encode()


CURSOR_PATTERN = rf"^([cde](\.[0-9a-f]{{{_DIGEST}}}-[0-9]{{1,{MOST_DIGITS}}}-[0-9]{{1,{MOST_DIGITS}}})*)?(?![\s\S])"
"""What cursors look like, as a regular expression of JSON Schema."""


def read_cursor(text: str, conversations: Iterable[str], mode: Mode) -> dict[str, Position]:
    """Return the positions that a cursor has for some conversations, by id.
    For another `mode` than the cursor's they are those after whole entries. Raises `RequestFailed` if it is damaged.
    """
    letter, *parts = text.split(".")
    names = {digest(name): name for name in conversations}
    found: dict[str, Position] = {}
    for part in parts:
        name, seq, index = _numbers(part)
        if name in names:
            same = MODES.get(letter) == mode
            found[names[name]] = Position(seq, index if same else AFTER_ENTRY)
    if letter not in MODES:
        raise _wrong_cursor()
    return found


def _numbers(part: str) -> tuple[str, int, int]:
    name, *numbers = part.split("-")
    if len(numbers) != 2 or not all(one.isascii() and one.isdecimal() and len(one) <= MOST_DIGITS for one in numbers):
        raise _wrong_cursor()
    return name, int(numbers[0]), int(numbers[1])


def _wrong_cursor() -> RequestFailed:
    fault = Fault("?cursor", "the cursor is none of this server; connect without one, and load again")
    return RequestFailed("invalid", fault.message, errors=[fault])
