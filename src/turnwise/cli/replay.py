"""`turnwise replay`: fold stored conversations, run them again, and compare."""

from __future__ import annotations

from pathlib import Path

from turnwise.archive import Archive
from turnwise.archive.replaying import Replayed
from turnwise.archive.walk import chosen, told
from turnwise.cli.asked import ask, count, machine_of, print_json, progress
from turnwise.cli.show import plain_console, put
from turnwise.core.codec import encode_entry
from turnwise.core.events import Entry


def run_replay(
    store: str, python: Path | None, conversation: str | None, *, flow: Path | None, folds: bool, as_json: bool
) -> int:
    """Replay one or all; gives the exit code: 1 where something differs."""

    async def work(archive: Archive) -> int:
        machine = machine_of(flow, python)
        found: list[Replayed] = []
        with progress("replaying") as tell:
            for name in told(await chosen(archive.store, conversation), tell):
                found.append(await archive.replay(name, runs=not folds, flow=machine))  # noqa: PERF401  one by one
        if as_json:
            print_json([{**_data(one), "agrees": one.agrees} for one in found])
        else:
            _print(found)
        return 0 if all(one.agrees for one in found) else 1

    return ask(store, python, work, as_json=as_json)


def _data(one: Replayed) -> dict[str, object]:
    return {field: getattr(one, field) for field in one.__struct_fields__}


def _print(found: list[Replayed]) -> None:
    console = plain_console()
    for one in found:
        how = "folded and run again" if one.is_run else "folded"
        size = f"{count(one.entries, 'event')}, {count(one.turns, 'turn')}"
        if one.agrees:
            put(console, f"{one.conversation}: {size}, {how}: the same", "green")
            continue
        put(console, f"{one.conversation}: {size}, {how}: not the same", "red")
        if not one.folds:
            put(console, "  folding the journal gives another state than the one that is kept")
        if one.difference is not None:
            put(console, f"  event {one.difference.seq} differs" + _reason(one.difference.reason))
            put(console, f"  - {_shown(one.difference.then)}")
            put(console, f"  + {_shown(one.difference.now)}")


def _reason(reason: str) -> str:
    return f": {reason}" if reason else ""


def _shown(entry: Entry | None) -> str:
    return encode_entry(entry).decode() if entry is not None else "(nothing)"
