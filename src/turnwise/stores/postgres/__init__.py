"""A store in a PostgreSQL database, for any number of replicas (the extra `postgres`)."""

from turnwise.stores.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
