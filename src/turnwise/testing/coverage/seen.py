"""The parts of a flow that count for coverage: nodes, transitions, leaves of guards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from turnwise.core.explain.tree import leaves, plan
from turnwise.core.machine import Candidate, Machine
from turnwise.core.values import REDACTED


class NodeSeen(Struct):
    """A node, and whether it was entered."""

    name: str
    line: int
    is_entered: bool = False


class LeafSeen(Struct):
    """A condition of a guard that is no combination of others; a Python guard is one leaf. It is seen as a whole
    where it was once held and once not held.
    """

    text: str
    line: int
    was_held: bool = False
    was_not_held: bool = False

    @property
    def is_seen(self) -> bool:
        """True if nothing more can be learned about it."""
        return self.was_held and self.was_not_held

    def note(self, *, is_held: bool | None) -> None:
        """Note one judgement; an unknown one shows nothing."""
        self.was_held |= is_held is True
        self.was_not_held |= is_held is False


class WaySeen(Struct):
    """A transition, and whether it was judged and taken. `node` declares it; it is empty for one of the whole flow,
    and for an `enter_when`. A mirror is never taken: to be judged is all that can be asked of it.
    """

    id: str
    node: str
    line: int
    is_mirror: bool = False
    was_judged: bool = False
    was_taken: bool = False
    leaves: list[LeafSeen] = []

    @property
    def is_seen(self) -> bool:
        """True if it was taken, or judged where it cannot be."""
        return self.was_judged if self.is_mirror else self.was_taken


class FlowSeen(Struct):
    """A flow of one version, and what was seen of it. `file` is its document, empty for a flow made in Python."""

    name: str
    file: str
    fingerprint: str
    nodes: list[NodeSeen]
    ways: list[WaySeen]

    @property
    def title(self) -> str:
        """How it is called in a report: by its file, else by its name."""
        return self.file or self.name

    def add(self, other: FlowSeen) -> None:
        """Take in what another run saw of the same flow."""
        for mine, theirs in zip(self.nodes, other.nodes, strict=True):
            mine.is_entered |= theirs.is_entered
        for mine, theirs in zip(self.ways, other.ways, strict=True):
            mine.was_judged |= theirs.was_judged
            mine.was_taken |= theirs.was_taken
            for leaf, same in zip(mine.leaves, theirs.leaves, strict=True):
                leaf.was_held |= same.was_held
                leaf.was_not_held |= same.was_not_held


def unseen(machine: Machine) -> FlowSeen:
    """A flow of which nothing was seen yet, with the lines of its document."""
    flow, path = machine.flow, Path(machine.flow.span.file)
    is_file = bool(flow.span.file) and path.is_file()
    source = [_bare(line) for line in path.read_text("utf-8", "replace").splitlines()] if is_file else []
    nodes = [NodeSeen(name, linked.node.span.line) for name, linked in machine.nodes.items()]
    ways = [_way(machine, source, node, candidate) for node, candidate in declared(machine)]
    return FlowSeen(flow.name, flow.span.file, machine.fingerprint, nodes, ways)


def declared(machine: Machine) -> Iterator[tuple[str, Candidate]]:
    """Every transition once, with the node that declares it, in the order of the flow."""
    for name, linked in machine.nodes.items():
        yield from ((name, candidate) for candidate in linked.candidates)
    yield from (("", candidate) for candidate in machine.flow_candidates)
    yield from (("", candidate) for candidate in machine.enter_candidates if candidate.moment == "before")


def _way(machine: Machine, source: list[str], node: str, candidate: Candidate) -> WaySeen:
    """A transition with the leaves of its guard; `enter_when` and `once` are keys of their node."""
    span, test, leaves_seen = candidate.span, "when", list[LeafSeen]()
    if candidate.level == "enter":
        span, test = candidate.span.of("enter_when"), "enter_when"
    elif candidate.id == f"once_{candidate.target}":
        span = candidate.span.of("once")
    if candidate.guard is not None:
        texts = [leaf.text for leaf in leaves(plan(candidate.guard.expression, machine.names))]
        lines = _lines_of(texts, candidate.span.of(test).line, source)
        leaves_seen = [LeafSeen(text, line) for text, line in zip(texts, lines, strict=True)]
    elif candidate.code is not None:
        leaves_seen = [LeafSeen(f"{candidate.code.name}()", candidate.span.of("guard").line)]
    return WaySeen(candidate.id, node, span.line, candidate.is_mirror, leaves=leaves_seen)


def _lines_of(texts: list[str], first: int, source: list[str]) -> list[int]:
    """The lines of the leaves of a guard that begins in a line: each is looked for from the one before on."""
    if not 0 < first <= len(source):
        return [first] * len(texts)
    end = next((at for at in range(first, len(source)) if _KEY.match(source[at])), len(source))
    found: list[int] = []
    line = first
    for text in texts:
        parts = [_bare(part) for part in text.split(REDACTED)]
        line = next((at + 1 for at in range(line - 1, end) if all(one in source[at] for one in parts)), line)
        found.append(line)
    return found


_KEY = re.compile(r"[-{[]*[\w\"]+:(?!:)")
"""A line that begins with a key, or with an item of a list: the guard before it has ended."""


def _bare(text: str) -> str:
    """A text without spaces and with one kind of quotes: guards are written in several ways."""
    return "".join(text.split()).replace("'", '"').replace('\\"', '"')
