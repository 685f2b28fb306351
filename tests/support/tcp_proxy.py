"""A proxy between a client and a PostgreSQL: it can answer late, stand still, or cut a connection after a statement has
arrived.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

CUT_S = 0.1
"""How long the server has for what it received before the connection is cut."""


class Proxy:
    """Listens on a port of this machine, and passes all on to the socket of a server. `delay_s` is how much later each
    answer comes; `cuts` is how many of the next commits reach the server and are not answered. While `stands_still` is
    set nothing is passed on, and no connection ends.
    """

    def __init__(self, server: Path, host: str = "127.0.0.1") -> None:
        self.delay_s = 0.0
        self.stands_still = False
        self._host = host
        self.cuts = 0
        self._server = server
        self._lock = threading.Lock()
        self._listening = socket.create_server((host, 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, address: str) -> str:
        """The address of a database by this proxy."""
        database = address.partition("@/")[2].partition("?")[0]
        return f"postgresql://turnwise@{self._host}:{self.port}/{database}?sslmode=disable&gssencmode=disable"

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self._pause()
                behind = socket.socket(socket.AF_UNIX)
                behind.connect(str(self._server / ".s.PGSQL.5432"))
                for work in (self._sent, self._answered):
                    threading.Thread(target=work, args=(client, behind), daemon=True).start()

    def _sent(self, client: socket.socket, behind: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(1 << 16):
                self._pause()
                is_cut = b"COMMIT\0" in data and self._takes_cut()
                if is_cut:
                    client.shutdown(socket.SHUT_RDWR)
                behind.sendall(data)
                if is_cut:
                    time.sleep(CUT_S)
        _close(client, behind)

    def _pause(self) -> None:
        while self.stands_still:
            time.sleep(0.02)

    def _takes_cut(self) -> bool:
        with self._lock:
            if not self.cuts:
                return False
            self.cuts -= 1
            return True

    def _answered(self, client: socket.socket, behind: socket.socket) -> None:
        with suppress(OSError):
            while data := behind.recv(1 << 16):
                time.sleep(self.delay_s)
                self._pause()
                client.sendall(data)
        _close(client, behind)


def _close(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
