"""What would have been with other values: one past decision judged again by the what-if of the machine."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from turnwise.core.commands import accept
from turnwise.core.decision.judge import TAKEN
from turnwise.core.explain.guesses import guesses_in
from turnwise.core.explain.what_if import Otherwise, Way, supposed, wrong_values
from turnwise.core.guards.types import shown
from turnwise.core.machine import Candidate, Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.values import Refused
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import at_decision
from turnwise.why.path import on_path
from turnwise.why.query import Query
from turnwise.why.subjects.supposed_facts import (
    JudgedAgain,
    Past,
    asking,
    is_of,
    question_supposed,
    stops,
    unread,
)
from turnwise.why.supposition import Supposition, read_by

_MOST_JUDGED, _MOST_IN_ALL = 20, 100
"""How many decisions are judged again at most while fields have the same values, and in all, to find the first that
would differ.
"""


async def answer_supposed(query: Query, supposition: Supposition) -> list[Fact]:
    """Return how a past decision would have come out with other values. It is the last one about what the question
    names; else the first that would differ since the values that were, or the one that followed them. Only that one is
    judged again; nothing is called or changed.
    """
    values = supposition.values
    refused = [*_not_tried(query, values)] or [*_refused(query, values)]
    asked = next((one for one in supposition.subjects[:1] if one.kind == "question"), None)
    if asked is not None and not refused:
        return [*question_supposed(query, asked.name, values), *stops(query.end, values)]
    meant = await _meant(query, supposition) if not refused else None
    turn = await query.history.turn(meant.entry.turn) if meant is not None else None
    if meant is None or turn is None:
        return refused or [*stops(query.end, values), unread(query, supposition.every)]
    past = Past(turn, next(one for one in turn.judged if one.entry.seq == meant.entry.seq))
    decision = next(one for one in past.turn.decisions if one.seq == past.judged.entry.seq)
    query.decisions.append(decision)
    facts = await query.history.facts(past.turn.number)
    decided = next((fact for fact in facts if fact.kind == "decided" and fact.seq == decision.seq), None)
    builder = at_decision(past.turn, facts, past.judged)
    alike = await _alike(query, meant, supposition)
    first, *more = [JudgedAgain(builder, past, supposition, some, decided) for some in alike]
    if more:
        return [first.first(), *(one.first() for one in more), first.reach()]
    return [*first.facts({one.id: one.outcome for one in decision.candidates})]


class _Stored(NamedTuple):
    """A decision as it is stored, the state that it was made on, and the machine that made it."""

    entry: e.Entry
    state: State
    machine: Machine


async def _alike(
    query: Query, past: _Stored, supposition: Supposition
) -> list[list[tuple[Mapping[str, Any], Otherwise]]]:
    """Return all values that are supposed in the place of others, with the decision judged with each, those together
    with which it comes out alike.
    """
    found: dict[Way, list[tuple[Mapping[str, Any], Otherwise]]] = {}
    for values in supposition.every:
        again = await _again(query, past, values, keep_same=True)
        assert again is not None, "no person made the decision"
        found.setdefault(again.would, []).append((values, again))
    return list(found.values())


async def _again(
    query: Query, past: _Stored, values: Mapping[str, Any], *, keep_same: bool = False
) -> Otherwise | None:
    """Judge a decision again; return `None` without `keep_same` where it comes out as it did."""
    machine = await query.history.machines.of_state(past.state)
    return supposed(machine, past.entry, past.state, past.machine, values, keep_same=keep_same)


# values that are not supposed -----------------------------------------------------------------------


def _not_tried(query: Query, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the fields of which other values would reveal a secret, guess by guess: none of them is tried."""
    for name in guesses_in(query.machine, values):
        yield query.end.standing("supposed_not_tried", Subject("field", name), field=name)


def _refused(query: Query, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the values that their fields would have refused."""
    for name, value in values.items():
        question = (asking(query.machine, name) or ("", None))[1]
        found = accept(query.machine, query.state, name, value, question)
        if value is not None and isinstance(found, Refused):
            about, reason = Subject("field", name), found.text.strip().rstrip(".")
            yield query.end.standing("supposed_refused", about, field=name, supposed=shown(value), reason=reason)


# the decision that is meant -------------------------------------------------------------------------


async def _meant(query: Query, supposition: Supposition) -> _Stored | None:
    """Return the decision that a question is about; `None` where none is stored that a rule made."""
    entries = [one async for one in on_path(query.back(e.Decided, e.FieldSet, e.Undone))]
    found = [one for one in entries if _is_judged(query.machine, one)]
    for subject in supposition.subjects:
        own = [one for one in found if _letters(query.machine, one, subject)]
        taken = [one for one in own if TAKEN in _letters(query.machine, one, subject)]
        past = await _past(query, (taken if supposition.is_still and taken else own)[:1], supposition.values)
        if past:
            return past[0]
    reading = [one for one in reversed(found) if _reads(query.machine, one, supposition.values)]
    last: _Stored | None = None
    left = _MOST_IN_ALL
    for run in _runs(entries, reading, supposition):
        later = await _past(query, run[: min(_MOST_JUDGED, left)], supposition.values)
        left -= len(later)
        for past in later:
            for values in supposition.every:
                if await _again(query, past, values) is not None:
                    return past
        taken = (one for one in later if cast("e.Decided", one.entry.event).taken >= 0)
        last = last or next(taken, later[-1] if later else None)
    return last


def _runs(entries: list[e.Entry], reading: list[e.Entry], supposition: Supposition) -> list[list[e.Entry]]:
    """Return the decisions that read a supposed field, in order: those since it has its value, then those while it had
    the value before, and so on; only those while it had a value that the question sets against.
    """
    positions, end = [one.seq for one in reading], len(reading)
    runs: list[tuple[list[e.Entry], dict[str, Any]]] = []
    for since, values in (*_changes(entries, supposition.values), (0, {})):
        begin = bisect(positions, since)
        runs.append((reading[begin:end], values))
        end = begin
    against = supposition.instead.items()
    meant = [run for run, values in runs if run and all(values.get(name) == value for name, value in against)]
    return meant or [run for run, _ in runs if run]


def _changes(entries: list[e.Entry], names: Iterable[str]) -> list[tuple[int, dict[str, Any]]]:
    """Return the positions at which supposed fields got other values, the newest first, each with the values."""
    values, found = dict[str, Any](), list[tuple[int, dict[str, Any]]]()
    for entry in reversed(entries):
        event = entry.event
        if isinstance(event, e.FieldSet) and event.field in names and values.get(event.field) != event.value:
            values = values | {event.field: event.value}
            found.append((entry.seq, values))
    return found[::-1]


def _is_judged(machine: Machine, entry: e.Entry) -> bool:
    """Return whether an entry is a decision by rules, in a node that the machine has."""
    event = entry.event
    return isinstance(event, e.Decided) and not event.operator and event.node in machine.nodes


def _candidates(machine: Machine, entry: e.Entry) -> tuple[Candidate, ...]:
    event = cast("e.Decided", entry.event)
    return machine.candidates(event.node, cast("Moment", event.moment)).all


def _letters(machine: Machine, entry: e.Entry, subject: Subject) -> str:
    """Return the outcomes in a decision of a transition, or of those that lead to a node."""
    pairs = zip(_candidates(machine, entry), cast("e.Decided", entry.event).outcomes, strict=False)
    return "".join(letter for one, letter in pairs if is_of(subject, one.id, one.target))


def _reads(machine: Machine, entry: e.Entry, names: Iterable[str]) -> bool:
    """Return whether a candidate of a decision reads one of some fields."""
    return any(not read_by(machine, one).isdisjoint(names) for one in _candidates(machine, entry))


async def _past(query: Query, entries: Iterable[e.Entry], values: Mapping[str, Any]) -> list[_Stored]:
    """Return some decisions with their states, without those that are erased, and those of a version of the flow that
    does not take the values.
    """
    found: list[_Stored] = []
    for entry in entries:
        whole = await query.history.whole(entry.turn)
        state = whole.states[entry.seq - whole.entries[0].seq] if whole is not None else None
        if whole is not None and state is not None:
            machine = await query.history.machines.shown_of_state(whole.after)
            found += [_Stored(entry, state, machine)] if not wrong_values(machine, values) else []
    return found
