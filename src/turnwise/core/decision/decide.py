"""Makes a decision: judges a moment, records the decision and acts on it; also after failures.

The laws are 2.3 to 2.10 and 3.9. What a move does is in `moves`.
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.decision.faults import limit_reached
from turnwise.core.decision.judge import (
    BLOCKED,
    FAILED,
    REENTRY,
    TAKEN,
    Judgement,
    guard_fault,
    judge,
    names_undeclared,
    read_all,
    why_blocked,
)
from turnwise.core.decision.moves import end, move
from turnwise.core.machine import Block, Candidate, Candidates, End, Go, Machine, Stay
from turnwise.core.state import Fault, State, TurnState
from turnwise.core.state.events import Decided, Failed, Faulted, MovePlanned
from turnwise.core.turn import Phase, Turn
from turnwise.flow.model import Moment

_ON_STAY = {"before": Phase.WORK, "after": Phase.FINISH, "error": Phase.FINISH, "timer": Phase.FINISH}
"""How a turn goes on where it is held in its node; in the middle of a node's work, the work goes on."""


def decide(turn: Turn, moment: Moment, firing: str = "") -> Phase | None:
    """Judge a moment and act. `None` where nothing was taken, so that the caller goes on."""
    return _decide(turn, moment, _ON_STAY.get(moment), firing)


def _decide(turn: Turn, moment: Moment, on_stay: Phase | None, firing: str = "") -> Phase | None:
    node = turn.state.node
    candidates = turn.machine.candidates(node, moment)
    if not candidates.all:
        turn.emit(Decided(node, moment, "", firing=firing))
        return None
    env = turn.env
    judgement = judge(candidates, env, turn.machine, turn.state, firing)
    turn.raised += judgement.raised
    winner = candidates.all[judgement.winner] if judgement.winner >= 0 else None
    decided = Decided(
        node=node,
        moment=moment,
        outcomes=judgement.outcomes,
        taken=judgement.winner,
        reads=read_all(candidates, turn.state),
        code=judgement.code,
        marks=judgement.marks,
        firing=firing,
    )
    if winner is not None:
        return take(turn, moment, winner, decided, on_stay)
    turn.emit(decided)
    return nothing_taken(turn, moment, candidates, judgement)


def take(turn: Turn, moment: Moment, winner: Candidate, decided: Decided, on_stay: Phase | None = None) -> Phase | None:
    """Record a decision for a candidate and act on it, unless a limit of moves blocks that. Where a write is refused,
    the decision is recorded as one whose move failed.
    """
    blocked = blocking(turn.machine, turn.state, winner)
    if not blocked:
        mark = turn.mark()
        turn.emit(decided)
        acted = _act(turn, moment, winner, on_stay)
        if not isinstance(acted, Fault):
            return acted
        turn.back_to(mark)
        turn.emit(replace(decided, outcomes=decided.outcomes.replace(TAKEN, FAILED), taken=-1))
        return _not_moved(turn, moment, acted)
    outcomes = decided.outcomes.replace(TAKEN, blocked)
    marks = {k: v for k, v in decided.marks.items() if k != winner.target}
    turn.emit(replace(decided, outcomes=outcomes, taken=-1, marks=marks))
    reason = why_blocked(blocked, winner.target, turn.machine.flow.limits.moves)
    turn.warn("transition_cascade_limit", f"{winner.id} to {winner.target} held, but {reason}")
    turn.continues = turn.machine.flow.autonomous
    return Phase.FINISH


def attempt(machine: Machine, state: State, moment: Moment, candidate: Candidate) -> Fault | None:
    """The failure that taking a candidate would end in; `None` where it would be taken. Nothing is changed."""
    if state.doing is None:
        doing = TurnState("commands", state.at_ms, state.seq, start_node=state.node, base=state.turn)
        state = replace(state, doing=doing)
    acted = _act(Turn(machine, state, state.at_ms, state.turn), moment, candidate, None)
    return acted if isinstance(acted, Fault) else None


def fail(turn: Turn, fault: Fault) -> Phase:
    """Something failed: the nearest `error` transitions are judged, else the turn ends (law 3.9)."""
    return caught(turn, fault) or give_up(turn, fault.kind, fault.message)


def caught(turn: Turn, fault: Fault, on_stay: Phase | None = Phase.FINISH) -> Phase | None:
    """Something failed: the nearest `error` transitions are judged; `None` where none is taken."""
    turn.emit(Faulted(replace(fault, message=_short(turn, fault.message))))
    return _decide(turn, "error", on_stay)


def _short(turn: Turn, message: str) -> str:
    """What a state keeps of a message that somebody else wrote (law 1.1)."""
    return message[: turn.machine.rules.max_chars]


def give_up(turn: Turn, reason: str, message: str) -> Phase:
    """End the turn as failed: the next message tries again from the same node."""
    turn.emit(Failed(reason, _short(turn, message)))
    turn.say(turn.machine.language.text("failed"), "failed")
    return Phase.FINISH


def nothing_taken(turn: Turn, moment: Moment, candidates: Candidates, judgement: Judgement) -> Phase | None:
    """Law 2.10: a guard in error, where nothing was taken, is a failure of kind `guard`."""
    fault = guard_fault(judgement, candidates, turn.env)
    if fault is None or moment == "error":
        return None
    phase = caught(turn, fault)
    if phase is not None:
        return phase
    if names_undeclared(judgement):
        return give_up(turn, "guard", fault.message)
    turn.warn("guard_error", fault.message)
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


def _act(turn: Turn, moment: Moment, candidate: Candidate, on_stay: Phase | None) -> Phase | Fault | None:
    """Do what a candidate says; returns the failure of a move that was not made."""
    match candidate.action:
        case Go(target):
            if _keeps(turn.state, candidate):
                return on_stay if moment == "before" else None
            if candidate.reply == "next":
                turn.emit(MovePlanned(candidate.id, target))
                return Phase.FINISH
            return _moved(turn, moment, candidate)
        case Stay():
            return on_stay
        case Block(text):
            turn.say(text(turn.env), "block")
            return Phase.FINISH
        case End(outcome):
            return end(turn, candidate, outcome) or Phase.FINISH


def _moved(turn: Turn, moment: Moment, candidate: Candidate) -> Phase | Fault:
    """Move, and go on at the target. One move more than a run may have is left for catching that it had too many."""
    flow, source = turn.machine.flow, turn.node
    last = flow.limits.run_moves + (moment == "error")
    if flow.autonomous and turn.state.run_moves >= last:
        fault = limit_reached(turn.machine, "run_moves", f"run_moves: {flow.limits.run_moves} moves in one run")
        return replace(fault, transition=candidate.id)
    refused = move(turn, candidate, because=_reason(turn, moment, candidate))
    if refused is not None:
        return refused
    if flow.autonomous and source.work == "prompt" and moment in ("after", "choice"):
        turn.continues = True
        return Phase.FINISH
    return Phase.HEAR


def _not_moved(turn: Turn, moment: Moment, fault: Fault) -> Phase:
    """A failure while moving (law 2.9); where that was itself the answer to a failure, nothing catches it."""
    if moment == "error":
        turn.emit(Faulted(fault))
        return give_up(turn, fault.kind, fault.message)
    return fail(turn, fault)


def _reason(turn: Turn, moment: Moment, candidate: Candidate) -> str:
    fault = turn.doing.fault
    if moment == "error" and fault is not None:
        return f"error caught: {fault.kind} in {fault.tool}" if fault.tool else f"error caught: {fault.kind}"
    return candidate.because
