"""The shipped stores keep the contract that is published for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.postgres import DATABASES, server
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore
from turnwise.testing.store_outbox import OutboxContract
from turnwise.testing.store_upkeep import UpkeepContract
from turnwise.testing.stores import SharedStoreContract, StoreContract


class TestMemoryStore(StoreContract, OutboxContract):
    def open(self, place: Path) -> Store:
        return MemoryStore()


class TestSqliteStore(SharedStoreContract, UpkeepContract, OutboxContract):
    def open(self, place: Path) -> Store:
        return SqliteStore(place / "conversations.db")


@pytest.mark.parametrize("version", ["18", "15"], scope="class")
class TestPostgresStore(SharedStoreContract, UpkeepContract, OutboxContract):
    """On the server of the wheel and on Debian's."""

    @pytest.fixture(autouse=True)
    def _of(self, version: str) -> None:
        server(version)
        self.version = version

    def open(self, place: Path) -> Store:
        from turnwise.stores.postgres import PostgresStore

        return PostgresStore(DATABASES.at(place, self.version))
