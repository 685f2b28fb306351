"""Why a tool was used, refused, or not called, and the outcome of one call."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, cast

from msgspec.structs import replace

from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import events as e
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.names import subjects
from turnwise.why.query import Query
from turnwise.why.subjects.counts import answer_counts
from turnwise.why.subjects.nodes import is_entry
from turnwise.why.subjects.offers import offers
from turnwise.why.subjects.reach import is_work_of, unreached
from turnwise.why.subjects.transitions import outcomes_of
from turnwise.why.subjects.uses import (
    OUTCOMES,
    UndoneUses,
    as_they_ran,
    is_result,
    tools_named,
    turns_in_words,
    undone_use,
    uses_taken_back,
)


async def answer_tool(query: Query) -> list[Fact]:
    """Return the outcome of a tool's last call in the turn, or of each if some failed; or why it was not called.
    Then how often it was used, and whether it is offered.
    """
    own = query.facts_about
    outcomes = [fact for fact in own if fact.kind in OUTCOMES]
    uses = await _uses(query)
    standing = [*_work(query), *[await _since(query, fact) for fact in offers(query)], uses]
    if uses.kind == "tool_never_used":
        standing[0] = await _with_reach(query, standing[0])
    if outcomes:
        own = [await _with_runs_before(query, one) if one == outcomes[-1] else one for one in own]
        outcomes[-1] = await _with_runs_before(query, outcomes[-1])
        first = _calls_in_turn(query, outcomes) or outcomes[-1]
        own += _then(query, outcomes[-1])
    else:
        waits = await _awaits_approval(query)
        kept = next((fact for fact in own if fact.kind == "turn_undone"), None)
        last = await _last_event(query)
        used = uses if uses.kind == "tool_used" else last
        subject = query.subject
        refused = await query.last(
            e.CallRefused, e.Faulted, is_fact=lambda fact: fact.kind == "call_refused" and subject in fact.about
        )
        own += [one for one in (last, refused) if one is not None and one not in (*uses.causes, *own)]
        own = [one for at, one in enumerate(own) if one not in own[:at]]
        if not own and uses.kind == "tool_never_used" and subject not in subjects(query.machine):
            return []
        before = await _offered_before(query) if used is None and not query.names_turn else None
        first = waits or kept or (used if not query.names_turn else None) or before or standing[0]
    return [first, *[fact for fact in (*own, *standing, *await _rules(query)) if fact != first]]


def _calls_in_turn(query: Query, outcomes: list[Fact]) -> Fact | None:
    """Return the outcomes of the calls in the turn, if there were several and some failed or were refused."""
    done = [one for one in outcomes if one.kind in _ENDED]
    did = [_repeated(*key, len(list(same))) for key, same in groupby(done, _did)]
    worked = [one for one in done if one.kind != "tool_failed" and is_result(one, query.subject.name)]
    if len(done) < 2 or outcomes[-1].kind not in _ENDED or worked == done:
        return None
    about, name = (query.subject, Subject("turn", str(query.turn.number))), query.subject.name
    values: dict[str, Any] = {
        "tool": name,
        "count": len(done),
        "turn": query.turn.number,
        "did": joined(did, ", then "),
    }
    return query.end.fact_of_state("tool_called_often", *about, causes=tuple(done), **values)


_ENDED: tuple[FactKind, ...] = ("tool_returned", "tool_failed", "call_answered", "call_refused", "tool_used_by_host")
"""What a call came to."""


def _did(outcome: Fact) -> tuple[str, str]:
    """Return in words what one call came to, and the reason of a failure or refusal."""
    values = outcome.values
    match outcome.kind:
        case "tool_failed":
            return Phrase("failed"), str(values["reason"])
        case "call_refused":
            return Phrase("refused"), str(values["said"])
        case "call_answered" if not is_result(outcome, str(values["tool"])):
            return Phrase("refused"), str(values["error"])
        case "tool_used_by_host":
            return Phrase("used by the program"), ""
        case _:
            return Phrase("carried out"), ""


def _repeated(did: str, reason: str, times: int) -> str:
    return phrase("{did}[ {times} times][ ({reason})]", did=did, times=times if times > 1 else None, reason=reason)


async def _offered_before(query: Query) -> Fact | None:
    """Return in which of the last turns the model was offered a tool that it is not offered now, and did not call."""
    if any(fact.kind != "tool_not_offered" for fact in offers(query)):
        return None
    async for entry in query.entries_backwards(e.ModelReplied, since=max(1, query.turn.number - _NEAR)):
        turn = await query.history.turn(entry.turn)
        then = offers(await query.at_turn(turn)) if turn is not None else ()
        offered = next((fact for fact in then if fact.kind == "tool_not_called"), None)
        if offered is not None:
            return replace(offered, turn=entry.turn)
    return None


_NEAR = 10
"""How many turns are searched for one in which a tool was offered."""


async def _last_event(query: Query) -> Fact | None:
    """Return the outcome of the last call of the tool in an earlier turn, also that it was refused or declined."""
    subject = query.subject
    return await query.last(*_OUTCOMES, is_fact=lambda fact: fact.kind in OUTCOMES and subject in fact.about)


_OUTCOMES = (e.ToolReturned, e.ToolFailed, e.CallAnswered, e.CallRefused, e.ToolUsed, e.Faulted)


def _then(query: Query, outcome: Fact) -> list[Fact]:
    """Return what was decided after a call that was refused or failed."""
    if outcome.kind not in ("call_refused", "tool_failed"):
        return []
    decided = [fact for fact in query.facts if fact.kind == "decided"]
    ways_on = [fact for fact in decided if fact.values["moment"] == "before" and not fact.values["transition"]]
    return [*[fact for fact in decided if fact.seq > outcome.seq][:1], *ways_on[:1]]


async def _since(query: Query, offer: Fact) -> Fact:
    """Return that a tool is offered, with how the node that offers it was entered."""
    node, frame = Subject("node", str(offer.values["node"])), query.state.frame
    if offer.kind != "tool_offered" or node.name != query.state.node:
        return offer
    entered = await query.newest_in_turn(
        frame.entered_turn, lambda fact: fact.kind == "node_left" and is_entry(fact, node)
    )
    return replace(offer, causes=(*offer.causes, entered)) if entered is not None else offer


async def _rules(query: Query) -> list[Fact]:
    """Return what became last of the transitions that were not taken and whose rules are about uses of the tool."""
    name, found = query.subject.name, dict[str, None]()
    for decision in query.turn.decisions:
        candidates = query.machine.candidates(decision.node, cast("Moment", decision.moment)).all
        reading = {one.id for one in candidates if name in tools_named(one.guard)}
        found |= {one.id: None for one in decision.candidates if one.id in reading}
    rules: list[Fact] = []
    for transition in found:
        if transition not in query.turn.taken:
            ways = await outcomes_of(query, transition)
            judged = [fact for fact in ways if fact.kind == "transition_judged"]
            uses = [fact for fact in ways if fact.kind == "uses_read" and query.subject in fact.about]
            rules += [*judged[-1:], *uses[-1:]]
    return rules


async def answer_call(query: Query) -> list[Fact]:
    """Return the outcome of one call and, before that, all events about the call."""
    own = query.facts_about
    outcomes = [fact for fact in own if fact.kind in OUTCOMES]
    waits = await _awaits_approval(query)
    first = waits or (outcomes or own or [None])[-1]
    if first is None:
        return [query.end.fact_of_state("call_unknown", query.subject, call=query.subject.name)]
    return [first, *[fact for fact in own if fact != first]]


async def _awaits_approval(query: Query) -> Fact | None:
    """Return that a call waits for approval at the end of the turn."""
    subject = query.subject
    waiting = query.state.waiting_calls
    request = next((one for one in waiting if subject.name in (one.tool, one.call)), None)
    if request is None:
        return None
    asked = await query.last(e.CallHeld, call=request.call)
    since = asked.turn if asked is not None else None
    return query.end.fact_of_state(
        "call_still_awaits",
        Subject("tool", request.tool),
        subject,
        causes=(asked,),
        tool=request.tool,
        since=since,
        by=request.approver,
    )


# how a tool stands ---------------------------------------------------------------------------------


def _work(query: Query) -> Iterator[Fact]:
    """Yield of which nodes the tool is the work, and whether one of them is in charge."""
    machine, name = query.machine, query.subject.name
    nodes = [node for node, of in machine.nodes.items() if is_work_of(of, name)]
    if not nodes:
        return
    state = query.state
    if state.node in nodes:
        now = Phrase("it is in charge, and its work is done") if state.frame.is_work_done else Phrase("it is in charge")
    else:
        now = phrase("{node} is in charge", node=state.node)
    about = (query.subject, *[Subject("node", node) for node in nodes])
    yield query.end.fact_of_state("tool_is_work", *about, tool=name, nodes=joined(nodes, " and "), now=now)


async def _with_reach(query: Query, stands: Fact) -> Fact:
    """Return how a tool stands that was never used, with why no node was entered that calls or offers it."""
    if stands.kind not in ("tool_is_work", "tool_not_offered"):
        return stands
    found = await unreached(query)
    if found is None:
        return stands
    text = found.text if stands.kind == "tool_is_work" else found.nodes_and_reasons
    nodes = [Subject("node", name) for name in found.nodes]
    about = (*stands.about, *[one for one in nodes if one not in stands.about])
    return replace(stands.with_values(unreached=text), about=about, causes=(*stands.causes, *found.reasons))


async def _is_refusal(query: Query, entry: e.Entry, tool: str) -> bool:
    """Return whether a call of a tool was refused in an entry."""
    match entry.event:
        case e.CallRefused(tool=refused):
            return refused == tool
        case e.Faulted(fault=fault) if fault.tool == tool and fault.kind in ("tool", "refused"):
            return any(fact.kind == "call_refused" for fact in await query.facts_of(entry))
        case _:
            return False


def _refused(turns: list[int]) -> str:
    """Return in words in which turns calls of a tool were refused."""
    if not turns:
        return ""
    numbers = list(dict.fromkeys(str(turn) for turn in reversed(turns)))[-_NEAR:]
    text = "a call in {turns} was refused" if len(turns) == 1 else "calls in {turns} were refused"
    return phrase(text, turns=turns_in_words(numbers))


async def _unused(query: Query) -> Fact:
    """Return how often a tool was called that is no use for rules: one that the machine answers itself, or that no node
    has; else that no call was carried out.
    """
    name, last = query.subject.name, await _last_event(query)
    count = await answer_counts(query) if last is not None and name not in query.machine.tools else []
    if count:
        return count[0]
    is_refused = last is not None and last.kind == "call_refused"
    reason = phrase("its call in turn {turn} was refused", turn=last.turn) if last is not None and is_refused else ""
    return query.end.fact_of_state("tool_never_used", query.subject, tool=name, reason=reason)


def _others(query: Query, tool: str, gone: UndoneUses, *, is_said: bool) -> str:
    """Return in words which uses of a tool undos took back. Those of an effect still count, as it was not reversed;
    `is_said` is true where that is said of the last use.
    """
    declared = query.machine.tools.get(tool)
    is_kept = declared is not None and declared.tool.kind == "effect"
    if not gone.turns or (is_kept and is_said):
        return ""
    text = "{count} of these {where}, which {by} took back" if is_kept else "{count} more, which {by} took back"
    return phrase(text, count=len(gone.turns), where=gone.turns_text, by=gone.undos_text)


async def _with_runs_before(query: Query, outcome: Fact) -> Fact:
    """Return what a call came to, with the turns before in which the tool ran and which undos took back."""
    gone = await uses_taken_back(query, query.subject.name)
    if not gone.turns or outcome.kind not in ("tool_returned", "tool_failed"):
        return outcome
    return outcome.with_values(
        before=phrase("it ran {where}, too, which {by} took back", where=gone.turns_text, by=gone.undos_text)
    )


async def _uses(query: Query) -> Fact:
    """Return how often a tool was used, the outcome of its last call, and whether an undo took uses back."""
    name, count = query.subject.name, query.state.tools.counts.get(query.subject.name, 0)
    undone = await undone_use(query, name) if not count else None
    if not count and undone is None:
        return await _unused(query)
    uses, kept = await as_they_ran(query, query.state.tools.last), Phrase("did not reverse that")
    if undone is not None:
        turn, kept = await query.history.turn(undone[0].turn), Phrase("took that back")
        uses = turn.state.tools.last if turn is not None else ()
    last = next((use for use in reversed(uses) if use.tool == name), None)
    times = (
        Phrase("before")
        if not count
        else Phrase("once so far")
        if count == 1
        else phrase("{count} times so far", count=count)
    )
    values: dict[str, Any] = {"turn": last.turn, "node": last.node} if last is not None else {}
    number = last.turn if last is not None else query.turn.number
    outcome = await query.newest_in_turn(number, lambda fact: is_result(fact, name))
    undo = await query.undone_since(outcome)
    called = next((one for one in outcome.causes if one.kind == "tool_called"), None) if outcome is not None else None
    values |= {"by": called.values["by"] if called is not None else "", "count": count, "times": times}
    values |= {"undone": undo.turn, "kept": kept} if undo is not None else {}
    values["error"] = outcome.values["reason"] if outcome is not None and outcome.kind == "tool_failed" else ""
    gone = await uses_taken_back(query, name) if count else UndoneUses()
    values["others"] = _others(query, name, gone, is_said=undo is not None)
    refusals = query.entries_backwards(e.CallRefused, e.Faulted)
    values["refused"] = _refused([entry.turn async for entry in refusals if await _is_refusal(query, entry, name)])
    causes = (outcome if number < query.turn.number else None, undo)
    return query.end.fact_of_state("tool_used", query.subject, causes=causes, tool=name, **values)
