"""The documents of flows: texts, problems, and the lines of their parts.

Of a flow that is reloaded they are as they are on disk now; of any other as they were when the server started, for
that is what runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from turnwise.api.documents import check_text
from turnwise.authoring.document import read_alone, read_document
from turnwise.authoring.source import decode_source, read_content
from turnwise.core.addresses import local_name, scope_of
from turnwise.core.machine import Machine
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.model import Flow, Node
from turnwise.server.sources import Stamp, stamp

_MOST_KEPT = 200
Stamps = tuple[Stamp | None, ...]
"""The stamps of several files; `None` for a file that did not exist."""


class SourceText(Struct, frozen=True):
    """The text of a file and when it was written."""

    file: str
    """The path of the file."""
    text: str
    """The content of the file; empty where it cannot be read."""
    saved_ms: int
    """When the file was written, in milliseconds since 1970; 0 where it cannot be read."""
    sha256: str = ""
    """The SHA-256 of the file's bytes, in hexadecimal digits; empty where it cannot be read."""
    was: Stamp | None = None
    """The stamp (times, size) of the file when it was read; `None` if it was not there."""

    @property
    def is_current(self) -> bool:
        """False where the file has changed since it was read."""
        return self.was == stamp(Path(self.file))


class Texts:
    """A cache of file texts, each read once; those in `known` are not read."""

    def __init__(self, known: Mapping[str, SourceText] | None = None) -> None:
        self.found: dict[str, SourceText | Diagnostic] = dict(known or {})
        self.stamps: dict[str, Stamp | None] = {}
        """The stamp of each file that was read, taken before it was read, by path."""

    def of(self, file: str) -> SourceText | Diagnostic:
        """Return the text of a file, or a diagnostic why it cannot be read."""
        if file not in self.found:
            self.stamps[file] = stamp(Path(file))
            self.found[file] = _read_text(file, self.stamps[file])
        return self.found[file]

    def load(self, file: str) -> str | Diagnostic:
        """Return the text of a file as a string, or a diagnostic why it cannot be read."""
        found = self.of(file)
        return found if isinstance(found, Diagnostic) else found.text

    def read_or_empty(self, file: str) -> SourceText:
        """Return the text of a file, an empty one where it cannot be read."""
        found = self.of(file)
        return SourceText(file, "", 0) if isinstance(found, Diagnostic) else found


def _read_text(file: str, was: Stamp | None) -> SourceText | Diagnostic:
    content = read_content(file)
    if isinstance(content, Diagnostic):
        return content
    text = decode_source(content, file)
    if isinstance(text, Diagnostic):
        return text
    return SourceText(file, text, was.mtime_ns // 1_000_000 if was is not None else 0, sha256(content).hexdigest(), was)


class PartPlace(NamedTuple):
    """The file and the line in which a part of a flow begins; the line is 0 where it is not known."""

    file: str = ""
    """The path of the document; empty where it is not known."""
    line: int = 0
    """The line, from 1; 0 where it is not known."""


UNKNOWN_PLACE = PartPlace()
"""The place of a part that is in no document."""


class Document(Struct, frozen=True):
    """A flow document with its text, its problems, and the flow as far as it can be read."""

    source: SourceText
    """The document's own text and file."""
    diagnostics: tuple[Diagnostic, ...]
    """The problems of the document."""
    flow: Flow | None
    """The flow as far as it can be read; `None` where it cannot."""
    imported: tuple[SourceText, ...] = ()
    """The documents that the flow imports, also those that could not be read."""
    names: Mapping[PartPlace, int] = {}
    """The line (from 1) of the name of each node of the imported documents, by the place of the node itself."""

    @property
    def file(self) -> str:
        """The path of the document."""
        return self.source.file

    @property
    def text(self) -> str:
        """The text of the document; empty where it cannot be read."""
        return self.source.text

    @property
    def texts(self) -> tuple[SourceText, ...]:
        """The text of the document, and then of those that it imports."""
        return (self.source, *self.imported)

    def _node(self, address: str) -> Node | None:
        """Return a node by its address, which names the scopes around it."""
        nodes, found = self.flow.nodes if self.flow is not None else (), None
        for name in address.split("/"):
            found = next((node for node in nodes if node.name == name), None)
            nodes = found.scope.nodes if found is not None and found.scope is not None else ()
        return found

    def node_place(self, name: str) -> PartPlace:
        """Return the place of the name of a node, also of a node that an imported document holds."""
        node = self._node(name)
        if self.flow is None or node is None or not node.span.is_read:
            return UNKNOWN_PLACE
        place = PartPlace(node.span.file, node.span.line)
        if place.file != self.file:
            return place._replace(line=self.names.get(place, place.line))
        around = self._node(scope_of(name))
        span = around.scope.span if around is not None and around.scope is not None else self.flow.span
        found = (span.parts or {}).get(f"nodes.{local_name(name)}")
        return place._replace(line=found[0]) if found else place

    def transition_place(self, node: str, place: int, name: str, scope: str = "") -> PartPlace:
        """Return the place of a transition of a node or scope: the one named `name`, else the one at index `place`."""
        found, around = self._node(node), self._node(scope)
        if self.flow is None or (node and found is None):
            return UNKNOWN_PLACE
        own = found.transitions if found is not None else self.flow.transitions
        if not node and scope:
            own = around.scope.transitions if around is not None and around.scope is not None else ()
        span = next((one.span for one in own if one.id == name), own[place].span if place < len(own) else None)
        return PartPlace(span.file, span.line) if span is not None and span.is_read else UNKNOWN_PLACE


class Documents:
    """A cache of recently read flow documents. One that has changed on disk is read again."""

    def __init__(self, machines: Iterable[Machine] = ()) -> None:
        self._known: dict[tuple[str, str, bool], tuple[Stamps, Document]] = {}
        self._running: dict[tuple[str, str], dict[str, SourceText]] = {}
        """The texts that the flows were made of, by the file and the fingerprint of a flow."""
        for machine in machines:
            files = (machine.flow.span.file, *machine.flow.files) if machine.flow.span.is_read else ()
            read = [Texts().of(file) for file in files if file and stamp(Path(file)) is not None]
            texts = {one.file: one for one in read if not isinstance(one, Diagnostic)}
            if files and files[0] in texts:
                self._running[files[0], machine.fingerprint] = texts
        self._were_files = {file for file, _ in self._running}
        """The files that were there at the start: one that is missing later is a problem."""

    def of(self, machine: Machine, watched: Iterable[Diagnostic] = (), *, is_followed: bool = True) -> Document | None:
        """Return the document of a flow with its problems; `None` where a program made the flow.
        `is_followed` is true where the flow is reloaded when its files change. `watched` are the problems that
        reloading found, of which some may not be in the document itself.
        """
        document = self._read(machine, is_followed=is_followed)
        if document is None:
            return None
        known = {(one.code, one.message) for one in document.diagnostics}
        more = [one for one in watched if (one.code, one.message) not in known]
        return replace(document, diagnostics=(*document.diagnostics, *more)) if more else document

    def _read(self, machine: Machine, *, is_followed: bool) -> Document | None:
        file = machine.flow.span.file
        if not machine.flow.span.is_read or not file:
            return None
        running = None if is_followed else self._running.get((file, machine.fingerprint))
        state, key = stamp(Path(file)), (file, machine.fingerprint, running is None)
        if state is None and file not in self._were_files:
            return None
        known = self._known.get(key)
        if known is not None and (running is not None or known[0] == _stamps(known[1])):
            return known[1]
        texts = Texts(running)
        source = texts.of(file)
        if isinstance(source, Diagnostic):
            return Document(SourceText(file, "", 0), (source,), None)
        document = read_flow_document(source, tuple(machine.code.values()), texts)
        if document.flow is not None and document.flow.name not in ("", machine.flow.name):
            is_other = other_flow(document.flow, machine.flow.name, file)
            document = replace(document, diagnostics=(is_other, *document.diagnostics))
        self._known[key] = (tuple([texts.stamps.get(one.file) for one in document.texts]), document)
        if len(self._known) > _MOST_KEPT:
            del self._known[next(iter(self._known))]
        return document


def _stamps(document: Document) -> Stamps:
    """Return the stamps of a document and of those that it imports, as the files are now."""
    return tuple([stamp(Path(one.file)) for one in document.texts])


def other_flow(flow: Flow, served: str, file: str) -> Diagnostic:
    """Return the problem that a file now has another flow than the flow that is served from it."""
    here = flow.span if flow.span.is_read else Span(file)
    hint = f"call it '{served}' again, or start the server again"
    return problem("TW016", f"this flow is called '{flow.name}', and the server serves '{served}'", here, hint)


def read_flow_document(source: SourceText, guards: Iterable[PythonGuard] = (), texts: Texts | None = None) -> Document:
    """Return a flow document with its problems; `guards` are the Python functions that the flow may name.
    `texts` has the documents that it imports.
    """
    texts, file = texts or Texts(), source.file
    problems = check_text(source.text.encode(), file, tuple(guards), load=texts.load)
    flow = read_document(source.text, file, texts.load).flow
    imported = tuple([texts.read_or_empty(one) for one in flow.files])
    names = {place: line for one in imported for place, line in _names_of(one)}
    return Document(source, tuple(problems), flow, imported, names)


def _names_of(source: SourceText) -> Iterator[tuple[PartPlace, int]]:
    """Yield the place of each node of a document, with the line of its name."""
    flow = read_alone(source.text, source.file).flow
    waiting: list[tuple[Span, tuple[Node, ...]]] = [(flow.span, flow.nodes)]
    while waiting:
        span, nodes = waiting.pop()
        for node in nodes:
            name = (span.parts or {}).get(f"nodes.{node.name}")
            if name:
                yield PartPlace(source.file, node.span.line), name[0]
            if node.scope is not None:
                waiting.append((node.scope.span, node.scope.nodes))
