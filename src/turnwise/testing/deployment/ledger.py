"""What clients sent and what was acknowledged, in a file outside of the store, with a line for each message."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import NamedTuple


class Acknowledged(NamedTuple):
    """A message that was answered."""

    client: int
    """The number of the client that sent it."""
    number: int
    """The number of the message."""
    conversation: str
    key: str
    """The idempotency key that was sent with it."""
    message: str
    """What was sent."""
    turn: int
    """The number of the turn that it began."""
    text: str
    """What the machine said."""


class Ledger:
    """The acknowledged messages, in order. Each line is synced before its client goes on."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        self._writing = threading.Lock()
        self.acknowledged: list[Acknowledged] = []
        self.failures: list[str] = []
        """Messages that were never answered."""

    def add(self, one: Acknowledged) -> None:
        """Keep an acknowledged message."""
        line = json.dumps(one).encode() + b"\n"
        with self._writing:
            os.write(self._file, line)
            self.acknowledged.append(one)
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
