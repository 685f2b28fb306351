"""Why a field has its value, or has none."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import Ended, FieldValue, Waiting
from turnwise.core.state import events as e
from turnwise.core.trace import Considered
from turnwise.core.values.json_data import as_list
from turnwise.flow.addresses import map_of
from turnwise.why.answer import Fact
from turnwise.why.facts.dropped import nodes_that_collect
from turnwise.why.facts.questions import inactive_fact, suggested_fact
from turnwise.why.facts.values import value_read
from turnwise.why.history import WRITE_FACTS
from turnwise.why.kinds import FactKind
from turnwise.why.names import answers_of
from turnwise.why.query import Query
from turnwise.why.subjects.field_history import (
    items_changed,
    last_setback,
    missed_before,
    refused_before,
    refuses,
    value_before,
    value_cleared,
    value_lost,
    value_undone,
    values_not_taken,
    values_undone,
    write_not_called,
)
from turnwise.why.subjects.forms import REFUSED, question_facts, why_not_filled
from turnwise.why.subjects.items import answer_list
from turnwise.why.subjects.people import said_to_person
from turnwise.why.subjects.scopes import why_not_open
from turnwise.why.subjects.transitions import judged_last, outcomes_of

_AFTER_A_LOSS: tuple[FactKind, ...] = ("not_understood", "value_refused", "command_refused")
"""What may come after a field has lost its value: that it did is the reason why it has none."""
_REFUSALS: tuple[FactKind, ...] = (*REFUSED, "call_refused", "call_answered")
_OVER: tuple[FactKind, ...] = ("question_answered", "form_left", "form_ended")
"""Why a question is not asked any more: of a field with a value that goes without saying."""
_NEAR = 10
"""In how many turns words are searched that say another value than the one that a field has."""


async def answer(query: Query) -> list[Fact]:
    """Return where the value of a field comes from, or why there is none; then what else matters for it.
    That is what was refused since, why the field is asked or not, and what happened to it in the turn.
    """
    name = query.subject.name
    found = query.state.values.get(name)
    if found is None and answers_of(query.machine, name) and name not in query.machine.forms_of:
        return await _not_asked_now(query, name)
    if found is not None:
        facts = await _with_value(query, name, found)
    elif name in query.state.shelved:
        shelved = await query.last(e.FieldShelved, field=name)
        first = inactive_fact(query.end, name)
        facts = [replace(first, causes=(*first.causes, *([shelved] if shelved is not None else [])))]
    elif (outside := await why_not_open(query, name)) is not None:
        facts = [await _not_open(query, name, outside)]
    else:
        first = await _empty(query, name)
        missed = next((one for one in first.causes if one.kind == "not_understood"), None)
        facts = [first, *(await missed_before(query, name, missed) if missed is not None else ())]
        facts += [fact for cause in first.causes for fact in await value_cleared(query, cause, name)]
        facts += await _said_before(query, name, first)
    known = {fact.kind for fact in facts[0].causes}
    if found is None or name in query.machine.forms_of:
        known |= set(_OVER) if found is not None else set()
        facts += [fact for fact in await question_facts(query, name) if fact.kind not in known]
    said = {fact.text for one in facts for fact in one.walk()}
    facts += [fact for fact in await values_undone(query, name) if fact.text not in said]
    return [*facts, *[fact for fact in query.facts_about if fact not in facts]]


async def _not_asked_now(query: Query, name: str) -> list[Fact]:
    """Return why there is no answer to a question that was data of an earlier form, and which there was; nothing for a
    question that no form had.
    """
    field, id_ = map_of(name), name.removeprefix(map_of(name) + ".")
    fixed = await query.last(
        e.QuestionsFixed,
        is_event=lambda event: event.field == field and id_ in [one.id for one in event.questions],
    )
    if fixed is None:
        return []
    outside = await why_not_open(query, name)
    return [await _not_open(query, name, outside if outside is not None else fixed)]


async def _skipped_since(query: Query, name: str, last: Fact) -> Fact | None:
    """Return that the user skipped the question of a field in a turn after a fact."""
    now = await why_not_filled(query, name)
    by = now.causes[0] if now is not None and now.kind == "question_skipped" and now.causes else None
    return now if by is not None and by.turn > last.turn else None


async def _with_value(query: Query, name: str, found: FieldValue) -> list[Fact]:
    """Return how a value came, whether it only is suggested, and what was refused or done to it since."""
    field = query.subject
    first = await query.newest_in_turn(found.turn, lambda fact: fact.kind in WRITE_FACTS and field in fact.about)
    if first is None:
        whole = await query.last(*_WHOLE, is_fact=lambda fact: field in fact.about or fact.kind == "forked")
        read, renamed = next(iter(value_read(query.end, name))), await _under_another_name(query, found)
        first = replace(read, seq=0, causes=tuple([fact for fact in (renamed, whole) if fact is not None]))
    gave = next((one for one in first.causes if one.kind == "person_gave_back"), None)
    own = [first] if not query.machine.fields[name].parts else await answer_list(query, name, first)
    facts, run = [*own, *(await said_to_person(query, gave) if gave is not None else ())], query.state.frame.form
    if run is not None and name in run.suggested:
        facts.append(suggested_fact(query.end, run, name))
    since: list[Fact] = []
    async for entry in query.entries_backwards(since=found.turn):
        if entry.seq <= first.seq:
            break
        if refuses(entry.event, name) or isinstance(entry.event, e.Undone):
            own = [fact for fact in await query.facts_of(entry) if field in fact.about]
            since += reversed([fact for fact in own if fact.kind != "give_back_refused"])  # the refusals have it
    for fact in reversed(since):
        facts += await value_undone(query, fact, name) if fact.kind == "turn_undone" else [fact]
    forked = await query.last(e.Forked, is_event=lambda event: event.turn >= found.turn, since=found.turn)
    if forked is not None and forked not in first.causes:
        origin, to = forked.values["origin"], forked.values["to"]
        copied = query.end.fact_of_state("value_copied", field, causes=(forked,), field=name, origin=origin, to=to)
        facts.append(copied)
    since_turn = max(1, query.turn.number - _NEAR)
    unused = await values_not_taken(query, name, since_turn) if nodes_that_collect(query.machine, name) else []
    known = [query.end.value(name, one) for one in as_list(found.value) or [found.value]]
    facts += [one for one in unused if one.values["value"] not in known]
    return [
        *facts,
        *await refused_before(query, first),
        *await _before(query, name, first),
        *await _in_the_way(query, name),
    ]


async def _before(query: Query, name: str, first: Fact) -> list[Fact]:
    """Return the value before the present one, and which items of a list were added and removed."""
    if query.machine.fields[name].parts:
        return []
    changed = await items_changed(query, name) if query.machine.fields[name].type == "list" else ()
    return [*await value_before(query, name, first), *changed]


async def _said_before(query: Query, name: str, first: Fact) -> list[Fact]:
    """Return what the user said for a field in other turns than the one in which a value was refused."""
    refused = [cause for cause in first.causes if cause.kind in _REFUSALS]
    said = await values_not_taken(query, name) if refused and nodes_that_collect(query.machine, name) else []
    return [one for one in said if one.values["turn"] != refused[-1].turn]


async def _in_the_way(query: Query, name: str) -> list[Fact]:
    """Return the transitions that wait for a yes instead of a no, or for more items of a list, with all that they need;
    only for a field that the node in charge collects.
    """
    state, machine = query.state, query.machine
    is_open = state.values[name].value is False or machine.fields[name].type == "list"
    if isinstance(state.status, Ended) or not is_open or name not in machine.nodes[state.node].collects:
        return []
    return await in_the_way(query, name)


async def in_the_way(query: Query, name: str) -> list[Fact]:
    """Return the transitions that the last decision in the node in charge did not take because of a field's value."""
    state = query.state
    for decision in reversed(query.turn.decisions):
        waiting = [one.id for one in decision.candidates if one.outcome in ("false", "unknown") and _needs(one, name)]
        if decision.node == state.node and waiting:
            judged = [
                fact for one in waiting for fact in await outcomes_of(query, one) if fact.kind == "transition_judged"
            ]
            return list({fact.values["transition"]: fact for fact in judged}.values())
    return []


def _needs(candidate: Considered, name: str) -> bool:
    return any(need.field == name for need in (candidate.needs or ((),))[0])


async def _under_another_name(query: Query, found: FieldValue) -> Fact | None:
    """Return how a value came that had another name in the version of the flow in which it was set."""
    turn = await query.history.turn(found.turn)
    values = turn.state.values if turn is not None else {}
    names = [name for name, value in values.items() if value == found]
    if len(names) != 1:
        return None
    return next(reversed(await query.history.writes(found.turn, names[0])), None)


_WHOLE = (e.Undone, e.Migrated, e.Forked)
"""Events that can change or bring a value without a rule of the flow."""


def _unread(query: Query, name: str) -> Fact | None:
    """Return that nothing read the message of the turn, in a node that takes the field from messages."""
    is_taken = query.state.node in nodes_that_collect(query.machine, name)
    return next((one for one in query.facts if is_taken and one.kind in _NOT_READ), None)


_NOT_READ: tuple[FactKind, ...] = ("understanding_failed", "message_not_interpreted")


async def _not_taken(query: Query, written: Fact) -> list[Fact]:
    """Return how the transitions that alone can set a field were judged the last time."""
    if written.kind != "field_written_by":
        return []
    found: list[Fact] = []
    for name in [one.name for one in written.about if one.kind == "transition"]:
        ways = [*await outcomes_of(query, name), *await judged_last(query, name)]
        judged = [one for one in ways if one.kind == "transition_judged" and one.values["transition"] == name]
        found += [one for one in judged[:1] if one.values["outcome"] != "taken"]
    return found


async def _not_open(query: Query, name: str, outside: Fact) -> Fact:
    """Return that a field has no value because the scope in which it stands is not open, and what it had there."""
    last = await query.last(e.FieldSet, field=name)
    had = phrase("there it was {value} at last", value=last.values["value"]) if last is not None else ""
    values = {"field": name, "reason": outside.text, "asked": had}
    closed = next((one for one in outside.causes if one.kind == "scope_closed"), None)
    return query.end.fact_of_state("field_empty", query.subject, causes=(outside, closed, last), **values)


async def _empty(query: Query, name: str) -> Fact:
    """Return why a field has no value: it was removed, refused, not understood, passed over, or nothing set it yet."""
    default = query.machine.fields[name].default
    last = await last_setback(query, name)
    if last is not None and last.kind in ("turn_undone", "migrated"):
        last = next(iter(await value_undone(query, last, name)), last)
    unwritten = await write_not_called(query, name) if last is None else None
    instead = unwritten.text if unwritten is not None else ""
    if default is not None:
        taken = next(iter(await values_not_taken(query, name, most=1)), None) if last is None else None
        instead = instead or (taken.text if taken is not None else "")
        values = {"field": name, "value": query.end.value(name, default), "instead": instead}
        return query.end.fact_of_state("field_default", query.subject, causes=(last, unwritten, taken), **values)
    lost = await value_lost(query, name, last) if last is not None and last.kind in _AFTER_A_LOSS else []
    if lost and last is not None:
        reason, asked, causes = lost[-1].text, last.text, (lost[-1], last)
    elif last is not None and (skipped := await _skipped_since(query, name, last)) is not None:
        reason, asked, causes = skipped.text, "", (skipped, last)
    elif last is not None:
        reason, asked, causes = last.text, "", (last,)
    else:
        nothing = (
            phrase("nothing {where} set it", where=query.turns_searched)
            if query.turns_searched
            else Phrase("nothing has set it")
        )
        if not query.turns_searched and isinstance(query.state.status, Waiting):
            nothing = Phrase("nothing has set it yet")
        taken = next(iter(await values_not_taken(query, name, most=1)), None)
        now = await why_not_filled(query, name)
        reason, asked = taken.text if taken is not None else nothing, now.text if now is not None else ""
        unread = _unread(query, name) if taken is None and unwritten is None else None
        reason = unread.text if unread is not None else reason
        unmade = await _not_taken(query, now) if now is not None and not instead else []
        asked = joined([asked, *[one.text for one in unmade]], "; ")
        failed = str(now.values.get("failed") or "") if now is not None else ""
        reason, asked = failed or reason, "" if failed else instead or asked
        causes = (taken, unread, unwritten, now, *unmade)
    return query.end.fact_of_state("field_empty", query.subject, causes=causes, field=name, reason=reason, asked=asked)
