"""Computes which tools and which transitions a model is offered now, by the policy and the sequence of its node (laws
2.14, 4.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from turnwise.core.addresses import local_name
from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.candidates import Candidate
from turnwise.core.decision.judge import OUTRANKED, TAKEN, Judgement, judge
from turnwise.core.guards import env_of
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.state import State
from turnwise.core.state.effects import ToolSpec
from turnwise.core.values.schema import object_schema
from turnwise.flow.model import ToolPolicy

Tools = frozenset[str]
"""Names of tools."""
_WILD = frozenset("*?[")


def usable_tools(policy: ToolPolicy | None, declared: Tools, generated: Tools = frozenset()) -> Tools:
    """Return the tools that a policy allows: `allow` applies to declared tools, `deny` also to generated ones.
    Without a policy, only generated tools are allowed.
    """
    if policy is None:
        return generated
    found = generated | (matching_tools(policy.allow, declared) if policy.allow else declared)
    return found - matching_tools(policy.deny, found) if policy.deny else found


def is_wild(pattern: str) -> bool:
    """Return whether a tool pattern contains wildcards."""
    return not _WILD.isdisjoint(pattern)


def matching_tools(patterns: Iterable[str], tools: Tools) -> Tools:
    """Return those of the tools that match one of the patterns, each a name with or without wildcards."""
    found = tools & {*patterns}
    for pattern in patterns:
        if is_wild(pattern):
            found |= {tool for tool in tools if fnmatchcase(tool, pattern)}
    return found


def offered_tools(machine: Machine, state: State) -> tuple[ToolSpec, ...]:
    """Return the descriptions of the tools that the model of the current node is offered now."""
    frame = state.frame
    node = machine.nodes[frame.node]
    box = node.toolbox
    own = box.specs.values()
    if frame.sequence < len(box.sequence):
        own = [spec for name, spec in box.specs.items() if in_sequence(node, state, name)]
    if not machine.candidates(frame.node, "choice").all:
        return tuple(own)
    return (*own, *[choice_spec(machine, candidate) for candidate in choices(machine, state)])


def in_sequence(node: LinkedNode, state: State, tool: str) -> bool:
    """Return whether the enforced tool sequence allows a tool now (law 4.1).
    Generated tools are limited only if the sequence names them.
    """
    sequence = node.toolbox.sequence
    if state.frame.sequence >= len(sequence):
        return True
    is_governed = tool not in node.toolbox.reads and tool not in node.toolbox.writes
    if not is_governed and not any(tool in position.tools for position in sequence):
        return True
    return tool in now_in_sequence(node, state)


def now_in_sequence(node: LinkedNode, state: State) -> tuple[str, ...]:
    """Return the tools that may be next in the sequence: the current position's, and later ones past optional ones."""
    found: list[str] = []
    for position in node.toolbox.sequence[state.frame.sequence :]:
        found += position.tools
        if not position.optional:
            break
    return tuple(found)


def sequence_after(node: LinkedNode, state: State, tool: str) -> int:
    """Return how many positions of the node's tool sequence are done after a use of a tool."""
    sequence = node.toolbox.sequence
    for place in range(state.frame.sequence, len(sequence)):
        if tool in sequence[place].tools:
            return place + 1
        if not sequence[place].optional:
            break
    return state.frame.sequence


# choices -----------------------------------------------------------------------------------------


def choices(machine: Machine, state: State) -> Iterator[Candidate]:
    """Yield the transitions that the model may choose now: their guards hold and the policy does not deny them."""
    candidates = machine.candidates(state.frame.node, "choice")
    if not candidates.all:
        return
    denied = machine.nodes[state.frame.node].toolbox.denied
    seen: set[str] = set()
    for candidate, letter in zip(candidates.all, judge_choices(machine, state).outcomes, strict=True):
        is_held = letter in (TAKEN, OUTRANKED) and candidate.target not in seen
        if (
            is_held
            and candidate.target
            and not matching_tools(denied, frozenset((CHOICE_PREFIX + local_name(candidate.target),)))
        ):
            seen.add(candidate.target)
            yield candidate


def judge_choices(machine: Machine, state: State) -> Judgement:
    """Return the judgement of all transitions that a model may choose."""
    return judge(machine.candidates(state.frame.node, "choice"), env_of(state), machine, state, every=True)


def choice_spec(machine: Machine, candidate: Candidate) -> ToolSpec:
    """Return the description of the tool `go_to_<node>`, with which a model chooses a transition."""
    node = machine.nodes[candidate.target].node
    name = local_name(candidate.target)
    about = candidate.because or node.description or name.replace("_", " ")
    return ToolSpec(CHOICE_PREFIX + name, f"go on to: {about}", object_schema(()))
