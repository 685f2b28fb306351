"""How a transition stands now: judged on the state as it is, without deciding anything.

For a transition that was not judged lately it says why, so that a why-not never stays unanswered.
"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from turnwise.core.decide import attempt
from turnwise.core.events import Decided, Entry
from turnwise.core.explain.decision import Move, explain
from turnwise.core.explain.line import candidate_line
from turnwise.core.guards.env import live
from turnwise.core.judge import FAILED, TAKEN, judge, read_all
from turnwise.core.machine import Machine
from turnwise.core.state import State
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


def standing(
    machine: Machine, state: State, transition: str, conversation: str = "", turn: int | None = None
) -> Decision | tuple[str, ...]:
    """Return how a transition that was not judged in a turn stands, as a hypothetical decision whose line says when it
    is judged. For one of another node that is all. Where no node has it, return the names that the node in charge has.
    """
    turn = state.turn if turn is None else turn
    known: list[str] = []
    for moment in MOMENTS:
        docket = machine.docket(state.node, moment)
        known += [candidate.id for candidate in docket.candidates]
        if any(candidate.id == transition for candidate in docket.candidates):
            found = _judged(machine, state, transition, moment)
            would = candidate_line(next(one for one in found.candidates if one.id == transition))
            when = _when(machine, state, transition, moment)
            line = f"{transition} was not judged in turn {turn}: {when}. If it were judged now, it {would}."
            return replace(found, conversation=conversation, turn=turn, line=line, taken="", hypothetical=True)
    for node in machine.nodes:
        for moment in MOMENTS:
            if any(candidate.id == transition for candidate in machine.docket(node, moment).candidates):
                where = f"it leads out of {node}, and the conversation was in {state.node}"
                line = f"{transition} was not judged in turn {turn}: {where}."
                return Decision(conversation, state.seq, turn, state.at_ms, node, moment, line, hypothetical=True)
    return tuple(dict.fromkeys(known))


def _judged(machine: Machine, state: State, transition: str, moment: Moment) -> Decision:
    """Return the decision that would be made now at a moment, at that of a timer for this one."""
    docket, firing = machine.docket(state.node, moment), transition if moment == "timer" else ""
    judged = judge(docket, live(state), machine, state, firing)
    winner = judged.winner
    fault = attempt(machine, state, moment, docket.candidates[winner]) if winner >= 0 else None
    outcomes = judged.outcomes if fault is None else judged.outcomes.replace(TAKEN, FAILED)
    taken = winner if fault is None else -1
    decided = Decided(state.node, moment, outcomes, taken, read_all(docket, state), judged.code, firing=firing)
    return explain(machine, Entry(state.seq, state.turn, state.at_ms, decided), move=Move(fault))


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
    delay_ms = next((c.delay_ms for c in machine.docket(state.node, "timer").candidates if c.id == timer), None)
    text = f", {write_duration(delay_ms / 1000)}" if delay_ms is not None else ""
    due_ms = next((armed.due_ms for armed in state.timers if armed.transition == timer), None)
    if due_ms is None:
        return text + "; it is not armed"
    due = datetime.fromtimestamp(due_ms / 1000, UTC).astimezone(ZoneInfo(state.time_zone))
    return f"{text}: at {due:%Y-%m-%d %H:%M:%S} ({state.time_zone}), unless a message comes before"
