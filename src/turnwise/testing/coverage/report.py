"""The coverage report: what a run has not reached of its flows, as text, percentages and JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from turnwise.testing.coverage.seen import FlowSeen, OutcomeSeen, WaySeen

_HEAD = ("flow", "nodes", "transitions", "leaves", "outcomes", "uses", "all")
NOTHING_COUNTED = "no flow was run, so nothing was counted"
"""The report where no flow was run."""


class Missing(NamedTuple):
    """A part of a flow that no turn covered."""

    file: str
    """The document in which the part is declared; empty for the document of the flow."""
    line: int
    """The line of the part in the document, from 1; 0 if it has none."""
    text: str
    """The part that is not covered, in words."""


class CoveredParts(NamedTuple):
    """The number of covered parts, and the number of all parts."""

    seen: int
    """The number of covered parts."""
    all: int
    """The number of all parts."""

    @property
    def percent(self) -> float:
        """The share of covered parts in percent; 100 if there are no parts."""
        return 100 * self.seen / self.all if self.all else 100.0

    def __str__(self) -> str:
        return f"{self.seen}/{self.all}"


class Score(NamedTuple):
    """The coverage of a flow by kinds of parts; each leaf of a guard counts twice: held, and not held."""

    nodes: CoveredParts
    """Nodes, covered when they were entered."""
    transitions: CoveredParts
    """Transitions, covered when they were taken."""
    leaves: CoveredParts
    """Conditions of guards: one part for having held, one for not having held."""
    outcomes: CoveredParts
    """Outcomes of scopes, of offers and of questions that are data."""
    uses: CoveredParts
    """Schedules, events of other systems and overlays, covered when they had an effect."""

    @property
    def all(self) -> CoveredParts:
        """The coverage of all kinds of parts together."""
        return _sum(self)


def score(flow: FlowSeen) -> Score:
    """Return the coverage of a flow."""
    leaves = [leaf for way in flow.ways for leaf in way.leaves]
    return Score(
        CoveredParts(sum(node.is_entered for node in flow.nodes), len(flow.nodes)),
        CoveredParts(sum(way.is_new for way in flow.ways), len(flow.ways)),
        CoveredParts(sum(leaf.was_held + leaf.was_not_held for leaf in leaves), 2 * len(leaves)),
        CoveredParts(sum(one.was_reached for one in flow.outcomes), len(flow.outcomes)),
        CoveredParts(sum(one.was_seen for one in flow.uses), len(flow.uses)),
    )


def total(flows: Iterable[FlowSeen]) -> CoveredParts:
    """Return the coverage of several flows together."""
    return _sum(score(flow).all for flow in flows)


def _sum(parts: Iterable[CoveredParts]) -> CoveredParts:
    found = list(parts)
    return CoveredParts(sum(part.seen for part in found), sum(part.all for part in found))


def percent_text(part: CoveredParts) -> str:
    """Return the coverage as text with a percent sign; 100% only if nothing is missing."""
    return f"{int(part.percent)} %"


def missing_parts(flow: FlowSeen) -> list[Missing]:
    """Return all uncovered parts in the order of the document.

    For a transition that was never judged, its leaves are left out.
    """
    found = [
        Missing(node.file, node.line, f"node {node.name}: never entered") for node in flow.nodes if not node.is_entered
    ]
    found += [one for way in flow.ways for one in _of_way(way)]
    left_out = (one for one in flow.outcomes if not one.was_reached)
    found += [Missing(one.file, one.line, _never(one)) for one in left_out]
    found += [
        Missing(one.file, one.line, f"{one.kind} {one.name}: {_UNUSED[one.kind]}")
        for one in flow.uses
        if not one.was_seen
    ]
    return sorted(found)


_UNUSED = {"schedule": "never fired", "event": "never came", "overlay": "never active"}


def _never(outcome: OutcomeSeen) -> str:
    """Return in words which outcome a scope, its offer, or a question that is data never had."""
    if outcome.question:
        return f"question {outcome.question} of {outcome.scope}: never {outcome.outcome}"
    if outcome.is_offer:
        return f"offer of {outcome.scope}: never {outcome.outcome}"
    return f"scope {outcome.scope}: never closed as {outcome.outcome}"


def _of_way(way: WaySeen) -> Iterator[Missing]:
    if not way.was_judged:
        yield Missing(way.file, way.line, f"{way.id}: never judged")
        return
    if not way.is_new:
        yield Missing(way.file, way.line, f"{way.id}: judged, never taken")
    for leaf in way.leaves:
        if not leaf.is_new:
            lacks = ["" if leaf.was_held else "never seen held", "" if leaf.was_not_held else "never seen not held"]
            yield Missing(way.file, leaf.line, f"{way.id}: leaf {leaf.text} {', '.join(filter(None, lacks))}")


# for people and machines ---------------------------------------------------------------------------


def table(flows: list[FlowSeen]) -> list[tuple[str, ...]]:
    """Return the cells of a table: the heads, one row for each flow, and a total if there are several.

    It has columns of outcomes and of uses only if the flows have such parts.
    """
    found = [_HEAD, *_rows(flows)]
    has = {"outcomes": any(flow.outcomes for flow in flows), "uses": any(flow.uses for flow in flows)}
    shown = [at for at, name in enumerate(_HEAD) if has.get(name, True)]
    return [tuple([row[at] for at in shown]) for row in found]


def _rows(flows: list[FlowSeen]) -> list[tuple[str, ...]]:
    scores = [score(flow) for flow in flows]
    names = [shown_path(flow.title) for flow in flows]
    if len(flows) > 1:
        names.append("all")
        scores.append(Score(*map(_sum, zip(*scores, strict=True))))
    return [(name, *map(str, one), percent_text(one.all)) for name, one in zip(names, scores, strict=True)]


def lines(flows: list[FlowSeen]) -> Iterator[str]:
    """Yield the report as lines: a table, then each uncovered part with its place."""
    if not flows:
        yield NOTHING_COUNTED
        return
    cells = table(flows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield from lines_missing(flows)


def lines_missing(flows: Iterable[FlowSeen]) -> Iterator[str]:
    """Yield a line for each uncovered part, with its place."""
    for flow in flows:
        for file, line, text in missing_parts(flow):
            yield f"{shown_path(file or flow.title)}{f':{line}' if line else ''}  {text}"


def coverage_shortfall(flows: list[FlowSeen], least: float | None) -> str:
    """Return an error text if the coverage is below `least` percent, or nothing was run; else an empty text.

    A share is cut, not rounded, so that what is too little never looks like enough.
    """
    percent = total(flows).percent
    if least is None or (flows and percent >= least):
        return ""
    found = f"coverage is {int(percent * 100) / 100:g} %" if flows else NOTHING_COUNTED
    return f"{found}, and {least:g} % is asked for"


def coverage_data(flows: Iterable[FlowSeen]) -> list[dict[str, Any]]:
    """Return the report as JSON data, an object for each flow."""
    return [
        {
            "flow": flow.name,
            "file": flow.file,
            "fingerprint": flow.fingerprint,
            "percent": round(score(flow).all.percent, 2),
            **{name: {"seen": part.seen, "all": part.all} for name, part in score(flow)._asdict().items()},
            "missing": [
                {"line": line, "text": text, **({"file": file} if file else {})}
                for file, line, text in missing_parts(flow)
            ],
        }
        for flow in flows
    ]


def shown_path(path: str) -> str:
    """Return a path for display: relative to the current folder if it is inside."""
    try:
        short = os.path.relpath(path)
    except ValueError:
        return path
    return path if short.startswith("..") or not Path(path).exists() else short
