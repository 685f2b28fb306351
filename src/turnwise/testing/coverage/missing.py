"""What a run has not seen, in words and in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from turnwise.testing.coverage.seen import FlowSeen, LeafSeen, WaySeen


class Missing(NamedTuple):
    """One thing that was not seen: its line in the document (0 where there is none), and the words for it."""

    line: int
    text: str


class Part(NamedTuple):
    """How much was seen of what there is."""

    seen: int
    all: int

    @property
    def percent(self) -> float:
        """The share; of nothing, all was seen."""
        return 100 * self.seen / self.all if self.all else 100.0

    def __str__(self) -> str:
        return f"{self.seen}/{self.all}"


class Score(NamedTuple):
    """How much was seen of nodes, of transitions, and of leaves, of which each counts twice: held and not held."""

    nodes: Part
    transitions: Part
    leaves: Part

    @property
    def all(self) -> Part:
        """All points together."""
        return Part(sum(part.seen for part in self), sum(part.all for part in self))


def score(flow: FlowSeen) -> Score:
    """How much was seen of a flow."""
    leaves = [leaf for way in flow.ways for leaf in way.leaves]
    return Score(
        Part(sum(node.is_entered for node in flow.nodes), len(flow.nodes)),
        Part(sum(way.is_seen for way in flow.ways), len(flow.ways)),
        Part(sum(leaf.was_held + leaf.was_not_held for leaf in leaves), 2 * len(leaves)),
    )


def total(flows: Iterable[FlowSeen]) -> Part:
    """How much was seen of several flows."""
    parts = [score(flow).all for flow in flows]
    return Part(sum(part.seen for part in parts), sum(part.all for part in parts))


def percent_text(part: Part) -> str:
    """A share as it is shown: 100 only where nothing is missing."""
    return f"{int(part.percent)} %"


def missing(flow: FlowSeen) -> list[Missing]:
    """Everything that was not seen, in the order of the document. Of a transition that was never judged the leaves
    are not told as well.
    """
    found = [Missing(node.line, f"node {node.name}: never entered") for node in flow.nodes if not node.is_entered]
    found += [one for way in flow.ways for one in _of_way(way)]
    return sorted(found)


def _of_way(way: WaySeen) -> Iterator[Missing]:
    if not way.was_judged:
        yield Missing(way.line, f"{way.id}: never judged")
        return
    if not way.is_seen:
        yield Missing(way.line, f"{way.id}: judged, never taken")
    for leaf in way.leaves:
        if not leaf.is_seen:
            yield Missing(leaf.line, f"{way.id}: leaf {leaf.text} {_lack(leaf)}")


def _lack(leaf: LeafSeen) -> str:
    if leaf.was_held:
        return "never seen not held"
    return "never seen held" if leaf.was_not_held else "never seen held, never seen not held"
