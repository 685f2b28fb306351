"""Why a choice of the model was not open: what kept its transitions shut, with the values that they read."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.candidates import Candidate
from turnwise.core.explain.hiding import Hide
from turnwise.core.explain.now import explain_now
from turnwise.core.explain.text import lacking_in_words
from turnwise.core.machine import Machine
from turnwise.core.phrase import joined, phrase
from turnwise.core.state import State
from turnwise.core.tools.offered import matching_tools
from turnwise.core.trace import Considered
from turnwise.why.fact import Fact
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.values import guard_reads


class ChoiceNotOffered(NamedTuple):
    """The reasons why a choice of the model was not open."""

    transitions: tuple[str, ...] = ()
    """The transitions that the choice stands for."""
    reason: str = ""
    """Why none of the transitions was taken, in words; empty if that is not known."""
    reads: tuple[Fact, ...] = ()
    """Facts about the values that the transitions read."""


def shut_choice(builder: FactBuilder, tool: str) -> ChoiceNotOffered:
    """Return why a choice of the model is not open before the builder's entry; no reasons if the name is no choice."""
    machine, state, target = builder.machine, builder.state, tool.removeprefix(CHOICE_PREFIX)
    if state is None or target == tool or tool in machine.tools:
        return ChoiceNotOffered()
    found = [one for one in machine.candidates(state.node, "choice").all if one.target == target]
    if not found:
        return ChoiceNotOffered(
            (), phrase("{node} has no transition that the model chooses to go there", node=state.node)
        )
    if matching_tools(machine.nodes[state.node].toolbox.denied, frozenset((tool,))):
        return ChoiceNotOffered(_ids(found), phrase("the deny list of {node} has it", node=state.node))
    reads: dict[str, Fact] = {}
    reasons: list[str] = []
    for one in found:
        considered = judged_now(machine, state, one.id, builder.turn.hide)
        reasons += (
            [phrase("{transition} {lacks}", transition=one.id, lacks=lacks)]
            if considered is not None and (lacks := lacking_in_words(considered))
            else []
        )
        for fact in guard_reads(builder, one.guard, considered) if considered is not None else ():
            reads.setdefault(str(fact.values["name"]), fact)
    return ChoiceNotOffered(_ids(found), joined(reasons, "; "), tuple(reads.values()))


def judged_now(machine: Machine, state: State, transition: str, hide: Hide) -> Considered | None:
    """Return the judgement of a transition in a state, with its secrets hidden; `None` if it is not judged then."""
    decision = explain_now(machine, state, transition)
    return hide(decision).candidate(transition) if decision is not None else None


def _ids(found: list[Candidate]) -> tuple[str, ...]:
    return tuple([one.id for one in found])
