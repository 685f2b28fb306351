"""`turnwise import`: the file of a conversation taken into a store."""

from __future__ import annotations

import sys
from pathlib import Path

from turnwise.api.output import STANDARD
from turnwise.archive import Archive
from turnwise.cli.asked import ask
from turnwise.cli.show import plain_console, put
from turnwise.errors import TurnwiseError


def run_import(store: str, file: Path, name: str | None, *, effects: bool | None) -> int:
    """Import; gives the exit code."""
    data = _read(file)

    async def work(archive: Archive) -> int:
        taken = await archive.take_in(data, name, str(file), effects=effects)
        state = await archive.state(taken)
        put(plain_console(), f"{taken}: {state.seq} events, {state.turn} turns of {state.flow}")
        if state.is_bound:
            put(plain_console(), "it may not use tools that change the world; --effects allows them", "dim")
        return 0

    return ask(store, None, work, writes=True, makes=True)


def _read(file: Path) -> bytes:
    if str(file) == STANDARD:
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise TurnwiseError(f"{file}: it cannot be read: {error.strerror}") from None
