"""The files of the served flows, as they are on disk now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.model import Flow
from turnwise.runner.ports import ToolRunner


class LoadedFlow(Struct, frozen=True):
    """What the files of a flow contain: the flow, its guards and tools, and warnings about them."""

    flow: Flow
    """The flow of the documents."""
    guards: Sequence[PythonGuard]
    """The Python guards that the flow names."""
    tools: Mapping[str, Callable[..., object] | ToolRunner]
    """The implementations of the flow's tools, by tool name."""
    diagnostics: Sequence[Diagnostic] = ()
    """The warnings about the flow's documents."""


class Source:
    """The files of one flow. `load` reads them again; it raises `FlowError` or `TurnwiseError`.
    `imported` returns the documents that the flow imported when it was loaded last.
    """

    def __init__(
        self, paths: Sequence[Path], load: Callable[[], LoadedFlow], imported: Callable[[], Iterable[str]] = tuple
    ) -> None:
        self.paths = tuple(paths)
        self.load = load
        self._imported = imported
        self.diagnostics: tuple[Diagnostic, ...] = ()
        """The problems of the files as they are now."""
        self._seen = self._look()

    def has_changed(self) -> bool:
        """Return whether a file of the flow has changed since the last call.

        A file that the flow has imported since then counts as changed: it may have been written after it was read.
        """
        before, self._seen = self._seen, self._look()
        return any(before.get(path) != found for path, found in self._seen.items())

    def _look(self) -> dict[Path, Stamp | None]:
        return {path: stamp(path) for path in (*self.paths, *map(Path, self._imported()))}


class Stamp(NamedTuple):
    """The attributes of a file that change when it is written, replaced by another one, or protected."""

    mtime_ns: int
    """When the content was written, in nanoseconds since 1970."""
    ctime_ns: int
    """When the content or the access rights changed, in nanoseconds since 1970."""
    inode: int
    """The number of the file in its file system."""
    size: int
    """The size of the file in bytes."""


def stamp(path: Path) -> Stamp | None:
    """Return the stamp of a file, `None` if there is no such file."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return Stamp(found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_size)
