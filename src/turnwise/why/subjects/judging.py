"""Why one transition had its outcome in one decision: its place among the candidates, the items of the lists that its
guard read, what its Python guard returned, and what had changed since it was judged before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from turnwise.core.candidates import Candidate, Precedence, precedence
from turnwise.core.decision.judge import SKIPPED
from turnwise.core.explain.decision import recorded_env
from turnwise.core.explain.items import ItemVerdict, item_verdicts
from turnwise.core.guards import types
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import events as e
from turnwise.core.trace import Considered, Decision
from turnwise.flow.model import Moment
from turnwise.runner.result import messages_among
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.query import Query

_LEVELS = {"node": Phrase("its node"), "flow": Phrase("the flow"), "enter": Phrase("an enter_when")}


ITEMS: tuple[FactKind, ...] = ("item_decided", "item_unknown", "no_item_decided")
"""The kinds of facts about how the items of a list decided a rule."""


def facts_that_decided(query: Query, decision: Decision, considered: Considered) -> Iterator[Fact]:
    """Yield facts about what decided the outcome of a transition (`considered`) in a decision of the turn."""
    stored = _stored(query, decision)
    if stored is None:
        return
    candidates = query.machine.candidates(decision.node, cast("Moment", decision.moment))
    candidate = next(one for one in candidates.all if one.id == considered.id)
    if considered.outcome == "outranked" and decision.taken and not considered.is_mirror:
        winner = next(one for one in candidates.all if one.id == decision.taken)
        yield _outranked(query, decision, winner, candidate)
    if candidate.level == "enter":
        yield _entering(query, decision, considered, is_skipped=is_skipped(query, decision, considered))
    texts = messages_among({**query.turn.earlier_entries, **{one.seq: one for one in query.turn.entries}}.values())
    if candidate.guard is not None and considered.verdict is not None:
        env = recorded_env(candidates, stored, texts)
        for verdict in item_verdicts(candidate.guard.expression, query.machine.names, env):
            yield _items(query, candidate, verdict)
    yield from _code(query, considered)


def _stored(query: Query, decision: Decision) -> e.Decided | None:
    return next((one.decided for one in query.turn.judged if one.entry.seq == decision.seq), None)


def is_skipped(query: Query, decision: Decision, considered: Considered) -> bool:
    """Return whether a decision did not judge a transition (`considered`) because no value that it
    reads had changed.
    """
    stored, candidates = (
        _stored(query, decision),
        query.machine.candidates(decision.node, cast("Moment", decision.moment)),
    )
    place = next(n for n, one in enumerate(candidates.all) if one.id == considered.id)
    return stored is not None and stored.outcomes[place] == SKIPPED


def _outranked(query: Query, decision: Decision, winner: Candidate, candidate: Candidate) -> Fact:
    """Return by what the winner went before another transition that held."""
    if decision.operator:
        reason = phrase("{operator}, a person, chose it", operator=decision.operator)
    elif decision.moment == "choice":
        reason = Phrase("the model chose it")
    else:
        reason = _precedence(precedence(winner, candidate, candidate.moment), winner, candidate)
    about = (Subject("transition", candidate.id), Subject("transition", winner.id), Subject("node", decision.node))
    if not candidate.is_guarded and winner.is_guarded and not decision.operator and decision.moment != "choice":
        names: dict[str, Any] = {
            "transition": candidate.id,
            "by": winner.id,
            "node": decision.node,
            "moment": decision.moment,
        }
        return query.end.fact_of_state("outranked_else", *about, **names)
    values: dict[str, Any] = {
        "winner_priority": winner.priority,
        "priority": candidate.priority,
        "because": candidate.because.strip().rstrip("."),
        "node": decision.node,
        "moment": decision.moment,
    }
    return query.end.fact_of_state("outranked", *about, transition=candidate.id, by=winner.id, reason=reason, **values)


def _precedence(key: Precedence, winner: Candidate, candidate: Candidate) -> str:
    match key:
        case "guard":
            return Phrase("a transition with a guard goes before one without")
        case "priority":
            return phrase(
                "its priority {priority} goes before {lower}", priority=winner.priority, lower=candidate.priority
            )
        case "level":
            return phrase(
                "a transition of {level} goes before one of {lower}",
                level=_LEVELS[winner.level],
                lower=_LEVELS[candidate.level],
            )
        case "order":
            return phrase("both have the priority {priority}, and it comes first in the flow", priority=winner.priority)


def _entering(query: Query, decision: Decision, considered: Considered, *, is_skipped: bool) -> Fact:
    """Return whether an `enter_when` was judged, and what had changed since it was judged before."""
    about = (Subject("transition", considered.id), Subject("node", considered.target))
    then = Phrase(considered.by.partition("; ")[2]) if is_skipped else ""
    changes = [one for one in considered.changed if one.name != "outcome"]
    changed = listed(
        [
            phrase(
                "{name} changed from {before} to {value}",
                name=one.name,
                before=value_text(one.before),
                value=value_text(one.now),
            )
            for one in changes
        ]
    )
    kind: FactKind = "enter_when_skipped" if is_skipped else "enter_when_judged"
    values: dict[str, Any] = {"target": considered.target, "node": decision.node, "then": then, "changed": changed}
    return query.end.fact_of_state(kind, *about, source=considered.source, transition=considered.id, **values)


def value_text(value: Any) -> str:
    """Return a value in words."""
    return Phrase("nothing") if value is None else types.value_text(value)


def _items(query: Query, candidate: Candidate, found: ItemVerdict) -> Fact:
    """Return which item of a list decided an `exists` or `all`."""
    is_exists, about = found.op == "exists", Subject("transition", candidate.id)
    holds = Phrase("holds") if is_exists == bool(found.number) else Phrase("does not hold")
    values: dict[str, Any] = {"rule": found.rule, "count": found.count, "holds": holds}
    if found.number:
        did = Phrase("meets its condition") if is_exists else Phrase("does not meet its condition")
        values |= {"number": found.number, "value": found.item, "did": did}
        return query.end.fact_of_state("item_decided", about, **values)
    if found.unknown:
        values |= {"number": found.unknown, "value": found.item, "holds": Phrase("is not known")}
        return query.end.fact_of_state("item_unknown", about, **values)
    did = _every(found.count, is_exists=is_exists)
    return query.end.fact_of_state("no_item_decided", about, did=did, **values)


def _every(count: int, *, is_exists: bool) -> str:
    """Return what is true of every item of a list, none of which decided alone."""
    if not count:
        return Phrase("the list is empty")
    if count == 1:
        return Phrase("its only item does not meet the condition" if is_exists else "its only item meets the condition")
    text = (
        "none of its {count} items meet the condition" if is_exists else "all of its {count} items meet the condition"
    )
    return phrase(text, count=count)


def _code(query: Query, considered: Considered) -> Iterator[Fact]:
    """Yield what the Python guard of a transition returned, and what it read."""
    code = considered.code
    if code is None or code.call != "called":
        return
    reads = joined(
        (phrase("{name} = {value}", name=name, value=value_text(value)) for name, value in code.reads.items()), ", "
    )
    source = f"{code.file}:{code.line}" if code.file else ""
    values: dict[str, Any] = {"guard": code.name, "reads": reads, "at": code.at}
    about = Subject("transition", considered.id)
    if code.error:
        yield query.end.fact_of_state("code_failed", about, source=source, **values, reason=code.error)
    else:
        yield query.end.fact_of_state("code_returned", about, source=source, **values, result=value_text(code.returned))
