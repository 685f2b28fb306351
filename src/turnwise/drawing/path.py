"""The path of a conversation, gathered from its journal, and laid over the graph of its flow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from turnwise.core.events import Decided, Entry, Erased, Migrated, Moved, Snapshot, Started, Undone
from turnwise.core.judge import NOT_REACHED, SKIPPED
from turnwise.core.machine import Candidate, Machine
from turnwise.drawing.graph import Arrow, Graph, Passed, Path
from turnwise.flow.model import Moment

Key = tuple[str, str, str]
"""A node, a moment, and the name of a transition."""


class Walk:
    """The turns in which nodes were entered and transitions taken, counted entry by entry. What was taken back
    by an undo is no part of it.
    """

    def __init__(self) -> None:
        self.visits: dict[str, list[int]] = {}
        self.taken: dict[Key, list[int]] = {}
        self.judged: dict[Key, list[int]] = {}
        self.current = ""
        self.is_cut = False

    def add(self, machine: Machine | None, entry: Entry) -> None:
        """Count an entry; `machine` is the one that the conversation ran on then, `None` before its beginning."""
        match entry.event:
            case Started(node=node, is_entered=True) | Moved(target=node):
                self.current = node
                self.visits.setdefault(node, []).append(entry.turn)
            case Started(node=node):
                self.current = node
            case Snapshot(state=state) | Migrated(state=state):
                self.current = state.node
            case Undone(to=to, state=state):
                self._take_back(to)
                self.current = state.node
            case Decided() as decided if machine is not None:
                self._decided(machine, entry.turn, decided)
            case Erased():
                self.is_cut = True
            case _:
                pass

    def _decided(self, machine: Machine, turn: int, decided: Decided) -> None:
        docket = machine.docket(decided.node, cast("Moment", decided.moment))
        judged = zip(docket.candidates, decided.outcomes, strict=True)
        for place, (candidate, letter) in enumerate(judged):
            key = (decided.node, decided.moment, candidate.id)
            if letter not in (NOT_REACHED, SKIPPED):
                self.judged.setdefault(key, []).append(turn)
            if place == decided.taken:
                self.taken.setdefault(key, []).append(turn)

    def _take_back(self, to: int) -> None:
        for turns in (*self.visits.values(), *self.taken.values(), *self.judged.values()):
            turns[:] = [turn for turn in turns if turn <= to]


def laid_over(graph: Graph, machine: Machine, walk: Walk, about: str) -> Path:
    """A walk over the graph of a machine. What the graph does not have is told in a remark."""
    ids = {vertex.name: vertex.id for vertex in graph.vertices if vertex.name in machine.nodes and not vertex.cluster}
    names = list(_names(graph, machine))
    passed = {place: _passed(walk, arrow, name) for place, (arrow, name) in enumerate(names) if name}
    unknown = sorted({node for node, turns in walk.visits.items() if turns} - set(ids))
    remarks = ["Its first turns are no longer kept."] if walk.is_cut else []
    remarks += [f"It was in nodes that are not drawn: {', '.join(unknown)}"] if unknown else []
    visits = {ids[node]: tuple(turns) for node, turns in walk.visits.items() if node in ids and turns}
    return Path(about, visits, passed, ids.get(walk.current, ""), tuple(remarks))


def _names(graph: Graph, machine: Machine) -> Iterator[tuple[Arrow, str]]:
    """Each arrow with the name that linking gave its transition: both have the order of the flow."""
    own = {node: iter(linked.candidates) for node, linked in machine.nodes.items()}
    of_flow = iter(machine.flow_candidates)
    for arrow in graph.arrows:
        if not arrow.moment:
            yield arrow, ""
        elif arrow.is_entering:
            yield arrow, arrow.id
        else:
            declared: Iterator[Candidate] = own[arrow.node] if arrow.node else of_flow
            yield arrow, next(declared).id


def _passed(walk: Walk, arrow: Arrow, name: str) -> Passed:
    """What became of an arrow; one of all nodes is taken and judged in each of them, and a node that has entered
    by its own `enter_when` does not enter again.
    """
    moments = ("before", "tool") if arrow.is_entering else (arrow.moment,)

    def of(counted: dict[Key, list[int]]) -> list[int]:
        return [
            turn
            for (node, moment, transition), turns in counted.items()
            if transition == name and moment in moments and arrow.node in ("", node)
            if not (arrow.is_entering and name == f"enter_{node}")
            for turn in turns
        ]

    return Passed(tuple(sorted(of(walk.taken))), len(of(walk.judged)))
