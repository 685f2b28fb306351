"""Judges a past decision again on its stored state, with another value or another rule.

No model is called and nothing is changed; Python guards are called again, for they are pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace as with_parts
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.addresses import local_name, scope_of
from turnwise.core.candidates import Candidate
from turnwise.core.decision import attempt, blocked_by
from turnwise.core.decision.judge import BLOCKED, FAILED, REENTRY, TAKEN, judge, read_all
from turnwise.core.explain.decision import explain
from turnwise.core.explain.hiding import Hide, hide_nothing, hiding
from turnwise.core.explain.other_time import SUPPOSED_NOW, at_time, wrong_time
from turnwise.core.guards import env_of
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, State, ValueOrigin
from turnwise.core.state.events import Decided, Entry, WordsHidden
from turnwise.core.state.fold.fields import with_answer, without_answer
from turnwise.core.tools.choices import choice_decision
from turnwise.core.trace import Decision
from turnwise.core.turn import derived_value
from turnwise.core.values import Refused, read_value
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import LONGEST_SHOWN, MOST_REPORTED, Span, nearest
from turnwise.flow.model import Flow, Moment, Node, Transition


class Way(Struct, frozen=True):
    """A transition that was taken, and its target; both are empty if none was."""

    transition: str = ""
    """The transition that was taken; empty if none was."""
    target: str = ""
    """The node or scope to which the transition led; empty if none was taken."""

    def __str__(self) -> str:
        if not self.transition:
            return "stayed"
        return f"→ {self.target} by {self.transition}" if self.target else f"by {self.transition}"


class ChangedDecision(Struct, frozen=True):
    """A decision judged again in a what-if: what it took, what it would have taken, and why."""

    conversation: str
    """The name of the conversation."""
    turn: int
    """The number of the turn in which the decision was made."""
    was: Way
    """The transition that the decision took, as recorded."""
    would: Way
    """The transition that the decision would have taken."""
    decision: Decision
    """The decision as it was judged again, with the reasons."""

    @property
    def differs(self) -> bool:
        """True if the decision would have taken another transition."""
        return self.was != self.would


def judge_supposed(
    machine: Machine,
    entry: Entry,
    state: State,
    then: Machine,
    values: Mapping[str, Any],
    conversation: str = "",
    *,
    keep_same: bool = False,
) -> ChangedDecision | None:
    """Judge the recorded decision of an entry again, with other field values; `then` is the machine that made it.
    Returns `None` where a person decided, and without `keep_same` where it comes out as it did. Raises `TurnwiseError`
    for a node that is gone.
    """
    decided = entry.event
    assert isinstance(decided, Decided)
    if decided.operator:
        return None
    if decided.node not in machine.nodes:
        raise TurnwiseError(f"there is no node '{decided.node}'")
    other = with_values(machine, state, values)
    again = _judged(machine, decided, other, _chosen(then, decided))
    was, would = _way_of(then, decided), _way_of(machine, again)
    if was == would and not keep_same:
        return None
    texts = {state.doing.seq: state.doing.message} if state.doing is not None and state.doing.message else {}
    hide = _hiding(then, state, values)
    supposed_entry = replace(entry, event=again, at_ms=other.at_ms if SUPPOSED_NOW in values else entry.at_ms)
    decision = explain(
        machine, supposed_entry, conversation, texts, hide=hide, state=other if SUPPOSED_NOW in values else state
    )
    return ChangedDecision(conversation, entry.turn, was, would, decision)


def _hiding(machine: Machine, state: State, values: Iterable[str]) -> Hide:
    """Return what hides secrets, but not the values that were supposed for other fields. A state does not keep the
    words of a secret that was refused: then the whole message is hidden.
    """
    if not machine.has_secrets or state.doing is None:
        return hide_nothing
    is_answer = any(one.field in machine.fields and machine.fields[one.field].secret for one in state.doing.outcomes)
    seq, text = state.doing.seq, state.doing.message or state.doing.button or ""
    hidden = (Entry(seq, state.turn, state.at_ms, WordsHidden((seq, 0, len(text)))),) if is_answer else ()
    supposed = [name for name in values if name in machine.fields and not machine.fields[name].secret]
    return hiding(machine, (state,), hidden, {seq: text} if text else {}, supposed)


def _way_of(machine: Machine, decided: Decided) -> Way:
    if decided.taken < 0:
        return Way()
    candidate = machine.candidates(decided.node, cast("Moment", decided.moment)).all[decided.taken]
    return Way(candidate.id, candidate.target)


def _chosen(then: Machine, decided: Decided) -> str:
    """Return the target that a model chose, also where a limit kept it from moving; empty at any other moment."""
    if decided.moment != "choice":
        return ""
    letters = zip(then.candidates(decided.node, "choice").all, decided.outcomes, strict=True)
    return next((one.target for one, letter in letters if letter in (TAKEN, BLOCKED, REENTRY, FAILED)), "")


def _judged(machine: Machine, decided: Decided, state: State, chosen: str) -> Decided:
    """Return the decision that would be made now; a model would make the same choice, if it is still possible."""
    moment = cast("Moment", decided.moment)
    candidates = machine.candidates(decided.node, moment)
    if moment == "choice":
        again = choice_decision(machine, state, chosen)
    else:
        found = judge(candidates, env_of(state), machine, state, decided.firing)
        reads = read_all(candidates, state)
        again = replace(
            decided,
            outcomes=found.outcomes,
            taken=found.winner,
            reads=reads,
            code=found.code,
            marks={},
            broken_off=found.broken_off,
        )
    if again.taken < 0:
        return again
    winner = candidates.all[again.taken]
    blocked = blocked_by(machine, state, winner)
    if not blocked and attempt(machine, state, moment, winner) is not None:
        blocked = FAILED
    return replace(again, outcomes=again.outcomes.replace(TAKEN, blocked), taken=-1) if blocked else again


def wrong_values(machine: Machine, values: Mapping[str, Any]) -> dict[str, str]:
    """Return why values cannot be supposed, by field: the field does not exist, or refuses the value."""
    found: dict[str, str] = {}
    unknown = [address for address in values if address not in machine.fields and address != SUPPOSED_NOW]
    for address in unknown[:MOST_REPORTED]:
        found[address] = f"no field is called '{address[:LONGEST_SHOWN]}'{_hint(nearest(address, machine.fields))}"
    if len(unknown) > MOST_REPORTED:
        found["…"] = f"and {len(unknown) - MOST_REPORTED:,} more fields that do not exist"
    if SUPPOSED_NOW in values and (wrong := wrong_time(values[SUPPOSED_NOW])):
        found[SUPPOSED_NOW] = wrong
    for address, value in values.items():
        field = machine.fields.get(address)
        if field is None:
            continue
        stored = None if value is None else read_value(field, value, machine.rules)
        if isinstance(stored, Refused):
            found[address] = stored.text
    return found


def with_values(machine: Machine, state: State, values: Mapping[str, Any]) -> State:
    """Return the state with other values of fields, and what is computed from them; `None` removes a value. `now` is
    another time. Raises `TurnwiseError` for a value that no field accepts.
    """
    for address, why in wrong_values(machine, values).items():
        raise TurnwiseError(f"{address}: {why}" if address in machine.fields else why)
    if SUPPOSED_NOW in values:
        state = at_time(machine, state, values[SUPPOSED_NOW])
    for address, value in values.items():
        if address == SUPPOSED_NOW:
            continue
        stored = None if value is None else read_value(machine.fields[address], value, machine.rules)
        state = _with_value(state, address, stored, "supposed")
    for derived in machine.derived if values else ():  # law 1.5
        value = derived_value(machine, derived, state)
        now = state.values.get(derived.address)
        if derived.address not in values and value != (now.value if now is not None else None):
            state = _with_value(state, derived.address, value, "derived")
    return state


def _with_value(state: State, address: str, value: Any, how: ValueOrigin) -> State:
    lists = state.question_lists or {}
    found = without_answer({name: one for name, one in state.values.items() if name != address}, lists, address)
    if value is not None and not isinstance(value, Refused):
        stored = FieldValue(value, how, 0, state.at_ms)
        found = with_answer({**found, address: stored}, lists, address, stored)
    return replace(state, values=found)


def with_rules(machine: Machine, rules: Mapping[str, str]) -> Flow:
    """Return the flow of a machine with other guards for some transitions, by transition name, also inside scopes.
    `enter_NODE` is the `enter_when` of a node. Raises `TurnwiseError` for an unknown name.
    """
    found, flow = _Rules(machine, rules), machine.flow
    nodes = found.nodes(flow.nodes, "")
    ways = found.ways(flow.transitions, machine.flow_candidates, "")
    if found.left:
        known = list(dict.fromkeys(one.id for one in machine.all_candidates()))
        name = min(found.left)
        raise TurnwiseError(
            f"no transition with a guard is called '{name[:LONGEST_SHOWN]}'{_hint(nearest(name, known))}"
        )
    return with_parts(flow, nodes=nodes, transitions=ways)


class _Rules:
    """Puts other guards into the nodes of a flow, frame by frame. `left` are the names that no transition had."""

    def __init__(self, machine: Machine, rules: Mapping[str, str]) -> None:
        self.machine = machine
        self.rules = rules
        self.left = set(rules)

    def nodes(self, nodes: tuple[Node, ...], prefix: str) -> tuple[Node, ...]:
        """Return the nodes of a frame with these guards; their names begin with `prefix`."""
        return tuple([self._node(node, prefix) for node in nodes])

    def ways(
        self, transitions: tuple[Transition, ...], candidates: tuple[Candidate, ...], prefix: str
    ) -> tuple[Transition, ...]:
        """Return transitions with these guards."""
        pairs = _made(self.machine, transitions, candidates)
        return tuple([self._way(transition, made, prefix) for transition, made in pairs])

    def _node(self, node: Node, prefix: str) -> Node:
        name, entering = f"{prefix}{node.name}", f"enter_{node.name}"
        ways = self.ways(node.transitions, self.machine.nodes[name].candidates, prefix)
        node = with_parts(node, transitions=ways)
        if node.scope is not None and node.scope.nodes:
            inner = self.ways(node.scope.transitions, self.machine.scopes[name].flow_candidates, f"{name}/")
            scope = with_parts(node.scope, nodes=self.nodes(node.scope.nodes, f"{name}/"), transitions=inner)
            node = with_parts(node, scope=scope)
        if not node.enter_when or entering not in self.rules:
            return node
        self.left.discard(entering)
        return with_parts(node, enter_when=self._rule(entering, prefix), span=_nowhere(entering))

    def _way(self, transition: Transition, made: tuple[Candidate, ...], prefix: str) -> Transition:
        found = next((candidate for candidate in made if candidate.id in self.rules), None)
        if found is None:
            return transition
        if len(made) > 1:
            raise TurnwiseError(f"'{found.id}' has no rule: {transition.guard} chooses among {len(made)} targets")
        self.left.discard(found.id)
        target = transition.to or (local_name(found.target) if found.code is not None else "")
        rule = self._rule(found.id, prefix)
        return with_parts(transition, when=rule, guard="", to=target, span=_nowhere(found.id))

    def _rule(self, name: str, prefix: str) -> str:
        """Return a guard with the names that hold in a frame; it may have the addresses that explanations show."""
        text, scope = self.rules[name], prefix.removesuffix("/")
        while scope:
            text, scope = text.replace(f"{scope}/", ""), scope_of(scope)
        return text


_SUPPOSED = "the rule supposed for "


def _nowhere(name: str) -> Span:
    """Return a place for diagnostics of a supposed rule, which stands in no document."""
    return Span(f"{_SUPPOSED}{name}", 1, 1)


def rule_of(span: Span) -> str:
    """Return the name of the transition whose supposed guard the span is in; empty for any other span."""
    return span.file.removeprefix(_SUPPOSED) if span.file.startswith(_SUPPOSED) else ""


def _made(
    machine: Machine, transitions: tuple[Transition, ...], candidates: tuple[Candidate, ...]
) -> Iterator[tuple[Transition, tuple[Candidate, ...]]]:
    """Yield each transition with the candidates that it was linked to."""
    place = 0
    for transition in transitions:
        other = transition.end or transition.call or transition.return_
        has_action = transition.to or transition.stay or transition.block or other
        guard = machine.code.get(transition.guard)
        count = 1 if has_action or guard is None else len(guard.targets)
        yield transition, candidates[place : place + count]
        place += count


def _hint(text: str) -> str:
    return f"; {text}" if text else ""
