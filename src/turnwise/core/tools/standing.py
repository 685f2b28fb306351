"""Explains which tools a model is offered now, and why each of the others is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from turnwise.core.candidates import Candidate
from turnwise.core.decision.judge import ERROR, OUTRANKED, TAKEN, UNKNOWN
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.state import State
from turnwise.core.state.effects import ToolSpec
from turnwise.core.tools.offered import choice_spec, in_sequence, judge_choices, matching_tools, now_in_sequence

AvailabilityReason = Literal[
    "offered",
    "no_model",
    "no_tools",
    "not_allowed",
    "denied",
    "out_of_sequence",
    "not_read",
    "not_written",
    "way_is_false",
    "way_is_unknown",
    "way_in_error",
]
"""Why a tool is offered or not. The last three are about tools that choose a transition."""


class ToolAvailability(Struct, frozen=True):
    """Whether a tool of the flow is offered to the model of the current node, and why or why not."""

    name: str
    """The name of the tool."""
    about: str
    """The description of the tool."""
    reason: AvailabilityReason
    """The code of why the tool is offered or not."""
    text: str
    """Why the tool is offered or not, in words."""
    detail: str = ""
    """The key of the flow, the pattern, or the tools that decide this; empty if none."""
    is_effect: bool = False
    """True for a tool that changes the world."""
    spec: ToolSpec | None = None
    """The description of the tool for models; `None` if it is not known."""

    @property
    def is_offered(self) -> bool:
        """True if the model is offered the tool."""
        return self.reason == "offered"


def tool_standings(machine: Machine, state: State) -> tuple[ToolAvailability, ...]:
    """Return for every tool that the flow could offer, declared ones first, whether it is offered now.
    Those that choose a transition are listed where the node in charge has such transitions.
    """
    node = machine.nodes[state.frame.node]
    declared = [_standing(machine, state, node, tool.spec) for tool in machine.tools.values()]
    generated = [_standing(machine, state, node, spec) for spec in _generated_specs(machine).values()]
    return (*declared, *generated, *_choices(machine, state, node))


def _generated_specs(machine: Machine) -> dict[str, ToolSpec]:
    """Return the tools for records that any node offers, or would without its policy."""
    found: dict[str, ToolSpec] = {}
    for node in machine.nodes.values():
        for name in (*node.toolbox.reads, *node.toolbox.writes):
            spec = node.toolbox.specs.get(name) or ToolSpec(name, name.replace("_", " "), {})
            found.setdefault(name, spec)
    return found


def _standing(machine: Machine, state: State, node: LinkedNode, spec: ToolSpec) -> ToolAvailability:
    tool, own = machine.tools.get(spec.name), node.toolbox.specs.get(spec.name, spec)
    reason, text, detail = _why(machine, state, node, spec.name)
    is_effect = tool is not None and tool.tool.kind == "effect"
    return ToolAvailability(spec.name, own.about, reason, text, detail, is_effect, own)


def _why(machine: Machine, state: State, node: LinkedNode, name: str) -> tuple[AvailabilityReason, str, str]:
    """Return why a tool is offered or not, in words, and the key, pattern or tools that decide it."""
    here, box, policy = node.node.name, node.toolbox, node.node.tools
    if name in box.specs:
        if node.work != "prompt" and not machine.candidates(here, "choice").all:
            return "no_model", f"no model speaks in {here}: its work is {node.work}", node.work
        if in_sequence(node, state, name):
            return "offered", f"offered in {here}", ""
        expected = ", ".join(now_in_sequence(node, state))
        return "out_of_sequence", f"the sequence of {here} expects {expected} now", expected
    denied = next((pattern for pattern in box.denied if matching_tools([pattern], frozenset((name,)))), "")
    if denied:
        return "denied", f"{here} denies it: deny: [{denied}]", denied
    if name not in machine.tools:
        what, _, record = name.partition("_")
        if what == "read":
            return "not_read", f"{here} does not list {record} in reads", "reads"
        return "not_written", f"{here} does not list {record} in writes", "writes"
    if policy is None:
        return "no_tools", f"{here} has no tools", "tools"
    return "not_allowed", f"not in allow of {here}: {', '.join(policy.allow)}", "allow"


def _choices(machine: Machine, state: State, node: LinkedNode) -> Iterator[ToolAvailability]:
    """Yield the tools by which a model chooses a transition of the node in charge."""
    candidates = machine.candidates(state.frame.node, "choice").all
    if not candidates:
        return
    seen: set[str] = set()
    for candidate, letter in zip(candidates, judge_choices(machine, state).outcomes, strict=True):
        if candidate.target and candidate.target not in seen:
            found = _choice(machine, node, candidate, letter)
            if found.is_offered:
                seen.add(candidate.target)
            yield found


def _choice(machine: Machine, node: LinkedNode, candidate: Candidate, letter: str) -> ToolAvailability:
    spec, here = choice_spec(machine, candidate), node.node.name
    denied = next((one for one in node.toolbox.denied if matching_tools([one], frozenset((spec.name,)))), "")
    reason: AvailabilityReason = "offered"
    if denied:
        reason, text = "denied", f"{here} denies it: deny: [{denied}]"
    elif letter in (TAKEN, OUTRANKED):
        text = f"offered in {here}: {candidate.id} holds"
    else:
        reason = _CHOICE_REASONS.get(letter, "way_is_false")
        text = f"{candidate.id} {_CHOICE_TEXTS[reason]}"
    return ToolAvailability(spec.name, spec.about, reason, text, denied or candidate.id, spec=spec)


_CHOICE_REASONS: dict[str, AvailabilityReason] = {UNKNOWN: "way_is_unknown", ERROR: "way_in_error"}
_CHOICE_TEXTS: dict[AvailabilityReason, str] = {
    "way_is_false": "does not hold",
    "way_is_unknown": "is unknown: it reads a value that is missing",
    "way_in_error": "is in error",
}
