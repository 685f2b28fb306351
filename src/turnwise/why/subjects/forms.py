"""Why a question is open or is not asked, and why a form goes on, stops, confirms or rests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.forms import is_question_asked
from turnwise.core.state import Ended, State
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.questions import form_facts, why_form_asks
from turnwise.why.facts.unasked import why_form_rests, why_not_asked
from turnwise.why.facts.values import value_read
from turnwise.why.kinds import FactKind
from turnwise.why.query import Query
from turnwise.why.subjects.proposals import answer_offer
from turnwise.why.subjects.uses import turns_in_words

REFUSED: tuple[FactKind, ...] = ("command_refused", "value_refused", "write_refused")
"""The kinds of facts about a refused value or command."""


async def answer_question(query: Query) -> list[Fact]:
    """Return why a question is open, or why it is not; without a name, why the question that is open now is open."""
    name = query.subject.name
    found = await question_facts(query, name) if name else await _open_question(query)
    about = Subject("field", name) if name else query.subject
    return [*found, *[fact for fact in query.facts if about in fact.about and fact not in found]]


async def question_facts(query: Query, address: str) -> list[Fact]:
    """Return why the question of a field is open; else when it was asked, and why it is not asked now."""
    end, state = query.end, query.state
    run = state.frame.form
    question = Subject("question", address)
    asked = await _asked_before(query, question)
    if _is_at(state, address):
        first = why_form_asks(end)
        found = [await with_events_before(query, _again(query, address, first))] if first is not None else []
        if run is not None and not is_question_asked(run, state):
            turn, node = query.turn.number, state.node
            blocked = next(
                (fact for fact in reversed(query.facts) if fact.kind == "decided" and fact.values["transition"]), None
            )
            causes = (blocked, *found)
            found = [
                end.fact_of_state("question_not_put", question, causes=causes, field=address, node=node, turn=turn)
            ]
        return [*found, *([asked] if asked is not None else [])]
    now = await with_events_before(query, await _why_not(query, address))
    return [asked, now] if asked is not None else [*_answered_before(query, address, now), now]


def _answered_before(query: Query, address: str, now: Fact) -> list[Fact]:
    """Return that a field had an answer before its question came, in a form that was left since."""
    found = query.state.values.get(address)
    left = max((cause.turn for cause in now.causes), default=query.turn.number)
    if query.turns_searched or found is None or found.turn > left or now.kind not in ("form_left", "form_ended"):
        return []
    read, question = tuple(value_read(query.end, address)), Subject("question", address)
    values: dict[str, Any] = {"value": query.end.value(address, found.value), "since": found.turn}
    return [query.end.fact_of_state("question_answered", question, causes=read, field=address, **values)]


def _again(query: Query, address: str, first: Fact) -> Fact:
    """Return that a question is asked again because the answer to it was refused in the turn, if it was."""
    question = Subject("question", address)
    refused = [fact for fact in query.facts if fact.kind in REFUSED and question in fact.about]
    if first.kind != "question_next" or not refused:
        return first
    reason = refused[-1].text
    return query.end.fact_of_state(
        "question_again", question, causes=(refused[-1], first), field=address, reason=reason
    )


async def why_not_filled(query: Query, address: str) -> Fact | None:
    """Return why a field that is empty was never asked for; `None` if its question is open."""
    if _is_at(query.state, address):
        return None
    return await with_events_before(query, await _why_not(query, address))


async def _why_not(query: Query, address: str) -> Fact:
    """Return why the question of a field is not open; of a form that was left or ended, why it was not asked there,
    where that is a rule of the question itself.
    """
    now = why_not_asked(query.end, address)
    if now.kind not in ("form_left", "question_not_due"):
        return now
    forms = query.machine.forms_of.get(address, ())
    async for entry in query.entries_backwards(e.Moved, e.Ended):
        event = entry.event
        turn, whole = await query.history.turn(entry.turn), await query.history.stored_turn(entry.turn)
        if turn is None or whole is None or turn.machine is not query.machine:
            return now
        state = whole.states[entry.seq - whole.entries[0].seq]
        if state is None or state.node not in forms or (isinstance(event, e.Moved) and event.source not in forms):
            continue
        builder = FactBuilder(turn)
        builder.entry, builder.state = entry, state
        then = why_not_asked(builder, address)
        return replace(then, causes=(*then.causes, now)) if then.kind in _OWN_RULES else now
    return now


_OWN_RULES: tuple[FactKind, ...] = ("question_condition_failed", "question_never_put", "question_skipped")
"""Rules of a question itself by which it is not asked."""


async def _asked_before(query: Query, question: Subject) -> Fact | None:
    """Return that the question of a field was put to the user, and why, the last time; and when it was before that."""
    asked: list[Fact] = []
    async for entry in query.entries_backwards(e.Said):
        if asked and entry.turn < asked[0].turn - _NEAR:
            break
        if isinstance(entry.event, e.Said) and entry.event.question == "field" and entry.event.field == question.name:
            asked += [one for one in await query.facts_of(entry) if one.kind == "question_asked"]
    if not asked:
        return None
    last, *before = asked
    turns = [str(one.turn) for one in reversed(before)]
    earlier = turns_in_words(turns) if turns else ""
    values: dict[str, Any] = {"field": question.name, "turn": last.turn, "earlier": earlier}
    causes = (*last.causes[:1], last, *before[:_MOST])
    return replace(query.end.fact_of_state("question_was_asked", question, causes=causes, **values), turn=last.turn)


_NEAR = 20
"""How many turns are searched for when a question was asked before."""
_MOST = 3
"""For how many of these times the reason is a cause."""


def _is_at(state: State, address: str) -> bool:
    """Return whether a form stands at the question of a field."""
    run = state.frame.form
    if run is None or isinstance(state.status, Ended) or state.person is not None:
        return False
    return run.status in ("collecting", "stopped") and run.editing != "chooser" and run.asked == address


async def _open_question(query: Query) -> list[Fact]:
    """Return why the open question is asked; else why none is open."""
    state, end = query.state, query.end
    if state.question is not None and state.question.kind == "call":
        held = await query.last(e.CallHeld)
        return [held] if held is not None else []
    if state.question is not None and state.question.kind == "offer":
        return await answer_offer(query, state.question.field)
    run, why = state.frame.form, why_form_asks(end)
    if run is not None and run.asked and _is_at(state, run.asked):
        return await question_facts(query, run.asked)
    if why is not None:
        return [await with_events_before(query, why)]
    if state.question is not None and state.question.field:
        return await question_facts(query, state.question.field)
    if run is None and query.machine.nodes[state.node].form is not None:
        return [why_form_rests(end, state.node)]
    return [end.fact_of_state("question_none", Subject("question"), node=state.node)]


async def answer_form(query: Query) -> list[Fact]:
    """Return why a form asks its present question or none, what it lacks, and whether it asks to confirm."""
    name = query.subject.name or await _form_node(query)
    state, end = query.state, query.end
    if not name:
        return [end.fact_of_state("form_none", Subject("form"))]
    about = Subject("form", name)
    is_open = name == state.node and state.frame.form is not None
    first = why_form_asks(end) if is_open else why_form_rests(end, name)
    found = [await with_events_before(query, fact) for fact in (first, *(form_facts(end) if is_open else ())) if fact]
    return [*found, *[fact for fact in query.facts if about in fact.about and fact not in found]]


async def _form_node(query: Query) -> str:
    """Return the node whose form is meant without a name: the one in charge, else the last one that was left."""
    forms = [name for name, node in query.machine.nodes.items() if node.form is not None]
    if query.state.node in forms:
        return query.state.node
    left = await query.last(e.Moved, is_event=lambda event: event.source in forms)
    been = [name for name in forms if any(frame.visits.get(name) for frame in query.state.frames)]
    return str(left.values["node"]) if left is not None else next(iter([*been, *forms]), "")


# causes in earlier turns -------------------------------------------------------------------------


def _command(*names: str) -> Callable[[Fact, Fact], bool]:
    def is_cause(fact: Fact, of: Fact) -> bool:
        field = fact.values.get("field")
        return (
            fact.kind == "command_applied" and fact.values["command"] in names and field in ("", of.values.get("field"))
        )

    return is_cause


def _missed(fact: Fact, of: Fact) -> bool:
    return fact.kind == "not_understood" and fact.values["field"] == of.values["field"]


def _unclear(fact: Fact, of: Fact) -> bool:
    is_refused = fact.kind == "command_refused" and fact.values["code"] == "several_items"
    return is_refused and fact.values.get("field") == of.values["field"]


def _left(fact: Fact, of: Fact) -> bool:
    return fact.kind == "node_left" and fact.values["node"] in str(of.values["node"]).replace(" and ", ", ").split(", ")


_BY: dict[FactKind, Callable[[Fact, Fact], bool]] = {
    "question_skipped": _command("skip"),
    "question_edited": _command("edit", "back"),
    "question_walked": _command("edit", "deny", "back"),
    "question_repeated": _missed,
    "chooser_due": _command("edit", "deny"),
    "correction_unclear": _command("edit"),
    "item_unclear": _unclear,
    "form_cancelled": _command("cancel"),
    "form_confirmed": _command("affirm"),
    "form_handed_over": _command("affirm", "hand_over"),
    "form_left": _left,
}
"""What caused a state of a form, in this turn or an earlier one."""


async def _with_denial(query: Query, found: Fact) -> list[Fact]:
    """Return how a state of a form came; before an edit that names an answer, the denial after which that was asked."""
    turn = await query.history.turn(found.turn) if found.values.get("command") == "edit" else None
    question = turn.before.question if turn is not None and turn.before is not None else None
    if question is None or question.kind != "chooser":
        return [found]
    denied = await query.last(
        e.CommandApplied,
        is_event=lambda event: event.command in ("deny", "edit") and not event.field,
        is_fact=lambda one: one.turn < found.turn,
    )
    return [found, *([denied] if denied is not None else [])]


async def with_events_before(query: Query, fact: Fact) -> Fact:
    """Return a fact with the events of this turn and earlier ones that led to it as causes."""
    causes = [await with_events_before(query, cause) for cause in fact.causes]
    is_cause = _BY.get(fact.kind)
    if is_cause is not None:
        found = await query.last(e.CommandApplied, e.Missed, e.Moved, is_fact=lambda one: is_cause(one, fact))
        causes = [*(await _with_denial(query, found)), *causes] if found is not None else causes
    return replace(fact, causes=tuple(causes)) if causes else fact
