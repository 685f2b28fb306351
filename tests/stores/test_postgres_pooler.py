"""The contract of stores behind PgBouncer in transaction mode, where that is installed: no session holds anything."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.postgres import DATABASES, NOBODY, server
from turnwise.runner.ports import Store
from turnwise.testing.store_outbox import OutboxContract
from turnwise.testing.stores import SharedStoreContract

PGBOUNCER = os.environ.get("TURNWISE_PGBOUNCER") or shutil.which("pgbouncer")


@pytest.fixture(scope="class")
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
        f"auth_type = any\npool_mode = transaction\ndefault_pool_size = 5\nlogfile = {folder}/log\n"
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


class TestStoreBehindPooler(SharedStoreContract, OutboxContract):
    test_a_conversation_that_is_deleted_is_reported = None  # type: ignore[assignment]  # by name; no hint passes a pooler

    @pytest.fixture(autouse=True)
    def _behind(self, pooler: Path) -> None:
        self.pooler = pooler

    def open(self, place: Path) -> Store:
        from turnwise.stores.postgres import PostgresStore

        database = DATABASES.at(place).partition("@/")[2].partition("?")[0]
        return PostgresStore(f"postgresql:///{database}?host={self.pooler}&user=turnwise")
