"""Runs the command line in processes: with files as its streams, or in a terminal."""

from __future__ import annotations

import atexit
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from codecs import getincrementaldecoder
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BufferedReader
from pathlib import Path
from socket import AF_UNIX, SOCK_SEQPACKET, send_fds, socketpair
from tempfile import TemporaryFile
from threading import Lock
from typing import BinaryIO

ROOT = Path(__file__).parents[2]
COMMANDS = "turnwise.cli"
"""The module of the command line."""
PROGRAM = [sys.executable, "-c", "from turnwise.cli import main; main()"]
TIMEOUT_S = 60
CLIENTS = (
    "turnwise.models.wire.responses",
    "pydantic_ai.providers.ollama",
    "pydantic_ai.providers.openai_compatible",
    "pydantic_ai.providers.vllm",
)
"""What a command with a model of a server like OpenAI's imports: it takes most of a second."""
_STYLES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@dataclass(frozen=True)
class Ran:
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()


def environment(**more: str) -> dict[str, str]:
    """The environment of a command: no colours asked for, the sources on the path."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("TURNWISE", "COLUMNS", "NO_COLOR"))}
    return {**kept, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8:strict", **more}


def run(
    *args: str | Path,
    given: str | bytes = b"",
    at: Path | None = None,
    is_bound: bool = False,
    modules: tuple[str, ...] = (),
    **env: str,
) -> Ran:
    """Run a command with some standard input; nothing that it prints is ever a traceback.

    The permissions of files bind one that `is_bound`, even where root runs it. `modules` are imported before it begins.
    """
    data = given.encode() if isinstance(given, str) else given
    variables = environment(**env)
    if _read_at_start(variables) == _read_at_start(environment()):
        request = {**_request(args, at, env), "is_bound": is_bound and not os.geteuid()}
        code, out, err = _server(*modules).run(request, data)
    else:
        assert not is_bound
        done = subprocess.run(
            [*PROGRAM, *map(str, args)],
            input=data,
            capture_output=True,
            cwd=at,
            env=variables,
            check=False,
            timeout=TIMEOUT_S,
        )
        code, out, err = done.returncode, done.stdout, done.stderr
    ran = Ran(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))
    assert "Traceback" not in ran.out + ran.err, ran.out + ran.err
    return ran


def _read_at_start(variables: dict[str, str]) -> dict[str, str]:
    """The variables that an interpreter reads when it starts: a fork has those of its server."""
    return {key: value for key, value in variables.items() if key.startswith(("PYTHON", "LANG", "LC_", "TZ"))}


def start(*args: str | Path, at: Path | None = None, **env: str) -> Started:
    """Start a command that goes on until it is stopped; its output and errors are one stream."""
    with Path(os.devnull).open("rb") as nothing:
        output, shown = os.pipe()
        return _started(args, at, env, output, [nothing.fileno(), shown, shown])


def start_with_streams(
    *args: str | Path, at: Path | None = None, modules: tuple[str, ...] = (), program: str = "", **env: str
) -> StartedWithStreams:
    """Start a command with three streams, in a fork of a process that has imported these modules too; or the `main` of
    a module of the tests, such as `support.server_program`.
    """
    (given, feed), (output, shown), (errors, shown_errors) = os.pipe(), os.pipe(), os.pipe()
    modules = (program, *modules) if program else modules
    report = _server(*modules).start(_request(args, at, env, program or COMMANDS), [given, shown, shown_errors])
    for stream in (given, shown):
        os.close(stream)
    return StartedWithStreams(feed, output, errors, report)


def _started(
    args: Sequence[str | Path], at: Path | None, env: dict[str, str], output: int, streams: list[int]
) -> Started:
    """Start a command with its own ends of streams, the last of which is closed here."""
    return Started(output, _server().start(_request(args, at, env), streams))


def _request(
    args: Sequence[str | Path], at: Path | None, env: dict[str, str], program: str = COMMANDS
) -> dict[str, object]:
    variables = environment(**env)
    assert _read_at_start(variables) == _read_at_start(environment())
    return {
        "program": program,
        "arguments": list(map(str, args)),
        "at": str(at or Path.cwd()),
        "environment": variables,
    }


class Started:
    """A process that was started by a server of commands."""

    def __init__(self, output: int, report: int) -> None:
        self.stdout = os.fdopen(output, "rb", buffering=0)
        self._report = os.fdopen(report, "rb", buffering=0)
        number = self._report.readline()
        assert number, "the process whose forks run the commands has ended: its standard error says why"
        self.pid = int(number)
        self._code: int | None = None
        self._stopped_parent = 0

    def poll(self) -> int | None:
        """Return the exit code, `None` while it runs."""
        return self._read(0)

    def wait(self, timeout_s: float = TIMEOUT_S) -> int:
        """Wait for the end, and return the exit code."""
        if self._stopped_parent:
            os.kill(self._stopped_parent, signal.SIGCONT)
            self._stopped_parent = 0
        code = self._read(timeout_s)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout_s)
        return code

    def _read(self, timeout_s: float) -> int | None:
        if self._code is None:
            poll = select.poll()
            poll.register(self._report, select.POLLIN | select.POLLHUP)
            if poll.poll(timeout_s * 1000):
                self._code = int(self._report.readline())
                self._report.close()
        return self._code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def kill_unreaped(self) -> None:
        """Kill it while its parent stands still, so that its number stays taken until `wait`."""
        self._stopped_parent = parent = int(_status(self.pid)[1])
        os.kill(parent, signal.SIGSTOP)
        _wait_for_state(parent, "T")
        os.kill(self.pid, signal.SIGKILL)
        _wait_for_state(self.pid, "Z")

    def stop(self) -> None:
        """Stop it, and wait until it stands still."""
        self.send_signal(signal.SIGSTOP)
        _wait_for_state(self.pid, "T")


class StartedWithStreams(Started):
    """A process with streams as those of `subprocess.Popen`."""

    def __init__(self, feed: int, output: int, errors: int, report: int) -> None:
        super().__init__(output, report)
        self.stdin = os.fdopen(feed, "wb")
        self.stdout = BufferedReader(self.stdout)
        self.stderr = os.fdopen(errors, "rb")

    def close(self, timeout_s: float = TIMEOUT_S) -> tuple[int, bytes, bytes]:
        """Close its standard input, wait for its end, and return its exit code and what it has printed since."""
        with suppress(BrokenPipeError):
            self.stdin.close()
        with ThreadPoolExecutor(2) as readers:
            out, err = (readers.submit(_read_stream, one) for one in (self.stdout, self.stderr))
            try:
                code = self.wait(timeout_s)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        return code, out.result(), err.result()


def _read_stream(stream: BinaryIO) -> bytes:
    if stream.closed:
        return b""
    with stream:
        return stream.read()


def _status(pid: int) -> list[str]:
    """The status of a process from its state on: the second is its parent."""
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()


def _wait_for_state(pid: int, state: str) -> None:
    """Wait until a process is in a state, such as `T` for one that is stopped."""
    end = time.monotonic() + TIMEOUT_S
    while _status(pid)[0] != state:
        assert time.monotonic() < end, f"the process {pid} is not in the state {state}"
        time.sleep(0.001)


class _Server:
    """The process whose forks run the commands (`command_server`); it imports some more modules."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        program = (Path(__file__).parent / "command_server.py").read_text("utf-8")
        self.socket, its_end = socketpair(AF_UNIX, SOCK_SEQPACKET)
        with its_end:
            command = [sys.executable, "-c", program, *modules]
            tests = [str(ROOT / "tests")] if any(one.startswith("support.") for one in modules) else []
            path = os.pathsep.join([environment()["PYTHONPATH"], *tests])
            env = environment(PYTHONPATH=path)
            self.process = subprocess.Popen(command, stdin=its_end, env=env, start_new_session=True)
        self.socket.settimeout(TIMEOUT_S)
        atexit.register(self.close)
        self.lock = Lock()

    def start(self, request: dict[str, object], streams: list[int]) -> int:
        """Start a command that goes on beside others; return where its id and its exit code can be read."""
        report, reported = os.pipe()
        message = json.dumps({**request, "is_bound": False}).encode()
        with self.lock:
            send_fds(self.socket, [message], [*streams, reported])
        os.close(streams[-1])
        os.close(reported)
        return report

    def run(self, request: dict[str, object], data: bytes) -> tuple[int, bytes, bytes]:
        """The exit code, standard output and standard error of a command."""
        with self.lock, TemporaryFile() as stdin, ThreadPoolExecutor(2) as readers:
            stdin.write(data)
            stdin.seek(0)
            pipes = [os.pipe(), os.pipe()]
            found = [readers.submit(_read_all, reading) for reading, _ in pipes]
            send_fds(self.socket, [json.dumps(request).encode()], [stdin.fileno(), *(writing for _, writing in pipes)])
            for _, writing in pipes:
                os.close(writing)
            try:
                code = int(self.socket.recv(100))
            except TimeoutError:
                os.killpg(self.process.pid, signal.SIGKILL)
                _server.cache_clear()
                raise
            out, err = (one.result() for one in found)
            return code, out, err

    def close(self) -> None:
        """End the process."""
        self.socket.close()
        self.process.wait()


def _read_all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()


@cache
def _server(*modules: str) -> _Server:
    return _Server(modules)


class Terminal:
    """A session in a pseudo-terminal: what is typed, and what the screen shows."""

    def __init__(self, *args: str | Path, columns: int = 80) -> None:
        screen, its_end = pty.openpty()
        size = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "40"}
        self.process = _started(args, None, size, screen, [its_end, its_end, its_end])
        self.screen = screen
        self.raw = ""
        self.taken = 0
        self.decoder = getincrementaldecoder("utf-8")("replace")

    def expect(self, text: str, timeout_s: float = TIMEOUT_S) -> str:
        """Read until a text is seen after all that was expected before; gives what was read till then."""
        end = time.monotonic() + timeout_s
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} is not on the screen:\n{self.seen}"
            if not self._read(0.2):
                assert text in self.seen, f"{text!r} is not on the screen:\n{self.seen}"
        before = self.seen.partition(text)[0] + text
        self.taken += len(before)
        return before

    @property
    def seen(self) -> str:
        """What was shown since the text that was expected last, without styles."""
        return _STYLES.sub("", self.raw).replace("\r", "")[self.taken :]

    def _read(self, timeout_s: float) -> bool:
        """Take in what has been shown meanwhile; false at the end."""
        poll = select.poll()
        poll.register(self.screen, select.POLLIN | select.POLLHUP)
        if not poll.poll(timeout_s * 1000):
            return True
        try:
            found = os.read(self.screen, 65_536)
        except OSError:
            return False
        self.raw += self.decoder.decode(found)
        return bool(found)

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self.screen, f"{text}\n".encode())

    def press(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.screen, keys)

    def end(self, timeout_s: float = TIMEOUT_S, *, again: bytes = b"") -> int:
        """Wait for the end; gives the exit code. `again` is pressed every two seconds, as a person would: an
        interrupt that comes just before a line is read is only seen with the next key.
        """
        began = time.monotonic()
        presses = 0
        while time.monotonic() < began + timeout_s:
            self._read(0.05)
            if again and time.monotonic() > began + 2 * (presses + 1):
                presses += 1
                os.write(self.screen, again)
            code = self.process.poll()
            if code is not None:
                self.process.stdout.close()
                assert "Traceback" not in self.raw
                return code
        self.process.kill()
        raise AssertionError(f"it does not end:\n{self.seen}")


def arguments(*args: str | Path) -> Sequence[str]:
    """The whole command, for processes that a test handles itself."""
    return [*PROGRAM, *map(str, args)]
