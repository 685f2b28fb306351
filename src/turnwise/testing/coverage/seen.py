"""The coverable parts of a flow, and those that turns covered: nodes, transitions, the leaves of guards, the
outcomes of scopes, schedules, events of other systems and overlays.

Counting costs little: a leaf that was seen both ways is not judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast, get_args

from msgspec import Struct
from msgspec.json import decode, encode

from turnwise.core.addresses import scope_of
from turnwise.core.candidates import Candidate
from turnwise.core.decision.judge import BLOCKED, FAILED, FALSE, MIRROR, NOT_REACHED, OUTRANKED, REENTRY, SKIPPED, TAKEN
from turnwise.core.explain.decision import has_stored_reads, recorded_env
from turnwise.core.explain.tree import LeafPlan, leaves, plan
from turnwise.core.guards import Env, GuardFault
from turnwise.core.machine import Machine
from turnwise.core.scopes.outcomes import outcomes_of
from turnwise.core.state import DataQuestion
from turnwise.core.state.events import Decided, OfferClosed, ScopeClosed
from turnwise.core.state.in_charge import visited_nodes
from turnwise.core.state.proposals import OfferOutcome
from turnwise.flow.diagnostic import Span
from turnwise.flow.model import Moment
from turnwise.runner.result import Turn, messages_among
from turnwise.testing.coverage import answers
from turnwise.testing.coverage.source_lines import lines_of, source_lines
from turnwise.testing.coverage.uses import UseSeen, used_by, uses_of


class NodeSeen(Struct):
    """A node of a flow, and whether turns entered it."""

    name: str
    line: int
    """The line of the node in its document, from 1."""
    is_entered: bool = False
    file: str = ""
    """The document of the node; empty for the document of the flow."""


class LeafSeen(Struct):
    """A condition of a guard without `and`, `or` and `not`, and whether it has held; a Python guard is one leaf.

    It is fully covered if it once held and once did not hold.
    """

    text: str
    """The condition as it is written."""
    line: int
    """The line of the condition in its document, from 1."""
    was_held: bool = False
    was_not_held: bool = False

    @property
    def is_new(self) -> bool:
        """True if the leaf is fully covered: it once held, and once did not hold."""
        return self.was_held and self.was_not_held

    def note(self, *, is_held: bool | None) -> None:
        """Record whether the condition was judged to hold; `None` (unknown) covers nothing."""
        self.was_held |= is_held is True
        self.was_not_held |= is_held is False


class WaySeen(Struct):
    """A transition of a flow, and whether turns judged and took it.

    A mirror is never taken: to be judged is all that can be asked of it.
    """

    id: str
    """The name of the transition."""
    node: str
    """The node that declares the transition; empty for one of the whole flow, and for an `enter_when`.

    Inside a scope these have its name and `/`.
    """
    line: int
    """The line of the transition in its document, from 1."""
    is_mirror: bool = False
    """True if the rule only describes a Python function, which decides."""
    was_judged: bool = False
    """True if a turn judged the guard of the transition."""
    was_taken: bool = False
    leaves: list[LeafSeen] = []
    file: str = ""
    """The document of the transition; empty for the document of the flow."""

    @property
    def is_new(self) -> bool:
        """True if the transition was taken, or a mirror was judged."""
        return self.was_judged if self.is_mirror else self.was_taken


class OutcomeSeen(Struct):
    """An outcome that a scope, an offer or a question from data can have, and whether it occurred."""

    scope: str
    """The name of the scope; for a question the node of its form."""
    outcome: str
    line: int
    """The line of the scope, offer or question in its document, from 1."""
    was_reached: bool = False
    """True if the scope was closed, or the question answered, with this outcome."""
    file: str = ""
    """The document of the outcome; empty for the document of the flow."""
    is_offer: bool = False
    """True if the outcome is of an offer of the scope."""
    question: str = ""
    """The id of the question from data; empty if the outcome is of a scope or offer."""

    @property
    def key(self) -> tuple[str, str, bool, str]:
        """The values that identify the outcome in its flow."""
        return (self.scope, self.outcome, self.is_offer, self.question)


class FlowSeen(Struct):
    """A version of a flow, and what turns covered of it."""

    name: str
    file: str
    """The document of the flow; empty for a flow made in Python."""
    fingerprint: str
    """The hash that identifies the version of the flow."""
    nodes: list[NodeSeen]
    ways: list[WaySeen]
    """The transitions of the flow."""
    outcomes: list[OutcomeSeen] = []
    uses: list[UseSeen] = []
    """The other parts of the flow, each with whether turns used it."""

    @property
    def title(self) -> str:
        """The name of the flow in a report: its file, or the flow's name without a file."""
        return self.file or self.name

    def add(self, other: FlowSeen) -> None:
        """Add what another run covered of the same flow."""
        for mine, theirs in zip(self.nodes, other.nodes, strict=True):
            mine.is_entered |= theirs.is_entered
        known = {one.key: one for one in self.outcomes}
        for one in other.outcomes:  # another run may have had other questions
            known.setdefault(one.key, one).was_reached |= one.was_reached
        self.outcomes = list(known.values())
        for mine, theirs in zip(self.uses, other.uses, strict=True):
            mine.was_seen |= theirs.was_seen
        for mine, theirs in zip(self.ways, other.ways, strict=True):
            mine.was_judged |= theirs.was_judged
            mine.was_taken |= theirs.was_taken
            for leaf, same in zip(mine.leaves, theirs.leaves, strict=True):
                leaf.was_held |= same.was_held
                leaf.was_not_held |= same.was_not_held


def uncovered_flow(machine: Machine) -> FlowSeen:
    """Return the parts of a flow, none of them covered, with their lines in its documents."""
    flow = machine.flow
    sources: dict[str, list[str]] = {file: source_lines(file) for file in (flow.span.file, *flow.files)}
    spans = {name: linked.node.span for name, linked in machine.nodes.items()}
    nodes = [NodeSeen(name, span.line, file=_other(machine, span)) for name, span in spans.items()]
    ways = [
        _way(machine, sources.get(candidate.span.file, []), node, candidate)
        for node, candidate in declared_transitions(machine)
    ]
    outcomes = [
        OutcomeSeen(name, outcome, spans[name].of("scope").line, file=_other(machine, spans[name]))
        for name in machine.scopes
        if name
        for outcome in outcomes_of(machine, name)
    ]
    outcomes += _of_offers(machine)
    for node, question in answers.questions_of_flow(machine):
        outcomes += _of_question(machine, node, question)
    return FlowSeen(flow.name, flow.span.file, machine.fingerprint, nodes, ways, outcomes, [*uses_of(machine)])


def _of_offers(machine: Machine) -> Iterator[OutcomeSeen]:
    """Yield the outcomes of the offers of each scope, at the place of the first one."""
    found: dict[str, Span] = {}
    for node in machine.nodes.values():
        if node.offer is not None and node.node.offer is not None:
            found.setdefault(node.offer.scope, node.node.offer.span)
    for schedule in machine.schedules.values():
        if schedule.schedule.offer:
            found.setdefault(schedule.scope, schedule.schedule.span.of("offer"))
    for scope, span in found.items():
        for outcome in get_args(OfferOutcome):
            yield OutcomeSeen(scope, outcome, span.line, file=_other(machine, span), is_offer=True)


def _of_question(machine: Machine, node: str, question: DataQuestion) -> Iterator[OutcomeSeen]:
    """Yield what may become of an answer to a question that is data, at the place of its form."""
    span = machine.nodes[node].node.span.of("form")
    for outcome in answers.outcomes_of_question(question):
        yield OutcomeSeen(node, outcome, span.line, file=_other(machine, span), question=question.id)


def _other(machine: Machine, span: Span) -> str:
    """Return the document of a place, if it is not that of the flow."""
    return span.file if span.file != machine.flow.span.file else ""


def declared_transitions(machine: Machine) -> Iterator[tuple[str, Candidate]]:
    """Yield each transition once, in the order of the flow, with the node that declares it.
    A transition of all nodes of a frame comes with a name for these nodes.
    """
    for name, linked in machine.nodes.items():
        yield from ((name, candidate) for candidate in linked.candidates)
    for name, scope in machine.scopes.items():
        yield from ((_all_of(name), candidate) for candidate in scope.flow_candidates)
        yield from ((_all_of(name), candidate) for candidate in scope.enter_candidates if candidate.moment == "before")


def _all_of(scope: str) -> str:
    """Return what stands for all nodes of a scope; empty for those outside of all scopes."""
    return f"{scope}/" if scope else ""


def _way(machine: Machine, source: list[str], node: str, candidate: Candidate) -> WaySeen:
    """A transition with the leaves of its guard; `enter_when` and `once` are keys of their node."""
    span, test, leaves_seen = candidate.span, "when", list[LeafSeen]()
    if candidate.level == "enter":
        span, test = candidate.span.of("enter_when"), "enter_when"
    elif candidate.id == f"once_{candidate.target}":
        span = candidate.span.of("once")
    if candidate.guard is not None:
        texts = [leaf.text for leaf in leaves(plan(candidate.guard.expression, machine.names))]
        written = [_as_written(text, scope_of(node)) for text in texts]
        lines = lines_of(written, candidate.span.of(test).line, source)
        leaves_seen = [LeafSeen(text, line) for text, line in zip(texts, lines, strict=True)]
    elif candidate.code is not None:
        leaves_seen = [LeafSeen(f"{candidate.code.name}()", candidate.span.of("guard").line)]
    file = _other(machine, span)
    return WaySeen(candidate.id, node, span.line, candidate.is_mirror, leaves=leaves_seen, file=file)


def _as_written(text: str, scope: str) -> str:
    """Return a condition from inside a scope with the names that hold there, as its document has them."""
    while scope:
        text, scope = text.replace(f"{scope}/", ""), scope_of(scope)
    return text


# counting ----------------------------------------------------------------------------------------


_HELD = TAKEN + OUTRANKED + BLOCKED + REENTRY + FAILED + MIRROR


class Coverage:
    """The coverage of flows by turns; flows with the same file and version count as one."""

    def __init__(self) -> None:
        self._flows: dict[tuple[str, str], FlowSeen] = {}
        self._counters: dict[tuple[str, str], _Counter] = {}

    def add(self, turn: Turn) -> None:
        """Add what a turn covered; a refused or repeated turn adds nothing."""
        if turn.entries and not turn.is_duplicate:
            self._counter(turn.machine).add(turn)

    def add_all(self, turns: Iterable[Turn]) -> None:
        """Add what several turns covered."""
        for turn in turns:
            self.add(turn)

    def know(self, machine: Machine) -> None:
        """Add a flow to the report, even if no turn uses it."""
        self._counter(machine)

    def _counter(self, machine: Machine) -> _Counter:
        key = (machine.flow.span.file, machine.fingerprint)
        found = self._counters.get(key)
        if found is None:
            seen = self._flows.setdefault(key, uncovered_flow(machine))
            found = self._counters[key] = _Counter(machine, seen)
        return found

    @property
    def flows(self) -> list[FlowSeen]:
        """What was covered of each flow, ordered by file."""
        return sorted(self._flows.values(), key=lambda flow: (flow.file, flow.name, flow.fingerprint))

    def to_json(self) -> str:
        """Return the coverage as one line of JSON, for another process."""
        return encode(list(self._flows.values())).decode()

    def add_json(self, written: str) -> None:
        """Add the coverage of another process, as `to_json` returns it."""
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
        self.leaves = [pair for pair in self.leaves if not pair[1].is_new]


class _Counter:
    """Counts the turns of one flow."""

    def __init__(self, machine: Machine, seen: FlowSeen) -> None:
        self.machine = machine
        self.nodes = {node.name: node for node in seen.nodes}
        ways = zip(declared_transitions(machine), seen.ways, strict=True)
        self.ways = {(node, candidate.id): way for (node, candidate), way in ways}
        self.seen = seen
        self.outcomes = {one.key: one for one in seen.outcomes}
        self.has_data = any(node.form is not None and node.form.source for node in machine.nodes.values())
        self.uses = {(one.kind, one.name): one for one in seen.uses}
        self.plans: dict[int, list[LeafPlan]] = {}
        self.rows: dict[tuple[str, str], list[_Row]] = {}

    def add(self, turn: Turn) -> None:
        """Count the entries of a turn."""
        texts: Mapping[int, str] | None = None
        if self.has_data:
            self.answered(turn)
        for entry in turn.entries:
            for node in visited_nodes(entry.event):
                self.nodes[node].is_entered = True
            for use in used_by(entry.event):
                if use in self.uses:
                    self.uses[use].was_seen = True
            if isinstance(entry.event, ScopeClosed | OfferClosed):
                self.closed(entry.event)
        for judged in turn.judged:
            texts = messages_among((*turn.earlier_entries.values(), *turn.entries)) if texts is None else texts
            self.decided(judged.decided, texts)

    def closed(self, event: ScopeClosed | OfferClosed) -> None:
        """Count the outcome of a scope, or of an offer."""
        seen = self.outcomes.get((event.scope, event.outcome, isinstance(event, OfferClosed), ""))
        if seen is not None:
            seen.was_reached = True

    def answered(self, turn: Turn) -> None:
        """Count the answers of a turn to questions that are data; questions of other lists come along."""
        for node, question in answers.questions_of_turn(turn):
            for one in _of_question(self.machine, node, question):
                if self.outcomes.setdefault(one.key, one) is one:
                    self.seen.outcomes.append(one)
        for node, id_, outcome in answers.answers_of_turn(turn):
            seen = self.outcomes.get((node, outcome, False, id_))
            if seen is not None:
                seen.was_reached = True

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
                assert has_stored_reads(candidates, decided), "a turn that was just taken is whole"
                env = recorded_env(candidates, decided, texts) if env is None else env
                row.judge(env)

    def _row(self, node: str, candidate: Candidate) -> _Row:
        way = self.ways[node if candidate.level == "node" else _all_of(scope_of(node)), candidate.id]
        plans: list[LeafPlan] = []
        if candidate.guard is not None:
            known = self.plans.get(id(candidate.guard))
            plans = leaves(plan(candidate.guard.expression, self.machine.names)) if known is None else known
            self.plans[id(candidate.guard)] = plans
        return _Row(way, candidate, plans)
