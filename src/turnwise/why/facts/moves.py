"""Makes the facts of decisions, moves, failures and ends, each with its causes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from turnwise.core.candidates import Candidate, Open
from turnwise.core.decision.judge import BLOCKED, REENTRY
from turnwise.core.explain.now import FORM_STATUS
from turnwise.core.explain.text import held_conditions, lacking_in_words, line_of
from turnwise.core.phrase import Phrase, listed, phrase, without_stop
from turnwise.core.state import Pending
from turnwise.core.state import events as e
from turnwise.core.state.kinds import FaultKind
from turnwise.core.trace import Considered, Decision, Outcome
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.calls import refused_work
from turnwise.why.facts.move_reasons import failure_behind, transition_of, unguarded, values_read, what_counted
from turnwise.why.facts.values import FACTS_OF_ROOT, guard_reads, limit_broken, value_read
from turnwise.why.kinds import FactKind


def _decided(builder: FactBuilder, event: e.Decided) -> Iterator[Fact]:
    decision = builder.judged(event)
    candidates = builder.machine.candidates(event.node, cast("Moment", event.moment)).all
    taken = candidates[event.taken] if event.taken >= 0 else None
    reads = _reads(builder, event, taken, decision.candidates[event.taken]) if taken is not None else []
    ground = what_counted(decision.candidates[event.taken], reads) if taken is not None else ""
    about = (
        Subject("turn", str(builder.entry.turn)),
        *((Subject("transition", taken.id),) if taken is not None else ()),
        Subject("node", event.node),
        *[Subject("transition", one.id) for one in candidates if one is not taken],
    )
    yield builder.fact(
        "decided",
        *dict.fromkeys(about),
        causes=tuple(reads),
        source=str(taken.span) if taken is not None and taken.span.line else "",
        line=without_stop(line_of(decision)),
        node=event.node,
        moment=event.moment,
        transition=taken.id if taken is not None else "",
        failed=[one.id for one in decision.candidates if one.outcome in _FAILED],
        because=taken.because if taken is not None and not event.operator else "",
        unguarded=unguarded(builder, taken) if not event.operator else "",
        grounds=ground,
        rule=held_conditions(decision.candidates[event.taken]) if taken is not None and not event.operator else "",
        operator=event.operator,
        person=_in_words(event.operator, event.because),
        erased=decision.erased,
    )
    yield from _disagreement(builder, decision)
    for considered, letter in zip(decision.candidates, event.outcomes, strict=True):
        if letter in (BLOCKED, REENTRY):
            about = (*_of_move(considered, event.node), *((Subject("limit", "moves"),) if letter == BLOCKED else ()))
            values = {"transition": considered.id, "node": event.node, "target": considered.target}
            causes = (builder.first("decided"),)
            yield builder.fact(
                "move_blocked", *about, causes=causes, source=considered.source, **values, reason=considered.by
            )


def _reads(builder: FactBuilder, event: e.Decided, taken: Candidate, considered: Considered) -> list[Fact]:
    """Return what made a transition hold that was taken; where it has no condition, or a person chose it, what came
    before.
    """
    reads = (
        _newest_first(guard_reads(builder, taken.guard, considered, only_deciding=True)) if not event.operator else []
    )
    before = builder.first(*_BEFORE[event.moment]) or beginning_of_turn(builder) if not reads else None
    return [*reads, *((before,) if before is not None else ())]


DID_NOT_HOLD = Phrase("did not hold")
"""The words for a guard that did not hold."""
_FAILED: tuple[Outcome, ...] = ("false", "unknown", "error", "blocked")
"""The outcomes of a transition that was judged and did not hold, or could not be taken."""


def is_lacking(fact: Fact) -> bool:
    """Return whether a fact is a decision that judged at least one transition and took none."""
    return fact.kind == "decided" and not fact.values["transition"] and bool(fact.values["failed"])


def _disagreement(builder: FactBuilder, decision: Decision) -> Iterator[Fact]:
    """Yield that the mirrors of a decision say another node than its function chose; once in a turn."""
    found, code = decision.mirror_disagrees, [one for one in decision.candidates if one.code is not None]
    ran = next((one.code for one in code if one.code is not None and one.code.call == "called"), None)
    if found is None or ran is None:
        return
    chosen = [one.id for one in code if one.outcome in _CHOSEN][:1]
    said = [one.id for one in decision.candidates if one.is_mirror and one.outcome == "outranked"][:1]
    targets = [one for one in (found.rules, found.code) if one in builder.machine.nodes]
    about = (
        Subject("turn", str(builder.entry.turn)),
        *[Subject("transition", name) for name in (*said, *chosen)],
        *[Subject("node", name) for name in targets],
    )
    values: dict[str, Any] = {
        "node": decision.node,
        "rules": phrase("→ {node}", node=found.rules) if found.rules in targets else Phrase("to stay"),
        "transition": "".join(said),
        "guard": ran.name,
        "code": phrase("→ {node}", node=found.code) if found.code in targets else Phrase("to stay"),
        "reads": values_read(ran),
    }
    before = builder.latest.get("rules_disagree")
    if before is None or before.values != values:
        yield builder.fact("rules_disagree", *about, causes=(builder.first("decided"),), **values)


_CHOSEN: tuple[Outcome, ...] = ("taken", "outranked", "blocked")


def _newest_first(reads: Iterable[Fact]) -> list[Fact]:
    """Return what a transition read, the newest value first: that made it hold, and did not when it was judged before.
    A value is as new as what set it or took it away.
    """

    def since(read: Fact) -> int:
        return max((cause.turn for cause in read.causes), default=int(read.values.get("since") or 0))

    return sorted(reads, key=since, reverse=True)


_BEFORE: dict[str, tuple[FactKind, ...]] = {
    "before": ("node_left",),
    "tool": ("tool_returned", "tool_failed", "call_refused", "tool_used_by_host"),
    "calls": ("tool_returned", "tool_failed", "call_answered", "call_refused"),
    "after": ("work_done", "tool_returned", "form_progressed", "person_gave_back", "nobody_came", "scope_closed"),
    "choice": ("model_replied",),
    "timer": ("timer_fired",),
    "event": ("event_resumed", "event_received"),
    "error": FACTS_OF_ROOT["error"],
}
"""What comes before a decision at a moment: the cause of a move that no condition decided."""


def _of_move(considered: Considered, node: str) -> tuple[Subject, ...]:
    return (Subject("transition", considered.id), *subjects_named("node", considered.target), Subject("node", node))


def _planned(builder: FactBuilder, event: e.MovePlanned) -> Iterator[Fact]:
    about = (Subject("transition", event.transition), Subject("node", event.target))
    causes = (builder.first("decided"),)
    values = {"transition": event.transition, "node": builder.node, "target": event.target}
    yield builder.fact("move_planned", *about, causes=causes, **values)


def _moved(builder: FactBuilder, event: e.Moved) -> Iterator[Fact]:
    decided = builder.first("decided")
    is_ours = decided is not None and decided.values["transition"] == event.transition
    newest = builder.first("decided", "scope_closed") if not event.transition else None
    closed = newest if newest is not None and newest.kind == "scope_closed" else None
    about = (
        *subjects_named("transition", event.transition),
        Subject("node", event.target),
        Subject("node", event.source),
        Subject("turn", str(builder.entry.turn)),
    )
    planned = builder.state.pending if builder.state is not None else None
    also = _rivals(builder, is_ours=is_ours)
    operator, person = _chosen_by(decided if is_ours else None, planned)
    because = event.because if not operator else ""
    ground = (decided.values["grounds"] or failure_behind(builder, decided)) if is_ours and decided is not None else ""
    yield builder.fact(
        "node_left",
        *about,
        causes=(closed or (decided if is_ours else beginning_of_turn(builder)),),
        node=event.source,
        target=event.target,
        transition=event.transition,
        because=because.rstrip("."),
        unguarded=unguarded(builder, transition_of(builder, event)) if not operator else "",
        grounds=ground,
        rule=decided.values["rule"] if is_ours and decided is not None else "",
        **also,
        note=event.note,
        operator=operator,
        person=person,
        is_planned=not is_ours and bool(event.transition),
        planned=Phrase("an earlier turn had decided it") if not is_ours and event.transition else "",
    )


def _rivals(builder: FactBuilder, *, is_ours: bool) -> dict[str, Any]:
    """Return the transitions that held, too, when the last decision chose a move, and their reasons."""
    decision = builder.decision
    if not is_ours or decision is None or not decision.taken or decision.operator or decision.moment == "choice":
        return {}
    held = [one for one in decision.candidates if one.outcome == "outranked" and not one.is_mirror]
    found = [one for one in held if one.verdict is not None or one.code is not None]  # another is only the else
    named = [phrase("{transition}[ ({because})]", transition=one.id, because=one.because.rstrip(".")) for one in found]
    target = next(one.target for one in decision.candidates if one.id == decision.taken)
    reasons = [one.because for one in found if one.because and one.target == target]
    return {"also": listed(named), "also_because": reasons} if found else {}


def _chosen_by(decided: Fact | None, planned: Pending | None) -> tuple[str, str]:
    """Return the person who chose a move, now or when it was planned, and with the reason; empty where the flow decided
    it.
    """
    if decided is not None:
        return str(decided.values["operator"]), str(decided.values["person"])
    return (planned.operator, _in_words(planned.operator, "")) if planned is not None else ("", "")


def _in_words(operator: str, reason: str) -> str:
    """Return who chose a move, and why: `Lena, a person: is a friend`."""
    return phrase("{operator}, a person[: {reason}]", operator=operator, reason=reason) if operator else ""


def _ended(builder: FactBuilder, event: e.Ended) -> Iterator[Fact]:
    decided = builder.first("decided")
    own = decided if decided is not None and decided.values["transition"] else None
    transition = str(own.values["transition"]) if own is not None else ""
    about = (
        Subject("end"),
        Subject("conversation"),
        Subject("node", builder.node),
        *subjects_named("transition", transition),
    )
    complete = _complete(builder) if own is None else ""
    left = builder.first("node_left") if not complete else None
    reason = own or left
    because = reason.values["because"] if reason is not None else ""
    gave = builder.latest.get("person_gave_back")
    by_hand = gave.values if reason is None and gave is not None else {"operator": "", "reason": ""}
    chosen = reason.values if reason is not None else by_hand
    person = chosen.get("person") or _in_words(by_hand["operator"], by_hand["reason"])
    yield builder.fact(
        "conversation_ended",
        *about,
        causes=(own or left or (decided if complete else None) or beginning_of_turn(builder),),
        outcome=event.outcome,
        complete=complete,
        transition=transition,
        entered=left.values["transition"] if own is None and left is not None else "",
        because=because,
        grounds=reason.values["grounds"] if reason is not None else "",
        rule=reason.values["rule"] if reason is not None else "",
        **_rivals(builder, is_ours=own is not None),
        operator=chosen.get("operator"),
        person=person,
        node=builder.node,
    )


def _complete(builder: FactBuilder) -> str:
    """Return that a form is complete from which no way leads on, which ends a conversation, and what each way lacks;
    empty where something else ended it.
    """
    run, decision = builder.state.frame.form if builder.state is not None else None, builder.decision
    is_judged = decision is not None and (decision.node, decision.moment) == (builder.node, "after")
    if run is None or run.status == "collecting" or "person_gave_back" in builder.latest:
        return ""
    ways = [one for one in decision.candidates if not one.is_mirror] if decision is not None and is_judged else []
    lacks = listed(
        [phrase("{transition} {did}", transition=one.id, did=lacking_in_words(one) or DID_NOT_HOLD) for one in ways]
    )
    form = phrase("the form of {node} is {status}", node=builder.node, status=FORM_STATUS[run.status])
    if not ways:
        return phrase("{form}, and no way leads on", form=form)
    return phrase("{form} and {lacks}, so no way leads on", form=form, lacks=lacks)


COUNTED_WORDS = {
    "moves": Phrase("moves in a turn"),
    "run_moves": Phrase("moves in one run"),
    "model_calls": Phrase("model calls in a turn"),
    "tool_calls": Phrase("tool calls in a turn"),
}
"""The words for what a limit counts, by the name of the limit."""

_FAULTS: dict[FaultKind, FactKind] = {
    "write": "write_refused",
    "limit": "limit_reached",
    "guard": "guard_failed",
    "text": "text_refused",
}


def _faulted(builder: FactBuilder, event: e.Faulted) -> Iterator[Fact]:
    """Yield a failure. A failed model or tool call has its own fact already, which becomes the cause."""
    fault = event.fault
    kind = _FAULTS.get(fault.kind)
    if kind is None:
        yield from refused_work(builder, fault)
        return
    if fault.kind == "limit" and fault.tool:
        about = (Subject("tool", fault.tool), Subject("node", builder.node))
        causes = (builder.first("tool_failed", "call_refused", "call_answered"),)
        yield builder.fact("tool_given_up", *about, causes=causes, tool=fault.tool, reason=fault.message)
        return
    about = (
        *(subjects_named("limit", fault.subject) if fault.kind == "limit" else ()),
        *limit_broken(builder.machine, fault.subject, fault.bound),
        *(subjects_named("field", fault.subject) if fault.subject in builder.machine.fields else ()),
        *subjects_named("transition", fault.transition),
        *subjects_named("tool", fault.tool),
        Subject("node", builder.node),
    )
    missing = value_read(builder, fault.subject) if fault.kind == "text" and fault.subject else ()
    yield builder.fact(
        kind,
        *about,
        causes=(*missing, builder.first("decided", "tool_called", "model_replied")),
        source=fault.at,
        reason=fault.message.rstrip("."),
        value=builder.value(fault.subject, fault.value),
        bound=fault.bound,
        limit=fault.subject,
        counted=COUNTED_WORDS.get(fault.subject, ""),
        at=fault.at,
        transition=fault.transition,
    )
    yield from _undone(builder, kind)


def _undone(builder: FactBuilder, kind: FactKind) -> Iterator[Fact]:
    """Yield that a failure took a move back, which the decision just before it had chosen."""
    decision = builder.decision
    if decision is None or decision.seq != builder.entry.seq - 1:
        return
    undone = next((one for one in decision.candidates if one.failure is not None), None)
    if undone is None or undone.failure is None:
        return
    about, causes = _of_move(undone, decision.node), (builder.latest[kind],)
    target = undone.target or _end_of(builder, decision, undone)
    values = {"transition": undone.id, "node": decision.node, "target": target}
    about += subjects_named("node", target if target in builder.machine.nodes and not undone.target else "")
    yield builder.fact(
        "move_undone", *about, causes=causes, source=undone.source, **values, reason=undone.failure.summary
    )


def _end_of(builder: FactBuilder, decision: Decision, considered: Considered) -> str:
    """Return where a transition leads that goes to no node: into a scope, or to an end."""
    for candidate in builder.machine.candidates(decision.node, cast("Moment", decision.moment)).all:
        if candidate.id == considered.id and isinstance(candidate.action, Open):
            return candidate.action.scope
    return Phrase("the end")


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.Decided: _decided,
    e.MovePlanned: _planned,
    e.Moved: _moved,
    e.Ended: _ended,
    e.Faulted: _faulted,
}
"""The functions that yield the facts of an event, by the class of the event."""
