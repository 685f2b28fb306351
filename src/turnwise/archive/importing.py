"""The file of a conversation taken into a store: all of it, or one clear line that says why not."""

from __future__ import annotations

from typing import NoReturn

from msgspec import MsgspecError, Struct
from msgspec.json import decode

from turnwise.archive.exporting import FORMAT, KIND, NO_EXPORT, Foot, Head, checksum, fingerprints
from turnwise.archive.fitting import Misfit, check_fit
from turnwise.core.codec import decode_entry
from turnwise.core.events import Entry, Forked
from turnwise.core.fold import fold_all
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.step import note
from turnwise.errors import Conflict, ConversationExists, FlowUnavailable, ImportRefused, TurnwiseError, UnknownFormat
from turnwise.runner.machines import check_document, shown_machine
from turnwise.runner.ports import Clock, Commit, Store


async def take_in(
    store: Store,
    clock: Clock,
    data: bytes,
    conversation: str | None = None,
    file: str = "the file",
    *,
    effects: bool | None = None,
) -> str:
    """Import a file, under its own name or another; gives the name. Under another name it is a copy, a fork of what
    may still go on elsewhere: tools that change the world are refused in it, unless `effects` says what holds. Nothing
    is written unless all of it can be. Raises `ImportRefused`, `UnknownFormat`, `ConversationExists`.
    """
    head, entries, state = read(data, file)
    name = conversation or head.conversation
    await refuse_taken(store, name)
    if effects is not None or name != head.conversation:
        step = note(state, Forked(head.conversation, state.turn, bool(effects)), clock.now_ms())
        entries, state = (*entries, *step.entries), step.state
    for fingerprint in fingerprints(list(entries)):
        if await store.flow(fingerprint) is None:
            await store.keep_flow(fingerprint, head.flows[fingerprint])
    await begin(store, name, entries, state)
    return name


async def refuse_taken(store: Store, conversation: str) -> None:
    """Raises `ConversationExists` where the name is taken."""
    if await store.load(conversation) is not None:
        raise ConversationExists(conversation)


async def begin(store: Store, conversation: str, entries: tuple[Entry, ...], state: State) -> None:
    """Write a whole journal as a new conversation, in one commit. Raises `ConversationExists`."""
    try:
        await store.commit(conversation, Commit(entries, state=state))
    except Conflict:
        raise ConversationExists(conversation) from None


# reading -----------------------------------------------------------------------------------------


def read(data: bytes, file: str = "the file") -> tuple[Head, tuple[Entry, ...], State]:
    """What a file holds, checked. Raises `ImportRefused`, `UnknownFormat`."""

    def refuse(reason: str) -> NoReturn:
        raise ImportRefused(file, reason)

    lines = data.split(b"\n")
    head = _head(lines[0], refuse_as=file)
    foot = _foot(lines[-2] if len(lines) > 2 and not lines[-1] else b"")
    if foot is None:
        refuse("it is cut: its last line is missing")
    body = data[: len(data) - len(lines[-2]) - 1]
    if checksum(body) != foot.sha256:
        refuse("it was changed since it was written: its checksum is another")
    if foot.entries != len(lines) - 3:
        refuse(f"it has {len(lines) - 3} entries and says {foot.entries}")
    entries = tuple([_entry(line, number, file) for number, line in enumerate(lines[1:-2], 2)])
    return head, entries, _state(head, entries, file)


class _Kind(Struct):
    """What a first line says of itself."""

    turnwise: str = ""
    format: int = 0


def _head(line: bytes, refuse_as: str) -> Head:
    try:
        kind = decode(line, type=_Kind)
    except (MsgspecError, UnicodeDecodeError):
        kind = _Kind()
    if kind.turnwise != KIND:
        raise ImportRefused(refuse_as, NO_EXPORT)
    if kind.format != FORMAT:
        raise UnknownFormat(refuse_as, kind.format, FORMAT)
    try:
        return decode(line, type=Head)
    except MsgspecError as error:
        raise ImportRefused(refuse_as, f"its first line cannot be read: {error}") from None


def _foot(line: bytes) -> Foot | None:
    try:
        return decode(line, type=Foot)
    except (MsgspecError, UnicodeDecodeError):
        return None


def _entry(line: bytes, number: int, file: str) -> Entry:
    try:
        return decode_entry(line)
    except (MsgspecError, UnicodeDecodeError) as error:
        raise ImportRefused(file, f"line {number} is no entry of a journal: {error}") from None


def _state(head: Head, entries: tuple[Entry, ...], file: str) -> State:
    """The state that the entries lead to; entries that lead to none are refused."""
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
    """The flow of a fingerprint, to be compared with; none of its code is run. Raises `FlowUnavailable`."""
    check_document(fingerprint, document)
    machine = shown_machine(fingerprint, document)
    if machine.fingerprint != fingerprint:
        raise FlowUnavailable(fingerprint, f"the fingerprint of what the file has is {machine.fingerprint}")
    return machine
