"""Changes what is stored of a conversation outside of its turns: entries in their places, and its deletion."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.json import encode

from turnwise.core.state.events import Entry
from turnwise.stores.encoded import kind_of, pack
from turnwise.stores.postgres import uses
from turnwise.stores.postgres.commit import escape_text
from turnwise.stores.postgres.connect import Connection

_REWRITE = (
    "UPDATE event SET kind = one.kind, body = one.body FROM unnest(%b::int4[], %b::int2[], %b::bytea[])"
    " AS one (seq, kind, body) WHERE event.conversation = %s AND event.seq = one.seq"
)
_NOT_OWNED = (
    "UPDATE owner SET conversations = conversations - 1 WHERE name = %s AND slot ="
    " (SELECT slot FROM owner WHERE name = %s AND conversations > 0 ORDER BY slot LIMIT 1 FOR UPDATE)"
)


def rewrite(db: Connection, n: int, entries: Iterable[Entry]) -> int:
    """Replace the stored entries of conversation number `n` at the positions of these entries; return how many."""
    changed = [(entry.seq, kind_of(entry.event), pack(encode(entry.event))) for entry in entries]
    if changed:
        seqs, kinds, bodies = map(list, zip(*changed, strict=True))
        db.execute(_REWRITE, (seqs, kinds, bodies, n))
    return len(changed)


def delete(db: Connection, conversation: str) -> bool:
    """Delete every row of a conversation from the database; return false if there is no such conversation."""
    db.execute(uses.LOCK)
    name = escape_text(conversation)
    row = db.execute("SELECT n FROM conversation WHERE id = %s FOR UPDATE", (name,)).fetchone()
    if row is None:
        return False
    uses.drop(db, row[0])
    for table in ("event", "inbox", "timer", "claim", "closing", "delivery", "lease"):
        db.execute(f"DELETE FROM {table} WHERE conversation = %s", row)
    db.execute("DELETE FROM conversation WHERE n = %s", row)
    owner, colon, _ = name.partition(":")
    if colon:
        db.execute(_NOT_OWNED, (owner, owner))
        db.execute("DELETE FROM owner WHERE name = %s AND conversations = 0", (owner,))
    return True
