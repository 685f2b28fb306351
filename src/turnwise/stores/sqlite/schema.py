"""The tables as numbered migrations, which run when a store is opened."""

from __future__ import annotations

import sqlite3

from turnwise.errors import StoreFailed

APPLICATION = 0x74776973
"""What marks a file as ours, in SQLite's own header field for it."""

MIGRATIONS = (
    """
    CREATE TABLE conversation (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        flow TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        began_ms INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        trimmed INTEGER NOT NULL DEFAULT 0,
        state BLOB
    );
    CREATE TABLE event (
        conversation INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        body BLOB NOT NULL
    );
    CREATE UNIQUE INDEX event_by_seq ON event (conversation, seq);
    CREATE INDEX event_snapshot ON event (conversation, seq) WHERE kind = 3;
    CREATE TABLE inbox (
        conversation INTEGER NOT NULL,
        key TEXT NOT NULL,
        body TEXT NOT NULL,
        turn INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX inbox_by_key ON inbox (conversation, key);
    CREATE TABLE timer (
        conversation INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        body BLOB NOT NULL
    );
    CREATE INDEX timer_by_due ON timer (due_ms);
    CREATE INDEX timer_by_conversation ON timer (conversation);
    CREATE TABLE process (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        token TEXT NOT NULL,
        beat_s REAL NOT NULL
    );
    CREATE TABLE claim (
        conversation INTEGER PRIMARY KEY,
        process INTEGER NOT NULL
    );
    CREATE TABLE flow (
        fingerprint TEXT NOT NULL PRIMARY KEY,
        document BLOB NOT NULL
    );
    """,
)
"""`seq` of a conversation is where its state stands, `trimmed` up to where its decisions have lost what they read.
`kind` of an event is 1 for what was said, 2 for a decision, 3 for a snapshot, 4 for what was erased, else 0.
"""


def upgrade(db: sqlite3.Connection, name: str) -> None:
    """Bring a file to the newest format. Raises `StoreFailed` for one that is newer, or somebody else's."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if not is_current(db, name):
            _run(db, _version(db))
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def is_current(db: sqlite3.Connection, name: str) -> bool:
    """Whether a file has the newest format. Raises `StoreFailed` for one that is newer, or somebody else's."""
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()  # first: another may be making them
    (application,) = db.execute("PRAGMA application_id").fetchone()
    version = _version(db)
    if application != APPLICATION and (tables or application):
        raise StoreFailed(name, "this is a database of another program")
    if version > len(MIGRATIONS):
        raise StoreFailed(
            name, f"its format is {version}; this version of turnwise knows formats up to {len(MIGRATIONS)}"
        )
    return version == len(MIGRATIONS)


def _version(db: sqlite3.Connection) -> int:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def _run(db: sqlite3.Connection, version: int) -> None:
    """One transaction for all: `executescript` would end it."""
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    for migration in MIGRATIONS[version:]:
        for statement in filter(None, map(str.strip, migration.split(";"))):
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
