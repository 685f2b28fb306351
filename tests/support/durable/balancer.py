"""A load balancer: each new connection goes to a replica that is ready, as it asks every replica now and then."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import count

from support.durable.deployed import Replica

ASKS_EACH_S = 0.2
PATIENCE_S = 30.0


class Balancer:
    """Listens at a port, in threads: two for each connection."""

    def __init__(self, replicas: Sequence[Replica]) -> None:
        self._replicas = replicas
        self._is_ready = [False] * len(replicas)
        self._next = count()
        self._ends = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        asking = [threading.Thread(target=self._ask, args=(place,), daemon=True) for place in range(len(replicas))]
        self._threads = [*asking, threading.Thread(target=self._accept, daemon=True)]
        for thread in self._threads:
            thread.start()

    def _ask(self, place: int) -> None:
        while not self._ends.wait(ASKS_EACH_S):
            self._is_ready[place] = self._replicas[place].is_ready()

    def _ready(self) -> list[Replica]:
        return [one for one, is_ready in zip(self._replicas, self._is_ready, strict=True) if is_ready]

    def _accept(self) -> None:
        with suppress(OSError):  # it was closed
            while True:
                threading.Thread(target=self._connected, args=(self._listening.accept()[0],), daemon=True).start()

    def _connected(self, client: socket.socket) -> None:
        with client, suppress(OSError), self._opened() as server:
            back = threading.Thread(target=_copy, args=(server, client), daemon=True)
            back.start()
            _copy(client, server)
            back.join()

    def _opened(self) -> socket.socket:
        until = time.monotonic() + PATIENCE_S
        while not (ready := self._ready()) and time.monotonic() < until:
            time.sleep(ASKS_EACH_S)
        return socket.create_connection(("127.0.0.1", ready[next(self._next) % len(ready)].port))

    def close(self) -> None:
        """Stop listening."""
        self._ends.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes; then the other side learns that nothing more does."""
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
