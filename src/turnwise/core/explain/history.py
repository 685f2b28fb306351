"""The history of an edge: how often a transition was judged, and with which outcomes.

It counts recorded decisions and judges nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import cast

from msgspec import Struct

from turnwise.core.explain.decision import outcome_of
from turnwise.core.machine import Machine
from turnwise.core.state.events import Decided
from turnwise.core.trace import Outcome
from turnwise.flow.model import Moment

_HELD: tuple[Outcome, ...] = ("taken", "outranked", "blocked")


class Edge(Struct, frozen=True):
    """The counts of a transition at a node and moment: how often it had each outcome."""

    node: str
    """The node at which the transition is judged."""
    moment: str
    """The moment at which the transition is judged, such as `before` or `after`."""
    transition: str
    """The name of the transition."""
    target: str = ""
    """The node to which the transition leads; empty if to none."""
    outcomes: dict[Outcome, int] = {}
    """How often the transition had each outcome, by outcome."""

    @property
    def judged(self) -> int:
        """How often the transition's guard was judged."""
        return sum(count for outcome, count in self.outcomes.items() if outcome != "not_reached")

    @property
    def held(self) -> int:
        """How often the transition's guard held, whether or not it was taken."""
        return sum(self.outcomes.get(outcome, 0) for outcome in _HELD)

    @property
    def taken(self) -> int:
        """How often the transition was taken."""
        return self.outcomes.get("taken", 0)

    @property
    def line(self) -> str:
        """How often the transition had each outcome, in words."""
        return f"judged {self.judged} {'time' if self.judged == 1 else 'times'}, held {self.held}, taken {self.taken}"


class Tally:
    """Counts the outcomes of transitions over decisions of any number of conversations and flow versions."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, str], Counter[Outcome]] = {}
        self._targets: dict[tuple[str, str, str], str] = {}

    def add_machine(self, machine: Machine, moments: Iterable[Moment]) -> None:
        """Add every transition of a machine at some moments with no counts, so that those never judged are
        listed, too.
        """
        for node in machine.nodes:
            for moment in moments:
                for candidate in machine.candidates(node, moment).all:
                    self._edge(node, moment, candidate.id, candidate.target)

    def add(self, machine: Machine, decided: Decided) -> None:
        """Count the outcomes of one decision that a machine made."""
        candidates = machine.candidates(decided.node, cast("Moment", decided.moment))
        for candidate, letter in zip(candidates.all, decided.outcomes, strict=True):
            counts = self._edge(decided.node, decided.moment, candidate.id, candidate.target)
            counts[outcome_of(letter)] += 1

    def add_tally(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for key, counts in other._counts.items():
            self._edge(*key, other._targets[key]).update(counts)

    def count(self, edge: Edge) -> None:
        """Add the counts of an edge; its target only if the edge is new, since other versions may have another."""
        key = (edge.node, edge.moment, edge.transition)
        self._targets.setdefault(key, edge.target)
        self._counts.setdefault(key, Counter()).update(edge.outcomes)

    def _edge(self, node: str, moment: str, transition: str, target: str) -> Counter[Outcome]:
        key = (node, moment, transition)
        self._targets[key] = target
        return self._counts.setdefault(key, Counter())

    def edges(self, transition: str = "") -> tuple[Edge, ...]:
        """Return the counts of the transition of a name, or with an empty name of all."""
        return tuple(
            Edge(node, moment, name, self._targets[node, moment, name], {o: n for o, n in counts.items() if n})
            for (node, moment, name), counts in self._counts.items()
            if not transition or name == transition
        )
