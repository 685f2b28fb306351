"""Answers a question of why about a stored conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from turnwise.core.explain.hiding import Hide, hide_nothing
from turnwise.core.machine import Machine
from turnwise.errors import UnknownSubject
from turnwise.why.answer import Answer, Fact, Subject, SubjectKind
from turnwise.why.facts.builder import without_secrets
from turnwise.why.history import History
from turnwise.why.plain import plain
from turnwise.why.query import Query
from turnwise.why.reading import Reading, hint_for, read_question
from turnwise.why.reading.leads import with_lead
from turnwise.why.reading.moments import called, placed
from turnwise.why.reading.sentences import asks_for_count
from turnwise.why.subjects import answer
from turnwise.why.subjects.counts import counted
from turnwise.why.subjects.ends import after_end
from turnwise.why.subjects.setbacks import with_setbacks
from turnwise.why.subjects.turns import lacking


async def why(history: History, question: str = "", turn: int | None = None) -> Answer:
    """Return why something is as it is at the end of a turn, by default the last: a field, node, transition, tool,
    timer or other subject by its name, a turn by its number, or a question in plain words. A question about a turn or
    its message is about that one, whatever `turn` is.

    Raises `UnknownTurn`, and `UnknownSubject` with the nearest name.
    """
    state = history.last
    asked = await history.turn(turn) if turn is not None else None
    machine = asked.machine if asked is not None else await history.machines.shown(state.fingerprint)
    reading = read_question(machine, question, state, turn if turn is not None else state.turn)
    reading = await _in_conversation(history, reading, turn)
    if not reading.found:
        hints = (reading.hint, hint_for(machine, reading.text, state))
        raise UnknownSubject(reading.text, "; ".join(filter(None, hints)))
    own = reading.turn if reading.subject.kind in ("turn", "message") else None
    number = next(one for one in (own, turn, reading.turn, state.turn) if one is not None)
    found = await history.turn(number)
    if found is None and reading.subject.kind in _STANDING:
        found = await history.left_of(number)
    if found is None:
        return _erased(history, machine, reading, number)
    during, names_turn = await history.facts(number), (turn, reading.turn) != (None, None)
    query = Query(history, found, during, reading.subject, names_turn=names_turn)
    traced = [await history.traced(fact) for fact in await _facts(query, reading)]
    traced = await with_setbacks(query, traced)
    hide = await history.hide()
    facts, during = (_hidden(some, hide) for some in (traced, during))
    return Answer(
        history.conversation,
        reading.subject,
        number,
        found.state.seq,
        _read_as(reading, number),
        tuple(facts),
        plain(found.machine, found.state, reading.subject, facts, during),
        decisions=tuple([hide(one) for one in query.decisions]),
        also=reading.also,
        erased=history.erasures(),
    )


def _hidden(facts: Sequence[Fact], hide: Hide) -> list[Fact]:
    return [*facts] if hide is hide_nothing else [without_secrets(fact, hide) for fact in facts]


async def _facts(query: Query, reading: Reading) -> list[Fact]:
    """Return the answer, with its time or its count if the question asks for one, with an undo that took the turn back
    later, and with the turns that were not searched.
    """
    first, *others = with_lead(await answer(query), reading)
    if reading.sentence is not None and reading.sentence.is_about_when:
        others = [*await _when(query, first), *others]
    undone = [fact for fact in await query.undone_later() if fact not in (first, *others)]
    is_counted = asks_for_count(reading.text, query.subject.kind)
    count = await counted(query, reading.text.casefold()) if is_counted else None
    leading = [*([count] if count is not None else []), first]
    not_kept = [await after_end(query, reading.not_kept)] if reading.not_kept else []
    is_not_so = reading.sentence is not None and reading.sentence.is_negated
    is_about_end = reading.cue is not None and reading.cue.kind == "end"
    is_first = is_not_so or query.subject.kind in ("end", "message")
    leading = [*not_kept, *leading] if is_first and not is_about_end else [*leading, *not_kept]
    leading += [fact for fact in await _against(query, reading.against) if fact not in leading]
    return [*leading, *undone, *others, *_not_searched(query)]


async def _against(query: Query, number: int) -> list[Fact]:
    """Return the first move of a turn that the question sets against its own, or why there was none."""
    turn = await query.history.turn(number) if 0 < number <= query.turn.number else None
    if turn is None:
        return []
    other = await query.at(turn)
    return [fact for fact in other.facts if fact.kind == "node_left"][:1] or lacking(other)[-1:]


async def _when(query: Query, first: Fact) -> list[Fact]:
    """Return when the event of a fact happened, or the last one that caused it; nothing where the fact has a time."""
    events = [fact for fact in ((first,) if first.seq else first.causes) if fact.seq]
    event = max(events, key=lambda fact: fact.seq, default=None)
    turn = await query.history.turn(event.turn) if event is not None and not _TIMED.intersection(first.values) else None
    if event is None or turn is None:
        return []
    at = turn.entries[event.seq - turn.entries[0].seq].at_ms
    fact = query.end.standing("happened_at", *event.about, at=query.end.time(at), turn=event.turn)
    return [replace(fact, turn=event.turn)]


_TIMED = frozenset(("at", "due", "since", "until"))
"""Values that say when something was, or is to be."""


async def _in_conversation(history: History, reading: Reading, turn: int | None) -> Reading:
    """Return a question in plain words, or of a name that the flow has not, with what it names or repeats of the
    conversation, and the turn that it is about.
    """
    number = turn if turn is not None else history.last.turn
    found = await history.turn(number) if reading.sentence is not None or not reading.found else None
    if found is None:
        return reading
    query = Query(history, found, await history.facts(number), Subject("conversation"))
    return await called(query, reading) or await placed(query, reading)


_STANDING: tuple[SubjectKind, ...] = (
    "field",
    "question",
    "form",
    "tool",
    "timer",
    "person",
    "end",
    "conversation",
    "origin",
)
"""Subjects that the state at the end of a turn answers for, also where the turn is erased."""


def _not_searched(query: Query) -> Iterator[Fact]:
    """Yield that turns were not searched for the answer, if there are any."""
    if query.searched:
        yield query.end.standing("not_searched", Subject("conversation"), first=query.searched)


def _read_as(reading: Reading, number: int) -> str:
    kind = reading.subject.kind
    return f"why {reading.subject}" if kind == "turn" else f"why {reading.subject}, at the end of turn {number}"


def _erased(history: History, machine: Machine, reading: Reading, number: int) -> Answer:
    """Return the answer about a turn that retention took away."""
    fact = history.erased_fact(number, reading.subject)
    return Answer(
        history.conversation,
        reading.subject,
        number,
        history.last.seq,
        _read_as(reading, number),
        (fact,),
        plain(machine, history.last, reading.subject, (fact,)),
        erased=history.erasures(),
    )
