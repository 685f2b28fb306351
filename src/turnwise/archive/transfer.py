"""Exports a conversation as JSON lines with a checksum, and imports it completely or not at all."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Literal

from msgspec import MsgspecError, Struct
from msgspec.json import decode, encode

from turnwise.archive.import_check import Misfit, check_fit
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.codec import decode_entry, encode_entry
from turnwise.core.state.events import Entry, Forked, Migrated, Snapshot, Started
from turnwise.core.state.fold import fold_all
from turnwise.core.step import note_fact
from turnwise.core.values.nesting import MOST_STORED, TOO_DEEP, is_text_too_deep
from turnwise.errors import (
    Conflict,
    ConversationExists,
    FlowUnavailable,
    ImportRefused,
    KeyReused,
    TurnwiseError,
    UnknownFormat,
)
from turnwise.runner.machines import check_document, shown_machine
from turnwise.runner.ports import Clock, Commit, Receipt, Store
from turnwise.runner.stored import StoredConversation, with_pauses

FORMAT = 1
"""The number of the format of the file."""
UNREADABLE = (MsgspecError, UnicodeDecodeError, RecursionError)
"""The exceptions that reading a line of an imported file may raise."""
KIND: Literal["conversation"] = "conversation"
"""What a file of this format holds."""
FIRST_BYTES = b'{"turnwise":"conversation"'
"""The first bytes of every export."""
NO_EXPORT = "this is no conversation that turnwise exported"
"""The error for a file that is no export of a conversation."""


class Head(Struct, frozen=True):
    """The first line of an exported file, which names the conversation and its flows."""

    turnwise: str
    """The version of turnwise that wrote the file."""
    format: int
    """The number of the format of the file."""
    conversation: str
    """The id of the conversation."""
    flow: str
    """The name of the conversation's flow."""
    flows: dict[str, str]
    """The documents of the stored flows, by fingerprint."""


class Foot(Struct, frozen=True):
    """The last line of an exported file: the number of entries, and a checksum of the lines before."""

    entries: int
    """How many entries the file has."""
    sha256: str
    """The SHA-256 of all lines before the last one."""


async def export(store: Store, conversation: str) -> bytes:
    """Return a conversation up to its last whole turn as the bytes of a file; secret values are in it.
    Raises `UnknownConversation`, `FlowUnavailable`.
    """
    stored = StoredConversation(store, conversation)
    state = await stored.state_between_turns()
    entries = await stored.all_entries(until=state.seq)
    flows = {fingerprint: await _flow(store, fingerprint) for fingerprint in fingerprints(entries)}
    lines = [encode(Head(KIND, FORMAT, conversation, state.flow, flows))]
    lines += [encode_entry(entry) async for entry in with_pauses(entries)]
    body = b"".join(line + b"\n" for line in lines)
    return body + encode(Foot(len(entries), checksum(body))) + b"\n"


def checksum(body: bytes) -> str:
    """Return the SHA-256 of the `body` of an exported file: all lines before the last one."""
    return sha256(body).hexdigest()


def fingerprints(entries: list[Entry]) -> list[str]:
    """Return the fingerprints of the flows that a journal needs, in the order of their first use."""
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


async def import_conversation(
    store: Store,
    clock: Clock,
    data: bytes,
    conversation: str | None = None,
    file: str = "the file",
    *,
    effects: bool | None = None,
    key: str | None = None,
) -> str:
    """Import an exported file as a conversation, by default under its own name; return the name.
    `file` is what errors call it. Under another name it is a copy: tools with effects are refused in it, unless
    `effects` allows them. Either everything is written or nothing. With the same `key` the same file is imported once.
    Raises `ImportRefused`, `UnknownFormat`, `ConversationExists`, `KeyReused`.
    """
    head, entries, state = await asyncio.to_thread(read_export, data, file)  # a long file takes seconds
    name = conversation or head.conversation
    receipt = receipt_of(key, (sha256(data).hexdigest(), effects), state)
    if await is_imported_already(store, name, receipt):
        return name
    if effects is not None or name != head.conversation:
        step = note_fact(state, Forked(head.conversation, state.turn, bool(effects)), clock.now_ms())
        entries, state = (*entries, *step.entries), step.state
    for fingerprint in fingerprints(list(entries)):
        if await store.flow(fingerprint) is None:
            await store.keep_flow(fingerprint, head.flows[fingerprint])
    await write_imported(store, name, entries, state, receipt)
    return name


def receipt_of(key: str | None, request: object, state: State) -> Receipt | None:
    """Return the receipt of the key of a `request` (any JSON data that is the same when it is repeated) that begins a
    conversation in the state `state`; `None` without a key.
    """
    return None if key is None else Receipt(key, sha256(encode(request)).hexdigest()[:16], state.turn)


async def is_imported_already(store: Store, conversation: str, receipt: Receipt | None) -> bool:
    """Return whether the conversation exists because the same request came before, with the same key.
    Raises `ConversationExists`, and `KeyReused` if its key came with another request.
    """
    if await store.load(conversation) is None:
        return False
    known = await store.receipt(conversation, receipt.key) if receipt is not None else None
    if receipt is None or known is None:
        raise ConversationExists(conversation)
    if known.body != receipt.body:
        raise KeyReused(receipt.key)
    return True


async def write_imported(
    store: Store, conversation: str, entries: tuple[Entry, ...], state: State, receipt: Receipt | None
) -> None:
    """Write a whole journal as a new conversation, in one commit, unless the same request (the same `receipt`) has done
    so at the same time. Raises `ConversationExists`, `KeyReused`.
    """
    try:
        await store.commit(conversation, Commit(entries, state=state, receipt=receipt))
    except Conflict:
        if not await is_imported_already(store, conversation, receipt):
            raise ConversationExists(conversation) from None


# reading -----------------------------------------------------------------------------------------


def head_of(data: bytes, file: str = "the file") -> Head:
    """Return the first line of an exported file, which names the conversation and its flow.
    `file` is what errors call it. Raises `ImportRefused`, `UnknownFormat`.
    """
    return _head(data.partition(b"\n")[0], file)


def read_export(data: bytes, file: str = "the file") -> tuple[Head, tuple[Entry, ...], State]:
    """Return the checked content of an exported file: first line, entries, final state.
    `file` is what errors call it. Raises `ImportRefused`. It raises `UnknownFormat` for a file of a newer version.
    """
    lines = data.split(b"\n")
    head = _head(lines[0], file)
    foot = _foot(lines[-2] if len(lines) > 2 and not lines[-1] else b"")
    if foot is None:
        raise ImportRefused(file, "it is cut: its last line is missing")
    body = data[: len(data) - len(lines[-2]) - 1]
    if checksum(body) != foot.sha256:
        raise ImportRefused(file, "it was changed since it was written: its checksum is another")
    if foot.entries != len(lines) - 3:
        raise ImportRefused(file, f"it has {len(lines) - 3} entries and says {foot.entries}")
    entries = tuple([_entry(line, number, file) for number, line in enumerate(lines[1:-2], 2)])
    return head, entries, _state(head, entries, file)


class _Kind(Struct):
    """The fields of a first line that identify the file format."""

    turnwise: str = ""
    format: int = 0


def _head(line: bytes, file: str) -> Head:
    try:
        kind = decode(line, type=_Kind)
    except UNREADABLE:
        kind = _Kind()
    if kind.turnwise != KIND:
        raise ImportRefused(file, NO_EXPORT, 1)
    if kind.format != FORMAT:
        raise UnknownFormat(file, kind.format, FORMAT)
    try:
        return decode(line, type=Head)
    except UNREADABLE as error:
        raise ImportRefused(file, f"its first line cannot be read: {error}", 1) from None


def _foot(line: bytes) -> Foot | None:
    try:
        return decode(line, type=Foot)
    except UNREADABLE:
        return None


def _entry(line: bytes, number: int, file: str) -> Entry:
    try:
        if is_text_too_deep(line, MOST_STORED):
            raise ImportRefused(file, f"line {number} cannot be kept: {TOO_DEEP}", number)
        return decode_entry(line)
    except UNREADABLE as error:
        raise ImportRefused(file, f"line {number} is no entry of a journal: {error}", number) from None


def _state(head: Head, entries: tuple[Entry, ...], file: str) -> State:
    """Return the state that the entries lead to. Raises `ImportRefused` if they lead to none."""
    if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
        raise ImportRefused(file, "its entries have gaps")
    try:
        state = fold_all(entries)
    except Exception as error:  # noqa: BLE001  what somebody else wrote may break in any way
        raise ImportRefused(file, f"its entries do not follow from one another: {error}") from None
    if state is None or state.doing is not None:
        raise ImportRefused(file, "it does not end with a whole turn")
    if state.flow != head.flow:
        raise ImportRefused(file, "its first line names another flow than its entries")
    for fingerprint in fingerprints(list(entries)):
        if fingerprint not in head.flows:
            raise ImportRefused(file, f"the flow with fingerprint {fingerprint} is missing")
    try:
        check_fit(entries, {one: _machine(one, head.flows[one]) for one in fingerprints(list(entries))})
    except (TurnwiseError, Misfit) as error:
        raise ImportRefused(file, str(error)) from None
    return state


def _machine(fingerprint: str, document: str) -> Machine:
    """Return the flow of a fingerprint, for comparison; none of its code is run. Raises `FlowUnavailable`."""
    check_document(fingerprint, document)
    machine = shown_machine(fingerprint, document)
    if machine.fingerprint != fingerprint:
        raise FlowUnavailable(fingerprint, f"the fingerprint of what the file has is {machine.fingerprint}")
    return machine
