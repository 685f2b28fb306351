"""The contract of stores behind PgBouncer in transaction mode, where that is installed: no session holds anything."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.durable.running import run
from support.postgres import DATABASES, NOBODY, server
from turnwise.runner.ports import Change, Store
from turnwise.stores.postgres import PostgresStore
from turnwise.stores.postgres.changes import POLL_S
from turnwise.testing.store_outbox import OutboxContract
from turnwise.testing.store_support import Journal
from turnwise.testing.stores import SharedStoreContract

PGBOUNCER = os.environ.get("TURNWISE_PGBOUNCER") or shutil.which("pgbouncer")


@pytest.fixture(scope="module")
def pooler() -> Iterator[Path]:
    """The folder of the pooler's socket."""
    if PGBOUNCER is None:
        pytest.skip("PgBouncer is not installed: TURNWISE_PGBOUNCER names the program")
    behind, folder = (
        server(),
        Path(tempfile.mkdtemp(prefix="pgb", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)),
    )
    (folder / "ini").write_text(
        f"[databases]\n* = host={behind.folder} user=turnwise\n[pgbouncer]\nunix_socket_dir = {folder}\nlisten_port = 5432\n"
        f"auth_type = any\npool_mode = transaction\ndefault_pool_size = 5\nserver_idle_timeout = 2\nlogfile = {folder}/log\n"
    )
    folder.chmod(0o755)
    root = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    if root:
        os.chown(folder, NOBODY, NOBODY)
    running = subprocess.Popen([PGBOUNCER, folder / "ini"], stderr=subprocess.DEVNULL, **root)  # type: ignore[call-overload]
    while not (folder / ".s.PGSQL.5432").exists():
        assert running.poll() is None, (folder / "log").read_text()
        time.sleep(0.02)
    yield folder
    running.send_signal(signal.SIGTERM)
    running.wait()
    shutil.rmtree(folder)


def behind(pooler: Path, address: str) -> str:
    """The address of a database by the pooler."""
    database = address.partition("@/")[2].partition("?")[0]
    return f"postgresql:///{database}?host={pooler}&user=turnwise"


def test_hints_come_where_the_address_names_the_server_beside_the_pooler(pooler: Path) -> None:
    async def play() -> None:
        address = server().fresh()
        one = PostgresStore(behind(pooler, address))
        other = PostgresStore(f"{behind(pooler, address)}&listen={server().folder}:5432")
        found = other.changes()
        assert await anext(found) == Change()
        journal = Journal()
        await one.commit("a", journal.begin())
        begun = time.monotonic()
        async with asyncio.timeout(5):
            assert await anext(found) == Change("a", journal.seq)
        assert time.monotonic() - begun < POLL_S
        await asyncio.gather(one.close(), other.close())

    run(play())


class TestStoreBehindPooler(SharedStoreContract, OutboxContract):
    test_a_conversation_that_is_deleted_is_reported = None  # type: ignore[assignment]  # by name; no hint passes a pooler

    @pytest.fixture(autouse=True)
    def _behind(self, pooler: Path) -> None:
        self.pooler = pooler

    def open(self, place: Path) -> Store:
        return PostgresStore(behind(self.pooler, DATABASES.at(place)))
