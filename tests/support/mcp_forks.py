"""Starts servers of the Model Context Protocol as forks of one process that has imported what each of them needs.

It shows nothing about the start of a server. A test of that starts a server itself.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp

_LAUNCHER = """
import json, os, socket
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
    asked.connect({address!r})
    socket.send_fds(asked, [json.dumps([{name!r}, dict(os.environ)]).encode()], [0, 1, 2])
    code = int(asked.recv(16) or b"1")
os._exit(code)
"""


class _Forks:
    """The process that forks. It ends with this one."""

    def __init__(self) -> None:
        self.address = str(Path(mkdtemp()) / "forks")
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
        program = [sys.executable, "-m", "support.mcp_forks", self.address]
        self.process = subprocess.Popen(program, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(self.close)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def close(self) -> None:
        """End the process, and remove its address."""
        self.process.communicate()
        shutil.rmtree(Path(self.address).parent, ignore_errors=True)


_forks = cache(_Forks)


def command(name: str) -> list[str]:
    """Return what starts a server of `support.mcp_server`: a small process that lasts as long as the fork."""
    return [sys.executable, "-S", "-E", "-c", _LAUNCHER.format(address=_forks().address, name=name)]


def serve(address: str) -> None:
    """Fork for each launcher that connects, until standard input is closed."""
    import_module("support.mcp_server")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        os.write(1, b"ready\n")
        while listener in select.select([listener, 0], [], [])[0]:
            asked, _ = listener.accept()
            if not os.fork():
                listener.close()
                _watch(asked)
            asked.close()


def _watch(asked: socket.socket) -> None:
    """Run a server in a fork, report its exit code to its launcher, and end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, streams, _, _ = socket.recv_fds(asked, 1 << 20, 3)
    server = os.fork()
    if not server:
        asked.close()
        _run(streams, *json.loads(message))
    for stream in (*streams, 0, 1, 2):
        os.close(stream)
    asked.send(str(os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])).encode())
    os._exit(0)


def _run(streams: list[int], name: str, environment: dict[str, str]) -> None:
    """Run a server with the streams and the environment of its launcher, and end."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(environment)
    try:
        import_module("support.mcp_server").server_of(name).run("stdio")
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1])
