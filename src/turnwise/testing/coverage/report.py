"""The report of a run: lines for people, data for machines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from turnwise.testing.coverage.missing import Part, missing, percent_text, score, total
from turnwise.testing.coverage.seen import FlowSeen

HEAD = ("flow", "nodes", "transitions", "leaves", "all")
NOTHING = "no flow was run, so nothing was counted"


def rows(flows: list[FlowSeen]) -> list[tuple[str, ...]]:
    """The cells of a table, one row for each flow, and one for all of several."""
    found = [_row(shown_path(flow.title), *score(flow), score(flow).all) for flow in flows]
    if len(flows) > 1:
        scores = [score(flow) for flow in flows]
        found.append(_row("all", *(_sum(parts) for parts in zip(*scores, strict=True)), total(flows)))
    return found


def _row(name: str, *parts: Part) -> tuple[str, ...]:
    return (name, *map(str, parts[:-1]), percent_text(parts[-1]))


def _sum(parts: Iterable[Part]) -> Part:
    found = list(parts)
    return Part(sum(part.seen for part in found), sum(part.all for part in found))


def lines(flows: list[FlowSeen]) -> Iterator[str]:
    """The report as lines: a table, and then everything that is missing, each with its place."""
    if not flows:
        yield NOTHING
        return
    table = [HEAD, *rows(flows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield from lines_missing(flows)


def lines_missing(flows: Iterable[FlowSeen]) -> Iterator[str]:
    """Everything that is missing, each with its place."""
    for flow in flows:
        for line, text in missing(flow):
            yield f"{shown_path(flow.title)}{f':{line}' if line else ''}  {text}"


def lack(flows: list[FlowSeen], least: float | None) -> str:
    """What is to be said where less was seen than so many per cent; of nothing that was run, nothing was seen. A share
    is cut, not rounded, so that what is too little never looks like enough.
    """
    percent = total(flows).percent
    if least is None or (flows and percent >= least):
        return ""
    found = f"coverage is {int(percent * 100) / 100:g} %" if flows else NOTHING
    return f"{found}, and {least:g} % is asked for"


def as_data(flows: Iterable[FlowSeen]) -> list[dict[str, Any]]:
    """The report as JSON data."""
    return [_data(flow) for flow in flows]


def _data(flow: FlowSeen) -> dict[str, Any]:
    found = score(flow)
    parts = {name: {"seen": part.seen, "all": part.all} for name, part in found._asdict().items()}
    lacks = [{"line": line, "text": text} for line, text in missing(flow)]
    return {
        "flow": flow.name,
        "file": flow.file,
        "fingerprint": flow.fingerprint,
        "percent": round(found.all.percent, 2),
        **parts,
        "missing": lacks,
    }


def shown_path(path: str) -> str:
    """A path as it is shown: from the folder where one is, if it lies below."""
    try:
        short = os.path.relpath(path)
    except ValueError:
        return path
    return path if short.startswith("..") or not Path(path).exists() else short
