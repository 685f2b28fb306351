"""A store in one SQLite file for all processes of a machine."""

from turnwise.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
