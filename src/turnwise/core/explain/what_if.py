"""What if: a decision of the past judged again on its stored state, with another value or another rule.

No model is called and nothing is changed; Python guards are called again, for they are pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace as with_parts
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.decision.decide import attempt, blocking
from turnwise.core.decision.judge import BLOCKED, FAILED, REENTRY, TAKEN, judge, read_all
from turnwise.core.explain.decision import explain
from turnwise.core.explain.hiding import Hide, as_it_is, hiding
from turnwise.core.guards import live
from turnwise.core.machine import Candidate, Candidates, Machine
from turnwise.core.state import FieldValue, State
from turnwise.core.state.events import Decided, Entry, WordsHidden
from turnwise.core.tools import choice
from turnwise.core.trace import Decision
from turnwise.core.values import Refused, read_value
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import Span, nearest
from turnwise.flow.model import Flow, Moment, Node, Transition


class Way(Struct, frozen=True):
    """What a decision took: the transition and where it leads; both empty where nothing was taken."""

    transition: str = ""
    target: str = ""

    def __str__(self) -> str:
        if not self.transition:
            return "stayed"
        return f"→ {self.target} by {self.transition}" if self.target else f"by {self.transition}"


class Otherwise(Struct, frozen=True):
    """A decision that would have come out otherwise: what it took, what it would have taken, and why."""

    conversation: str
    turn: int
    was: Way
    would: Way
    decision: Decision


def supposed(
    machine: Machine, entry: Entry, state: State, then: Machine, values: Mapping[str, Any], conversation: str = ""
) -> Otherwise | None:
    """Judge a decision again: `entry` has it, `state` is the state on which it was made, `then` the machine
    that made it. `None` where it comes out as it did. Raises `TurnwiseError` for a node that is gone.
    """
    decided = entry.event
    assert isinstance(decided, Decided)
    if decided.node not in machine.nodes:
        raise TurnwiseError(f"there is no node '{decided.node}'")
    again = _judged(machine, decided, changed(machine, state, values), _chosen(then, decided))
    was, would = way_of(then, decided), way_of(machine, again)
    if was == would:
        return None
    texts = {state.doing.seq: state.doing.message} if state.doing is not None and state.doing.message else {}
    told = explain(
        machine, replace(entry, event=again), conversation, texts, hide=_hiding(then, state, texts), state=state
    )
    return Otherwise(conversation, entry.turn, was, would, told)


def _hiding(machine: Machine, state: State, texts: Mapping[int, str]) -> Hide:
    """Hides what is secret. The words of a secret that was refused are not kept in the state: then it is the whole
    message.
    """
    if not machine.has_secrets or state.doing is None:
        return as_it_is
    is_answer = any(one.field in machine.fields and machine.fields[one.field].secret for one in state.doing.heard)
    seq, text = state.doing.seq, state.doing.message or ""
    of = (Entry(seq, state.turn, state.at_ms, WordsHidden((seq, 0, len(text)))),) if is_answer else ()
    return hiding(machine, (state,), of, texts)


def way_of(machine: Machine, decided: Decided) -> Way:
    """What a decision took."""
    if decided.taken < 0:
        return Way()
    candidate = machine.candidates(decided.node, cast("Moment", decided.moment)).all[decided.taken]
    return Way(candidate.id, candidate.target)


def _chosen(then: Machine, decided: Decided) -> str:
    """The target that a model chose, also where a limit kept it from moving; empty at any other moment."""
    if decided.moment != "choice":
        return ""
    candidates = then.candidates(decided.node, "choice").all
    letters = zip(candidates, decided.outcomes, strict=True)
    return next((one.target for one, letter in letters if letter in (TAKEN, BLOCKED, REENTRY, FAILED)), "")


def _judged(machine: Machine, decided: Decided, state: State, chosen: str) -> Decided:
    """The decision as it would be made now; the model that chose a way would choose it again, if it is open."""
    candidates = machine.candidates(decided.node, cast("Moment", decided.moment))
    again = (
        choice.decide(machine, state, chosen)
        if decided.moment == "choice"
        else _by_rules(machine, candidates, decided, state)
    )
    winner = candidates.all[again.taken] if again.taken >= 0 else None
    blocked = blocking(machine, state, winner) if winner is not None else ""
    if not blocked and winner is not None:
        fault = attempt(machine, state, cast("Moment", decided.moment), winner)
        blocked = FAILED if fault is not None else ""
    return replace(again, outcomes=again.outcomes.replace(TAKEN, blocked), taken=-1) if blocked else again


def _by_rules(machine: Machine, candidates: Candidates, decided: Decided, state: State) -> Decided:
    found = judge(candidates, live(state), machine, state, decided.firing)
    reads = read_all(candidates, state)
    return replace(decided, outcomes=found.outcomes, taken=found.winner, reads=reads, code=found.code, marks={})


# another value -----------------------------------------------------------------------------------


def changed(machine: Machine, state: State, values: Mapping[str, Any]) -> State:
    """The state with other values; `None` takes one away. Raises `TurnwiseError` for what no field takes."""
    found = dict(state.values)
    for address, value in values.items():
        stored = _stored(machine, address, value)
        if stored is None:
            found.pop(address, None)
        else:
            found[address] = FieldValue(stored, "supposed", 0, state.at_ms)
    return replace(state, values=found)


def _stored(machine: Machine, address: str, value: Any) -> Any:
    field = machine.fields.get(address)
    if field is None:
        hint = nearest(address, machine.fields)
        raise TurnwiseError(f"no field is called '{address}'" + (f"; {hint}" if hint else ""))
    if value is None:
        return None
    stored = read_value(field, value, machine.rules)
    if isinstance(stored, Refused):
        raise TurnwiseError(f"{address}: {stored.text}")
    return stored


# another rule ------------------------------------------------------------------------------------


def with_rules(machine: Machine, rules: Mapping[str, str]) -> Flow:
    """The flow of a machine in which some transitions have other guards, by the names that decisions show;
    `enter_NODE` is the `enter_when` of a node. Raises `TurnwiseError` for a name that nothing has.
    """
    flow, left = machine.flow, set(rules)

    def put(transition: Transition, made: tuple[Candidate, ...]) -> Transition:
        found = next((candidate for candidate in made if candidate.id in rules), None)
        if found is None:
            return transition
        if len(made) > 1:
            raise TurnwiseError(f"'{found.id}' is one of {len(made)} that {transition.guard} chooses among: no rule is")
        left.discard(found.id)
        target = transition.to or (found.target if found.code is not None else "")
        return with_parts(transition, when=rules[found.id], guard="", to=target, span=_place(found.id))

    def put_node(node: Node) -> Node:
        entering = f"enter_{node.name}"
        pairs = _made(machine, node.transitions, machine.nodes[node.name].candidates)
        ways = tuple([put(*pair) for pair in pairs])
        if not node.enter_when or entering not in rules:
            return with_parts(node, transitions=ways)
        left.discard(entering)
        return with_parts(node, transitions=ways, enter_when=rules[entering], span=_place(entering))

    nodes = tuple([put_node(node) for node in flow.nodes])
    ways = tuple([put(*pair) for pair in _made(machine, flow.transitions, machine.flow_candidates)])
    if left:
        raise TurnwiseError(f"no transition with a guard is called '{min(left)}'" + _hint(machine, min(left)))
    return with_parts(flow, nodes=nodes, transitions=ways)


def _place(name: str) -> Span:
    """Where a supposed rule stands: in no document."""
    return Span(f"the rule supposed for {name}", 1, 1)


def _made(
    machine: Machine, transitions: tuple[Transition, ...], candidates: tuple[Candidate, ...]
) -> Iterator[tuple[Transition, tuple[Candidate, ...]]]:
    """Transitions, each with the candidates that it made."""
    place = 0
    for transition in transitions:
        has_action = transition.to or transition.stay or transition.block or transition.end
        guard = machine.code.get(transition.guard)
        count = 1 if has_action or guard is None else len(guard.targets)
        yield transition, candidates[place : place + count]
        place += count


def _hint(machine: Machine, name: str) -> str:
    known = [c.id for node in machine.nodes.values() for c in node.candidates]
    hint = nearest(name, [*known, *(c.id for c in (*machine.flow_candidates, *machine.enter_candidates))])
    return f"; {hint}" if hint else ""
