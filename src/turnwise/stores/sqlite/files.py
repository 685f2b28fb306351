"""Whether the files of an open database are still the ones at its path."""

from __future__ import annotations

import os
from pathlib import Path

from turnwise.errors import StoreFailed


class OpenFiles:
    """The database, its log and the index of the log, as they were when the first transaction was written.

    A connection goes on writing into a file that was removed, renamed or replaced. What it writes is lost to everybody
    who opens the path later, so nothing may be acknowledged then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        file = str(path.absolute())
        self._names = (file, f"{file}-wal", f"{file}-shm")
        self._file = _identity(file)
        self._known: tuple[tuple[int, int] | None, ...] | None = None

    def check(self) -> None:
        """Compare the files with those that were there first: three calls of `stat`. Raises `StoreFailed`."""
        found = tuple(map(_identity, self._names))
        if self._known is None:
            self._known = (self._file, *found[1:])  # SQLite has made the other two by now
        if found != self._known:
            raise StoreFailed(self.path, self._reason(found))

    def _reason(self, found: tuple[tuple[int, int] | None, ...]) -> str:
        known = self._known or (None,) * len(found)
        name, now = next(
            (name, now) for name, was, now in zip(self._names, known, found, strict=True) if now is None or now != was
        )
        what = "removed or renamed" if now is None else "replaced by another file"
        return f"{Path(name).name} was {what} while it was open; put it back, or open the store again"


def _identity(name: str) -> tuple[int, int] | None:
    try:
        stat = os.stat(name)  # noqa: PTH116  a third of the time of a `Path`
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
