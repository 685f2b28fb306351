"""What a command says beside the protocol: lines on its standard error, and lines on its standard output that are no
JSON-RPC. The protocol's package logs the latter with a traceback; for servers of ours that becomes one line.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextvars import ContextVar
from threading import Thread
from typing import Any

from turnwise.core.data import as_list, as_object

_SHOWN = 200
"""How many characters of a line are told."""

_log = logging.getLogger("turnwise.mcp")


class Said:
    """What a command writes to its standard error goes into the log, and the last line is kept; so is the first line
    of its standard output that is no JSON-RPC.
    """

    def __init__(self, server: str) -> None:
        reading, writing = os.pipe()
        self.file = os.fdopen(writing, "w", encoding="utf-8")
        self.stray = ""
        self._server = server
        self._last = ""
        self._is_reached = False
        self._reader = Thread(target=self._read, args=(reading,), name="turnwise-mcp-errors", daemon=True)
        self._reader.start()

    def listen(self) -> None:
        """Take what the protocol's package logs of this task's server, and of no other."""
        _speaking.set(self)
        logging.getLogger("mcp.client.stdio").addFilter(_take)

    def reached(self) -> None:
        """The server answers: a stray line that it wrote until then is told now. Where it never does, the reason
        of that tells it.
        """
        self._is_reached = True
        if self.stray:
            self._tell_stray()

    @property
    def untold(self) -> str:
        """The stray line that no log has told; empty where there is none."""
        return "" if self._is_reached else self.stray

    def _tell_stray(self) -> None:
        _log.warning("the server '%s' %s", self._server, self.stray)

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self._last = line.strip() or self._last
                _log.debug("%s: %s", self._server, line.rstrip())

    def take(self, record: logging.LogRecord) -> None:
        """Tell what was logged in one line, a stray line of the server once."""
        error = record.exc_info[1] if record.exc_info else None
        line = _line_of(error)
        if line is None:
            _log.warning("the server '%s': %s: %s", self._server, record.getMessage(), error)
        elif line.strip() and not self.stray:
            self.stray = f"writes to its standard output what is no JSON-RPC: {line.strip()[:_SHOWN]!r}"
            if self._is_reached:
                self._tell_stray()
        elif line.strip():
            _log.debug("%s: %r", self._server, line[:_SHOWN])

    async def last_words(self) -> str:
        """The last line of standard error, once everything has been read."""
        self.file.close()
        await asyncio.to_thread(self._reader.join, 1.0)
        return self._last


_speaking: ContextVar[Said | None] = ContextVar("turnwise_mcp_said", default=None)
"""Whose server the task that logs is about."""


def _take(record: logging.LogRecord) -> bool:
    """Whether a record is none of our servers', so that it is logged as it is."""
    said = _speaking.get()
    if said is not None:
        said.take(record)
    return said is None


def _line_of(error: Any) -> str | None:
    """The line that could not be read, out of the error that tells so."""
    errors: Any = getattr(error, "errors", None)
    found = (as_list(errors()) if callable(errors) else None) or ()
    first = as_object(found[0]) if found else None
    return str(first.get("input", "")) if first is not None else None
