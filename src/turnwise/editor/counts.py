"""Finds in the conversations of a store how often a node or transition of a document was judged and held."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import Protocol

from turnwise.api.open import open_archive
from turnwise.archive.edge_counts import EdgeCounts, FlowCounts
from turnwise.authoring.document import read_document
from turnwise.authoring.source import DYGRAM
from turnwise.editor.project import Project
from turnwise.editor.text import EditedText
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import DiagnosticTarget, Span, problem
from turnwise.flow.diagnostic_targets import with_subjects
from turnwise.flow.model import Flow

_KEPT_S = 10.0
"""So long counts are shown before the store is read again."""
_ARROW = re.compile(r"<-->|-->|->|=>|--|-|=")
_LOOKED_BACK = 400


class Counts(Protocol):
    """How often the parts of flows were judged and held, by the name of the flow."""

    def of(self, flow: str) -> FlowCounts:
        """Return the counts of the flow with this name."""
        ...


class StoreCounts:
    """The counts of one store, read when they are asked for; empty if the store cannot be read."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._kept: dict[str, tuple[float, FlowCounts]] = {}

    def of(self, flow: str) -> FlowCounts:
        """Return the counts of the flow with this name; they are cached for some seconds."""
        kept = self._kept.get(flow)
        if kept is not None and monotonic() - kept[0] < _KEPT_S:
            return kept[1]
        try:
            found = asyncio.run(self._read(flow))
        except TurnwiseError:
            found = FlowCounts(())
        self._kept[flow] = (monotonic(), found)
        return found

    async def _read(self, flow: str) -> FlowCounts:
        archive = open_archive(self.address)
        try:
            counts = EdgeCounts(archive.store, archive.machines)
            with suppress(TurnwiseError):  # a store that may only be read has the counts that it has
                await counts.refresh_all()
            return await counts.flow_counts(flow)
        finally:
            await archive.close()


def counts_in_words(project: Project, store: Counts, file: str, offset: int) -> list[str]:
    """Return the counts in a store of the node or transition at a character (offset) of a file, one sentence each;
    empty if none.
    """
    text = project.text_of(file)
    if text is None:
        return []
    flow = read_document(text.text, file, project.load).flow
    subject = _subject(flow, text, file, offset)
    lines: list[str] = []
    if subject.transition is not None:
        lines += _of_transition(store.of(flow.name), subject)
    occurrence = project.index_of(file).at(offset)
    symbol = project.symbol(project.target(file, occurrence.key)) if occurrence is not None else None
    if symbol is not None and symbol.kind == "node":
        visits = store.of(flow.name).visits().get(symbol.flow_name, 0)
        lines.append(f"node {symbol.name}: entered in {_times(visits, 'conversation')}")
    return lines


def _of_transition(counts: FlowCounts, subject: DiagnosticTarget) -> Iterator[str]:
    found = [
        edge
        for edge in counts.edges()
        if edge.transition == subject.transition and subject.node in (None, edge.node.rpartition("/")[2])
    ]
    judged, held = sum(edge.judged for edge in found), sum(edge.held for edge in found)
    yield f"transition {subject.transition}: judged {_times(judged, 'time')}, held {held}"


def _times(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _subject(flow: Flow, text: EditedText, file: str, offset: int) -> DiagnosticTarget:
    """Return the transition at a character: that of the name or text there, or of the arrow before it."""
    is_yaml = not file.endswith(DYGRAM)
    places = [text.line_and_column(at, is_yaml=is_yaml) for at in _places(text.text, offset, is_yaml=is_yaml)]
    asked = [problem("TW012", "", Span(file, *place)) for place in places]
    found = (one.subject for one in with_subjects(asked, flow))
    return next((one for one in found if one.transition is not None), DiagnosticTarget())


def _places(text: str, offset: int, *, is_yaml: bool) -> Iterator[int]:
    """Yield the characters at which the part around a character may begin."""
    word = re.search(r"[\w.]*\Z", text[max(offset - _LOOKED_BACK, 0) : offset])
    begin = offset - (len(word[0]) if word is not None else 0)
    yield from (offset, begin)
    if is_yaml:
        line = text[max(text.rfind("\n", 0, offset) + 1, offset - _LOOKED_BACK) : offset]
        start = offset - len(line)
        yield from (start + found.start() for found in re.finditer(r"[\w\"'-]+", line))
        end = text.find("\n", offset)
        value = re.compile(r"[^:\n]*:\s+").match(text, begin, end if end >= 0 else len(text))
        if value is not None:
            yield value.end()
        return
    start = max(text.rfind(";", 0, offset), text.rfind("}", 0, offset), offset - _LOOKED_BACK, -1) + 1
    yield from (start + found.start() for found in reversed(list(_ARROW.finditer(text[start:offset]))))
    after = _ARROW.search(text, offset, offset + _LOOKED_BACK)
    if after is not None and ";" not in text[offset : after.start()]:
        yield after.start()
