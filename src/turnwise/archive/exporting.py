"""A conversation as one file: JSON lines, which say themselves what they are and whether they are whole.

The first line is the head, with the flows that the conversation began or went on with; then an entry per
line; the last line counts them and has a checksum of all before it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from msgspec import Struct
from msgspec.json import encode

from turnwise.archive.walk import pages, settled
from turnwise.core.codec import encode_entry
from turnwise.core.events import Entry, Migrated, Snapshot, Started
from turnwise.errors import FlowUnavailable
from turnwise.runner.ports import Store

FORMAT = 1
KIND: Literal["conversation"] = "conversation"
BEGINNING = b'{"turnwise":"conversation"'
"""The first bytes of every export."""
NO_EXPORT = "this is no conversation that turnwise exported"


class Head(Struct, frozen=True):
    """The first line. `flows` has the kept flows by fingerprint."""

    turnwise: str
    format: int
    conversation: str
    flow: str
    flows: dict[str, str]


class Foot(Struct, frozen=True):
    """The last line: how many entries there are, and a checksum of every line before this one."""

    entries: int
    sha256: str


async def export(store: Store, conversation: str) -> bytes:
    """The file of a conversation, up to its last whole turn; secret values are in it, as in the store.
    Raises `UnknownConversation`, `FlowUnavailable`.
    """
    state = await settled(store, conversation)
    entries = [entry async for page in pages(store, conversation, state.seq) for entry in page]
    flows = {fingerprint: await _flow(store, fingerprint) for fingerprint in fingerprints(entries)}
    lines = [encode(Head(KIND, FORMAT, conversation, state.flow, flows)), *map(encode_entry, entries)]
    body = b"".join(line + b"\n" for line in lines)
    return body + encode(Foot(len(entries), checksum(body))) + b"\n"


def checksum(body: bytes) -> str:
    """What the last line says of the lines before it."""
    return sha256(body).hexdigest()


def fingerprints(entries: list[Entry]) -> list[str]:
    """The versions of the flow that a journal needs, in order."""
    found: dict[str, None] = {}
    for entry in entries:
        match entry.event:
            case Started(fingerprint=fingerprint) | Migrated(fingerprint=fingerprint):
                found[fingerprint] = None
            case Snapshot(state=state):
                found[state.fingerprint] = None
            case _:
                pass
    return list(found)


async def _flow(store: Store, fingerprint: str) -> str:
    document = await store.flow(fingerprint)
    if document is None:
        raise FlowUnavailable(fingerprint, "the store does not have it")
    return document
