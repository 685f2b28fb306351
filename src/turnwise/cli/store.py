"""The commands of `turnwise store`: print what a file of conversations contains, and remove what should not stay."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.table import Table

from turnwise.api.open import open_archive, open_store
from turnwise.archive.conversation_names import conversation_name
from turnwise.archive.copying import Copied, copy_store
from turnwise.cli.inputs import refuse_empty
from turnwise.cli.show import counted_noun, plain_console, print_json, print_line, progress, visible_line
from turnwise.core.state.retention import Retention
from turnwise.errors import StoreFailed, TurnwiseError, WrongUsage
from turnwise.runner.clocks import SystemClock
from turnwise.runner.ports import Store
from turnwise.runner.retention import retain
from turnwise.runner.store_upkeep import ListedConversation, StoreUpkeep
from turnwise.runner.stored import unknown_conversation
from turnwise.stores import shown_address

Found = TypeVar("Found")
"""The type of the result of the work on a store."""
LONG_S = 60.0
"""From how many seconds on an open transaction is reported."""
_ADDRESS = "sqlite:///"
_ABOUT = {
    "events": "messages and everything that happened",
    "decisions": "why conversations moved, or did not",
    "states": "the current state of each conversation",
    "snapshots": "earlier states, from which later events are folded",
    "erased": "the places of erased events",
    "receipts": "idempotency keys of earlier messages",
    "timers": "timers that are not due yet",
    "deliveries": "messages to deliver, and what became of them",
    "flows": "the flows of the conversations",
    "free": "room for new rows; vacuum releases it",
    "overhead": "indexes and the structure of the file",
}


def run_info(file: str, as_json: bool) -> int:
    """Print what the store at `file` contains; return the exit code."""
    with progress("counting", 0) as report:
        found = _with_store(file, lambda store: _upkeep(store).info(report), may_only_read=True)
    if as_json:
        print_json(found)
        return 0
    console = plain_console()
    kinds = [(name, _size(found.bytes[name]), about) for name, about in _ABOUT.items()]
    _print(console, found.file, ("", "size", "contains"), [*kinds, ("all", _size(found.file_bytes), "the file")])
    print_line(console, f"and a log of {_size(found.log_bytes)}, which is merged into the file little by little")
    print_line(
        console,
        f"{counted_noun(found.conversations, 'conversation')}, {counted_noun(found.open_turns, 'turn')} under way",
    )
    print_line(console, f"{counted_noun(found.entries, 'entry', 'entries')}, {found.erased} of them erased")
    if found.oldest_ms is not None and found.newest_ms is not None:
        print_line(console, f"from {_time(found.oldest_ms)} to {_time(found.newest_ms)}")
    oldest = found.oldest_transaction
    if oldest is not None and oldest.seconds >= LONG_S:
        print_line(
            console,
            f"session {oldest.session} of role {oldest.role} ({oldest.application}) has had a transaction open for"
            f" {oldest.seconds:.0f} s ({oldest.state}): until it ends no room is used again; SELECT"
            f" pg_terminate_backend({oldest.session}) ends it",
        )
    return 0


def run_conversations(file: str, as_json: bool) -> int:
    """List the conversations of a store; return the exit code."""

    async def work(store: Store) -> tuple[Sequence[ListedConversation], dict[str, str]]:
        listed = await _upkeep(store).listed()
        return listed, {} if as_json else await _names(store, listed)

    found, names = _with_store(file, work, may_only_read=True)
    if as_json:
        print_json(found)
        return 0
    rows = [
        (
            *(one.conversation, names[one.conversation], one.flow, str(one.entries)),
            *(_time(one.began_ms), _time(one.last_ms), _now(one)),
        )
        for one in found
    ]
    columns = ("conversation", "name", "flow", "entries", "began", "last turn", "now")
    _print(plain_console(), shown_address(file), columns, rows)
    return 0


async def _names(store: Store, listed: Sequence[ListedConversation]) -> dict[str, str]:
    """Return what conversations are called; one whose flow cannot be read now has its id."""
    archive, names = open_archive(store), {one.conversation: one.conversation for one in listed}
    for one in listed:
        with suppress(TurnwiseError):
            state = await store.load(one.conversation)
            if state is not None:
                machine = await archive.machines.shown_of_state(state)
                names[one.conversation] = await conversation_name(store, one.conversation, state, machine)
    return names


def run_retain(file: str, events: float | None, decisions: float | None, as_json: bool) -> int:
    """Erase and trim what is older than so many days, or than `keep` of its flow says; return the exit code."""
    retention, now_ms = Retention(events, decisions), SystemClock().now_ms()
    with progress("erasing", 0) as report:
        found = _with_store(file, lambda store: retain(store, retention, now_ms, report))
    if as_json:
        print_json({"events_erased": found.events, "decisions_trimmed": found.decisions})
        return 0
    words = f"{counted_noun(found.events, 'event')} erased, {counted_noun(found.decisions, 'decision')} trimmed"
    print_line(
        plain_console(),
        words + (f"; turnwise store vacuum {shown_address(file)} removes their traces" if any(found) else ""),
    )
    return 0


def run_forget(file: str, conversation: str, as_json: bool) -> int:
    """Delete a conversation from a store; return the exit code."""

    async def work(store: Store) -> None:
        if not await store.forget(conversation):
            raise await unknown_conversation(store, conversation)

    _with_store(file, work)
    if as_json:
        print_json({"forgotten": conversation})
        return 0
    print_line(
        plain_console(), f"{conversation} is forgotten; turnwise store vacuum {shown_address(file)} removes its traces"
    )
    return 0


def run_vacuum(file: str, as_json: bool) -> int:
    """Rewrite a store without erased data; return the exit code."""
    console = Console(stderr=True)
    with console.status("writing the file again") if console.is_terminal else nullcontext():
        given_back = _with_store(file, lambda store: _upkeep(store).vacuum())
    if as_json:
        print_json({"bytes_given_back": given_back})
        return 0
    print_line(plain_console(), f"{_size(max(0, given_back))} released; no trace of erased or forgotten data is left")
    return 0


def run_copy(source: str, target: str, as_json: bool) -> int:
    """Copy a store to another; return the exit code."""

    async def work(store: Store) -> Copied:
        other = open_store(target if "://" in target else f"{_ADDRESS}{target}")
        try:
            with progress("copying", 0) as report:
                return await copy_store(store, other, report)
        finally:
            await other.close()

    found = _with_store(source, work)
    if as_json:
        print_json(found)
        return 0
    rest = found.conversations - found.copied
    words = f"{counted_noun(found.copied, 'conversation')} copied" + (f", {rest} were there already" if rest else "")
    print_line(plain_console(), words)
    return 0


def _upkeep(store: Store) -> StoreUpkeep:
    if isinstance(store, StoreUpkeep):
        return store
    raise WrongUsage("a store of this kind counts and lists nothing for the terminal, and has no room to release")


def _with_store(file: str, work: Callable[[Store], Awaitable[Found]], *, may_only_read: bool = False) -> Found:
    """Open the store of an existing file or of a database, do the work, and close it. Raises `StoreFailed`."""
    address = _address_of(file)

    async def done() -> Found:
        store = open_store(address, may_only_read=may_only_read)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(done())


def _address_of(file: str) -> str:
    """Return the address of a file that must exist, or of a database."""
    if "://" in file and not file.startswith(_ADDRESS):
        return file
    path = Path(file.removeprefix(_ADDRESS) if file.startswith(_ADDRESS) else file)
    if not path.exists():
        raise StoreFailed(path, "there is no such file")
    refuse_empty(path)
    return f"{_ADDRESS}{path}"


def _print(console: Console, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in a terminal; in a pipe, a line with tabs per row."""
    if not console.is_terminal:
        for row in (heads, *rows):
            sys.stdout.write(
                "\t".join(visible_line(cell).plain.replace("\t", " ").replace("\n", " ") for cell in row) + "\n"
            )
        return
    table = Table(title=visible_line(title), title_justify="left", box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right" if head in ("size", "entries") else "left")
    for row in rows:
        table.add_row(*map(visible_line, row))
    console.print(table)


def _size(count: int) -> str:
    """Return a number of bytes for people."""
    size = float(count)
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def _time(ms: int) -> str:
    try:
        return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, ValueError, OSError):  # a clock was wrong; the rest of the list is still right
        return "no date"


def _now(one: ListedConversation) -> str:
    if one.is_open:
        return "a turn is under way"
    match one.status:
        case "ended":
            return f"ended: {one.outcome}"
        case "failed":
            return "failed; the next message tries again"
        case _:
            return "waits"
