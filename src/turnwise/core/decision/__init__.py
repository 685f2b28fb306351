"""Makes a decision: evaluates the transitions of a moment, records the result and acts on it; also after failures.

What a move does is in `moves`.
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core import scopes
from turnwise.core.candidates import Block, Candidate, Candidates, End, GoTo, Open, Return, Stay, Write
from turnwise.core.decision.dropped import drop_rest
from turnwise.core.decision.faults import limit_fault
from turnwise.core.decision.frames import close_scope, open_scope
from turnwise.core.decision.judge import (
    BLOCKED,
    FAILED,
    REENTRY,
    TAKEN,
    Judgement,
    decided_event,
    guard_fault,
    judge,
    named_undeclared_node,
    why_blocked,
)
from turnwise.core.decision.moves import input_of, leave, move, note_of_transition, prepare_end, write_all
from turnwise.core.forms.speak import say_closed
from turnwise.core.machine import Machine
from turnwise.core.scopes import Opening
from turnwise.core.state import Fault, State, TurnState
from turnwise.core.state.events import Decided, Ended, Failed, Faulted, MovePlanned, MovePutOff
from turnwise.core.state.kinds import FailureReason, Letter
from turnwise.core.template import Template
from turnwise.core.turn import Phase, StepBuilder, TextRefused
from turnwise.flow.model import Moment


def decide(
    step: StepBuilder,
    moment: Moment,
    *,
    firing: str = "",
    on_stay: Phase | None = None,
    others: tuple[str, str] | None = None,
) -> Phase | None:
    """Judge the candidates of a moment and act on the winner; return the next phase, `None` if there is no winner or
    the turn continues where it is. `firing` is the timer that fired, or the event that came; `on_stay` is the next
    phase after a `stay`. `others` are a reply and a tool whose other calls are made before a move.
    """
    node = step.state.frame.node
    candidates = step.machine.candidates(node, moment)
    if not candidates.all:
        step.emit(Decided(node, moment, "", firing=firing))
        return None
    judgement = judge(candidates, step.env, step.machine, step.state, firing)
    step.raised += judgement.raised
    decided = decided_event(judgement, candidates, moment, step.state, firing)
    if judgement.winner >= 0:
        winner = candidates.all[judgement.winner]
        if others is not None and _leaves(step, winner):
            step.emit(decided)
            step.emit(MovePutOff(winner.id, winner.target, *others))
            return None
        return act_on(step, moment, winner, decided, on_stay)
    step.emit(decided)
    return fail_on_errors(step, moment, candidates, judgement)


def act_on(
    step: StepBuilder, moment: Moment, winner: Candidate, decided: Decided, on_stay: Phase | None = None
) -> Phase | None:
    """Record a decision for the candidate `winner` and make its move, unless a limit of moves blocks it; return the
    next phase (`on_stay` after a `stay`), `None` if the turn continues where it is. If a write is refused, the decision
    is recorded as one whose move failed.
    """
    letter = blocked_by(step.machine, step.state, winner)
    if letter is None:
        mark = step.savepoint()
        step.emit(decided)
        acted = _act(step, moment, winner, on_stay)
        if type(acted) is not Fault:
            return acted
        step.roll_back_to(mark)
        calls = {name: mark for name, mark in (decided.calls or {}).items() if name != winner.id}  # it is tried again
        step.emit(replace(decided, outcomes=decided.outcomes.replace(TAKEN, FAILED), taken=-1, calls=calls or None))
        if _may_open_later(step, winner):
            step.emit(Faulted(acted))
            return None
        if moment != "error":
            return fail(step, acted)
        step.emit(Faulted(acted))  # nothing catches the failure of an `error` transition (law 2.9)
        return give_up(step, acted.kind, acted.message)
    outcomes = decided.outcomes.replace(TAKEN, letter)
    marks = {k: v for k, v in decided.marks.items() if k != winner.target}
    step.emit(replace(decided, outcomes=outcomes, taken=-1, marks=marks))
    reason = why_blocked(letter, winner.target, step.machine.flow.limits.moves)
    step.warn("transition_cascade_limit", f"{winner.id} to {winner.target} held, but {reason}")
    caught = step.doing.fault
    if caught is not None and moment == "error":  # the next turn would not judge it, but try the work again
        return give_up(step, caught.kind, caught.message)
    step.continues = step.machine.flow.autonomous
    return Phase.FINISH


def _may_open_later(step: StepBuilder, winner: Candidate) -> bool:
    """Return whether a scope could not be opened since something else is under way: the turn goes on without it."""
    if not isinstance(winner.action, Open):
        return False
    why = scopes.why_not_opened(step.machine, step.state, winner.action.scope)
    return why is not None and why != "frames"


def _leaves(step: StepBuilder, winner: Candidate) -> bool:
    """Return whether a winner leaves the node at once."""
    if blocked_by(step.machine, step.state, winner) is not None:
        return False
    match winner.action:
        case GoTo():
            return not _keeps(step.state, winner)
        case End() | Return() | Open():
            return True
        case Stay() | Block():
            return False


def make_late_move(step: StepBuilder, winner: Candidate) -> Phase | None:
    """Make the move of the candidate `winner`, decided at `tool` and put off until other calls were made; return the
    next phase, `None` if the turn continues where it is. A refused write is a failure.
    """
    letter = blocked_by(step.machine, step.state, winner)
    if letter is not None:
        reason = why_blocked(letter, winner.target, step.machine.flow.limits.moves)
        step.warn("transition_cascade_limit", f"{winner.id} to {winner.target} held, but {reason}")
        return Phase.FINISH
    acted = _act(step, "tool", winner, None)
    return fail(step, acted) if isinstance(acted, Fault) else acted


def attempt(machine: Machine, state: State, moment: Moment, candidate: Candidate) -> Fault | None:
    """Return the failure to which taking a candidate would lead, `None` if it would succeed. Nothing is changed."""
    if state.doing is None:
        doing = TurnState("commands", state.at_ms, state.seq, start_node=state.frame.node, base=state.turn)
        state = replace(state, doing=doing)
    acted = _act(StepBuilder(machine, state, state.at_ms, state.turn), moment, candidate, None)
    return acted if isinstance(acted, Fault) else None


def fail(step: StepBuilder, fault: Fault) -> Phase:
    """Record a failure and judge the nearest `error` transitions; if none is taken, the turn fails (law 3.9)."""
    return catch(step, fault) or give_up(step, fault.kind, fault.message)


def phase_after_scope(step: StepBuilder, closed: Phase | Fault) -> Phase:
    """Return the next phase after a scope was closed: `closed` itself, or if that is a failure, the phase after
    handling it.
    """
    return fail(step, closed) if isinstance(closed, Fault) else closed


def catch(step: StepBuilder, fault: Fault, on_stay: Phase | None = Phase.FINISH) -> Phase | None:
    """Record a failure and judge the nearest `error` transitions; return the next phase (`on_stay` after a `stay`),
    `None` if none is taken.
    """
    step.emit(Faulted(replace(fault, message=fault.message[: step.machine.rules.max_chars])))
    return catch_recorded(step, on_stay)


def catch_recorded(step: StepBuilder, on_stay: Phase | None) -> Phase | None:
    """Judge the nearest `error` transitions for the failure recorded last; return the next phase (`on_stay` after a
    `stay`), `None` if none is taken.
    """
    phase = decide(step, "error", on_stay=on_stay)
    return phase if phase is not None or step.state.frame.scope is None else _caught_around(step, on_stay)


def _caught_around(step: StepBuilder, on_stay: Phase | None) -> Phase | None:
    """Judge the `error` transitions around a scope; it is closed if one of them is taken. Otherwise it stays open, and
    the judging is recorded nevertheless, as one of the frame around it.
    """
    mark = step.savepoint()
    if step.doing.calls:
        drop_rest(step)
    scopes.pop(step, "failed")
    phase = decide(step, "error", on_stay=on_stay)
    if phase is None and step.state.frame.scope is not None:
        phase = _caught_around(step, on_stay)
    if phase is None:
        judged = [one for one in step.entries[mark[1] :] if isinstance(one.event, Decided)]
        step.roll_back_to(mark)
        for one in judged:
            step.emit(one.event, frame=one.frame)
    return phase


def give_up(step: StepBuilder, reason: FailureReason, message: str) -> Phase:
    """End the turn as failed, for the kind `reason` and with `message` for operators; the node stays in charge, so that
    the next message tries again.
    """
    step.emit(Failed(reason, message[: step.machine.rules.max_chars]))
    step.say(step.machine.language.text("failed"), "failed")
    return Phase.FINISH


def fail_on_errors(step: StepBuilder, moment: Moment, candidates: Candidates, judgement: Judgement) -> Phase | None:
    """Handle the errors of guards, if no candidate was taken, as a failure of kind `guard` (law 2.10); return the next
    phase, `None` if the turn continues.
    """
    fault = guard_fault(judgement, candidates, step.env)
    if fault is None or moment == "error":
        return None
    phase = catch(step, fault)
    if phase is not None:
        return phase
    if named_undeclared_node(judgement):
        return give_up(step, "guard", fault.message)
    step.warn("guard_error", fault.message)
    return None


def blocked_by(machine: Machine, state: State, winner: Candidate) -> Letter | None:
    """Return the letter for why the move of the candidate `winner` is blocked (limit of moves, or re-entry in the
    turn); `None` if it is not (law 2.7).

    An `error` transition may make one extra move, so that a failure after the last move can be caught.
    """
    if not winner.target or winner.reply == "next" or _keeps(state, winner):
        return None
    doing = state.doing
    assert doing is not None
    if doing.moves >= machine.flow.limits.moves + (winner.moment == "error"):
        return BLOCKED
    return REENTRY if winner.target in doing.entered else None


def _keeps(state: State, candidate: Candidate) -> bool:
    """Return whether the winner is the `enter_when` of the current node, which is not entered again."""
    return candidate.level == "enter" and candidate.target == state.frame.node


def _act(step: StepBuilder, moment: Moment, candidate: Candidate, on_stay: Phase | None) -> Phase | Fault | None:
    """Do the action of a candidate; return its failure if a write was refused or a limit reached."""
    if isinstance(candidate.action, GoTo):
        return _go(step, moment, candidate, on_stay)
    match candidate.action:
        case Stay():
            refused = write_all(step, candidate.writes) if candidate.writes else None
            return replace(refused, transition=candidate.id) if refused is not None else on_stay
        case Block(text):
            return _blocked(step, text)
        case End(outcome):
            return prepare_end(step, candidate) or _of(candidate, finish_frame(step, outcome))
        case Return():
            return prepare_end(step, candidate) or _of(candidate, finish_frame(step, "completed"))
        case Open(scope, given):
            return _opened(step, candidate, scope, given)


def _of(candidate: Candidate, ended: Phase | Fault) -> Phase | Fault:
    """Return how an end went; a failure is that of its transition."""
    return replace(ended, transition=candidate.id) if isinstance(ended, Fault) else ended


def _go(step: StepBuilder, moment: Moment, candidate: Candidate, on_stay: Phase | None) -> Phase | Fault | None:
    """Move to a node, now or with the next message; an `enter_when` of the current node does not enter it again."""
    if candidate.reply == "next":
        step.emit(MovePlanned(candidate.id, candidate.target))
        return Phase.FINISH
    if _keeps(step.state, candidate):
        return on_stay if moment == "before" else None
    return _moved(step, moment, candidate)


def finish_frame(step: StepBuilder, outcome: str) -> Phase | Fault:
    """End the conversation, or inside a scope only the scope (law 6.1); return the next phase or the failure. The node
    in charge is left: the failure is that of a write on leaving.
    """
    if step.state.frame.scope is not None:
        return close_scope(step, outcome)
    refused = leave(step)
    if refused is not None:
        return refused
    say_closed(step)
    step.emit(Ended(outcome))
    return Phase.FINISH


def _opened(step: StepBuilder, candidate: Candidate, scope: str, given: tuple[Write, ...]) -> Phase | Fault:
    """Open a scope as an interruption; the failure if it cannot be opened."""
    found = input_of(step, given)
    if isinstance(found, Fault):
        return found
    note = note_of_transition(step, candidate)
    if isinstance(note, Fault):
        return note
    refused = open_scope(step, Opening(scope, "call", found, transition=candidate.id, note=note))
    return replace(refused, transition=candidate.id) if refused is not None else Phase.UNDERSTAND


def _blocked(step: StepBuilder, text: Template) -> Phase | Fault:
    """Say the text of a block; return the failure if it requires a missing value."""
    try:
        step.say(step.fill(text), "block")
    except TextRefused as refusal:
        return refusal.fault
    return Phase.FINISH


def _moved(step: StepBuilder, moment: Moment, candidate: Candidate) -> Phase | Fault:
    """Move and continue at the target. An `error` transition may make one extra move, so that exceeding the limit of
    an autonomous run can be caught.
    """
    flow, source = step.machine.flow, step.node
    last = flow.limits.run_moves + (moment == "error")
    if flow.autonomous and step.state.run_moves >= last:
        fault = limit_fault(step.machine, "run_moves", f"run_moves: {flow.limits.run_moves} moves in one run")
        return replace(fault, transition=candidate.id)
    because, caught = candidate.because, step.doing.fault
    if moment == "error" and caught is not None:
        because = f"error caught: {caught.kind} in {caught.tool}" if caught.tool else f"error caught: {caught.kind}"
    refused = move(step, candidate, because)
    if refused is not None:
        return refused
    if flow.autonomous and source.work == "prompt" and moment in ("after", "choice"):
        step.continues = True
        return Phase.FINISH
    return Phase.UNDERSTAND
