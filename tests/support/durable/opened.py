"""Opens the store of a place: a SQLite file, or the database of PostgreSQL whose address stands beside where it would be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnwise.stores.sqlite import SqliteStore


def keep_address(path: Path, address: str) -> Path:
    """Let the store at a path be a database."""
    path.with_suffix(".address").write_text(address)
    return path


def store_at(path: Path, claim_timeout_s: float = 0.0) -> Any:
    """The store of a path."""
    named = path.with_suffix(".address")
    if not named.exists():
        return SqliteStore(path, **({"claim_timeout_s": claim_timeout_s} if claim_timeout_s else {}))
    from turnwise.stores.postgres import PostgresStore

    address = named.read_text()
    return PostgresStore(f"{address}&dead_after={claim_timeout_s}s" if claim_timeout_s else address)
