"""Finds the parts of a flow in which reading the document found an error, by their places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span
from turnwise.flow.model import Flow
from turnwise.flow.shapes import SHAPE_OF, inside

Place = tuple[int, int]
"""A line and a column, both from 1."""


def place_of(span: Span) -> Place:
    """Return the line and column of a span."""
    return span.line, span.column


def unreadable_parts(flow: Flow, found: Iterable[Diagnostic]) -> frozenset[Place]:
    """Return the start of each part of a flow in which an error was found when it was read.
    Linking reports no errors of these parts, as they may only follow from that.
    """
    errors = [one.span for one in found if one.severity == "error"]
    if not errors:
        return frozenset()
    begins = sorted({place_of(span) for span in _spans(flow)} | {NOWHERE[1:3]})
    return frozenset(begins[bisect_right(begins, place_of(span)) - 1] for span in errors)


def _spans(part: Any) -> Iterator[Span]:
    """Yield the spans of a part of a flow and of all its inner parts."""
    span = getattr(part, "span", None)
    if span is not None:
        yield span
    of: type = part.__class__
    for _, attribute, kind, _ in SHAPE_OF[of].written:
        for inner in inside(kind, getattr(part, attribute)):
            yield from _spans(inner)
