"""Why a transition was or was not taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from msgspec.structs import replace

from turnwise.core.explain.now import MOMENTS, explain_now, not_judged
from turnwise.core.explain.text import BROKEN_OFF, by_in_words, need_in_words, ways_in_words, why_outranked
from turnwise.core.explain.tree import leaves_of, operands
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.trace import Considered, Decision, Outcome
from turnwise.flow.model import Moment
from turnwise.runner.result import Turn
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import at_decision
from turnwise.why.facts.questions import FORM_BROKEN_OFF, why_form_asks
from turnwise.why.facts.values import guard_reads
from turnwise.why.query import Query
from turnwise.why.subjects.closest import closest_turn
from turnwise.why.subjects.judging import ITEMS, facts_that_decided, is_skipped, value_text
from turnwise.why.subjects.people import who_answers
from turnwise.why.subjects.uses import guard_of, uses_read

_NEAR = 20
"""How many turns are searched for how a transition was judged before it was taken."""


async def answer_transition(query: Query) -> list[Fact]:
    """Return how each decision of the turn judged a transition, or why none judged it."""
    name = query.subject.name
    ways = await outcomes_of(query, name)
    others = [fact for fact in query.facts_about if fact.kind != "decided" or fact.values["transition"] == name]
    taken = [fact for fact in others if fact.kind in ("node_left", "decided", "conversation_ended", "move_planned")]
    stopped = [fact for fact in others if fact.kind in ("move_blocked", "move_undone")]
    last = [fact for fact in ways if fact.kind == "transition_judged" and is_judged(fact)][-1:]
    first = [*taken[:1], *stopped[-1:], *await pending_move(query, name), *last, *ways][0]
    if first.kind.startswith("transition_") and not is_judged(first):
        now, first = first, await _taken_before(query, first) or first
        ways = [one for one in ways if first is now or one != now]  # that it was taken before says it, too
    judged = [fact for fact in ways if fact.values.get("outcome") != "taken"]  # the decision says that it was taken
    near = [] if taken else await closest_turn(query, name)
    before = await judged_before(query, name) if taken else []
    if not taken and not was_judged(judged, name):
        before = await judged_last(query, name)
    return [first, *[fact for fact in (*before, *near, *judged, *others) if fact != first]]


def was_judged(ways: list[Fact], transition: str) -> bool:
    """Return whether some facts (`ways`) say how a decision judged a transition."""
    return any(fact.kind == "transition_judged" and fact.values["transition"] == transition for fact in ways)


def is_judged(fact: Fact) -> bool:
    """Return whether a fact says that a decision judged a transition before it took another one."""
    return fact.values.get("outcome", "not_reached") != "not_reached"


async def judged_last(query: Query, name: str) -> list[Fact]:
    """Return how a transition was judged in the last turn in which it was a candidate."""
    async for entry in query.entries_backwards(e.Decided, since=max(1, query.turn.number - _NEAR)):
        turn = await query.history.turn(entry.turn) if _may_judge(query, entry, name) else None
        if turn is not None and any(one.candidate(name) for one in turn.decisions):
            return max(reversed(await _judged_in(query, turn, name)), key=lambda one: is_judged(one[0]))
    return []


async def _judged_in(query: Query, turn: Turn, name: str) -> list[list[Fact]]:
    """Return what each decision of an earlier turn made of a transition, with the items of lists that decided."""
    found: list[list[Fact]] = []
    for fact in await outcomes_of(await query.at_turn(turn), name):
        if fact.kind == "transition_judged":
            found.append([fact])
        elif fact.kind in ITEMS:
            found[-1].append(fact)
    return found


def _may_judge(query: Query, entry: e.Entry, name: str) -> bool:
    """Return whether an entry is a decision in an earlier turn of which a transition was a candidate."""
    event = entry.event
    if not isinstance(event, e.Decided) or entry.turn >= query.turn.number or event.node not in query.machine.nodes:
        return False
    return any(one.id == name for one in query.machine.candidates(event.node, cast("Moment", event.moment)).all)


async def judged_before(query: Query, name: str) -> list[Fact]:
    """Return why a transition that is taken now was not taken when it was judged before, at the same node."""
    node = next((one.node for one in query.turn.decisions if one.taken == name), "")
    async for entry in query.entries_backwards(e.Decided, since=max(1, query.turn.number - _NEAR)):
        if entry.turn < query.turn.number and isinstance(entry.event, e.Decided) and entry.event.node == node:
            turn = await query.history.turn(entry.turn)
            if turn is None or not any(one.candidate(name) for one in turn.decisions):
                continue
            judged = (await _judged_in(query, turn, name))[-1]
            return judged if judged[0].values["outcome"] in ("false", "unknown", "not_reached") else []
    return []


_REASONS = ("because", "unguarded", "grounds")
"""What a fact has about why a transition was taken."""


async def _taken_before(query: Query, now: Fact) -> Fact | None:
    """Return that a transition was taken in an earlier turn, whether that was undone, and how it stands now."""
    name = query.subject.name
    taken = await query.last(
        e.Ended,
        e.Moved,
        is_event=lambda event: isinstance(event, e.Ended) or event.transition == name,
        is_fact=lambda fact: fact.values["transition"] == name,
    )
    undone = await query.undone_since(taken)
    if taken is None or taken.turn == query.turn.number or (undone is None and now.kind == "transition_judged"):
        return None
    values: dict[str, Any] = {
        "transition": name,
        "turn": taken.turn,
        "because": joined((str(one) for key in _REASONS if (one := taken.values.get(key))), "; "),
        "line": now.text,
    }
    gave = await query.newest_in_turn(taken.turn, lambda fact: fact.kind == "person_gave_back")
    if taken.values.get("operator") and gave is not None:  # not the reason of the rule, which may not have held
        text, reason = "{operator}, a person, chose it[: {reason}]", gave.values.get("reason")
        values["because"] = phrase(text, operator=taken.values["operator"], reason=reason)
    since = undone.turn if undone is not None else None
    found = query.end.fact_of_state(
        "transition_was_taken", *now.about, causes=(taken, undone, *now.causes), **values, undone=since
    )
    return replace(found, source=taken.source)


async def pending_move(query: Query, name: str) -> list[Fact]:
    """Return the fact that a transition is chosen and its move is made with the next message; else empty."""
    pending = query.state.pending
    if pending is None or name not in (pending.transition, pending.target):
        return []
    planned = await query.last(e.MovePlanned, transition=pending.transition)
    about = (Subject("transition", pending.transition), Subject("node", pending.target))
    values = {"transition": pending.transition, "node": query.state.node, "target": pending.target}
    since = planned.turn if planned is not None else None
    return [query.end.fact_of_state("move_waits", *about, causes=(planned,), **values, since=since)]


async def outcomes_of(query: Query, name: str) -> list[Fact]:
    """Return how each decision of the turn judged a transition; without one, how it would be judged at its end."""
    judged = [(one, found) for one in query.turn.decisions if (found := one.candidate(name)) is not None]
    again = [pair for pair in judged if is_skipped(query, *pair)]
    judged = [pair for pair in judged if pair not in again[:-1]]
    if not judged:
        turn = query.turn
        decision = explain_now(query.machine, query.state, name, turn.conversation, turn.number, turn.left)
        line = not_judged(query.machine, query.state, name, turn.number, turn.left)
        assert decision is not None, "the machine has the transition"
        decision = turn.hide(decision)
        query.decisions.append(decision)
        about = (Subject("transition", name), Subject("node", decision.node))
        found = decision.candidate(name)
        missing: dict[str, Any] = _missing(query, decision, found) if found is not None else {}
        call = await refused_choice(query, name) if decision.moment == "choice" else None
        refused = phrase("In turn {turn} {text}.", turn=call.turn, text=call.text) if call is not None else ""
        values: dict[str, Any] = {"line": line, "transition": name, "refused": refused, **missing}
        causes = (await _instead(query, name), call)
        return [query.end.fact_of_state("transition_not_judged", *about, causes=causes, **values)]
    query.decisions += [one for one, _ in judged if one not in query.decisions]
    facts: dict[tuple[str, str], Fact] = {}
    for decision, candidate in judged:
        uses = await _uses(query, decision, candidate)
        for fact in (_judged(query, decision, candidate, uses), *facts_that_decided(query, decision, candidate), *uses):
            facts.setdefault((fact.kind, fact.text), fact)
    return list(facts.values())


async def refused_choice(query: Query, name: str) -> Fact | None:
    """Return the model's last refused call that chose a transition that was not open; `None` if there is none."""
    about = Subject("transition", name)
    return await query.last(
        e.CallRefused,
        reason="not_open",
        is_fact=lambda fact: fact.kind == "call_refused" and about in fact.about,
        since=max(1, query.turn.number - _NEAR),
    )


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
    outranked_by = decision.candidate(candidate.by) if candidate.outcome == "outranked" else None
    reason = candidate if candidate.outcome == "taken" else outranked_by
    by = by_in_words(candidate) if candidate.outcome != "outranked" else ""
    by = by or (_error(candidate) if candidate.outcome == "error" else "")
    lacks = joined((need_in_words(need) for needs in candidate.needs[:1] for need in needs), ", ")
    lacks = lacks or joined(ways_in_words(candidate), " or ")
    needs = phrase("it needs {lacks}", lacks=lacks) if lacks else ""
    used = [fact.values["did"] for fact in uses if fact.values["rule"] in lacks]
    needed = {need.field for needs in candidate.needs[:1] for need in needs}
    reads = list(_reads(query, decision, candidate)) if candidate.outcome != "taken" else []
    reads.sort(key=lambda fact: fact.values.get("name") not in needed)  # of many, what is in the way comes first
    stuck = [fact.text for fact in reads if fact.kind in FORM_BROKEN_OFF]
    by = joined(filter(None, (by, needs, *used, *stuck)), "; ") or _erased(query, decision, candidate)
    return query.end.fact_of_state(
        "transition_judged",
        *about,
        causes=(decided, *reads),
        source=candidate.source,
        transition=candidate.id,
        outcome=candidate.outcome,
        did=_did(candidate),
        because=reason.because if reason is not None else "",
        by=by,
        moment=decision.moment,
        **_with_bases(query, _missing(query, decision, candidate), reads),
    )


def _with_bases(query: Query, missing: dict[str, Any], reads: Iterable[Fact]) -> dict[str, Any]:
    """Return what a transition lacks; of derived fields without a value, what those lack, none that is secret."""
    if not missing or missing["lacking"]:
        return missing
    derived = [one for read in reads if read.kind == "value_missing" and read.causes for one in read.walk()]
    bases = [str(one.values["name"]) for one in derived if one.kind == "value_missing" and not one.causes]
    return {**missing, "lacking": [one for one in bases if not query.machine.fields[one].secret]}


def _error(candidate: Considered) -> str:
    """Return the error in the guard of a transition."""
    parts = leaves_of(candidate.verdict) if candidate.verdict is not None else ()
    error = candidate.code.error if candidate.code is not None else next((one.error for one in parts if one.error), "")
    return phrase("its guard failed ({error})", error=error) if error else ""


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
    """Yield what a transition read in a decision of the turn, and why a form whose status it read had stopped."""
    judged = next((one for one in query.turn.judged if one.entry.seq == decision.seq), None)
    if judged is None:
        return
    before = at_decision(query.turn, query.facts, judged)
    reads = list(guard_reads(before, guard_of(query.machine, decision, considered.id), considered))
    yield from reads
    is_of_form = considered.by in BROKEN_OFF.values() or any(one.values["name"] == "form.status" for one in reads)
    form = why_form_asks(before) if is_of_form else None
    if form is not None and form.kind in FORM_BROKEN_OFF:
        yield form


def _erased(query: Query, decision: Decision, candidate: Considered) -> str:
    """Return that retention took away what a decision read, where a transition did not hold for it."""
    if candidate.verdict is not None or candidate.outcome not in ("false", "unknown"):
        return ""
    found = (entry.event for entry in query.turn.entries if entry.seq == decision.seq)
    decided = next((event for event in found if isinstance(event, e.Decided)), None)
    if decided is None or decided.trimmed is None:
        code = candidate.code
        return (
            phrase("the function {name} returned {value}", name=code.name, value=value_text(code.returned))
            if code is not None
            else ""
        )
    on, kept = decided.trimmed.day, decided.trimmed.duration
    return phrase(
        "of a value that was erased by retention[ on {on}, which keeps what decisions read for {kept}]",
        on=on,
        kept=kept,
    )


def _did(candidate: Considered) -> str:
    """Return the outcome of a transition in a decision."""
    if candidate.outcome != "outranked":
        return _DID[candidate.outcome]
    if candidate.is_mirror:
        return phrase("held, but {reason}", reason=by_in_words(candidate))
    return phrase("held, and was {outranked}", outranked=why_outranked(candidate))


_DID: dict[Outcome, str] = {
    "taken": Phrase("was taken"),
    "false": Phrase("did not hold"),
    "unknown": Phrase("did not hold"),
    "blocked": Phrase("held, and its move was not made"),
    "not_reached": Phrase("was not judged"),
    "error": Phrase("is in error"),
}
"""The outcomes of a transition in words, apart from `outranked`."""
