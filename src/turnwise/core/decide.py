"""Deciding: judge a moment, record the decision, act on it; and what happens when something fails.

The laws are 2.3 to 2.10 and 3.9. What a move does is in `moves`.
"""

from __future__ import annotations

from turnwise.core.events import Decided, Failed, Faulted, MovePlanned
from turnwise.core.judge import (
    BLOCKED,
    REENTRY,
    TAKEN,
    Judgement,
    faults,
    judge,
    names_undeclared,
    read_all,
    why_blocked,
)
from turnwise.core.machine import Block, Candidate, Docket, End, Go, Machine, Stay
from turnwise.core.moves import end, move
from turnwise.core.state import Fault, State
from turnwise.core.turn import Phase, Turn
from turnwise.flow.model import Moment

_ON = {"before": Phase.WORK, "tool": Phase.FINISH, "after": Phase.FINISH, "error": Phase.FINISH, "timer": Phase.FINISH}


def decide(turn: Turn, moment: Moment, firing: str = "") -> Phase | None:
    """Judge a moment and act. `None` where nothing was taken, so that the caller goes on."""
    docket = turn.machine.docket(turn.state.node, moment)
    env = turn.env
    judgement = judge(docket, env, turn.machine, turn.state, firing)
    winner = docket.candidates[judgement.winner] if judgement.winner >= 0 else None
    blocked = blocking(turn.machine, turn.state, winner) if winner is not None else ""
    outcomes = judgement.outcomes.replace(TAKEN, blocked) if blocked else judgement.outcomes
    marks = {k: v for k, v in judgement.marks.items() if not (blocked and winner and k == winner.target)}
    turn.emit(
        Decided(
            node=turn.state.node,
            moment=moment,
            outcomes=outcomes,
            taken=-1 if blocked else judgement.winner,
            reads=read_all(docket, turn.state),
            code=judgement.code,
            marks=marks,
            firing=firing,
        )
    )
    if winner is None:
        return _nothing_taken(turn, moment, docket, judgement)
    if blocked:
        reason = why_blocked(blocked, winner.target, turn.machine.flow.limits.moves)
        turn.warn("transition_cascade_limit", f"{winner.id} to {winner.target} held, but {reason}")
        return Phase.FINISH
    return _act(turn, moment, winner)


def fail(turn: Turn, kind: str, message: str, tool: str = "") -> Phase:
    """Something failed: the nearest `error` transitions are judged, else the turn ends (law 3.9)."""
    return caught(turn, kind, message, tool) or give_up(turn, kind, message)


def caught(turn: Turn, kind: str, message: str, tool: str = "") -> Phase | None:
    """Something failed: the nearest `error` transitions are judged; `None` where none is taken."""
    turn.emit(Faulted(Fault(kind, _short(turn, message), tool)))
    return decide(turn, "error")


def _short(turn: Turn, message: str) -> str:
    """What a state keeps of a message that somebody else wrote (law 1.1)."""
    return message[: turn.machine.rules.max_chars]


def give_up(turn: Turn, reason: str, message: str) -> Phase:
    """End the turn as failed: the next message tries again from the same node."""
    turn.emit(Failed(reason, _short(turn, message)))
    turn.say(turn.machine.language.text("failed"), "failed")
    return Phase.FINISH


def _nothing_taken(turn: Turn, moment: Moment, docket: Docket, judgement: Judgement) -> Phase | None:
    """Law 2.10: a guard in error, where nothing was taken, is a failure of kind `guard`."""
    found = faults(judgement, docket, turn.env)
    if not found or moment == "error":
        return None
    message = "; ".join(found)
    phase = caught(turn, "guard", message)
    if phase is not None:
        return phase
    if names_undeclared(judgement):
        return give_up(turn, "guard", message)
    turn.warn("guard_error", message)
    return None


def blocking(machine: Machine, state: State, winner: Candidate) -> str:
    """Law 2.7: at most so many moves a turn, and no node twice. The letter for what blocks a move, or nothing."""
    if not isinstance(winner.action, Go) or _keeps(state, winner) or winner.reply == "next":
        return ""
    doing = state.doing
    assert doing is not None
    if doing.moves >= machine.flow.limits.moves:
        return BLOCKED
    return REENTRY if winner.target in doing.entered else ""


def _keeps(state: State, candidate: Candidate) -> bool:
    """True where the node in charge won with its own `enter_when`: it is not entered again."""
    return candidate.level == "enter" and candidate.target == state.node


def _act(turn: Turn, moment: Moment, candidate: Candidate) -> Phase | None:
    match candidate.action:
        case Go(target):
            if _keeps(turn.state, candidate):
                return _ON[moment] if moment == "before" else None
            if candidate.reply == "next":
                turn.emit(MovePlanned(candidate.id, target))
                return Phase.FINISH
            return _moved(turn, moment, candidate)
        case Stay():
            return _ON[moment]
        case Block(text):
            turn.say(text(turn.env), "block")
            return Phase.FINISH
        case End(outcome):
            refused = end(turn, candidate, outcome)
            return _write_failed(turn, moment, refused) if refused else Phase.FINISH


def _moved(turn: Turn, moment: Moment, candidate: Candidate) -> Phase:
    refused = move(turn, candidate, because=_reason(turn, moment, candidate))
    return _write_failed(turn, moment, refused) if refused else Phase.HEAR


def _write_failed(turn: Turn, moment: Moment, refused: str) -> Phase:
    """A write that a move needs was refused, so the move did not happen (law 2.9)."""
    if moment == "error":
        turn.emit(Faulted(Fault("write", refused)))
        return give_up(turn, "write", refused)
    return fail(turn, "write", refused)


def _reason(turn: Turn, moment: Moment, candidate: Candidate) -> str:
    fault = turn.doing.fault
    if moment == "error" and fault is not None:
        return f"error caught: {fault.kind} in {fault.tool}" if fault.tool else f"error caught: {fault.kind}"
    return candidate.because
