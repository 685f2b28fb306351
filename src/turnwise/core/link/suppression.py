"""Suppresses errors that only follow from an error reported before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span
from turnwise.flow.model import Flow
from turnwise.flow.shapes import SHAPE_OF, inside

Place = tuple[int, int]


def doubtful(flow: Flow, found: Iterable[Diagnostic]) -> frozenset[Place]:
    """The places of the parts that hold an error of reading: for each error, of the last that begins before it."""
    errors = [one.span for one in found if one.severity == "error"]
    if not errors:
        return frozenset()
    begins = sorted({place_of(span) for span in _spans(flow)} | {NOWHERE[1:3]})
    return frozenset(begins[bisect_right(begins, place_of(span)) - 1] for span in errors)


def place_of(span: Span) -> Place:
    """Line and column of a span."""
    return span.line, span.column


def _spans(part: Any) -> Iterator[Span]:
    """Where a part of a flow, and everything in it, begins."""
    span = getattr(part, "span", None)
    if span is not None:
        yield span
    of: type = part.__class__
    for _, attribute, kind, _ in SHAPE_OF[of].written:
        for inner in inside(kind, getattr(part, attribute)):
            yield from _spans(inner)
