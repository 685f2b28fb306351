"""A store in one SQLite file: durable, without a server, for one machine and any number of its processes."""

from turnwise.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
