"""Counts what turns reach of their flows. A leaf that was seen both ways is not judged again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from msgspec.json import decode, encode

from turnwise.core.decision.judge import BLOCKED, FAILED, FALSE, MIRROR, NOT_REACHED, OUTRANKED, REENTRY, SKIPPED, TAKEN
from turnwise.core.explain.decision import is_whole, recorded
from turnwise.core.explain.tree import LeafPlan, leaves, plan
from turnwise.core.guards import Env, GuardFault
from turnwise.core.machine import Candidate, Machine
from turnwise.core.state.events import Decided, Moved, Started
from turnwise.flow.model import Moment
from turnwise.runner.result import Turn, messages
from turnwise.testing.coverage.seen import FlowSeen, WaySeen, declared, unseen

_HELD = TAKEN + OUTRANKED + BLOCKED + REENTRY + FAILED + MIRROR


class Coverage:
    """What some turns have seen of their flows; a flow is the same where its file and its version are."""

    def __init__(self) -> None:
        self._flows: dict[tuple[str, str], FlowSeen] = {}
        self._counters: dict[tuple[str, str], _Counter] = {}

    def add(self, turn: Turn) -> None:
        """Count a turn; one that was refused, or was there before, shows nothing new."""
        if turn.entries and not turn.is_duplicate:
            self._counter(turn.machine).add(turn)

    def add_all(self, turns: Iterable[Turn]) -> None:
        """Count turns."""
        for turn in turns:
            self.add(turn)

    def know(self, machine: Machine) -> None:
        """A flow is in the report also where no turn is taken with it."""
        self._counter(machine)

    def _counter(self, machine: Machine) -> _Counter:
        key = (machine.flow.span.file, machine.fingerprint)
        found = self._counters.get(key)
        if found is None:
            seen = self._flows.setdefault(key, unseen(machine))
            found = self._counters[key] = _Counter(machine, seen)
        return found

    @property
    def flows(self) -> list[FlowSeen]:
        """What was seen, flow by flow, in the order of their files."""
        return sorted(self._flows.values(), key=lambda flow: (flow.file, flow.name, flow.fingerprint))

    def written(self) -> str:
        """All of it as a line of JSON, for another process to take in."""
        return encode(list(self._flows.values())).decode()

    def take_in(self, written: str) -> None:
        """Add what another process has seen."""
        for seen in decode(written, type=list[FlowSeen]):
            known = self._flows.setdefault((seen.file, seen.fingerprint), seen)
            if known is not seen:
                known.add(seen)


class _Row:
    """A candidate at a moment: its transition, and the leaves that are not seen both ways yet."""

    __slots__ = ("is_code", "leaves", "way")

    def __init__(self, way: WaySeen, candidate: Candidate, plans: list[LeafPlan]) -> None:
        self.way = way
        self.is_code = candidate.code is not None
        self.leaves = list(zip(plans, way.leaves, strict=False))

    def judge(self, env: Env) -> None:
        """Judge the leaves again, and drop those that were seen both ways."""
        for leaf, seen in self.leaves:
            try:
                seen.note(is_held=leaf.run(env))
            except GuardFault:
                continue
        self.leaves = [pair for pair in self.leaves if not pair[1].is_seen]


class _Counter:
    """Counts the turns of one flow."""

    def __init__(self, machine: Machine, seen: FlowSeen) -> None:
        self.machine = machine
        self.nodes = {node.name: node for node in seen.nodes}
        ways = zip(declared(machine), seen.ways, strict=True)
        self.ways = {(node, candidate.id): way for (node, candidate), way in ways}
        self.plans: dict[int, list[LeafPlan]] = {}
        self.rows: dict[tuple[str, str], list[_Row]] = {}

    def add(self, turn: Turn) -> None:
        """Count the entries of a turn."""
        texts: Mapping[int, str] | None = None
        for entry in turn.entries:
            match entry.event:
                case Started(node=node, is_entered=True) | Moved(target=node):
                    self.nodes[node].is_entered = True
                case Decided() as decided:
                    texts = messages((*turn.named.values(), *turn.entries)) if texts is None else texts
                    self.decided(decided, texts)
                case _:
                    pass

    def decided(self, decided: Decided, texts: Mapping[int, str]) -> None:
        """Count a decision: its leaves are judged on the values that it read."""
        env: Env | None = None
        candidates = self.machine.candidates(decided.node, cast("Moment", decided.moment))
        key = (decided.node, decided.moment)
        if key not in self.rows:
            self.rows[key] = [self._row(decided.node, candidate) for candidate in candidates.all]
        for place, (row, letter) in enumerate(zip(self.rows[key], decided.outcomes, strict=True)):
            if letter in (NOT_REACHED, SKIPPED):
                continue
            row.way.was_judged = True
            if place == decided.taken:
                row.way.was_taken = True
            if row.is_code:
                row.way.leaves[0].note(is_held=True if letter in _HELD else False if letter == FALSE else None)
            elif row.leaves:
                assert is_whole(candidates, decided), "a turn that was just taken is whole"
                env = recorded(candidates, decided, texts) if env is None else env
                row.judge(env)

    def _row(self, node: str, candidate: Candidate) -> _Row:
        way = self.ways[node if candidate.level == "node" else "", candidate.id]
        plans: list[LeafPlan] = []
        if candidate.guard is not None:
            known = self.plans.get(id(candidate.guard))
            plans = leaves(plan(candidate.guard.expression, self.machine.names)) if known is None else known
            self.plans[id(candidate.guard)] = plans
        return _Row(way, candidate, plans)
