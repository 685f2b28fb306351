"""Requests to a deployment: each goes to a replica that is chosen by chance, and on to another one where that fails."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

from turnwise.errors import TurnwiseError

TIMEOUT_S = 15.0
"""After how many seconds a request without an answer is sent to another replica."""
SILENT_STREAM_S = 45.0
"""After how many seconds without a ping a stream is opened anew."""
PAUSE_S = 0.1
"""How long a client waits before it asks again, in seconds."""
RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
"""Statuses after which a request is sent again."""
_BROKEN = (OSError, HTTPException)


class Unanswered(TurnwiseError):
    """No replica answered a request within the time for which it is repeated."""


class Refused(TurnwiseError):
    """A replica refused a request."""


class Deployment:
    """The replicas of a deployment, to which requests are sent; several threads may use it.

    `patience_s` is for how long a request is sent again. `met` counts, by reason, the answers after which a request was
    sent again.
    """

    def __init__(self, addresses: tuple[str, ...], key: str = "", patience_s: float = 60.0) -> None:
        self.addresses = addresses
        self.patience_s = patience_s
        self.met = Counter[str]()
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def call(self, method: str, path: str, body: object = None, key: str = "") -> Any:
        """Send a request, with an idempotency `key`, and return the JSON of the answer.
        Raises `Unanswered` or `Refused`.
        """
        until, reason = time.monotonic() + self.patience_s, ""
        while time.monotonic() < until:
            try:
                status, answer = self._once(method, path, body, key)
            except _BROKEN as error:
                reason = type(error).__name__
            else:
                if status not in RETRIED_STATUSES:
                    if status >= 400:
                        raise Refused(f"{method} {path}: {status} {answer.get('code', '')} {answer.get('detail')}")
                    return answer
                reason = f"{status} {answer.get('code', '')}"
            self.met[reason] += 1
            time.sleep(PAUSE_S)
        raise Unanswered(f"{method} {path}: no answer within {self.patience_s:g} s, at last {reason}")

    def _once(self, method: str, path: str, body: object, key: str) -> tuple[int, Any]:
        connection = self._connection(TIMEOUT_S)
        try:
            answer = _asked(connection, method, path, self._headers | ({"Idempotency-Key": key} if key else {}), body)
            return answer.status, _json(answer.read())
        finally:
            connection.close()

    def _connection(self, timeout_s: float) -> HTTPConnection:
        address = urlsplit(random.choice(self.addresses))  # noqa: S311  no secret depends on it
        kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
        return kind(address.hostname or "", address.port, timeout=timeout_s)

    def stream(self, path: str, after: int) -> Iterator[int]:
        """Yield the ids of a stream's events after position `after`, until the connection ends."""
        connection = self._connection(SILENT_STREAM_S)
        try:
            headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
            answer = _asked(connection, "GET", path, self._headers | headers, None)
            if answer.status != 200:
                return
            while line := answer.readline():
                if line.startswith(b"id: ") and line.endswith(b"\n"):  # one that was cut off comes again
                    yield int(line[4:])
        except _BROKEN:
            return
        finally:
            connection.close()


def conversation_path(conversation: str, rest: str = "") -> str:
    """Return the URL path of a conversation, with `rest` behind it."""
    return f"/api/conversations/{quote(conversation, safe=':')}{rest}"


def _asked(connection: HTTPConnection, method: str, path: str, headers: dict[str, str], body: object) -> HTTPResponse:
    data = json.dumps(body).encode() if body is not None else None
    kind = {"Content-Type": "application/json"} if data is not None else {}
    connection.request(method, path, data, headers | kind)
    return connection.getresponse()


def _json(data: bytes) -> Any:
    """Return what was answered; a proxy may answer with a page."""
    try:
        return json.loads(data)
    except ValueError:
        return {"code": "", "detail": data[:80].decode("utf-8", "replace")}
