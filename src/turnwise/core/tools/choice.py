"""Transitions that the model chooses by a tool `go_to_…` (law 2.14): the move is made at once."""

from __future__ import annotations

from typing import Any

from turnwise.core.decision.decide import act_on, attempt, blocked_by, fail_on_errors
from turnwise.core.decision.judge import OUTRANKED, TAKEN, Judgement, guard_fault, read_all, why_blocked
from turnwise.core.machine import Candidate, Machine
from turnwise.core.state import State
from turnwise.core.state.effects import Call
from turnwise.core.state.events import CallAnswered, Decided, WorkDone
from turnwise.core.state.fold import moment_key
from turnwise.core.tools.offered import CHOICE, judge_choices
from turnwise.core.turn import Phase, Turn


def choose(turn: Turn, call: Call) -> Phase:
    """Take the chosen way out; its guard holds, because the call was checked."""
    decided = choice_decision(turn.machine, turn.state, call.tool.removeprefix(CHOICE))
    way = turn.machine.candidates(turn.state.node, "choice").all[decided.taken]
    turn.emit(CallAnswered(call.id, call.tool, _answer(turn, way)))
    turn.emit(WorkDone(turn.state.node))
    return act_on(turn, "choice", way, decided) or Phase.FINISH


def report_errors(turn: Turn) -> Phase | None:
    """Record choices whose guards are in error before a model is asked, for it is not offered them; once a turn. Where
    no other choice is open, that is a failure of kind `guard` (law 2.10), which an `error` transition may catch.
    """
    node = turn.state.node
    candidates = turn.machine.candidates(node, "choice")
    if not candidates.all or turn.state.decided.get(moment_key(node, "choice"), 0) > turn.doing.seq:
        return None
    judgement = judge_choices(turn.machine, turn.state)
    fault = guard_fault(judgement, candidates, turn.env)
    if fault is None:
        return None
    turn.raised += judgement.raised
    turn.emit(_decided(turn.machine, turn.state, judgement, ""))
    if judgement.winner < 0:
        return fail_on_errors(turn, "choice", candidates, judgement)
    turn.warn("guard_error", fault.message)
    return None


def choice_decision(machine: Machine, state: State, target: str) -> Decided:
    """The decision for a target: the first way to it that holds is taken, the others that hold are outranked by the
    choice. None is taken where none holds.
    """
    return _decided(machine, state, judge_choices(machine, state), target)


def _decided(machine: Machine, state: State, judgement: Judgement, target: str) -> Decided:
    candidates = machine.candidates(state.node, "choice")
    held = [letter in (TAKEN, OUTRANKED) for letter in judgement.outcomes]
    place = next((n for n, one in enumerate(candidates.all) if held[n] and one.target == target), -1)
    letters = [OUTRANKED if is_held else one for is_held, one in zip(held, judgement.outcomes, strict=True)]
    if place >= 0:
        letters[place] = TAKEN
    return Decided(
        node=state.node,
        moment="choice",
        outcomes="".join(letters),
        taken=place,
        reads=read_all(candidates, state),
        code=judgement.code,
    )


def _answer(turn: Turn, way: Candidate) -> dict[str, Any]:
    """The result for the model: that it moves, or why a limit or a refused write prevents that."""
    machine, state = turn.machine, turn.state
    blocked = blocked_by(machine, state, way)
    if blocked:
        return {"success": False, "error": why_blocked(blocked, way.target, machine.flow.limits.moves)}
    fault = attempt(machine, state, "choice", way)
    return {"success": True} if fault is None else {"success": False, "error": fault.message}
