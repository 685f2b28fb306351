"""The commands `export` and `import`: a conversation as one file, whole or not at all."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from tempfile import NamedTemporaryFile

from turnwise.api.output import STANDARD, refuse_taken, writing
from turnwise.archive import Archive
from turnwise.archive.transfer import BEGINNING, NO_EXPORT
from turnwise.cli.inputs import with_archive
from turnwise.cli.show import plain_console, put
from turnwise.errors import ImportRefused, TurnwiseError

MOST_BYTES = 1 << 30
"""The size of the largest export that can be imported."""


def run_export(store: str, conversation: str, file: Path | None, force: bool) -> int:
    """Export to a file or to standard output; return the exit code."""
    if not force:
        refuse_taken(file)

    async def work(archive: Archive) -> int:
        data = await archive.export(conversation)
        if file is None or str(file) == STANDARD:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            _write(file, data)
        return 0

    return with_archive(store, None, work)


def _write(file: Path, data: bytes) -> None:
    """Write a file that only its owner may read. It replaces the old one as a whole, unless that is a device or a
    link, which stays.
    """
    if file.is_symlink() or (file.exists() and not file.is_file()):
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


def run_import(store: str, file: Path, name: str, effects: bool | None) -> int:
    """Import a file or standard input; return the exit code."""
    data = _read(file)

    async def work(archive: Archive) -> int:
        imported = await archive.take_in(data, name or None, str(file), effects=effects)
        state = await archive.state(imported)
        put(plain_console(), f"{imported}: {state.seq} events, {state.turn} turns of {state.flow}")
        if state.is_bound:
            put(plain_console(), "it may not use tools that change the world; --effects allows them", "dim")
        return 0

    return with_archive(store, None, work, writes=True, creates=True)


def _read(file: Path) -> bytes:
    """Read an export, and no more of anything else than its beginning, for it may have no end."""
    try:
        with nullcontext(sys.stdin.buffer) if str(file) == STANDARD else file.open("rb") as stream:
            data = stream.read(len(BEGINNING))
            if data != BEGINNING:
                raise ImportRefused(str(file), NO_EXPORT)
            data += stream.read(MOST_BYTES)
    except OSError as error:
        raise TurnwiseError(f"{file}: it cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise ImportRefused(str(file), f"it is larger than {MOST_BYTES:,} bytes")
    return data
