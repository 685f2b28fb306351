"""What clients sent and what was acknowledged, in a file outside of the store, with a line for each message."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import NamedTuple


class Acknowledged(NamedTuple):
    """A message that the deployment answered."""

    client: int
    """The number of the client that sent the message, from 0."""
    number: int
    """The number of the message among those of its client, from 0."""
    conversation: str
    """The id of the conversation."""
    key: str
    """The idempotency key of the request."""
    message: str
    """The text of the message."""
    turn: int
    """The number of the turn that the message began."""
    text: str
    """The text that the machine answered."""


class Ledger:
    """The answered messages, in order, in a file; each line is synced before its client continues."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        self._writing = threading.Lock()
        self.acknowledged: list[Acknowledged] = []
        self.failures: list[str] = []
        """Messages that were never answered."""

    def add(self, one: Acknowledged) -> None:
        """Add an answered message to the file."""
        line = json.dumps(one).encode() + b"\n"
        with self._writing:
            os.write(self._file, line)
            self.acknowledged.append(one)
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
