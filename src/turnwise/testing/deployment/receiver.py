"""The receiver of a soak test: it accepts the deliveries of a deployment, and keeps which came and in which order."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Received(NamedTuple):
    """A delivery that the receiver accepted."""

    conversation: str
    """The id of the conversation."""
    turn: int
    """The number of the turn whose text is delivered."""
    id: str
    """The id of the delivery, which is the same in each attempt."""


class Receiver:
    """An HTTP server that accepts deliveries; `port` is the port on which it listens."""

    def __init__(self, host: str, port: int) -> None:
        self.received: list[Received] = []
        received = self.received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                """Accept a delivery."""
                try:
                    data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["data"]
                    received.append(Received(data["conversation"], data["turn"], data["id"]))
                except (KeyError, TypeError, ValueError):  # another program that found the port
                    self.send_response(400)
                else:
                    self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name that the library gives
                """Print nothing."""

        self._server = ThreadingHTTPServer((host, port), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop the HTTP server."""
        self._server.shutdown()
        self._server.server_close()
