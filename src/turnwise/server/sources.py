"""The files of the served flows, as they are on disk now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.model import Flow
from turnwise.runner.ports import ToolRunner


class Loaded(Struct, frozen=True):
    """What the files of a flow contain: the flow, its guards and tools, and warnings about them."""

    flow: Flow
    guards: Sequence[PythonGuard]
    tools: Mapping[str, Callable[..., object] | ToolRunner]
    diagnostics: Sequence[Diagnostic] = ()


class Source:
    """The files of one flow. `load` reads them again; it raises `FlowError` or `TurnwiseError`."""

    def __init__(self, paths: Sequence[Path], load: Callable[[], Loaded]) -> None:
        self.paths = tuple(paths)
        self.load = load
        self.diagnostics: tuple[Diagnostic, ...] = ()
        """The problems of the files as they are now."""
        self._seen = self._look()

    def has_changed(self) -> bool:
        """Return whether a file has changed since the last call."""
        before, self._seen = self._seen, self._look()
        return self._seen != before

    def _look(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(_stamp(path) for path in self.paths)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
