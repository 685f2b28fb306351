"""`turnwise export`: a conversation as one file, whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

from turnwise.api.output import STANDARD, refuse_taken, writing
from turnwise.archive import Archive
from turnwise.cli.asked import ask


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
