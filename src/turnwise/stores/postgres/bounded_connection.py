"""A connection that is given up where the server does not answer: no turn waits for one that is frozen, or was cut off.

The settings of TCP notice a network that drops everything. They do not notice a server, or a pooler, that stands still
while its system acknowledges what it is sent.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from math import inf
from typing import Any, TypeVar

import psycopg

Found = TypeVar("Found")
"""The type of the result of a database call."""


class BoundedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that closes itself where an answer takes longer than `answers_within_s` seconds.
    It raises `psycopg.OperationalError`.
    """

    answers_within_s = inf
    """How long an answer may take, in seconds; `inf` for no limit."""

    def wait(self, gen: Generator[Any, Any, Found], *arguments: Any, **more: Any) -> Found:
        """Wait for the answer of the server, and return it."""
        return super().wait(self._bounded(gen), *arguments, **more)

    def _bounded(self, waiting: Generator[Any, Any, Found]) -> Generator[Any, Any, Found]:
        """Pass on what psycopg waits for, and what is ready. It looks every 100 ms where nothing is."""
        until_s = time.monotonic() + self.answers_within_s
        try:
            wanted = next(waiting)
            while True:
                ready = yield wanted
                if not ready and time.monotonic() >= until_s:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"the server did not answer within {self.answers_within_s:g} s")
                wanted = waiting.send(ready)
        except StopIteration as ended:
            return ended.value
