"""Brings other documents into a flow, their named parts or a whole flow as a scope, so that the flow that results
needs no other file.

Each document is read once. It is looked for from the folder of the document that imports it, and must be in the folder
of the document that is loaded, wherever symbolic links lead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from turnwise.authoring.scope_flows import node_with_flow, shared_parts
from turnwise.authoring.source import MAX_DEPTH, PYTHON, Load, read_source
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span, nearest, problem
from turnwise.flow.frozen import put
from turnwise.flow.kinds import Named
from turnwise.flow.model import Flow, Import, Node
from turnwise.flow.read import ReadResult
from turnwise.flow.shapes import SHAPES

MOST_FILES = 100
"""How many documents one flow may import; the documents that imported ones import count too."""
_SECTIONS = {one.attribute: one.kind for one in SHAPES["Flow"].keys if isinstance(one.kind, Named)}
"""The keys of a flow with parts that have names."""
_RENAMED = " as "
Read = Callable[[str, str], ReadResult]
"""A function that returns the flow of a document's text, without its imports; the second argument is the file's name.
"""
Known = dict[str, list[tuple[str, Any]]]
"""The parts of a document: by name, and by section and name, pairs of the section (such as `tools`) and the part."""


def with_imports(reading: ReadResult, read: Read, load: Load = read_source) -> ReadResult:
    """Return a flow with the parts that it imports, and the problems of the imported documents. `load` returns the text
    of a document, `read` the flow of a text.
    """
    flow = reading.flow
    imports: Any = flow.imports  # a program may have given anything
    if not isinstance(imports, tuple) or not all(isinstance(one, Import) for one in cast("tuple[Any, ...]", imports)):
        return reading  # what is no import is reported with the other types
    found = _Imports(flow.span.file, read, load)
    merged = found.merged(flow, flow.span.file, (os.path.realpath(flow.span.file),))
    put(merged, "files", tuple(found.files))
    return ReadResult(merged, [*reading.diagnostics, *found.diagnostics])


class _Place(NamedTuple):
    """A flow that is made whole: the file in which it stands, the documents that lead there, and its parts so far."""

    flow: Flow
    file: str
    chain: tuple[str, ...]
    parts: dict[str, list[Any]]


class _Imports:
    """The documents that one flow imports."""

    def __init__(self, file: str, read: Read, load: Load) -> None:
        self.read = read
        self.load = load
        self.root = Path(file).parent.resolve()
        self.diagnostics: list[Diagnostic] = []
        self.files: dict[str, None] = {}
        """The documents as messages call them, also those that could not be read."""
        self._known: dict[str, Flow | None] = {}

    def merged(self, flow: Flow, file: str, chain: tuple[str, ...]) -> Flow:
        """Return a flow with what it imports; `chain` are the documents that lead to it, itself included."""
        parts = {section: list[Any](getattr(flow, section)) for section in _SECTIONS}
        place = _Place(flow, file, chain, parts)
        parts["nodes"] = [self._whole(node, place) for node in flow.nodes]
        for one in flow.imports:
            other = self._document(one.source, one.span.of("from"), file, chain)
            known = _named(other) if other is not None else {}
            for number in range(len(one.names) if other is not None else 0):
                self._take(one, number, known, parts)
        made = replace(flow, imports=(), **{section: tuple(found) for section, found in parts.items()})
        put(made, "is_read", flow.is_read)
        return made

    def _whole(self, node: Node, place: _Place, depth: int = 0) -> Node:
        """Return a node whose scope holds the flow that it names; what all scopes share is added to the parts."""
        scope = node.scope
        if scope is None or depth > MAX_DEPTH:  # what is deeper is refused with the types
            return node
        if not scope.flow:
            inner = [self._whole(one, place, depth + 1) for one in scope.nodes]
            return replace(node, scope=replace(scope, nodes=tuple(inner))) if inner else node
        span = scope.span.of("flow")
        other = self._document(scope.flow, span, place.file, place.chain)
        if other is None:
            return node
        whole, faults = node_with_flow(node, other, place.flow)
        self.diagnostics += faults
        for section, part in shared_parts(other):
            self._add(section, part, place.parts, span, "give one of them another name")
        return whole

    def _take(self, one: Import, number: int, known: Known, parts: dict[str, list[Any]]) -> None:
        """Add the part that a name means; report a name that means none or several, and one that is taken."""
        text, span = one.names[number], one.span.of(f"names.{number}")
        name, _, alias = map(str.strip, text.partition(_RENAMED))
        found = known.get(name, [])
        own = [part for section, part in found if section == "records" and _is_of_node(part, found)]
        found = [one for one in found if one[1] not in own]
        if len(found) != 1:
            several = " and ".join(f"{section}.{name}" for section, _ in found)
            hint = f"it has {several}; write one of them" if found else nearest(name, known)
            fault = f"has several parts called '{name}'" if found else f"has no part called '{name}'"
            self._report("TW098", f"'{one.source}' {fault}", span, hint)
            return
        ((section, part),) = found
        rule = _SECTIONS[section].rule
        if alias and not rule.allows(alias):
            self._report("TW016", f"{alias!r} is no name", span, rule.hint)
            return
        part = replace(part, name=alias) if alias else part
        self._add(section, part, parts, span, f"import it under another name: '{name}{_RENAMED}…'")
        for record in own:  # the texts of the node read it by this name
            self._add("records", record, parts, span, "rename the record in this document")

    def _add(self, section: str, part: Any, parts: dict[str, list[Any]], span: Span, hint: str) -> None:
        """Add a part, unless another one has its name, which is reported with a hint."""
        taken = next((other for other in parts[section] if other.name == part.name), None)
        if taken is None:
            parts[section].append(part)
        elif taken is not part:
            where = f"the other is at {taken.span.line_text}; " if taken.span.line else ""
            self._report("TW098", f"'{part.name}' stands twice in '{section}'", span, where + hint)

    def _document(self, source: str, span: Span, file: str, chain: tuple[str, ...]) -> Flow | None:
        """Return the flow of another document with its own imports; `None` where a problem was reported."""
        shown = str(Path(file).parent / source)
        real = os.path.realpath(shown.replace("\0", ""))
        fault, hint = self._fault(source, shown, real, chain)
        if fault:
            self._report("TW097", fault, span, hint)
            return None
        self.files[shown] = None
        if real not in self._known:
            text = self.load(shown)
            if isinstance(text, Diagnostic):
                self._report("TW097", f"'{source}' cannot be imported: {text.message}", span, text.hint)
                self._known[real] = None
            else:
                flow, wrong = self.read(text, shown)
                self.diagnostics += [diagnostic for diagnostic in wrong if not _is_of_whole_flow(diagnostic, flow)]
                before = len(self.diagnostics)
                whole = self.merged(flow, shown, (*chain, real))
                self._known[real] = whole if before == len(self.diagnostics) else None
        return self._known[real]

    def _fault(self, source: str, shown: str, real: str, chain: tuple[str, ...]) -> tuple[str, str]:
        """Return why a document may not be imported, and what to do; both empty where it may."""
        name = f"'{source}'"
        if not Path(real).is_relative_to(self.root):
            hint = "put it below that folder; a symbolic link must not lead out of it either"
            return f"{name} is not in the folder of the flow", hint
        if real in chain:
            circle = " → ".join(os.path.relpath(path, self.root) for path in (*chain[chain.index(real) :], real))
            return f"{name} leads back to itself: {circle}", "move what both need into a third document"
        if shown.endswith(PYTHON):
            return (
                f"{name} is Python, which no document runs",
                "write the flow in Python, and import the code there",
            )
        if real not in self._known and len(self._known) >= MOST_FILES:
            return f"{name} is one document too many: a flow imports at most {MOST_FILES}", "put some of them together"
        return "", ""

    def _report(self, code: str, message: str, span: Span, hint: str) -> None:
        self.diagnostics.append(problem(code, message, span, hint))


def _is_of_node(record: Any, found: Iterable[tuple[str, Any]]) -> bool:
    """Return whether a record has the values of a node that is found too: one declaration of DyGram is both."""
    return any(section == "nodes" and part.span[:3] == record.span[:3] != NOWHERE[:3] for section, part in found)


def _named(flow: Flow) -> Known:
    """Return the parts of a flow, each with its section: by name, and by section and name."""
    found: Known = {}
    for section, part in _parts(flow):
        found.setdefault(part.name, []).append((section, part))
    for section, part in _parts(flow):
        found.setdefault(f"{section}.{part.name}", []).append((section, part))
    return found


def _parts(flow: Flow) -> Iterator[tuple[str, Any]]:
    for section in _SECTIONS:
        for part in getattr(flow, section):
            yield section, part


def _is_of_whole_flow(diagnostic: Diagnostic, flow: Flow) -> bool:
    """Return whether a problem is that a document of parts lacks what a whole flow needs, such as its name."""
    return diagnostic.code == "TW013" and diagnostic.span[:3] == flow.span[:3]
