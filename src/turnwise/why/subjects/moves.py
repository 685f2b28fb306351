"""Why a node is or is not in charge, and why a transition was or was not taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from msgspec.structs import replace

from turnwise.core.explain.now import MOMENTS, explain_now, transitions_named
from turnwise.core.explain.text import outranked
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.retention import erasure_text
from turnwise.core.trace import Considered, Decision, Outcome
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import at_decision
from turnwise.why.facts.questions import why_form_asks
from turnwise.why.facts.values import guard_reads, operands
from turnwise.why.query import Query
from turnwise.why.subjects.closest import closest
from turnwise.why.subjects.judging import details, is_skipped, value_text
from turnwise.why.subjects.people import who_answers
from turnwise.why.subjects.uses import guard_of, uses_read


async def answer_node(query: Query) -> list[Fact]:
    """Return how a node came in charge; else why it is not: how it was left, or the ways to it."""
    name, end = query.subject.name, query.end
    entered = await _entered(query, name)
    if query.state.node == name:
        since = query.state.frame.entered_turn
        first = entered or end.standing("node_in_charge", query.subject, node=name, since=since)
        waits = [await who_answers(query)] if query.state.person is not None else []
        before = await _judged_before(query, str(first.values.get("transition", "")))
        return [first, *waits, *await _rivals(query, first), *before, *_others(query, first)]
    first = next(iter([*_stopped(query), *await _pending(query, name)]), None)
    named = transitions_named(query.machine, name, _nodes(query))
    ways = [fact for one in named for fact in await way(query, one)]
    near = [fact for one in named for fact in await closest(query, one)]
    if first is not None:
        return [first, *ways, *_others(query, first)]
    undone = await _undone_since(query, entered)
    if not query.state.visits.get(name) and undone is None:
        last = [fact for one in named if not _was_judged(ways, one) for fact in await _judged_last(query, one)]
        ways = [*ways, *last] if query.names_turn else [*last, *ways]
        values = {"node": name, "reason": _first_ways(ways, query.turn.number)}
        first = end.standing("node_never_entered", query.subject, causes=tuple(ways), **values)
        return [first, *near, *_others(query, first)]
    left = await query.last(lambda event: isinstance(event, e.Moved) and event.source == name)
    first = _not_in_charge(query, entered, left, undone)
    person = await _wait_in(query, name)
    others = [fact for fact in _others(query, first) if fact not in person]
    return [first, *person, *([entered] if entered is not None else []), *near, *ways, *others]


def _not_in_charge(query: Query, entered: Fact | None, left: Fact | None, undone: Fact | None) -> Fact:
    """Return that a node is not in charge, how it was entered and left the last time, and what took that back."""
    name, now = query.subject.name, query.state.node
    if undone is not None and left is not None and entered is not None and left.seq < entered.seq:
        left = None  # the undo came while the node was in charge
    visit = " and ".join([*_in_short("entered", entered), *_in_short("left", left)])
    visit += f"; the undo of turn {undone.turn} took that back" if undone is not None else ""
    causes = (entered if entered != left else None, left, undone)
    return query.end.standing("node_not_in_charge", query.subject, causes=causes, node=name, now=now, visit=visit)


def _in_short(what: str, move: Fact | None) -> list[str]:
    """Return in words in which turn a node was entered or left, by which transition, and why."""
    if move is None:
        return []
    transition, because = move.values.get("transition"), str(move.values.get("because", "")).rstrip(".")
    by = f" by {transition}" if transition else ""
    return [f"{what} in turn {move.turn}{by}" + (f" ({because})" if because else "")]


def _first_ways(ways: list[Fact], turn: int) -> str:
    """Return what became of the transitions that lead to a node, of a few; first of those that were judged."""
    kinds = ("transition_not_judged", "transition_judged")
    found: dict[str, Fact] = {}
    for fact in [fact for fact in ways if fact.kind in kinds]:
        before = found.get(fact.values["transition"])
        if before is None or (fact.turn == before.turn and (_is_judged(fact) or not _is_judged(before))):
            found[fact.values["transition"]] = fact
    own = [("" if fact.turn == turn else f"in turn {fact.turn} ") + fact.text.rstrip(".") for fact in found.values()]
    facts = list(dict.fromkeys(own))
    more = f"; and {len(facts) - _FEW} more" if len(facts) > _FEW else ""
    return "; ".join(facts[:_FEW]) + more


def _was_judged(ways: list[Fact], transition: str) -> bool:
    return any(fact.kind == "transition_judged" and fact.values["transition"] == transition for fact in ways)


def _is_judged(fact: Fact) -> bool:
    return fact.values.get("outcome", "not_reached") != "not_reached"


_FEW = 2
_NEAR = 20
"""How many turns are searched for how a transition was judged before it was taken."""


def _stopped(query: Query) -> list[Fact]:
    """Return the last move into the node that was decided in the turn and not made."""
    node = query.subject.name
    found = [fact for fact in query.about if fact.kind in ("move_blocked", "move_undone")]
    return [fact for fact in found if fact.values["target"] == node][-1:]


async def _entered(query: Query, name: str) -> Fact | None:
    """Return how a node came in charge, the last time."""
    about = Subject("node", name)
    if query.state.node == name:
        entered = query.state.frame.entered_turn
        found = await query.in_turn(entered, lambda fact: fact.kind in _ENTRIES and is_entry(fact, about))
        if found is not None:
            return found
    return await query.last(lambda event: _may_enter(event, name))


_ENTRIES = ("node_left", "conversation_started", "turn_undone", "migrated")


def is_entry(fact: Fact, node: Subject) -> bool:
    """Return whether a fact that brings a node in charge is about this one."""
    return fact.values.get("target", node.name) == node.name and node in fact.about


def _may_enter(event: e.AnyEvent, name: str) -> bool:
    match event:
        case e.Moved(target=node) | e.Started(node=node):
            return node == name
        case e.Undone(state=state) | e.Migrated(state=state):
            return state.node == name
        case _:
            return False


async def _wait_in(query: Query, name: str) -> list[Fact]:
    """Return how the wait for a person ended in a node of which that is the work."""
    if query.machine.nodes[name].work != "person":
        return []
    came = await query.last(lambda event: isinstance(event, e.NobodyCame | e.TakenOver | e.GivenBack))
    return [came] if came is not None else []


async def _rivals(query: Query, entered: Fact) -> list[Fact]:
    """Return by what a move went before each other transition that held."""
    turn = await query.history.turn(entered.turn) if entered.values.get("also") else None
    if turn is None:
        return []
    then = await query.at(turn)
    seq = next((cause.seq for cause in entered.causes if cause.kind == "decided"), 0)
    decision = next(one for one in turn.decisions if one.seq == seq)
    return [fact for one in decision.candidates for fact in details(then, decision, one) if fact.kind == "outranked"]


def _nodes(query: Query) -> tuple[str, ...]:
    return (query.state.node, *(gone.node for gone in reversed(query.turn.left)))


def _others(query: Query, first: Fact) -> list[Fact]:
    return [fact for fact in query.about if fact != first and fact not in first.causes]


async def answer_transition(query: Query) -> list[Fact]:
    """Return what became of a transition in each decision of the turn; else why it was not judged."""
    name = query.subject.name
    ways = await way(query, name)
    others = [fact for fact in query.about if fact.kind != "decided" or fact.values["transition"] == name]
    taken = [fact for fact in others if fact.kind in ("node_left", "decided", "conversation_ended", "move_planned")]
    stopped = [fact for fact in others if fact.kind in ("move_blocked", "move_undone")]
    first = [*taken[:1], *stopped[-1:], *await _pending(query, name), *ways][0]
    if first.kind.startswith("transition_") and not _is_judged(first):
        first = await _taken_before(query, first) or first
    judged = [fact for fact in ways if fact.values.get("outcome") != "taken"]  # the decision says that it was taken
    near = [] if taken else await closest(query, name)
    before = await _judged_before(query, name) if taken else []
    if not taken and not _was_judged(judged, name):
        before = await _judged_last(query, name)
    return [first, *[fact for fact in (*before, *near, *judged, *others) if fact != first]]


async def _judged_last(query: Query, name: str) -> list[Fact]:
    """Return what the decisions of the last turn that had a transition among their candidates made of it."""
    async for entry in query.back(e.Decided, since=max(1, query.turn.number - _NEAR)):
        turn = await query.history.turn(entry.turn) if _may_judge(query, entry, name) else None
        if turn is not None:
            judged = [fact for fact in await way(await query.at(turn), name) if fact.kind == "transition_judged"]
            return sorted(judged, key=_is_judged)[-1:]
    return []


def _may_judge(query: Query, entry: e.Entry, name: str) -> bool:
    """Return whether an entry is a decision in an earlier turn of which a transition was a candidate."""
    event = entry.event
    if not isinstance(event, e.Decided) or entry.turn >= query.turn.number or event.node not in query.machine.nodes:
        return False
    return any(one.id == name for one in query.machine.candidates(event.node, cast("Moment", event.moment)).all)


async def _judged_before(query: Query, name: str) -> list[Fact]:
    """Return why a transition that is taken now was not taken when it was judged before, at the same node."""
    node = next((one.node for one in query.turn.decisions if one.taken == name), "")
    async for entry in query.back(e.Decided, since=max(1, query.turn.number - _NEAR)):
        if entry.turn < query.turn.number and isinstance(entry.event, e.Decided) and entry.event.node == node:
            turn = await query.history.turn(entry.turn)
            if turn is None or not any(one.candidate(name) for one in turn.decisions):
                continue
            judged = [fact for fact in await way(await query.at(turn), name) if fact.kind == "transition_judged"]
            return judged[-1:] if judged[-1].values["outcome"] in ("false", "unknown", "not_reached") else []
    return []


_REASONS = ("because", "unguarded", "grounds")
"""What a fact has about why a transition was taken."""


async def _taken_before(query: Query, now: Fact) -> Fact | None:
    """Return that a transition was taken in an earlier turn, whether that was undone, and how it stands now."""
    name = query.subject.name
    taken = await query.last(
        lambda event: isinstance(event, e.Ended) or (isinstance(event, e.Moved) and event.transition == name),
        lambda fact: fact.values["transition"] == name,
    )
    undone = await _undone_since(query, taken)
    if taken is None or taken.turn == query.turn.number or (undone is None and now.kind == "transition_judged"):
        return None
    values: dict[str, Any] = {
        "transition": name,
        "turn": taken.turn,
        "because": "; ".join(str(one) for key in _REASONS if (one := taken.values.get(key))),
        "line": now.text,
    }
    gave = await query.in_turn(taken.turn, lambda fact: fact.kind == "person_gave_back")
    if taken.values.get("operator") and gave is not None:  # not the reason of the rule, which may not have held
        reason = f": {gave.values['reason']}" if gave.values.get("reason") else ""
        values["because"] = f"{taken.values['operator']}, a person, chose it{reason}"
    since = undone.turn if undone is not None else None
    found = query.end.standing("transition_was_taken", *now.about, causes=(taken, undone), **values, undone=since)
    return replace(found, source=taken.source)


async def _undone_since(query: Query, fact: Fact | None) -> Fact | None:
    """Return the last undo that took back the turn of a fact."""
    if fact is None:
        return None
    turn, since = Subject("turn", str(fact.turn)), fact.turn + 1
    return await query.last(lambda event: isinstance(event, e.Undone), lambda one: turn in one.about, since=since)


async def _pending(query: Query, name: str) -> list[Fact]:
    """Return that the move of a transition is decided, and is made with the next message."""
    pending = query.state.pending
    if pending is None or name not in (pending.transition, pending.target):
        return []
    planned = await query.last(
        lambda event: isinstance(event, e.MovePlanned) and event.transition == pending.transition
    )
    about = (Subject("transition", pending.transition), Subject("node", pending.target))
    values = {"transition": pending.transition, "node": query.state.node, "target": pending.target}
    since = planned.turn if planned is not None else None
    return [query.end.standing("move_waits", *about, causes=(planned,), **values, since=since)]


async def way(query: Query, name: str) -> list[Fact]:
    """Return what each decision of the turn made of a transition; else a hypothetical judging at its end."""
    judged = [(one, found) for one in query.turn.decisions if (found := one.candidate(name)) is not None]
    again = [pair for pair in judged if is_skipped(query, *pair)]
    judged = [pair for pair in judged if pair not in again[:-1]]
    if not judged:
        turn = query.turn
        decision = explain_now(query.machine, query.state, name, turn.conversation, turn.number, turn.left)
        assert decision is not None, "the machine has the transition"
        decision = turn.hide(decision)
        query.decisions.append(decision)
        about = (Subject("transition", name), Subject("node", decision.node))
        found = decision.candidate(name)
        missing: dict[str, Any] = _missing(query, decision, found) if found is not None else {}
        values: dict[str, Any] = {"line": decision.line, "transition": name, **missing}
        return [query.end.standing("transition_not_judged", *about, causes=(await _instead(query, name),), **values)]
    query.decisions += [one for one, _ in judged if one not in query.decisions]
    facts: dict[tuple[str, str], Fact] = {}
    for decision, candidate in judged:
        uses = await _uses(query, decision, candidate)
        for fact in (_judged(query, decision, candidate, uses), *details(query, decision, candidate), *uses):
            facts.setdefault((fact.kind, fact.text), fact)
    return list(facts.values())


async def _instead(query: Query, name: str) -> Fact | None:
    """Return why a transition could not be judged: the move of the turn that left it behind, the person or the form
    that is waited for.
    """
    here = {
        moment for moment in MOMENTS for one in query.machine.candidates(query.state.node, moment).all if one.id == name
    }
    if not here or isinstance(query.state.status, Ended):
        return query.end.first("conversation_ended", "node_left")
    if query.state.person is not None:
        return await who_answers(query)
    return why_form_asks(query.end) if "after" in here else None


async def _uses(query: Query, decision: Decision, considered: Considered) -> list[Fact]:
    """Return what the rules of a transition made of the uses of tools in a decision of the turn."""
    judged = next((one for one in query.turn.judged if one.entry.seq == decision.seq), None)
    guard = guard_of(query.machine, decision, considered.id)
    return await uses_read(query, judged.state, guard, considered.id) if judged is not None else []


def _judged(query: Query, decision: Decision, candidate: Considered, uses: list[Fact]) -> Fact:
    about = [Subject("transition", candidate.id), Subject("node", decision.node)]
    about += [Subject("node", candidate.target)] if candidate.target else []
    decided = next((fact for fact in query.facts if fact.kind == "decided" and fact.seq == decision.seq), None)
    by = candidate.by if candidate.outcome != "outranked" else ""
    lacks = ", ".join(need.text for needs in candidate.needs[:1] for need in needs) or " or ".join(candidate.in_words)
    needs = f"it needs {lacks}" if lacks else ""
    used = [fact.values["did"] for fact in uses if fact.values["rule"] in lacks]
    by = "; ".join(filter(None, (by, needs, *used))) or _erased(query, decision, candidate)
    reads = _reads(query, decision, candidate) if candidate.outcome != "taken" else ()
    return query.end.standing(
        "transition_judged",
        *about,
        causes=(decided, *reads),
        source=candidate.source,
        transition=candidate.id,
        outcome=candidate.outcome,
        did=_did(candidate),
        because=candidate.because if candidate.outcome == "taken" else _because_of(decision, candidate),
        by=by,
        moment=decision.moment,
        **_missing(query, decision, candidate),
    )


def _because_of(decision: Decision, candidate: Considered) -> str:
    """Return the reason of the transition by which another one, which held, was outranked."""
    winner = decision.candidate(candidate.by) if candidate.outcome == "outranked" else None
    return winner.because if winner is not None else ""


def _missing(query: Query, decision: Decision, candidate: Considered) -> dict[str, Any]:
    """Return the fields that a transition lacks, and those whose values are in its way, by the first of its needs, none
    that is secret; else what it waits for that is no field.
    """
    if candidate.outcome not in ("false", "unknown") and not is_skipped(query, decision, candidate):
        return {}
    needs = [one for one in (candidate.needs or ((),))[0] if not query.machine.fields[one.field].secret]
    read = operands(candidate.verdict) if candidate.verdict is not None else ()
    waits_for = [one.name for one in read if any(one.name in way for way in candidate.in_words[:1])]
    return {
        "lacking": _distinct(one.field for one in needs if one.now is None),
        "in_the_way": _distinct(one.field for one in needs if one.now is not None),
        "waits_for": _distinct(name for name in waits_for if name not in query.machine.fields),
    }


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _reads(query: Query, decision: Decision, considered: Considered) -> Iterator[Fact]:
    """Yield what a transition read in a decision of the turn."""
    judged = next((one for one in query.turn.judged if one.entry.seq == decision.seq), None)
    if judged is not None:
        guard = guard_of(query.machine, decision, considered.id)
        yield from guard_reads(at_decision(query.turn, query.facts, judged), guard, considered)


def _erased(query: Query, decision: Decision, candidate: Considered) -> str:
    """Return that retention took away what a decision read, where a transition did not hold for it."""
    if candidate.verdict is not None or candidate.outcome not in ("false", "unknown"):
        return ""
    found = (entry.event for entry in query.turn.entries if entry.seq == decision.seq)
    decided = next((event for event in found if isinstance(event, e.Decided)), None)
    if decided is None or decided.trimmed is None:
        code = candidate.code
        return f"the function {code.name} returned {value_text(code.returned)}" if code is not None else ""
    return f"of a value that was erased by retention{erasure_text(decided.trimmed, 'what decisions read')}"


def _did(candidate: Considered) -> str:
    """Return what became of a transition in a decision."""
    if candidate.outcome != "outranked":
        return _DID[candidate.outcome]
    return f"held, but {candidate.by}" if candidate.is_mirror else f"held, and was {outranked(candidate)}"


_DID: dict[Outcome, str] = {
    "taken": "was taken",
    "false": "did not hold",
    "unknown": "did not hold",
    "blocked": "held, and its move was not made",
    "not_reached": "was not judged",
    "error": "is in error",
}
"""The outcomes of a transition in words, apart from `outranked`."""
