"""Explains a transition that was not judged in a turn: its verdict now, and how the turn left its node.

It judges the state as it is and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.decision import attempt
from turnwise.core.decision.judge import FAILED, TAKEN, decided_event, judge
from turnwise.core.explain.decision import Move, explain
from turnwise.core.explain.text import by_in_words, candidate_line
from turnwise.core.guards import env_of
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import Ended, Fault, FormStatus, State
from turnwise.core.state import events as e
from turnwise.core.trace import Decision
from turnwise.core.zones import local_time
from turnwise.flow.durations import write_duration
from turnwise.flow.model import Moment

MOMENTS: tuple[Moment, ...] = get_args(Moment)
"""All moments."""
_WHEN: dict[Moment, Phrase] = {
    "before": Phrase("it is judged before the node works, with every message"),
    "tool": Phrase("it is judged after a tool was used"),
    "calls": Phrase("it is judged when all calls of a reply of the model have their results"),
    "after": Phrase("it is judged when the work of the node is done"),
    "error": Phrase("it is judged when something failed"),
    "timer": Phrase("it is judged when its delay has come"),
    "event": Phrase("it is judged when an event of another system comes"),
    "choice": Phrase("it is judged when the model chooses"),
}
FORM_STATUS: dict[FormStatus, Phrase] = {
    "collecting": Phrase("collecting"),
    "awaiting_confirmation": Phrase("awaiting confirmation"),
    "confirmed": Phrase("confirmed"),
    "stopped": Phrase("stopped"),
    "cancelled": Phrase("cancelled"),
    "handed_off": Phrase("handed off"),
}
"""The words for each status of a form."""
_FEW = 3
"""How many nodes a line lists at most."""


class Exit(Struct, frozen=True):
    """A transition by which a turn left a node: its moment, and the failure that led to it."""

    node: str
    """The node that was left."""
    target: str
    """The node that was entered; empty if the conversation ended."""
    moment: str
    """The moment that was judged; empty if the move was planned in an earlier turn (`reply: next`)."""
    transition: str
    """The name of the transition."""
    outcome: str = ""
    """The outcome with which the conversation ended; empty if it went on."""
    fault: Fault | None = None
    """The failure after which the node was left; `None` without one."""

    @property
    def text(self) -> str:
        """The exit in words: `book was left for refused at 'error' by no_booking`."""
        values = {"node": self.node, "target": self.target, "moment": self.moment, "transition": self.transition}
        if not self.target:
            at = "the conversation ended in {node} ({outcome})[ at `{moment}` by {transition}]"
            by = "the conversation ended in {node} ({outcome})[ by {transition}]"
            return phrase(at if self.moment else by, **values, outcome=self.outcome)
        if not self.moment:
            return phrase(
                "{node} was left for {target}[ by {transition}], the move that an earlier turn had planned", **values
            )
        return phrase("{node} was left for {target} at `{moment}`[ by {transition}]", **values)

    def why_not_judged(self, moment: str) -> str:
        """Return in words that the node was left this way, as the reason why `moment` was not judged."""
        if not self.moment:
            return self.text
        fault = self.fault
        failed = phrase("{fault}[ in {tool}]", fault=fault.kind, tool=fault.tool) if fault is not None else ""
        judged = "before `{moment}` was judged" if moment == "after" else "and `{moment}` was not judged there"
        judged = phrase(judged, moment=moment)
        return phrase("{left}, {judged}[; what failed: {failed}]", left=self.text, judged=judged, failed=failed)


def exits(machine: Machine, events: Iterable[e.AnyEvent], node: str) -> tuple[Exit, ...]:
    """Return each exit from a node in a turn's events, in order; `node` is the one in charge at first."""
    found: list[Exit] = []
    decided: e.Decided | None = None
    fault: Fault | None = None
    for event in events:
        match event:
            case e.Decided():
                decided = event if event.taken >= 0 else decided
            case e.Faulted():
                fault = event.fault
            case e.Moved(source=source, target=target, transition=transition):
                moment = decided.moment if decided is not None and _taken(machine, decided) == transition else ""
                found.append(Exit(source, target, moment, transition, fault=fault if moment == "error" else None))
                decided, fault, node = None, None, target
            case e.Undone(state=state) | e.Migrated(state=state):
                node, decided = state.node, None
            case e.Ended(outcome=outcome):
                name = _taken(machine, decided) if decided is not None else ""
                moment = decided.moment if decided is not None and name else ""
                found.append(Exit(node, "", moment, name, outcome, fault if moment == "error" else None))
            case _:
                pass
    return tuple(found)


def _taken(machine: Machine, decided: e.Decided) -> str:
    return machine.candidates(decided.node, cast("Moment", decided.moment)).all[decided.taken].id


def transitions_named(machine: Machine, name: str, nodes: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of the transition `name`, or else of those that lead to the node `name`. Those are the ones out
    of the first of `nodes` that has any, else out of all.
    """
    if name in machine.transitions():
        return (name,)

    def leading(node: str) -> list[str]:
        return [c.id for moment in MOMENTS for c in machine.candidates(node, moment).all if c.target == name]

    first = next((found for node in nodes if (found := leading(node))), None)
    return tuple(dict.fromkeys(first or [transition for node in machine.nodes for transition in leading(node)]))


def explain_now(
    machine: Machine,
    state: State,
    transition: str,
    conversation: str = "",
    turn: int | None = None,
    left: Sequence[Exit] = (),
) -> Decision | None:
    """Explain a transition that was not judged in a turn: what it would do now, and when it is judged. For a transition
    of another node the line says how that node was left (`left`: those that the turn left), or which nodes have it.
    Returns `None` where no node has the transition.
    """
    turn = state.turn if turn is None else turn
    moment = _moment_of(machine, state.node, transition)
    if moment is not None and not isinstance(state.status, Ended):
        found = _judged(machine, state, transition, moment)
        line = not_judged(machine, state, transition, turn, left)
        return replace(found, conversation=conversation, turn=turn, line=str(line), taken="", hypothetical=True)
    owners = _owners(machine, transition, left)
    if not owners:
        return None
    node, moment = next(iter(owners.items()))
    line = str(not_judged(machine, state, transition, turn, left))
    return Decision(conversation, state.seq, turn, state.at_ms, node, moment, line, hypothetical=True)


def not_judged(machine: Machine, state: State, transition: str, turn: int, left: Sequence[Exit] = ()) -> Phrase:
    """Return in words why a transition of the machine was not judged in a turn. `left` are the exits by which the turn
    left nodes.
    """
    head = phrase("{transition} was not judged in turn {turn}", transition=transition, turn=turn)
    moment = _moment_of(machine, state.node, transition)
    if moment is not None and not isinstance(state.status, Ended):
        own = next(one for one in _judged(machine, state, transition, moment).candidates if one.id == transition)
        now = phrase("Nor would it be now: {reason}", reason=by_in_words(own))
        if own.outcome != "not_reached":
            now = phrase("If it were judged now, it {would}", would=candidate_line(own))
        return phrase("{head}: {when}. {now}.", head=head, when=_when(machine, state, transition, moment), now=now)
    owners, gone = _owners(machine, transition, left), _left_behind(machine, transition, left)
    if gone is not None:
        reason = _left(gone, transition, owners[gone.node])
    elif isinstance(state.status, Ended):
        reason = phrase("the conversation has ended ({outcome})", outcome=state.status.outcome)
    else:
        been = joined(dict.fromkeys([*(one.node for one in left), state.node]), " and ")
        nodes = joined(owners, ", ") if len(owners) <= _FEW else phrase("{count} nodes", count=len(owners))
        reason = phrase("it leads out of {nodes}, and the conversation was in {been}", nodes=nodes, been=been)
    return phrase("{head}: {reason}.", head=head, reason=reason)


def _left_behind(machine: Machine, transition: str, left: Sequence[Exit]) -> Exit | None:
    """Return how a turn left the node of a transition last."""
    return next((one for one in reversed(left) if _moment_of(machine, one.node, transition) is not None), None)


def _owners(machine: Machine, transition: str, left: Sequence[Exit]) -> dict[str, Moment]:
    """Return the moments at which nodes judge a transition: the node that was left, else all."""
    gone = _left_behind(machine, transition, left)
    nodes = [gone.node] if gone is not None else machine.nodes
    return {node: moment for node in nodes if (moment := _moment_of(machine, node, transition)) is not None}


def _left(gone: Exit, transition: str, moment: str) -> str:
    """Return why a transition of a node that was left was not judged: or that it was taken as planned."""
    if not gone.moment and gone.transition == transition and gone.target:
        text = "an earlier turn had chosen it, and it was taken when this turn began: {node} → {target}"
        return phrase(text, node=gone.node, target=gone.target)
    return gone.why_not_judged(moment)


def _moment_of(machine: Machine, node: str, transition: str) -> Moment | None:
    """Return the moment at which a node judges a transition; `None` where it does not."""
    return next((m for m in MOMENTS if any(c.id == transition for c in machine.candidates(node, m).all)), None)


def _judged(machine: Machine, state: State, transition: str, moment: Moment) -> Decision:
    """Return the decision that a judging of the moment would make now; a timer is judged as if it had come."""
    candidates, firing = machine.candidates(state.node, moment), transition if moment == "timer" else ""
    judged = judge(candidates, env_of(state), machine, state, firing)
    fault = attempt(machine, state, moment, candidates.all[judged.winner]) if judged.winner >= 0 else None
    decided = decided_event(judged, candidates, moment, state, firing)
    if fault is not None:
        decided = replace(decided, outcomes=decided.outcomes.replace(TAKEN, FAILED), taken=-1)
    return explain(machine, e.Entry(state.seq, state.turn, state.at_ms, decided), move=Move(fault), state=state)


def _when(machine: Machine, state: State, transition: str, moment: Moment) -> str:
    """Return when a transition is judged, and what that waits for."""
    text = _WHEN[moment]
    form = state.frame.form
    if state.person is not None and moment != "timer" and not (state.person.is_work and moment == "after"):
        return phrase("{when}, but not now: the conversation is {person}", when=text, person=why_waiting(state))
    if moment == "timer":
        return _due(machine, state, transition)
    if moment != "after" or state.frame.is_work_done:
        return text
    if form is not None:
        status = FORM_STATUS[form.status]
        return phrase("{when}, and the form of {node} is {status}", when=text, node=state.node, status=status)
    if state.person is not None and state.person.is_work:
        return phrase("{when}, and its work is a person: it is {person}", when=text, person=why_waiting(state))
    has_work = machine.nodes[state.node].work != "none"
    return phrase("{when}, and {node} has not done it yet", when=text, node=state.node) if has_work else text


def why_waiting(state: State) -> str:
    """Return in words why a conversation waits for a person, and since when; empty if it does not wait."""
    person = state.person
    if person is None:
        return ""
    if person.operator:
        since = local_time(person.taken_ms or person.since_ms, state.time_zone)
        text = "with {operator}, who is in charge since {since}[, {reason}]; nothing is interpreted or judged"
        return phrase(text, operator=person.operator, since=since, reason=person.reason)
    return phrase(
        "waiting for a person in the queue {queue}[ ({topic})] since {since}[, until {until} at most]: {asked}",
        queue=person.queue,
        topic=person.about,
        since=local_time(person.since_ms, state.time_zone),
        until=local_time(person.due_ms, state.time_zone) if person.due_ms is not None else "",
        asked=Phrase("the work of this node") if person.is_work else Phrase("the user asked for one"),
    )


def _due(machine: Machine, state: State, timer: str) -> Phrase:
    """Return the delay of a timer, and when it ends, if it is armed."""
    delay_ms = next((c.delay_ms for c in machine.candidates(state.node, "timer").all if c.id == timer), None)
    due_ms = next((armed.due_ms for armed in state.timers if armed.transition == timer), None)
    delay = write_duration(delay_ms / 1000) if delay_ms is not None else ""
    if due_ms is None:
        return phrase("it is judged when its delay has come[, {delay}]; it is not armed", delay=delay)
    text = "it is judged when its delay has come[, {delay}]: not due yet, but at {due}, unless a message comes before"
    return phrase(text, delay=delay, due=local_time(due_ms, state.time_zone))
