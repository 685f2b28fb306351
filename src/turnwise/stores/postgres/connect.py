"""Opens connections, and explains the errors of a server: which are temporary, and what they say."""

from __future__ import annotations

from contextlib import AbstractContextManager
from math import inf
from typing import Any, Protocol, cast

import psycopg
from psycopg import errors, pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.stores.postgres.address import Address
from turnwise.stores.postgres.bounded_connection import BoundedConnection

Row = tuple[Any, ...]
"""A row that a query returned: the values of its columns."""


class Connection(AbstractContextManager["Connection"], Protocol):
    """The part of a database connection's interface that turnwise uses.
    A statement is a text made of constants of ours, and its values are parameters.
    """

    answers_within_s: float
    """After how many seconds without an answer the connection is given up."""

    def execute(self, query: str, params: Any = None, /, *, binary: bool = False) -> psycopg.Cursor[Row]:
        """Run an SQL statement with parameters; return a cursor of its rows."""
        ...

    def transaction(self) -> AbstractContextManager[object]:
        """Return a context manager that runs its block in a transaction."""
        ...

    def pipeline(self) -> AbstractContextManager[object]:
        """Return a context manager that sends the statements of its block together."""
        ...

    def fileno(self) -> int:
        """Return the file descriptor of the connection's socket."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...

    @property
    def closed(self) -> bool:
        """Whether the connection is closed."""
        ...

    @property
    def pgconn(self) -> pq.abc.PGconn:
        """The underlying connection of libpq."""
        ...

    def add_notify_handler(self, callback: Any, /) -> None:
        """Call a function for each notification of the server that arrives while a statement runs."""
        ...


CONNECT_S = 5
"""How many seconds one attempt to connect may take."""

_DEFAULTS: dict[str, Any] = {
    "connect_timeout": CONNECT_S,
    "application_name": "turnwise",
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""What an address may set otherwise: a connection whose packets are dropped is noticed within about 11 s."""
ANSWERS_S = 20.0
"""How many seconds an answer to what a turn needs is waited for."""
_PASSING = (
    psycopg.OperationalError,  # the connection is lost, there is no room for one, the disk is full, a lock, a deadlock
    psycopg.InterfaceError,  # a connection that was closed
    errors.ReadOnlySqlTransaction,  # after a failover, until the address leads to the new server
    errors.InFailedSqlTransaction,
    errors.IdleInTransactionSessionTimeout,
)
_LASTING = (
    errors.InvalidAuthorizationSpecification,
    errors.InvalidPassword,
    errors.ProgramLimitExceeded,
    errors.InvalidCatalogName,
)
_NO_ROOM = ("too many connections", "too many clients", "connection slots are reserved")
_READABLE = {
    errors.TooManyConnections: "the server has no connection left for this role or database",
    errors.ReadOnlySqlTransaction: "the server is read-only",
    errors.DiskFull: "the disk of the server is full",
    errors.LockNotAvailable: "another session holds a lock",
}


def connect(
    address: Address, *, autocommit: bool = True, listens: bool = False, answers_within_s: float = inf
) -> Connection:
    """Return a connection to a database; with `listens`, for notifications, to the server itself, if the address names
    it beside a pooler. No statement is prepared, and nothing is set for the session, so that a pooler may stand
    between.
    """
    host, port = address.listens_at if listens else ("", "")
    itself = {name: value for name, value in (("host", host), ("port", port)) if value}
    conninfo = make_conninfo("", **(_DEFAULTS | conninfo_to_dict(address.conninfo) | itself))
    made = BoundedConnection.connect(conninfo, autocommit=autocommit, prepare_threshold=None)
    made.answers_within_s = answers_within_s
    return cast("Connection", made)


def may_pass(error: psycopg.Error) -> bool:
    """Return whether an error is temporary: the same work may succeed a little later."""
    return isinstance(error, _PASSING) and not isinstance(error, _LASTING)


def failure(address: Address, error: psycopg.Error) -> StoreFailed:
    """Return the store error for an error of the database server."""
    kind = StoreUnavailable if may_pass(error) else StoreFailed
    return kind(address.shown, reason(error))


def reason(error: psycopg.Error) -> str:
    """Return the text of an error of the database server in one line."""
    line = " ".join((error.diag.message_primary or str(error)).split()) or type(error).__name__
    said = next((text for kind, text in _READABLE.items() if isinstance(error, kind)), "")
    if any(words in line for words in _NO_ROOM):  # while connecting, an error is a text only
        said = _READABLE[errors.TooManyConnections]
    return f"{said} ({line})" if said else line
