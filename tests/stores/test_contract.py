"""The shipped stores keep the contract that is published for all."""

from __future__ import annotations

from pathlib import Path

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
