"""How a transition stands now: judged on the state as it is, without deciding anything.

For a transition that was not judged lately it says why, so that a why-not never stays unanswered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from turnwise.core.decision.decide import attempt
from turnwise.core.decision.judge import FAILED, TAKEN, judge, read_all
from turnwise.core.explain.decision import Move, explain
from turnwise.core.explain.left import Exit
from turnwise.core.explain.text import candidate_line
from turnwise.core.guards import live
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, State
from turnwise.core.state.events import Decided, Entry
from turnwise.core.trace import Decision
from turnwise.flow.durations import write_duration
from turnwise.flow.model import Moment

MOMENTS: tuple[Moment, ...] = ("before", "tool", "after", "error", "timer", "choice")
_WHEN: dict[Moment, str] = {
    "before": "before the node works, with every message",
    "tool": "after a tool was used",
    "after": "when the work of the node is done",
    "error": "when something failed",
    "timer": "when its delay has come",
    "choice": "when the model chooses",
}


def ways(machine: Machine, name: str, nodes: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the transitions that a name stands for: the one of this name, else those that lead to the node of this
    name, out of the first of some nodes that has any, else out of all.
    """
    if name in machine.transitions():
        return (name,)
    for node in nodes:
        found = _leading(machine, node, name)
        if found:
            return found
    return tuple(dict.fromkeys(way for node in machine.nodes for way in _leading(machine, node, name)))


def _leading(machine: Machine, node: str, target: str) -> tuple[str, ...]:
    every = (c for moment in MOMENTS for c in machine.candidates(node, moment).all)
    return tuple(dict.fromkeys(c.id for c in every if c.target == target))


def standing(
    machine: Machine,
    state: State,
    transition: str,
    conversation: str = "",
    turn: int | None = None,
    left: Sequence[Exit] = (),
) -> Decision | None:
    """Return how a transition that was not judged in a turn stands, as a hypothetical decision whose line says when it
    is judged; `left` are the nodes that the turn left. For a transition of another node the line says how that was
    left, or that the conversation was in none that has it. `None` where no node has the transition.
    """
    turn = state.turn if turn is None else turn
    moment = _moment_of(machine, state.node, transition)
    head = f"{transition} was not judged in turn {turn}"
    if moment is not None and not isinstance(state.status, Ended):
        found = _judged(machine, state, transition, moment)
        would = candidate_line(next(one for one in found.candidates if one.id == transition))
        line = f"{head}: {_when(machine, state, transition, moment)}. If it were judged now, it {would}."
        return replace(found, conversation=conversation, turn=turn, line=line, taken="", hypothetical=True)
    for gone in reversed(left):
        moment = _moment_of(machine, gone.node, transition)
        if moment is not None:
            line = f"{head}: {_by_plan(gone, transition) or gone.before(moment)}."
            return Decision(conversation, state.seq, turn, state.at_ms, gone.node, moment, line, hypothetical=True)
    owners = {node: moment for node in machine.nodes if (moment := _moment_of(machine, node, transition)) is not None}
    if not owners:
        return None
    node, moment = next(iter(owners.items()))
    if isinstance(state.status, Ended):
        line = f"{head}: the conversation has ended ({state.status.outcome})."
    else:
        been = " and ".join(dict.fromkeys([*(one.node for one in left), state.node]))
        leads = (
            f"it leads out of {', '.join(owners)}" if len(owners) <= _FEW else f"it leads out of {len(owners)} nodes"
        )
        line = f"{head}: {leads}, and the conversation was in {been}."
    return Decision(conversation, state.seq, turn, state.at_ms, node, moment, line, hypothetical=True)


_FEW = 3


def _by_plan(gone: Exit, transition: str) -> str:
    """Say of a transition that was planned before that it was taken now."""
    if gone.moment or gone.transition != transition or not gone.target:
        return ""
    return f"an earlier turn had chosen it, and it was taken when this turn began: {gone.node} → {gone.target}"


def _moment_of(machine: Machine, node: str, transition: str) -> Moment | None:
    """Return the moment at which a node judges a transition; `None` where it does not."""
    return next((m for m in MOMENTS if any(c.id == transition for c in machine.candidates(node, m).all)), None)


def _judged(machine: Machine, state: State, transition: str, moment: Moment) -> Decision:
    """Return the decision that would be made now at a moment, at that of a timer for this one."""
    candidates, firing = machine.candidates(state.node, moment), transition if moment == "timer" else ""
    judged = judge(candidates, live(state), machine, state, firing)
    winner = judged.winner
    fault = attempt(machine, state, moment, candidates.all[winner]) if winner >= 0 else None
    outcomes = judged.outcomes if fault is None else judged.outcomes.replace(TAKEN, FAILED)
    taken = winner if fault is None else -1
    decided = Decided(state.node, moment, outcomes, taken, read_all(candidates, state), judged.code, firing=firing)
    return explain(machine, Entry(state.seq, state.turn, state.at_ms, decided), move=Move(fault), state=state)


def _when(machine: Machine, state: State, transition: str, moment: Moment) -> str:
    """When a transition is judged, and what that waits for."""
    text = f"it is judged {_WHEN[moment]}"
    form = state.frame.form
    if moment == "after" and form is not None and not state.frame.is_work_done:
        text += f", and the form of {state.node} is {form.status}"
    elif moment == "after" and not state.frame.is_work_done and machine.nodes[state.node].work != "none":
        text += f", and {state.node} has not done it yet"
    elif moment == "timer":
        text += _due(machine, state, transition)
    return text


def _due(machine: Machine, state: State, timer: str) -> str:
    """How long the delay of a timer is, and when it comes, where it is armed."""
    delay_ms = next((c.delay_ms for c in machine.candidates(state.node, "timer").all if c.id == timer), None)
    text = f", {write_duration(delay_ms / 1000)}" if delay_ms is not None else ""
    due_ms = next((armed.due_ms for armed in state.timers if armed.transition == timer), None)
    if due_ms is None:
        return text + "; it is not armed"
    due = datetime.fromtimestamp(due_ms / 1000, UTC).astimezone(ZoneInfo(state.time_zone))
    return f"{text}: at {due:%Y-%m-%d %H:%M:%S} ({state.time_zone}), unless a message comes before"
