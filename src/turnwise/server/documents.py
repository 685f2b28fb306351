"""The documents of the served flows as they are on disk: texts, problems, and the lines of their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from turnwise.api.documents import check_text
from turnwise.authoring.document import read_alone, read_document
from turnwise.authoring.source import read_source
from turnwise.core.addresses import local_name, scope_of
from turnwise.core.machine import Machine
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.model import Flow, Node
from turnwise.server.sources import Stamp, stamp

_MOST_KEPT = 200
Stamps = tuple[Stamp | None, ...]


class SourceText(Struct, frozen=True):
    """The text of a file, and when it was written; 0 where it cannot be read."""

    file: str
    text: str
    saved_ms: int


class PartPlace(NamedTuple):
    """The file and the line in which a part of a flow begins; the line is 0 where it is not known."""

    file: str = ""
    line: int = 0


UNKNOWN_PLACE = PartPlace()


class Document(Struct, frozen=True):
    """A document: its file, its text, when it was written, its problems, and the flow as far as it can be read."""

    file: str
    text: str
    saved_ms: int
    diagnostics: tuple[Diagnostic, ...]
    flow: Flow | None
    imported: tuple[SourceText, ...] = ()
    """The documents that the flow imports, also those that could not be read."""
    names: Mapping[PartPlace, int] = {}
    """The line of the name of each node of the imported documents, by the place of the node itself."""

    @property
    def texts(self) -> tuple[SourceText, ...]:
        """The text of the document, and then of those that it imports."""
        return (SourceText(self.file, self.text, self.saved_ms), *self.imported)

    def _node(self, address: str) -> Node | None:
        """Return a node by its address, which names the scopes around it."""
        nodes, found = self.flow.nodes if self.flow is not None else (), None
        for name in address.split("/"):
            found = next((node for node in nodes if node.name == name), None)
            nodes = found.scope.nodes if found is not None and found.scope is not None else ()
        return found

    def node_place(self, name: str) -> PartPlace:
        """Return the place of the name of a node, also of one that another document holds."""
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
        """Return the place of a transition of a node, or of all nodes of a scope: the one of this name, else the one at
        this index.
        """
        found, around = self._node(node), self._node(scope)
        if self.flow is None or (node and found is None):
            return UNKNOWN_PLACE
        own = found.transitions if found is not None else self.flow.transitions
        if not node and scope:
            own = around.scope.transitions if around is not None and around.scope is not None else ()
        span = next((one.span for one in own if one.id == name), own[place].span if place < len(own) else None)
        return PartPlace(span.file, span.line) if span is not None and span.is_read else UNKNOWN_PLACE


class Documents:
    """The documents that were read lately. One that has changed on disk is read again."""

    def __init__(self, machines: Iterable[Machine] = ()) -> None:
        self._known: dict[tuple[str, str], tuple[Stamps, Document]] = {}
        files = {machine.flow.span.file for machine in machines if machine.flow.span.is_read}
        self._were_files = {file for file in files if file and stamp(Path(file)) is not None}
        """The files that were there at the start: one that is missing later is a problem."""

    def of(self, machine: Machine, watched: Iterable[Diagnostic] = ()) -> Document | None:
        """Return the document of a flow; `None` where it comes from a program. `watched` are the problems that
        reloading its files found, of which some may not be in the document itself.
        """
        document = self._read(machine)
        if document is None:
            return None
        known = {(one.code, one.message) for one in document.diagnostics}
        more = [one for one in watched if (one.code, one.message) not in known]
        return replace(document, diagnostics=(*document.diagnostics, *more)) if more else document

    def _read(self, machine: Machine) -> Document | None:
        span = machine.flow.span
        if not span.is_read or not span.file:
            return None
        path, key = Path(span.file), (span.file, machine.fingerprint)
        state = stamp(path)
        if state is None and span.file not in self._were_files:
            return None
        known = self._known.get(key)
        if known is not None and known[0] == _stamps(path, known[1]):
            return known[1]
        content = read_source(path)
        if state is None or isinstance(content, Diagnostic):
            problems = (content,) if isinstance(content, Diagnostic) else ()
            return Document(span.file, "", 0, problems, None)
        document = read_flow_document(content, span.file, state.mtime_ns // 1_000_000, tuple(machine.code.values()))
        if document.flow is not None and document.flow.name not in ("", machine.flow.name):
            is_other = other_flow(document.flow, machine.flow.name, span.file)
            document = replace(document, diagnostics=(is_other, *document.diagnostics))
        self._known[key] = (_stamps(path, document), document)
        if len(self._known) > _MOST_KEPT:
            del self._known[next(iter(self._known))]
        return document


def _stamps(path: Path, document: Document) -> Stamps:
    """Return the stamps of a document and of those that it imports."""
    imported = document.flow.files if document.flow is not None else ()
    return (stamp(path), *[stamp(Path(file)) for file in imported])


def other_flow(flow: Flow, served: str, file: str) -> Diagnostic:
    """Return the problem of a file that has another flow than the one that is served from it."""
    here = flow.span if flow.span.is_read else Span(file)
    hint = f"call it '{served}' again, or start the server again"
    return problem("TW016", f"this flow is called '{flow.name}', and the server serves '{served}'", here, hint)


def read_flow_document(text: str, file: str, saved_ms: int, guards: Iterable[PythonGuard] = ()) -> Document:
    """Return a document with its problems; `guards` are the functions that its flow may name."""
    problems = check_text(text.encode(), file, tuple(guards))
    flow = read_document(text, file).flow
    imported = tuple([_text_of(one) for one in flow.files])
    names = {place: line for one in imported for place, line in _names_of(one)}
    return Document(file, text, saved_ms, tuple(problems), flow, imported, names)


def _text_of(file: str) -> SourceText:
    """Return the text of an imported document, which is empty where it cannot be read."""
    content, written = read_source(file), stamp(Path(file))
    if written is None or isinstance(content, Diagnostic):
        return SourceText(file, "", 0)
    return SourceText(file, content, written.mtime_ns // 1_000_000)


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
