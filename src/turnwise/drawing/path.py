"""The path of a conversation, collected from its journal, over the graph of its flow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from turnwise.core.addresses import local_name, scope_of
from turnwise.core.candidates import Candidate, GoTo
from turnwise.core.decision.judge import NOT_REACHED, SKIPPED
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, State
from turnwise.core.state.events import Decided, Entry, Erased, Moved, ScopeClosed, ScopeOpened, Started, Undone
from turnwise.core.state.in_charge import visited_nodes
from turnwise.drawing.graph import KINDS_WITHOUT_NODE, Arrow, ArrowHistory, Graph, Path
from turnwise.flow.model import Moment

Key = tuple[str, str, str]
"""A node, a moment, and the name of a transition."""


class Walk:
    """The turns in which nodes were entered and transitions taken, counted entry by entry.

    Turns that were undone are not part of it; a move planned for the next message is not taken yet (law 2.7).
    """

    def __init__(self) -> None:
        self.visits: dict[str, list[int]] = {}
        self.taken: dict[Key, list[int]] = {}
        self.judged: dict[Key, list[int]] = {}
        self.outcomes: dict[tuple[str, str], list[int]] = {}
        """The turns in which each scope was closed, by scope and outcome."""
        self.is_cut = False

    def add(self, machine: Machine | None, entry: Entry) -> None:
        """Count an entry of a conversation that then ran on `machine`; `None` before its beginning."""
        match entry.event:
            case Started() | ScopeOpened() as began:
                for node in visited_nodes(began):
                    self._visited(node, entry.turn)
            case ScopeClosed() as closed:
                self.outcomes.setdefault((closed.scope, closed.outcome), []).append(entry.turn)
            case Moved() as moved if machine is not None:
                self._moved(machine, entry.turn, moved)
            case Undone(to=to):
                self._undone(to)
            case Decided() as decided if machine is not None:
                self._decided(machine, entry.turn, decided)
            case Erased():
                self.is_cut = True
            case _:
                pass

    def _undone(self, to: int) -> None:
        for counted in (self.visits, self.taken, self.judged, self.outcomes):
            for turns in counted.values():
                turns[:] = [turn for turn in turns if turn <= to]

    def _visited(self, node: str, turn: int) -> None:
        self.visits.setdefault(node, []).append(turn)

    def _moved(self, machine: Machine, turn: int, moved: Moved) -> None:
        """A node was entered; a move that was planned is taken now."""
        self._visited(moved.target, turn)
        for candidate in machine.candidates(moved.source, "after").all:
            if _is_planned(candidate) and (candidate.id, candidate.target) == (moved.transition, moved.target):
                self.taken.setdefault((moved.source, "after", candidate.id), []).append(turn)

    def _decided(self, machine: Machine, turn: int, decided: Decided) -> None:
        candidates = machine.candidates(decided.node, cast("Moment", decided.moment))
        judged = zip(candidates.all, decided.outcomes, strict=True)
        for place, (candidate, letter) in enumerate(judged):
            key = (decided.node, decided.moment, candidate.id)
            if letter not in (NOT_REACHED, SKIPPED):
                self.judged.setdefault(key, []).append(turn)
            if place == decided.taken and not _is_planned(candidate):
                self.taken.setdefault(key, []).append(turn)


def _is_planned(candidate: Candidate) -> bool:
    """True for a move that is decided now and taken with the next message."""
    return candidate.reply == "next" and isinstance(candidate.action, GoTo)


def path_over_graph(graph: Graph, machine: Machine, walk: Walk, state: State, about: str) -> Path:
    """Return a walk as a path over the graph of a flow, up to the present state of the conversation; `about` is the
    title of the drawing. A remark lists nodes that the graph does not have.
    """
    ids = {vertex.address: vertex.id for vertex in graph.vertices if vertex.kind not in KINDS_WITHOUT_NODE}
    names = list(arrow_names(graph, machine))
    passed = {place: _passed(walk, state, arrow, name) for place, (arrow, name) in enumerate(names) if name}
    frames = {vertex.frame for vertex in graph.vertices}
    unknown = sorted(
        node for node, turns in walk.visits.items() if turns and node not in ids if scope_of(node) in frames
    )
    remarks = ["Its first turns are no longer kept."] if walk.is_cut else []
    remarks += [f"It was in nodes that are not drawn: {', '.join(unknown)}"] if unknown else []
    visits = {ids[node]: tuple(turns) for node, turns in walk.visits.items() if node in ids and turns}
    visits |= _closings(graph, walk)
    ended = state.status.outcome if isinstance(state.status, Ended) else None
    ends = {one.name: one.id for one in graph.vertices if one.kind == "end" and not one.frame}
    current = (ends.get(ended) if ended is not None else None) or _drawn(ids, state.node)
    waiting = tuple([found for frame in state.outer if (found := _drawn(ids, frame.node)) and found != current])
    return Path(about, visits, passed, current, tuple(remarks), waiting)


def _drawn(ids: dict[str, str], node: str) -> str:
    """Return the id of a node, else that of the nearest scope around it that is drawn; empty if there is none."""
    while node and node not in ids:
        node = scope_of(node)
    return ids.get(node, "")


def _closings(graph: Graph, walk: Walk) -> dict[str, tuple[int, ...]]:
    """Return the turns in which scopes were closed, by the mark of the outcome."""
    ends = {
        (one.frame, "completed" if one.name == "return" else one.name): one.id
        for one in graph.vertices[::-1]
        if one.kind == "end" and one.frame
    }
    return {ends[key]: tuple(turns) for key, turns in walk.outcomes.items() if key in ends and turns}


def arrow_names(graph: Graph, machine: Machine) -> Iterator[tuple[Arrow, str]]:
    """Yield each arrow with the name that linking assigned to its transition, in the order of the flow."""
    own = {node: iter(linked.candidates) for node, linked in machine.nodes.items()}
    of_frame = {scope: iter(linked.flow_candidates) for scope, linked in machine.scopes.items()}
    for arrow in graph.arrows:
        if not arrow.moment:
            yield arrow, ""
        elif arrow.is_entering:
            yield arrow, arrow.id
        else:
            declared: Iterator[Candidate] = own[arrow.node] if arrow.node else of_frame[arrow.frame]
            yield arrow, next(declared).id


def _passed(walk: Walk, state: State, arrow: Arrow, name: str) -> ArrowHistory:
    """Return the history of an arrow; one of all nodes counts in each of them, an `enter_when` not in its own."""
    moments = ("before", "tool") if arrow.is_entering else (arrow.moment,)

    def is_here(node: str) -> bool:
        return arrow.node == node or (not arrow.node and scope_of(node) == arrow.frame)

    def of(counted: dict[Key, list[int]]) -> list[int]:
        return [
            turn
            for (node, moment, transition), turns in counted.items()
            if transition == name and moment in moments and is_here(node)
            if not (arrow.is_entering and name == f"enter_{local_name(node)}")
            for turn in turns
        ]

    planned = state.pending.transition if state.pending is not None else None
    is_planned = (arrow.moment, name) == ("after", planned) and is_here(state.node)
    return ArrowHistory(tuple(sorted(of(walk.taken))), len(of(walk.judged)), is_planned)
