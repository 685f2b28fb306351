"""The documents of flows as they are on disk now: text, problems, and the lines of their parts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from turnwise.api.documents import check_text
from turnwise.authoring.document import read_document
from turnwise.authoring.source import decode_source
from turnwise.core.machine import Machine
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.model import Flow

_MOST_BYTES = 4_000_000
_MOST_KEPT = 200


class Document(Struct, frozen=True):
    """A document: its file, its text, when it was written, its problems, and the flow as far as it can be read."""

    file: str
    text: str
    saved_ms: int
    diagnostics: tuple[Diagnostic, ...]
    flow: Flow | None

    def node_line(self, name: str) -> int:
        """Return the line of a node, 0 if the document has none of this name: that of its key, where it has one."""
        node = next((node for node in self.flow.nodes if node.name == name), None) if self.flow is not None else None
        if node is None or not node.span.is_read:
            return 0
        lines = self.text.splitlines()
        at = min(node.span.line, len(lines))
        above = next((line for line in range(at, 0, -1) if lines[line - 1].strip()), at)
        for line in (above, above - 1):
            if line > 0 and lines[line - 1].lstrip(" -{\"'").startswith(name):
                return line
        return node.span.line

    def transition_line(self, node: str, place: int, name: str) -> int:
        """Return the line of a transition of a node: the one of this name, else the one in this place."""
        found = next((one for one in self.flow.nodes if one.name == node), None) if self.flow is not None else None
        if self.flow is None or (node and found is None):
            return 0
        own = found.transitions if found is not None else self.flow.transitions
        span = next((one.span for one in own if one.id == name), own[place].span if place < len(own) else None)
        return span.line if span is not None and span.is_read else 0


class Documents:
    """The documents that were read lately. One that has changed on disk is read again."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[tuple[int, int], Document]] = {}

    def of(self, machine: Machine) -> Document | None:
        """Return the document of a flow; `None` where it comes from a program, or the file cannot be read."""
        span = machine.flow.span
        if not span.is_read or not span.file:
            return None
        path, key = Path(span.file), (span.file, machine.fingerprint)
        try:
            found = path.stat()
            state = (found.st_mtime_ns, found.st_size)
            known = self._known.get(key)
            if known is not None and known[0] == state:
                return known[1]
            content = path.read_bytes() if found.st_size <= _MOST_BYTES else b""
        except (OSError, ValueError):
            return None
        document = read(content, span.file, state[0] // 1_000_000, tuple(machine.code.values()))
        self._known[key] = (state, document)
        if len(self._known) > _MOST_KEPT:
            del self._known[next(iter(self._known))]
        return document


def read(content: bytes, file: str, saved_ms: int, guards: Iterable[PythonGuard] = ()) -> Document:
    """Return a document with its problems; `guards` are the functions that its flow may name."""
    text = decode_source(content, file)
    if isinstance(text, Diagnostic):
        return Document(file, "", saved_ms, (text,), None)
    problems = check_text(content, file, tuple(guards))
    return Document(file, text, saved_ms, tuple(problems), read_document(text, file).flow)
