"""Runs servers of the command line as processes, and asks them over HTTP."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from support.shell import start

READY_S = 60.0
_ADDRESS = re.compile(r"http://[^\s/]+")


class Served:
    """A command that serves, such as `turnwise demo --no-browser`. `address` is where it listens."""

    def __init__(self, *args: str | Path, at: Path | None = None, **env: str) -> None:
        self.process = start(*args, at=at, **env)
        self.shown = ""
        self.address = self._wait()

    def _wait(self) -> str:
        """Return the first address that it prints."""
        end = time.monotonic() + READY_S
        while not (found := _ADDRESS.search(self.shown)) or "\n" not in self.shown:
            assert self.read(0.2) or self.process.poll() is None, f"it has ended:\n{self.shown}"
            assert time.monotonic() < end, f"it prints no address:\n{self.shown}"
        return found[0]

    def read(self, timeout_s: float = 0.0) -> bool:
        """Read what it has printed; false where there was nothing."""
        poll = select.poll()  # unlike `select` it takes any descriptor of a process with many of them
        poll.register(self.process.stdout, select.POLLIN | select.POLLHUP)
        if not poll.poll(timeout_s * 1000):
            return False
        found = os.read(self.process.stdout.fileno(), 65_536)
        self.shown += found.decode("utf-8", "replace")
        return bool(found)

    def get(self, path: str) -> Any:
        """Return the JSON of an address."""
        return json.loads(self.fetch(path)[2])

    def post(self, path: str, **body: Any) -> Any:
        """Send JSON, and return the JSON of the answer."""
        return json.loads(self.fetch(path, json.dumps(body).encode())[2])

    def fetch(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of an answer."""
        kind = {"content-type": "application/json"} if body is not None else {}
        request = Request(self.address + path, data=body, headers=kind | headers)
        try:
            with urlopen(request, timeout=60) as answer:
                return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()
        except HTTPError as error:
            return error.code, {name.lower(): value for name, value in error.headers.items()}, error.read()

    def until(self, path: str, key: str, value: Any) -> dict[str, Any]:
        """Ask for an address until a key of its JSON has a value."""
        end = time.monotonic() + READY_S
        while (found := self.get(path))[key] != value:
            assert time.monotonic() < end, found
            time.sleep(0.05)
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stop it, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        while self.read(0.1):
            pass
        self.process.stdout.close()
        assert "Traceback" not in self.shown, self.shown
        return code

    def kill(self) -> None:
        """Kill it, as a machine that fails."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
