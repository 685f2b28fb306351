"""`turnwise store`: information about a file of conversations, retention, deletion, vacuum."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from turnwise.cli.asking import print_json, refuse_empty
from turnwise.cli.show import line_of, plain_console, put
from turnwise.core.state.retention import Retention
from turnwise.errors import StoreFailed
from turnwise.runner.clocks import SystemClock
from turnwise.runner.past import unknown
from turnwise.runner.ports import Progress as Tell
from turnwise.stores.sqlite import SqliteStore
from turnwise.stores.sqlite.upkeep import Listed

Found = TypeVar("Found")
_ADDRESS = "sqlite:///"
_ABOUT = {
    "events": "what was said and done",
    "decisions": "why it moved, or did not",
    "states": "where each conversation is",
    "snapshots": "states to begin folding at",
    "erased": "the places of what retention took away",
    "receipts": "keys that came before",
    "timers": "what is still to come",
    "flows": "the flows that they began with",
    "free": "room for new rows; vacuum gives it back",
    "overhead": "the order around all of it",
}


def run_info(file: str, *, as_json: bool) -> int:
    """Print what a file holds; gives the exit code."""
    with _told("counting") as tell:
        found = _with_store(file, lambda store: store.info(tell), may_only_read=True)
    if as_json:
        print_json(found)
        return 0
    console = plain_console()
    kinds = [(name, _size(found.bytes[name]), about) for name, about in _ABOUT.items()]
    _print(console, found.file, ("", "size", "holds"), [*kinds, ("all", _size(found.file_bytes), "the file")])
    put(console, f"and a log of {_size(found.log_bytes)}, which is taken over into the file by and by")
    put(console, f"{_count(found.conversations, 'conversation')}, {_count(found.open_turns, 'turn')} under way")
    put(console, f"{_count(found.entries, 'entry', 'entries')}, {found.erased} of them erased")
    if found.oldest_ms is not None and found.newest_ms is not None:
        put(console, f"from {_time(found.oldest_ms)} to {_time(found.newest_ms)}")
    return 0


def run_conversations(file: str, *, as_json: bool) -> int:
    """List the conversations; gives the exit code."""
    found = _with_store(file, lambda store: store.listed(), may_only_read=True)
    if as_json:
        print_json(found)
        return 0
    rows = [
        (one.conversation, one.flow, str(one.entries), _time(one.began_ms), _time(one.last_ms), _now(one))
        for one in found
    ]
    _print(plain_console(), file, ("conversation", "flow", "entries", "began", "last turn", "now"), rows)
    return 0


def run_retain(file: str, events: float | None, decisions: float | None, *, as_json: bool) -> int:
    """Erase and trim what is older; gives the exit code."""
    retention, now_ms = Retention(events, decisions), SystemClock().now_ms()
    with _told("erasing") as tell:
        found = _with_store(file, lambda store: store.retain(retention, now_ms, tell))
    if as_json:
        print_json({"events_erased": found.events, "decisions_trimmed": found.decisions})
        return 0
    words = f"{_count(found.events, 'event')} erased, {_count(found.decisions, 'decision')} trimmed"
    put(plain_console(), words + (f"; turnwise store vacuum {file} removes their traces" if any(found) else ""))
    return 0


def run_forget(file: str, conversation: str, *, as_json: bool) -> int:
    """Delete a conversation; gives the exit code."""

    async def work(store: SqliteStore) -> None:
        if not await store.forget(conversation):
            raise await unknown(store, conversation)

    _with_store(file, work)
    if as_json:
        print_json({"forgotten": conversation})
        return 0
    put(plain_console(), f"{conversation} is forgotten; turnwise store vacuum {file} removes its traces")
    return 0


def run_vacuum(file: str, *, as_json: bool) -> int:
    """Write the file anew; gives the exit code."""
    console = Console(stderr=True)
    with console.status("writing the file anew") if console.is_terminal else _told(""):
        given_back = _with_store(file, lambda store: store.vacuum())
    if as_json:
        print_json({"bytes_given_back": given_back})
        return 0
    put(plain_console(), f"{_size(max(0, given_back))} given back; no trace is left of what was erased or forgotten")
    return 0


# what they share ---------------------------------------------------------------------------------


def _with_store(file: str, work: Callable[[SqliteStore], Awaitable[Found]], *, may_only_read: bool = False) -> Found:
    """Open the store of a file that is there, do the work, and close it. Raises `StoreFailed`."""
    path = Path(file.removeprefix(_ADDRESS) if file.startswith(_ADDRESS) else file)
    if not path.exists():
        raise StoreFailed(path, "there is no such file")
    refuse_empty(path)

    async def done() -> Found:
        store = SqliteStore(path, may_only_read=may_only_read)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(done())


@contextmanager
def _told(what: str) -> Generator[Tell | None]:
    """A progress bar on standard error, where somebody sees it."""
    console = Console(stderr=True)
    if not what or not console.is_terminal:
        yield None
        return
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def _print(console: Console, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in a terminal; in a pipe, a line per row with tabs."""
    if not console.is_terminal:
        for row in (heads, *rows):
            sys.stdout.write(
                "\t".join(line_of(cell).plain.replace("\t", " ").replace("\n", " ") for cell in row) + "\n"
            )
        return
    table = Table(title=line_of(title), title_justify="left", box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right" if head in ("size", "entries") else "left")
    for row in rows:
        table.add_row(*map(line_of, row))
    console.print(table)


def _size(count: int) -> str:
    """Bytes as people read them."""
    size = float(count)
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def _count(number: int, what: str, several: str = "") -> str:
    return f"{number} {what}" if number == 1 else f"{number} {several or what + 's'}"


def _time(ms: int) -> str:
    try:
        return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, ValueError, OSError):  # a clock was wrong; the rest of the list is as good as ever
        return "no date"


def _now(one: Listed) -> str:
    if one.is_open:
        return "a turn is under way"
    match one.status:
        case "ended":
            return f"ended: {one.outcome}"
        case "failed":
            return "failed; the next message tries again"
        case _:
            return "waits"
