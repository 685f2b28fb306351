"""Pieces of models' texts on their way to other replicas: joined for 50 ms, and sent by NOTIFY, never stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from turnwise.runner.model_port import Delta
from turnwise.runner.shared_texts import Piece
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.hints import MOST_BYTES

TEXT_CHANNEL = "turnwise_text"
"""The channel of PostgreSQL by which replicas send growing replies."""
JOINED_S = 0.05
"""For how long pieces of text are collected before they are sent together, in seconds."""
MOST_WAITING = 1_000
"""How many texts wait at most; where there are more, the server does not take them, and clients get whole messages."""


class _Sent(NamedTuple):
    """A message of a replica with some pieces."""

    process: int
    pieces: list[Piece]


class WaitingTexts:
    """The pieces of generated texts of this replica that wait to be sent."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[tuple[str, str], Delta] = {}
        self._due_s: float | None = None

    def add(self, piece: Piece) -> bool:
        """Add a piece to the ones of its text; return whether it is the first piece of any text that waits."""
        key = (piece.conversation, piece.delta.effect)
        with self._lock:
            before = self._waiting.get(key)
            if before is None and len(self._waiting) >= MOST_WAITING:
                return False
            if before is None or piece.delta.is_whole:
                self._waiting[key] = piece.delta
            else:
                self._waiting[key] = replace(before, text=before.text + piece.delta.text)
            is_first, self._due_s = self._due_s is None, self._due_s or time.monotonic() + JOINED_S
            return is_first

    def drop(self, conversation: str) -> None:
        """Drop the pieces of a conversation that wait."""
        with self._lock:
            for key in [key for key in self._waiting if key[0] == conversation]:
                del self._waiting[key]

    @property
    def due_s(self) -> float | None:
        """When the waiting pieces are to be sent, in seconds of the monotonic clock; `None` where none wait."""
        return self._due_s

    def send(self, db: Connection, process: int) -> None:
        """Send the waiting pieces, if it is time.
        `process` is the number of this replica. If the connection is lost the pieces are, too.
        """
        with self._lock:
            if self._due_s is None or time.monotonic() < self._due_s:
                return
            waiting, self._waiting, self._due_s = self._waiting, {}, None
        pieces = [Piece(conversation, delta) for (conversation, _), delta in waiting.items()]
        for message in _messages(process, pieces):
            db.execute("SELECT pg_notify(%s, %s)", (TEXT_CHANNEL, message))


def _messages(process: int, pieces: list[Piece]) -> Iterator[str]:
    """Yield messages with all pieces, each short enough; a text that is too long goes in several pieces."""
    if not pieces:
        return
    message = msgspec.json.encode(_Sent(process, pieces))
    if len(message) < MOST_BYTES:
        yield message.decode()
    elif len(pieces) > 1:
        half = len(pieces) // 2
        yield from _messages(process, pieces[:half])
        yield from _messages(process, pieces[half:])
    else:
        ((conversation, delta),) = pieces
        half = len(delta.text) // 2
        if half:  # else its conversation has a name that fills a message
            for part in (
                replace(delta, text=delta.text[:half]),
                replace(delta, text=delta.text[half:], is_whole=False),
            ):
                yield from _messages(process, [Piece(conversation, part)])


def read_message(text: str, process: int | None) -> list[Piece]:
    """Return the pieces in a message of another replica; none of an unreadable message or of this replica's own, which
    has the number `process`.
    """
    with suppress(msgspec.DecodeError):
        sent = msgspec.json.decode(text, type=_Sent)
        return sent.pieces if sent.process != process else []
    return []
