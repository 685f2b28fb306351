"""The tables as numbered migrations. Each runs once, when a store is opened, while others wait.

A migration only adds (tables, columns with a default, functions with a new name): replicas of the version before work
on while it runs. What a version no longer needs is removed by a migration of the version after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import psycopg
from psycopg import errors

from turnwise.errors import StoreFailed
from turnwise.stores.postgres.address import Address
from turnwise.stores.postgres.commit_function import COMMIT_1, COMMIT_2, COMMIT_3, HOLDS_1
from turnwise.stores.postgres.connect import Connection, connect, reason

_LOCK = 0x7477_6973_65
"""The advisory lock under which the tables are made and changed."""

_TABLES = """
CREATE TABLE conversation (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    began_ms bigint NOT NULL,
    at_ms bigint NOT NULL,
    seq integer NOT NULL,
    trimmed integer NOT NULL DEFAULT 0,
    id text COLLATE "C" NOT NULL,
    flow text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    node text COLLATE "C",
    status text COLLATE "C",
    waits text COLLATE "C",
    state bytea
) WITH (fillfactor = 80);
ALTER TABLE conversation ALTER state SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX conversation_by_id ON conversation (id);
CREATE INDEX conversation_by_time ON conversation (at_ms, n);
CREATE INDEX conversation_by_standing ON conversation (flow, node, status, waits);
CREATE TABLE event (
    conversation bigint NOT NULL,
    at_ms bigint NOT NULL,
    seq integer NOT NULL,
    turn integer NOT NULL,
    frame integer NOT NULL,
    kind smallint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (conversation, seq)
);
ALTER TABLE event ALTER body SET STORAGE EXTERNAL;
CREATE INDEX event_snapshot ON event (conversation, seq) WHERE kind = 3;
CREATE INDEX event_undone ON event (conversation, seq) WHERE kind = 6;
CREATE TABLE inbox (
    conversation bigint NOT NULL,
    turn integer NOT NULL,
    key text COLLATE "C" NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (conversation, key)
);
CREATE TABLE version (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    flow text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    UNIQUE (flow, fingerprint)
);
CREATE TABLE timer (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    conversation bigint NOT NULL,
    version bigint NOT NULL,
    due_ms bigint NOT NULL,
    body bytea NOT NULL
);
CREATE INDEX timer_by_version ON timer (version, due_ms, n);
CREATE INDEX timer_by_conversation ON timer (conversation);
CREATE TABLE process (
    n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host text NOT NULL,
    pid integer NOT NULL,
    token text NOT NULL,
    until timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE claim (
    conversation bigint PRIMARY KEY,
    process integer NOT NULL,
    fence bigint NOT NULL,
    rescued_until timestamptz
);
CREATE TABLE flow (
    fingerprint text COLLATE "C" PRIMARY KEY,
    document bytea NOT NULL
);
CREATE TABLE owner (
    name text COLLATE "C" NOT NULL,
    slot smallint NOT NULL,
    conversations bigint NOT NULL,
    PRIMARY KEY (name, slot)
);
CREATE TABLE uncounted (
    conversation bigint PRIMARY KEY
);
CREATE TABLE counted (
    conversation bigint PRIMARY KEY,
    seq integer NOT NULL,
    version integer NOT NULL,
    fingerprint text COLLATE "C" NOT NULL
);
CREATE TABLE use (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    count bigint NOT NULL DEFAULT 0,
    conversations bigint NOT NULL DEFAULT 0,
    version integer NOT NULL,
    flow text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    UNIQUE (flow, kind, name, version)
);
CREATE TABLE conversation_use (
    conversation bigint NOT NULL,
    item bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (conversation, item)
);
CREATE TABLE closing (
    conversation bigint NOT NULL,
    due_ms bigint NOT NULL,
    seq integer NOT NULL,
    frame integer NOT NULL
);
CREATE INDEX closing_by_due ON closing (due_ms);
CREATE INDEX closing_by_conversation ON closing (conversation);
CREATE TABLE setting (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms bigint NOT NULL,
    flow text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    data text NOT NULL,
    who text NOT NULL
);
CREATE INDEX setting_by_name ON setting (flow, name, n);
CREATE TABLE delivery (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    conversation bigint NOT NULL,
    at_ms bigint NOT NULL,
    due_ms bigint,
    since_ms bigint NOT NULL,
    done_ms bigint,
    turn integer NOT NULL,
    seq integer NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    process integer,
    id text COLLATE "C" NOT NULL UNIQUE,
    flow text COLLATE "C" NOT NULL,
    status text NOT NULL,
    error text NOT NULL DEFAULT ''
);
CREATE INDEX delivery_by_turn ON delivery (conversation, turn);
CREATE INDEX delivery_open ON delivery (conversation, n) WHERE status IN ('waiting', 'sending');
CREATE INDEX delivery_by_due ON delivery (flow, due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX delivery_sending ON delivery (process) WHERE status = 'sending';
CREATE INDEX delivery_failed ON delivery (n) WHERE status = 'failed';
CREATE SEQUENCE written;
"""

_LEASES = """
CREATE TABLE lease (
    conversation bigint PRIMARY KEY,
    process integer NOT NULL,
    until timestamptz NOT NULL
) WITH (fillfactor = 50);
"""

MIGRATIONS = (_TABLES + COMMIT_1, COMMIT_2 + HOLDS_1 + _LEASES, COMMIT_3)
"""The SQL of the migrations, in order. The tables are those that `stores/sqlite/schema.py` describes, but for some
columns and tables.

`process` has until when a replica counts as alive, by the clock of the database. `claim` has the fencing token of the
run that holds the turn; earlier versions wrote there until when a replica that found it cut off may continue it alone.
`lease` has which replica works on what is due or was cut off, and until when the others leave it alone. `owner` has its
sum in several rows, so that replicas do not wait for each other. `written` counts transactions: a hint of the changes
names its numbers, and one that is missing was lost.
"""
LEAST = 1
"""The oldest format whose programs can work on tables of the newest one, since they do not need what was added later:
replicas of an earlier version start again while a new one is rolled out, and it may be rolled back."""
TIGHT = 3
"""The first format in which entries and states are compressed with the dictionary, which earlier versions cannot read.
A database that is made now has it. One that an earlier version made gets it when a later version raises `LEAST` to it.
"""


class Format(NamedTuple):
    """The format of a database's tables."""

    migrations: int
    """How many of the migrations were applied; 0 where there are no tables."""
    least: int
    """How many of the migrations a program must know at least to work on the tables."""


def prepare(
    address: Address, then: Callable[[Connection], object] = lambda _: None, *, may_only_read: bool = False
) -> Format:
    """Upgrade the database to the newest format, call `then` with the connection, and return the format.
    Raises `StoreFailed` where it is newer, or may not be changed. What may only be read must have the newest format.
    """
    try:
        with connect(address, autocommit=False) as db:
            found = format_of(db)
            if may_only_read and found.migrations < len(MIGRATIONS):
                what = "its tables are of an earlier version" if found.migrations else "it has no tables of turnwise"
                raise StoreFailed(address.shown, f"{what}; a program that may write makes them when it starts")
            if found.migrations < len(MIGRATIONS) or found.least > len(MIGRATIONS):
                found = _upgrade(db, address)
            then(db)
            return found
    except errors.InsufficientPrivilege as error:
        what = "the tables cannot be made: grant the role USAGE and CREATE on the schema, and the tables of turnwise"
        raise StoreFailed(address.shown, f"{what} ({reason(error)})") from None
    except psycopg.Error as error:
        raise StoreFailed(address.shown, reason(error)) from None


def _upgrade(db: Connection, address: Address) -> Format:
    db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    found = format_of(db)  # another may have made the tables meanwhile
    if found.least > len(MIGRATIONS):
        known = f"this version of turnwise knows formats up to {len(MIGRATIONS)}"
        raise StoreFailed(address.shown, f"its format is {found.least}; {known}")
    if not found.migrations and any(_exists(db, table) for table in ("conversation", "event", "claim")):
        raise StoreFailed(address.shown, "this schema has tables of another program")
    if found.migrations < len(MIGRATIONS):
        db.execute("CREATE TABLE IF NOT EXISTS turnwise (format integer NOT NULL)")
        db.execute("ALTER TABLE turnwise ADD COLUMN IF NOT EXISTS migrations integer")
        for migration in MIGRATIONS[found.migrations :]:
            db.execute(migration)
        is_tight = not found.migrations or found.least >= TIGHT
        found = Format(len(MIGRATIONS), TIGHT if is_tight else LEAST)
        db.execute("DELETE FROM turnwise")
        db.execute("INSERT INTO turnwise (migrations, format) VALUES (%s, %s)", found)
    return found


def format_of(db: Connection) -> Format:
    """Return the format of a database's tables; 0 without tables. The number `format` of a version that did not record
    the migrations says how many it had applied.
    """
    if not _exists(db, "turnwise"):
        return Format(0, 0)
    row = db.execute("SELECT to_jsonb(turnwise) FROM turnwise ORDER BY format DESC LIMIT 1").fetchone()
    if row is None:
        return Format(0, 0)
    least = row[0]["format"]
    return Format(row[0].get("migrations") or least, least)


def _exists(db: Connection, table: str) -> bool:
    """Return whether there is a table. The catalogue is read: a name that was looked up before may be remembered."""
    return db.execute(_TABLE, (table,)).fetchone() is not None


_TABLE = (
    "SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    " WHERE relname = %s AND nspname = ANY(current_schemas(false))"
)
