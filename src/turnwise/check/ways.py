"""Where transitions lead. Those of the flow and `enter_when` lead from every node, and are kept once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from turnwise.core.machine import Candidate, End, Go, LinkedNode, Machine

Passes = Callable[[str, Candidate], bool]
"""Whether a way may be taken: the node that it leads from, and the transition."""
Step = tuple[str, Candidate]
"""The node from which a way was taken, and which."""


class Ways:
    """The ways of one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.shared = tuple(c for c in (*machine.flow_candidates, *machine.enter_candidates) if not c.is_mirror)

    def of(self, name: str) -> Iterator[Candidate]:
        """The ways out of a node, its own first, that lead somewhere else or end."""
        for candidate in (*self.machine.nodes[name].candidates, *self.shared):
            if not candidate.is_mirror and candidate.target != name and isinstance(candidate.action, Go | End):
                yield candidate

    @cached_property
    def reached(self) -> dict[str, Step | None]:
        """The nodes that a conversation can come to, each with the way by which one comes first."""
        return self.over(lambda _source, _candidate: True)

    def over(self, passes: Passes) -> dict[str, Step | None]:
        """The nodes that are reached over some ways, each with the last of them; nearest to the start first."""
        start = self.machine.flow.start
        found: dict[str, Step | None] = {start: None}
        ahead = deque([start])
        anywhere: list[Candidate] = list(self.shared)
        while ahead:
            name = ahead.popleft()
            for candidate in (*self.machine.nodes[name].candidates, *anywhere):
                target = candidate.target
                if target and target not in found and not candidate.is_mirror and passes(name, candidate):
                    found[target] = (name, candidate)
                    ahead.append(target)
            anywhere = [candidate for candidate in anywhere if candidate.target not in found]
        return found

    @cached_property
    def ends(self) -> bool:
        """True if a conversation can end without an error: at a node, by a transition, or by a form that nothing
        follows.
        """
        reached = self.over(lambda _source, candidate: candidate.moment != "error")
        nodes = (self.machine.nodes[name] for name in reached)
        return any(_is_end(node) or _has_end(node.candidates) for node in nodes) or _has_end(self.shared)


def steps_to(found: Mapping[str, Step | None], name: str) -> list[Step]:
    """The steps by which a node is reached, the first one first; those of a circle back to the node itself."""
    steps: list[Step] = []
    at = name
    while (step := found.get(at)) is not None and not (steps and at == name):
        steps.append(step)
        at = step[0]
    return steps[::-1]


def shown_way(names: Sequence[str]) -> str:
    """The nodes of a way in a line, without the middle of a long one."""
    shown = [*names[:_MOST_SHOWN], "…", *names[-_MOST_SHOWN:]] if len(names) > 2 * _MOST_SHOWN else names
    return " → ".join(shown)


_MOST_SHOWN = 6


def _is_end(node: LinkedNode) -> bool:
    return bool(node.node.end) or (node.work in ("none", "form") and not node.candidates)


def _has_end(candidates: Iterable[Candidate]) -> bool:
    return any(isinstance(candidate.action, End) and candidate.moment != "error" for candidate in candidates)


def is_instant(node: LinkedNode) -> bool:
    """True if a node's work waits for nobody: it says something, or only passes on."""
    return node.work in ("say", "none") and not node.node.end
