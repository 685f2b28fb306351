"""A way out that the model chooses (law 2.14): the move is made at once, and `after` is not judged."""

from __future__ import annotations

from typing import Any

from turnwise.core.decide import attempt, blocking, take
from turnwise.core.events import CallAnswered, Decided, WorkDone
from turnwise.core.judge import OUTRANKED, TAKEN, read_all, why_blocked
from turnwise.core.machine import Candidate, Machine
from turnwise.core.messages import Call
from turnwise.core.state import State
from turnwise.core.tools.offered import CHOICE, judged
from turnwise.core.turn import Phase, Turn


def choose(turn: Turn, call: Call) -> Phase:
    """Take the way out that was chosen; it holds, for the call was checked."""
    decided = decide(turn.machine, turn.state, call.tool.removeprefix(CHOICE))
    way = turn.machine.docket(turn.state.node, "choice").candidates[decided.taken]
    turn.emit(CallAnswered(call.id, call.tool, _answer(turn, way)))
    turn.emit(WorkDone(turn.state.node))
    return take(turn, "choice", way, decided) or Phase.FINISH


def decide(machine: Machine, state: State, target: str) -> Decided:
    """The decision for a target: the first way to it that holds is taken, the others that hold are outranked by the
    choice. None is taken where none holds.
    """
    docket = machine.docket(state.node, "choice")
    judgement = judged(machine, state)
    held = [letter in (TAKEN, OUTRANKED) for letter in judgement.outcomes]
    place = next((n for n, one in enumerate(docket.candidates) if held[n] and one.target == target), -1)
    letters = [OUTRANKED if is_held else one for is_held, one in zip(held, judgement.outcomes, strict=True)]
    if place >= 0:
        letters[place] = TAKEN
    return Decided(
        node=state.node,
        moment="choice",
        outcomes="".join(letters),
        taken=place,
        reads=read_all(docket, state),
        code=judgement.code,
    )


def _answer(turn: Turn, way: Candidate) -> dict[str, Any]:
    """What the model is told: that it moves, or why a limit or a refused write keeps it here."""
    machine, state = turn.machine, turn.state
    blocked = blocking(machine, state, way)
    if blocked:
        return {"success": False, "error": why_blocked(blocked, way.target, machine.flow.limits.moves)}
    fault = attempt(machine, state, "choice", way)
    return {"success": True} if fault is None else {"success": False, "error": fault.message}
