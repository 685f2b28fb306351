"""The payload of `debug_transition_eval`: a decision as JSON for debug panels.

It is sent to readers with the right to debug; it never contains the value of a secret field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import Any, Literal

from msgspec import Struct, to_builtins
from msgspec.json import schema_components

from turnwise.core.candidates import Block, Candidate, End, GoTo, Open, Return, Stay
from turnwise.core.commands import holds
from turnwise.core.guards import Env, env_of
from turnwise.core.guards.scope import root_shown
from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.trace import Decision
from turnwise.core.values import REDACTED
from turnwise.flow.addresses import field_of
from turnwise.flow.model import Moment

EVENT_TYPE = "debug_transition_eval"
"""The `type` of the lines for a debug panel (seed 000)."""
_POST: tuple[Moment, ...] = ("tool", "calls", "after", "error", "timer", "event", "choice")


class RuleResult(Struct, frozen=True, omit_defaults=True):
    """The effect of a transition rule that holds."""

    action: Literal["transition", "stay", "block"]
    """What follows when the rule holds."""
    target: str | None = None
    """The node that the rule leads to; `None` where it leads to none."""


class EvaluatedRule(Struct, frozen=True):
    """A transition rule as it was judged."""

    id: str
    """The name of the transition."""
    description: str
    """The guard in words."""
    fields: tuple[str, ...]
    """The names of the fields that the rule reads."""
    passed: bool
    """True if the rule holds."""
    result: RuleResult
    """What follows when the rule holds."""


class EvaluatedRules(Struct, frozen=True):
    """The rules of a node as they were judged, before its work and after it."""

    pre: tuple[EvaluatedRule, ...]
    """The rules before the work of the node."""
    post: tuple[EvaluatedRule, ...]
    """All other rules."""


class RawCode(Struct, frozen=True):
    """The source of the Python guards of a node; present only if none of its transitions has a rule."""

    pre: str | None
    """The source of the guard before the node's work; `None` if there is none."""
    post: str | None
    """The source of the guard after the node's work; `None` if there is none."""


class TransitionEval(Struct, frozen=True, rename="camel"):
    """The payload of the event `debug_transition_eval`, with the keys of seed 000."""

    crew_name: str
    """The node, by the name of seed 000."""
    transition_to: str | None
    """The node that was entered; `None` if none was."""
    did_transition: bool
    """True if a node was entered."""
    has_structured_rules: bool
    """True where the node has rules, and not only Python guards."""
    evaluated_rules: EvaluatedRules | None
    """The rules of the node; `None` where it has only Python guards."""
    raw_code: RawCode | None
    """The sources of the Python guards of a node that has nothing else; `None` for other nodes."""
    collected_fields: dict[str, str]
    """The values that are known, by field."""
    context_snapshot: dict[str, Any]
    """The values that guards read, by name."""
    decision: Decision
    """The decision that the payload is about."""

    def to_dict(self) -> dict[str, Any]:
        """Return the payload as JSON data, with its keys as on the wire."""
        return to_builtins(self)


class DebugEvent(Struct, frozen=True):
    """The line that is sent to a debug panel: `{"type": "debug_transition_eval", "data": {…}}`."""

    type: Literal["debug_transition_eval"]
    """The type of the line, always the same."""
    data: TransitionEval
    """The evaluation of the decision."""

    def to_dict(self) -> dict[str, Any]:
        """Return the line as JSON data, with its keys as on the wire."""
        return to_builtins(self)


def transition_eval(machine: Machine, state: State, decision: Decision) -> TransitionEval:
    """Return the `debug_transition_eval` payload of a decision that was judged on `state`."""
    pre = machine.candidates(decision.node, "before").all
    post = tuple(c for moment in _POST for c in machine.candidates(decision.node, moment).all)
    is_structured = any(candidate.code is None for candidate in (*pre, *post))
    names = short_names(machine)
    env = env_of(state)
    collected = _collected(machine, state, names)
    taken = decision.candidate(decision.taken) if decision.taken else None
    return TransitionEval(
        crew_name=decision.node,
        transition_to=(taken.target or None) if taken is not None and taken.action == "to" else None,
        did_transition=taken is not None
        and taken.action in ("to", "end")
        and not taken.planned
        and not (taken.level == "enter" and taken.target == decision.node),
        has_structured_rules=is_structured,
        evaluated_rules=EvaluatedRules(_rows(pre, env, names), _rows(post, env, names)) if is_structured else None,
        raw_code=None if is_structured else RawCode(_sources(pre), _sources(post)),
        collected_fields=collected,
        context_snapshot=_snapshot(machine, state, (*pre, *post), decision, collected),
        decision=decision,
    )


def debug_event(evaluation: TransitionEval) -> DebugEvent:
    """Return the line that sends an evaluation to a debug panel."""
    return DebugEvent(EVENT_TYPE, evaluation)


def payload_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the line that is sent to a debug panel, for clients."""
    (schema,), components = schema_components([DebugEvent], ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "$defs": components}


def short_names(machine: Machine) -> dict[str, str]:
    """Return by each field its name in the payload: bare, or `record.field` where two records share the name."""
    bare = Counter(map(field_of, machine.fields))
    return {address: name if bare[name := field_of(address)] == 1 else address for address in machine.fields}


def _rows(candidates: tuple[Candidate, ...], env: Env, names: dict[str, str]) -> tuple[EvaluatedRule, ...]:
    found: list[EvaluatedRule] = []
    for candidate in candidates:
        if candidate.code is not None:
            continue
        match candidate.action:
            case Stay():
                result = RuleResult("stay")
            case Block():
                result = RuleResult("block")
            case GoTo() | End() | Open() | Return():
                result = RuleResult("transition", candidate.target or None)
        refs = candidate.guard.refs if candidate.guard is not None else ()
        fields = tuple(names.get(ref.key, ref.key) for ref in refs)
        found.append(EvaluatedRule(candidate.id, candidate.because, fields, holds(candidate.guard, env), result))
    return tuple(found)


def _sources(candidates: tuple[Candidate, ...]) -> str | None:
    """Return the sources of the functions that judge a moment, each once."""
    sources = {c.code.name: c.code.source for c in candidates if c.code is not None}
    return "\n\n".join(sources.values()) or None


def _collected(machine: Machine, state: State, names: dict[str, str]) -> dict[str, str]:
    """Return the values of the fields that nodes collect or forms ask for, as text."""
    wanted = {address for node in machine.nodes.values() for address in node.collects} | set(machine.forms_of)
    return {
        names[address]: REDACTED if machine.fields[address].secret else value_text(found.value, machine.fields[address])
        for address, found in state.values.items()
        if address in wanted
    }


def _snapshot(
    machine: Machine, state: State, candidates: tuple[Candidate, ...], decision: Decision, collected: Container[str]
) -> dict[str, Any]:
    """Return the other values that the candidates read: rules in this state, code as its decision recorded."""
    names = short_names(machine)
    snapshot: dict[str, Any] = {}
    for ref in (ref for candidate in candidates if candidate.guard for ref in candidate.guard.refs):
        if ref.read is not None:
            snapshot[ref.key] = root_shown(ref.key, ref.read(state))
        elif names[ref.key] not in collected and ref.key in state.values:
            is_secret = machine.fields[ref.key].secret
            snapshot[ref.key] = REDACTED if is_secret else state.values[ref.key].value
    for key, value in (read for c in decision.candidates if c.code is not None for read in c.code.reads.items()):
        if value is not None and names.get(key, key) not in collected:
            snapshot.setdefault(key, value)
    return snapshot
