"""Hints of what was written: collected in a replica, and sent to all by NOTIFY, outside of the transactions of turns.

A NOTIFY inside of a transaction takes a lock that all commits share. So the hints of 20 ms go together. Each
transaction has a number of the sequence `written`; a hint names the numbers that it is about, and who listens sees from
the last number of the sequence which hints were lost.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import psycopg

from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.hint_lag import HintLag

CHANNEL = "turnwise_written"
"""The name of the channel to which PostgreSQL's NOTIFY sends the hints."""
PAUSE_S = 0.02
"""How many seconds hints are collected before they are sent."""
MOST_BYTES = 7900
"""How many bytes a hint may have: PostgreSQL takes messages of less than 8,000 bytes."""
MOST_KEPT = 10_000
"""For how many transactions hints may wait for a connection."""
NEXT_NUMBER = "SELECT nextval('written')"
"""The query of the next number by which a hint names the transaction that wrote."""


class Hint(NamedTuple):
    """A notification of a replica: the numbers of some transactions, and the last positions of what they wrote.
    Without conversations any may have been written.
    """

    numbers: list[int]
    """The numbers of the transactions that the hint reports."""
    written: list[tuple[str, int]] | None
    """The written conversations, each with its last position, 0 if it was deleted; `None` where they are not known."""


class Hints:
    """The hints of this replica that wait to be sent."""

    def __init__(self) -> None:
        self.lag = HintLag()
        self._lock = threading.Lock()
        self._come = threading.Event()
        self._numbers: list[int] = []
        self._written: dict[str, int] = {}

    def add(self, number: int, written: dict[str, int]) -> None:
        """Add the transaction with this number; `written` has the last position of each conversation that it wrote."""
        self.lag.committed(number)
        with self._lock:
            self._numbers.append(number)
            for name, seq in written.items():
                self._written.pop(name, None)  # so that a deletion stays behind what was written before it
                self._written[name] = seq
        self._come.set()

    def wake(self) -> None:
        """End a wait for hints."""
        self._come.set()

    def wait(self, seconds: float) -> bool:
        """Wait for hints to send, up to so many seconds; return whether there are any."""
        found = self._come.wait(seconds)
        self._come.clear()
        return found

    def send(self, db: Connection) -> None:
        """Send all hints that wait. If the connection is lost they wait for the next time."""
        with self._lock:
            numbers, written = self._numbers, self._written
            self._numbers, self._written = [], {}
        if not numbers:
            return
        try:
            for hint in _in_parts(numbers, list(written.items())):
                db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, hint))
        except psycopg.Error:
            if len(numbers) < MOST_KEPT:  # else they are lost, which the others notice by the numbers
                with self._lock:
                    self._numbers = numbers + self._numbers
                    self._written = written | self._written
            raise


def _in_parts(numbers: list[int], written: list[tuple[str, int]]) -> Iterator[str]:
    """Yield the texts of hints, each short enough; the numbers come with the last one."""
    text = msgspec.json.encode(Hint(numbers, written))
    if len(text) < MOST_BYTES:
        yield text.decode()
    elif len(written) > 1:
        half = len(written) // 2
        yield from _in_parts([], written[:half])
        yield from _in_parts(numbers, written[half:])
    elif len(numbers) > 1:
        half = len(numbers) // 2
        yield from _in_parts(numbers[:half], [])
        yield from _in_parts(numbers[half:], written)
    else:
        yield msgspec.json.encode(Hint(numbers, None)).decode()


def read_hint(text: str) -> Hint:
    """Return the hint of a notification's text; an unreadable text means changes in all conversations."""
    try:
        return msgspec.json.decode(text, type=Hint)
    except msgspec.DecodeError:
        return Hint([], None)
