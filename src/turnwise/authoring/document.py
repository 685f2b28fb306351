"""Reads a flow document of any supported format into a `Flow` with source positions.

It never raises for a fault of the author: the `ReadResult` holds every diagnostic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from turnwise.authoring.formats import FORMATS, compose, format_of, rewrite
from turnwise.authoring.source import MAX_DEPTH, Load, read_source
from turnwise.flow.codec import FORMAT
from turnwise.flow.diagnostic import Diagnostic, Span, in_order, problem
from turnwise.flow.diagnostic_targets import with_subjects
from turnwise.flow.located import Located, Pairs, Scalar
from turnwise.flow.model import Flow, Scope
from turnwise.flow.read import ReadResult, read_flow

if TYPE_CHECKING:
    from pathlib import Path


def read_file(path: str | Path) -> ReadResult:
    """Return the flow that a file describes, as far as it can be read, and all problems."""
    text = read_source(path)
    return _nothing(text) if isinstance(text, Diagnostic) else read_document(text, str(path))


def read_code(path: str | Path) -> ReadResult | None:
    """Run the code that a path names and return its flow; `None` if the path names a document."""
    for one in FORMATS:
        reading = one.run(path) if one.run is not None else None
        if reading is not None:
            return with_imports(reading)
    return None


def read_document(text: str, file: str = "", load: Load = read_source) -> ReadResult:
    """Return the flow that a text describes, with its imports, as far as it can be read, and all problems. Imported
    documents are looked for from the folder of the file, and `load` reads them.
    """
    flow, found = with_imports(read_alone(text, file), load)
    return ReadResult(flow, in_order(with_subjects(found, flow)))


def with_imports(reading: ReadResult, load: Load = read_source) -> ReadResult:
    """Return a flow with the documents that it imports; `load` reads them."""
    if not _needs_files(reading.flow):
        return reading
    from turnwise.authoring.imports import with_imports as resolved

    return resolved(reading, read_alone, load)


def _needs_files(flow: Flow) -> bool:
    """Return whether a flow imports parts of other documents, or has a scope whose flow is in one."""
    return bool(getattr(flow, "imports", ())) or _has_flows(getattr(flow, "nodes", ()))


def _has_flows(nodes: Any) -> bool:
    """Return whether a scope of one of these nodes names a document; a class of the program may have made anything."""
    waiting, depth = [nodes], 0
    while waiting and depth <= MAX_DEPTH:  # what is deeper is refused with the types
        of_nodes = [one for nodes in waiting if isinstance(nodes, tuple) for one in cast("tuple[Any, ...]", nodes)]
        scopes = [one.scope for one in of_nodes if isinstance(getattr(one, "scope", None), Scope)]
        if any(scope.flow for scope in scopes):
            return True
        waiting, depth = [scope.nodes for scope in scopes], depth + 1
    return False


def read_alone(text: str, file: str) -> ReadResult:
    """Return the flow that a text describes, without its imports, and all problems."""
    form = format_of(file)
    if form is not None and form.compile is not None:
        tree, wrong = form.compile(text, file)
        if not tree.pairs:
            return ReadResult(_nothing(wrong[0]).flow, wrong)
    else:
        tree = compose(text, file)
        if isinstance(tree, Diagnostic):
            return _nothing(tree)
        wrong, tree = _without_format(tree, file)
    configuration = rewrite(tree, file)
    if configuration is not None:
        wrong, tree = wrong + configuration.diagnostics, configuration.document
    flow, diagnostics = read_flow(tree, file)
    return ReadResult(flow, wrong + diagnostics)


def _nothing(diagnostic: Diagnostic) -> ReadResult:
    return ReadResult(Flow(name="", span=diagnostic.span), [diagnostic])


def _without_format(tree: Located, file: str) -> tuple[list[Diagnostic], Located]:
    """Return the document without its `format`, which must be one that is read here."""
    if not isinstance(tree, Pairs):
        return [], tree
    wrong = [
        problem(
            "TW009",
            f"the document has format {repr(value.value) if isinstance(value, Scalar) else 'of several parts'}; "
            f"this version of turnwise reads {FORMAT}",
            Span(file, value.line, value.column),
        )
        for key, value in tree.pairs
        if key.text == "format"
        and not (isinstance(value, Scalar) and value.value == FORMAT and value.value is not True)
    ]
    kept = [pair for pair in tree.pairs if pair[0].text != "format"]
    return wrong, Pairs(kept, tree.line, tree.column, inline=tree.inline)
