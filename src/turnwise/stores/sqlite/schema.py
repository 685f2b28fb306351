"""The tables of the file as numbered migrations, which bring a file of any earlier version to the newest format."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from turnwise.errors import StoreFailed

APPLICATION_ID = 0x74776973
"""The application id that marks a file as one of turnwise, in the header of SQLite."""


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
    """
    ALTER TABLE conversation ADD COLUMN node TEXT;
    ALTER TABLE conversation ADD COLUMN status TEXT;
    ALTER TABLE conversation ADD COLUMN waits TEXT;
    UPDATE conversation SET node = turnwise_node(state), status = turnwise_status(state), waits = turnwise_waits(state);
    CREATE INDEX conversation_by_time ON conversation (at_ms, n);
    CREATE INDEX conversation_by_standing ON conversation (flow, node, status, waits);
    """,
    """
    CREATE TABLE owner (
        name TEXT NOT NULL PRIMARY KEY,
        conversations INTEGER NOT NULL
    );
    INSERT INTO owner SELECT substr(id, 1, instr(id, ':') - 1) AS name, count(*) FROM conversation
        WHERE instr(id, ':') > 0 GROUP BY name;
    CREATE TRIGGER conversation_begun AFTER INSERT ON conversation WHEN instr(new.id, ':') > 0 BEGIN
        INSERT OR IGNORE INTO owner VALUES (substr(new.id, 1, instr(new.id, ':') - 1), 0);
        UPDATE owner SET conversations = conversations + 1 WHERE name = substr(new.id, 1, instr(new.id, ':') - 1);
    END;
    CREATE TRIGGER conversation_deleted AFTER DELETE ON conversation WHEN instr(old.id, ':') > 0 BEGIN
        UPDATE owner SET conversations = conversations - 1 WHERE name = substr(old.id, 1, instr(old.id, ':') - 1);
        DELETE FROM owner WHERE conversations < 1 AND name = substr(old.id, 1, instr(old.id, ':') - 1);
    END;
    """,
    """
    ALTER TABLE event ADD COLUMN frame INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX event_undone ON event (conversation, seq) WHERE kind = 6;
    """,
    """
    CREATE TABLE deletion (
        count INTEGER NOT NULL
    );
    INSERT INTO deletion VALUES (0);
    CREATE TRIGGER deletion_counted AFTER DELETE ON conversation BEGIN
        UPDATE deletion SET count = count + 1;
    END;
    """,
    """
    CREATE TABLE uncounted (
        conversation INTEGER PRIMARY KEY
    );
    INSERT INTO uncounted SELECT n FROM conversation WHERE seq > 0;
    CREATE TABLE counted (
        conversation INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        version INTEGER NOT NULL
    );
    CREATE TABLE use (
        n INTEGER PRIMARY KEY,
        flow TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        count INTEGER NOT NULL DEFAULT 0,
        conversations INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX use_by_name ON use (flow, kind, name, version);
    CREATE TABLE conversation_use (
        conversation INTEGER NOT NULL,
        item INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (conversation, item)
    ) WITHOUT ROWID;
    CREATE TRIGGER use_begun AFTER INSERT ON conversation_use BEGIN
        UPDATE use SET count = count + new.count, conversations = conversations + 1 WHERE n = new.item;
    END;
    CREATE TRIGGER use_grown AFTER UPDATE ON conversation_use BEGIN
        UPDATE use SET count = count + new.count - old.count WHERE n = new.item;
    END;
    CREATE TRIGGER use_dropped AFTER DELETE ON conversation_use BEGIN
        UPDATE use SET count = count - old.count, conversations = conversations - 1 WHERE n = old.item;
    END;
    CREATE TRIGGER uses_outdated AFTER UPDATE OF seq ON conversation BEGIN
        INSERT OR IGNORE INTO uncounted VALUES (new.n);
    END;
    CREATE TRIGGER uses_deleted AFTER DELETE ON conversation BEGIN
        DELETE FROM uncounted WHERE conversation = old.n;
        DELETE FROM counted WHERE conversation = old.n;
        DELETE FROM conversation_use WHERE conversation = old.n;
    END;
    """,
    """
    CREATE TABLE closing (
        conversation INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        frame INTEGER NOT NULL,
        due_ms INTEGER NOT NULL
    );
    CREATE INDEX closing_by_due ON closing (due_ms);
    CREATE INDEX closing_by_conversation ON closing (conversation);
    """,
    """
    CREATE TABLE setting (
        n INTEGER PRIMARY KEY,
        flow TEXT NOT NULL,
        name TEXT NOT NULL,
        data TEXT NOT NULL,
        who TEXT NOT NULL,
        at_ms INTEGER NOT NULL
    );
    CREATE INDEX setting_by_name ON setting (flow, name, n);
    """,
    """
    CREATE TABLE delivery (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation INTEGER NOT NULL,
        id TEXT NOT NULL UNIQUE,
        flow TEXT NOT NULL,
        turn INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        status TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        due_ms INTEGER,
        since_ms INTEGER NOT NULL,
        done_ms INTEGER,
        error TEXT NOT NULL DEFAULT '',
        process INTEGER
    );
    CREATE INDEX delivery_by_turn ON delivery (conversation, turn);
    CREATE INDEX delivery_open ON delivery (conversation, n) WHERE status IN ('waiting', 'sending');
    CREATE INDEX delivery_by_due ON delivery (flow, due_ms) WHERE due_ms IS NOT NULL;
    CREATE INDEX delivery_sending ON delivery (process) WHERE status = 'sending';
    CREATE INDEX delivery_failed ON delivery (n) WHERE status = 'failed';
    """,
    """
    CREATE TABLE version (
        n INTEGER PRIMARY KEY,
        flow TEXT NOT NULL,
        fingerprint TEXT NOT NULL
    );
    CREATE UNIQUE INDEX version_by_name ON version (flow, fingerprint);
    INSERT INTO version (flow, fingerprint) SELECT DISTINCT flow, fingerprint FROM conversation
        WHERE n IN (SELECT conversation FROM timer);
    ALTER TABLE timer ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
    UPDATE timer SET version = (SELECT version.n FROM conversation JOIN version USING (flow, fingerprint)
        WHERE conversation.n = timer.conversation);
    DROP INDEX timer_by_due;
    CREATE INDEX timer_by_version ON timer (version, due_ms);
    """,
    """
    CREATE TABLE lease (
        conversation INTEGER PRIMARY KEY,
        process INTEGER NOT NULL,
        until_s REAL NOT NULL
    );
    """,
)
"""The tables, as numbered migrations: each runs once, in order, when a store is opened.

`seq` of a conversation is where its state stands, `trimmed` up to where its decisions have lost what they read.
`node`, `status` and `waits` repeat parts of the state, so that lists need not decode states.
`owner` has how many conversations each owner has: the part of an id before the first colon. Triggers update it, so that
it is right also while a process of an earlier version still writes the file.
`kind` of an event is 1 for what was said, 2 for a decision, 3 for a snapshot, 4 for what was erased, 5 for what was
recorded between two turns, 6 for an undo (both 0 in files of earlier versions), else 0. `frame` is where the frame of
an event was opened, 0 for the root, where all events of earlier versions are.
`deletion` has how many conversations were deleted, and nothing about them.
`conversation_use` has how often a conversation used something, up to the position in `counted`; `use` has the sums
over all conversations. Those with later entries are in `uncounted`. Triggers update all of this too.
`delivery` is the outbox: `due_ms` is set for the oldest open row of a conversation only, and not while `process` sends
it.
`version` numbers the versions of flows whose conversations had timers, so that due ones are found by flow and version.
`lease` has which process works on what is due or was cut off, and until when others leave it that, by the clock that no
one can set.
`setting` has a row for each time that something was set for all conversations of a flow; the last of a name holds.
"""
_VIEWS = (
    (4, "CREATE TEMP VIEW event AS SELECT *, 0 AS frame FROM main.event"),
    (5, "CREATE TEMP VIEW deletion AS SELECT 0 AS count"),
    (8, "CREATE TEMP VIEW setting AS SELECT 0 AS n, '' AS flow, '' AS name, '' AS data, '' AS who, 0 AS at_ms WHERE 0"),
    (
        9,
        "CREATE TEMP VIEW delivery AS SELECT 0 AS n, 0 AS conversation, '' AS id, '' AS flow, 0 AS turn, 0 AS seq,"
        " 0 AS at_ms, '' AS status, 0 AS attempts, 0 AS due_ms, 0 AS since_ms, 0 AS done_ms, '' AS error WHERE 0",
    ),
    (
        10,
        "CREATE TEMP VIEW version AS SELECT min(n) AS n, flow, fingerprint FROM conversation GROUP BY 2, 3",
    ),
    (
        10,
        "CREATE TEMP VIEW timer AS SELECT one.rowid AS rowid, one.*, version.n AS version FROM main.timer AS one"
        " JOIN conversation ON conversation.n = one.conversation JOIN version USING (flow, fingerprint)",
    ),
)
"""For a file of an older format that can only be read: what stands for a table before this format."""


def upgrade(db: sqlite3.Connection, name: str) -> None:
    """Upgrade a file to the newest format.
    Raises `StoreFailed` for one that is newer, or of another program. `name` is what the error calls the file.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        if not is_current(db, name):
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            for migration in MIGRATIONS[version_of(db) :]:
                for statement in _statements(migration):
                    db.execute(statement)  # `executescript` would end the transaction
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def is_current(db: sqlite3.Connection, name: str) -> bool:
    """Return whether a file has the newest format.
    Raises `StoreFailed` for a newer one, or of another program. `name` is what the error calls the file.
    """
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()  # first: another may be making them
    (application,) = db.execute("PRAGMA application_id").fetchone()
    version = version_of(db)
    if application != APPLICATION_ID and (tables or application):
        raise StoreFailed(name, "this is a database of another program")
    if version > len(MIGRATIONS):
        raise StoreFailed(
            name, f"its format is {version}; this version of turnwise knows formats up to {len(MIGRATIONS)}"
        )
    return version == len(MIGRATIONS)


def _statements(migration: str) -> Iterator[str]:
    """Yield the statements of a migration; one that makes a trigger contains others."""
    statement = ""
    for piece in migration.split(";"):
        statement += f"{piece};"
        if sqlite3.complete_statement(statement) and statement.strip() != ";":
            yield statement
            statement = ""


def version_of(db: sqlite3.Connection) -> int:
    """Return the number of a file's format, 0 if it has no tables yet."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def older_views(version: int) -> list[str]:
    """Return the SQL statements that make a file of an older format readable without changing it."""
    return [view for since, view in _VIEWS if version < since]
