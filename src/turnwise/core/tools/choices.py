"""Transitions that the model chooses by a call: which one is taken, and what is wrong with the others (law 2.10)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.addresses import local_name
from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.candidates import Candidate
from turnwise.core.decision import act_on, attempt, blocked_by, fail_on_errors
from turnwise.core.decision.judge import OUTRANKED, TAKEN, Judgement, decided_event, guard_fault, why_blocked
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.effects import Call
from turnwise.core.state.events import CallAnswered, Decided, WorkDone
from turnwise.core.state.fold import moment_key
from turnwise.core.tools.offered import judge_choices
from turnwise.core.turn import Phase, StepBuilder


def choose(step: StepBuilder, call: Call) -> Phase:
    """Take the transition that the model chose; its guard holds, since the call was checked. Return the next phase."""
    decided = choice_decision(step.machine, step.state, call.tool.removeprefix(CHOICE_PREFIX))
    way = step.machine.candidates(step.state.frame.node, "choice").all[decided.taken]
    step.emit(CallAnswered(call.id, call.tool, _choice_result(step, way)))
    step.emit(WorkDone(step.state.frame.node))
    return act_on(step, "choice", way, decided) or Phase.FINISH


def report_choice_errors(step: StepBuilder) -> Phase | None:
    """Record, once per turn, transitions that the model cannot choose since their guards are in error. If no other
    choice is open, that is a failure of kind `guard` (law 2.10), which an `error` transition may catch. Return the next
    phase, `None` if the turn continues.
    """
    node = step.state.frame.node
    candidates = step.machine.candidates(node, "choice")
    if not candidates.all or step.state.frame.decided.get(moment_key(node, "choice"), 0) > step.doing.seq:
        return None
    judgement = judge_choices(step.machine, step.state)
    fault = guard_fault(judgement, candidates, step.env)
    if fault is None:
        return None
    step.raised += judgement.raised
    step.emit(_choice_decided(step.machine, step.state, judgement, ""))
    if judgement.winner < 0:
        return fail_on_errors(step, "choice", candidates, judgement)
    step.warn("guard_error", fault.message)
    return None


def choice_decision(machine: Machine, state: State, target: str) -> Decided:
    """Return the decision for a model's choice of a target: the first transition to it whose guard holds is taken,
    others that hold are outranked. `taken` is -1 if no guard holds.
    """
    return _choice_decided(machine, state, judge_choices(machine, state), target)


def _choice_decided(machine: Machine, state: State, judgement: Judgement, target: str) -> Decided:
    candidates = machine.candidates(state.frame.node, "choice")
    held = [letter in (TAKEN, OUTRANKED) for letter in judgement.outcomes]
    place = next((n for n, one in enumerate(candidates.all) if held[n] and local_name(one.target) == target), -1)
    letters = [OUTRANKED if is_held else one for is_held, one in zip(held, judgement.outcomes, strict=True)]
    if place >= 0:
        letters[place] = TAKEN
    judgement = replace(judgement, outcomes="".join(letters), winner=place)
    return decided_event(judgement, candidates, "choice", state)


def _choice_result(step: StepBuilder, way: Candidate) -> dict[str, Any]:
    """Return the tool result of a choice for the model: success, or why a limit or refused write blocked it."""
    machine, state = step.machine, step.state
    blocked = blocked_by(machine, state, way)
    if blocked:
        return {"success": False, "error": why_blocked(blocked, way.target, machine.flow.limits.moves)}
    fault = attempt(machine, state, "choice", way)
    return {"success": True} if fault is None else {"success": False, "error": fault.message}
