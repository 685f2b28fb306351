"""Why a node is or is not in charge, and why a transition was or was not taken."""

from __future__ import annotations

from turnwise.core.explain.now import explain_now, transitions_named
from turnwise.core.explain.text import outranked
from turnwise.core.trace import Considered, Decision
from turnwise.why.answer import Fact, Subject
from turnwise.why.asking import Asking


async def answer_node(asking: Asking) -> list[Fact]:
    """Return how a node came in charge; else why it is not: how it was left, or the ways to it."""
    name, end = asking.subject.name, asking.end
    entered = await _entered(asking, name)
    if asking.state.node == name:
        since = asking.state.frame.entered_turn
        first = entered or end.standing("node_in_charge", asking.subject, node=name, since=since)
        return [first, *_others(asking, first)]
    ways = [fact for way in transitions_named(asking.machine, name, _nodes(asking)) for fact in await _way(asking, way)]
    if not asking.state.visits.get(name):
        first = end.standing("node_never_entered", asking.subject, node=name, causes=tuple(ways))
        return [first, *_others(asking, first)]
    left = await asking.last(lambda fact: fact.kind == "node_left" and fact.values["node"] == name)
    now = asking.state.node
    first = end.standing("node_not_in_charge", asking.subject, causes=(left,), node=name, now=now)
    return [first, *ways, *_others(asking, first)]


async def _entered(asking: Asking, name: str) -> Fact | None:
    first = asking.state.frame.entered_turn if asking.state.node == name else None
    return await asking.last(lambda fact: _is_entry(fact, name), first=first)


def _is_entry(fact: Fact, name: str) -> bool:
    return (fact.kind == "node_left" and fact.values["target"] == name) or (
        fact.kind in ("conversation_started", "turn_undone", "migrated") and Subject("node", name) in fact.about
    )


def _nodes(asking: Asking) -> tuple[str, ...]:
    return (asking.state.node, *(gone.node for gone in reversed(asking.turn.left)))


def _others(asking: Asking, first: Fact) -> list[Fact]:
    return [fact for fact in asking.about if fact != first and fact not in first.causes]


async def answer_transition(asking: Asking) -> list[Fact]:
    """Return what became of a transition in each decision of the turn; else why it was not judged."""
    name = asking.subject.name
    ways = await _way(asking, name)
    others = [fact for fact in asking.about if fact.kind != "decided" or fact.values["transition"] == name]
    taken = [fact for fact in others if fact.kind in ("node_left", "decided", "conversation_ended", "move_planned")]
    first = [*taken[:1], *ways][0]
    return [first, *[fact for fact in (*ways, *others) if fact != first]]


async def _way(asking: Asking, name: str) -> list[Fact]:
    """Return what each decision of the turn made of a transition; else a hypothetical judging at its end."""
    judged = [(one, found) for one in asking.turn.decisions if (found := one.candidate(name)) is not None]
    if not judged:
        turn = asking.turn
        decision = explain_now(asking.machine, asking.state, name, turn.conversation, turn.number, turn.left)
        assert decision is not None, "the machine has the transition"
        decision = turn.hide(decision)
        asking.decisions.append(decision)
        about = (Subject("transition", name), Subject("node", decision.node))
        return [asking.end.standing("transition_not_judged", *about, line=decision.line, transition=name)]
    asking.decisions += [one for one, _ in judged if one not in asking.decisions]
    return [_judged(asking, decision, candidate) for decision, candidate in judged]


def _judged(asking: Asking, decision: Decision, candidate: Considered) -> Fact:
    about = [Subject("transition", candidate.id), Subject("node", decision.node)]
    about += [Subject("node", candidate.target)] if candidate.target else []
    outcome = outranked(candidate) if candidate.outcome == "outranked" else candidate.outcome.replace("_", " ")
    told = next((fact for fact in asking.told if fact.kind == "decided" and fact.seq == decision.seq), None)
    by = candidate.by if candidate.outcome != "outranked" else ""
    lacks = ", ".join(need.text for needs in candidate.needs[:1] for need in needs) or ", ".join(candidate.in_words[:1])
    by = by or (f"it needs {lacks}" if lacks else "")
    return asking.end.standing(
        "transition_judged",
        *about,
        causes=(told,),
        source=candidate.source,
        transition=candidate.id,
        outcome=outcome,
        because=candidate.because,
        by=by,
        moment=decision.moment,
    )
