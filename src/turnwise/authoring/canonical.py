"""Writes documents in the canonical layout of their format, and changes nothing else: comments stay, or the document is
refused.

DyGram has a formatter that keeps comments. YAML and JSON are written anew from the flow, so what is no part of a flow
would be lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.authoring.formats import Format, compose, format_of, rewritten
from turnwise.flow.diagnostic import Diagnostic, Span, has_errors, problem
from turnwise.flow.located import Pairs

_CONVERT = "turnwise convert writes it without"
Canonical = str | list[Diagnostic]
"""The text in its canonical layout, or why it has none."""


def canonical_text(text: str, file: str) -> Canonical:
    """Return a document in the canonical layout of its format, which the ending of its name says."""
    form = format_of(file)
    if form is None or form.run is not None:
        what = "code is formatted by the tools of its language" if form is not None else "its ending names no format"
        return [problem("TW140", f"the file cannot be formatted: {what}", Span(file))]
    if form.compile is not None:
        return _dygram(text, file)
    return _written(form, text, file)


def _dygram(text: str, file: str) -> Canonical:
    from turnwise.authoring.dygram.formatter import format_document
    from turnwise.authoring.dygram.statements import parse

    parsed = parse(text, file)
    if has_errors(parsed.diagnostics):
        return [one for one in parsed.diagnostics if one.severity == "error"]
    return format_document(parsed.document)


def _written(form: Format, text: str, file: str) -> Canonical:
    """Return a document of YAML or JSON as it is written anew."""
    from turnwise.authoring.document import read_alone

    tree = compose(text, file)
    if isinstance(tree, Diagnostic):
        return [tree]
    if not isinstance(tree, Pairs) or rewritten(tree, file) is not None:
        message = "this is a configuration of another format, and formatting it would make a flow of it"
        return [problem("TW140", message, Span(file, tree.line, tree.column), "turnwise convert makes a flow of it")]
    lost = next(_lost(text, file), None) if form.name == "yaml" else None
    if lost is not None:
        return [lost]
    flow, found = read_alone(text, file)
    if has_errors(found):
        return [one for one in found if one.severity == "error"]
    assert form.write is not None
    written = form.write(flow)
    if read_alone(written, file).flow != flow:
        return [problem("TW140", f"{form.name} cannot express the flow in its canonical layout", Span(file))]
    return written


def _lost(text: str, file: str) -> Iterator[Diagnostic]:
    """Yield each part of a YAML document that no flow has: comments, and names for parts that stand twice."""
    end = 0
    for token in _tokens(text):
        kind, begin = type(token).__name__, token.start_mark
        yield from _comments(text, end, begin.index, file)
        if kind in ("AnchorToken", "AliasToken"):
            message = f"formatting would write what '{token.value}' names in full, each time"
            yield problem("TW140", message, Span(file, begin.line + 1, begin.column + 1), _CONVERT)
        end = token.end_mark.index
    yield from _comments(text, end, len(text), file)


def _tokens(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    yield from YAML(typ="safe", pure=True).scan(text)  # pyright: ignore[reportUnknownMemberType]


def _comments(text: str, begin: int, end: int, file: str) -> Iterator[Diagnostic]:
    """Yield the first comment between two tokens."""
    at = text.find("#", begin, end)
    if at >= 0:
        before = text[:at]
        span = Span(file, before.count("\n") + 1, at - before.rfind("\n"))
        yield problem("TW140", "formatting would lose this comment", span, _CONVERT)
