"""`turnwise export` and `turnwise import`: a conversation as one file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO

from turnwise.api.output import STANDARD, refuse_taken, writing
from turnwise.archive import Archive
from turnwise.archive.transfer import BEGINNING, NO_EXPORT
from turnwise.cli.asking import ask
from turnwise.cli.show import plain_console, put
from turnwise.errors import ImportRefused, TurnwiseError


def run_export(store: str, conversation: str, file: Path | None, *, force: bool) -> int:
    """Export to a file or to standard output; gives the exit code."""
    file = None if str(file) == STANDARD else file
    if not force:
        refuse_taken(file)

    async def work(archive: Archive) -> int:
        data = await archive.export(conversation)
        if file is None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            _write(file, data)
        return 0

    return ask(store, None, work)


def _write(file: Path, data: bytes) -> None:
    """Write beside, then rename: nobody ever sees half of a file. Only its owner may read it. A device is written."""
    if file.exists() and not file.is_file():
        with writing(file):
            file.write_bytes(data)
        return
    with writing(file), NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as target:
        try:
            target.write(data)
            target.flush()
            os.fsync(target.fileno())
            Path(target.name).replace(file)
        except OSError:
            Path(target.name).unlink(missing_ok=True)
            raise


MOST_BYTES = 1 << 30
"""How large an export may be."""


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
    try:
        if str(file) == STANDARD:
            return _bounded(sys.stdin.buffer, str(file))
        with file.open("rb") as stream:
            return _bounded(stream, str(file))
    except OSError as error:
        raise TurnwiseError(f"{file}: it cannot be read: {error.strerror}") from None


def _bounded(stream: BinaryIO, file: str) -> bytes:
    """Read an export; what does not begin like one, or has no end, is not read on."""
    data = stream.read(len(BEGINNING))
    if data != BEGINNING:
        raise ImportRefused(file, NO_EXPORT)
    data += stream.read(MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise ImportRefused(file, f"it is larger than {MOST_BYTES:,} bytes")
    return data
