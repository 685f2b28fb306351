"""Answers a question of why about a stored conversation."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.explain.hiding import Hide, hide_nothing
from turnwise.core.machine import Machine
from turnwise.errors import UnknownSubject
from turnwise.why.answer import Answer, Fact, Subject, SubjectKind
from turnwise.why.facts.builder import without_secrets
from turnwise.why.history import History
from turnwise.why.plain import plain
from turnwise.why.query import Query
from turnwise.why.reading import Reading, hint_for, read_question
from turnwise.why.reading.kept import after_undo
from turnwise.why.reading.leads import ordered
from turnwise.why.reading.moments import called, placed
from turnwise.why.subjects.setbacks import with_setbacks


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
    at = await history.turn(number)
    if at is None and reading.subject.kind in _STANDING:
        at = await history.left_of(number)
    if at is None:
        return _erased(history, machine, reading, number)
    during, names_turn = await history.facts(number), (turn, reading.turn) != (None, None)
    query = Query(history, at, during, reading.subject, names_turn=names_turn)
    traced = [await history.traced(fact) for fact in await ordered(query, reading)]
    traced = await with_setbacks(query, traced)
    hide = await history.hide()
    facts, during = (_hidden(some, hide) for some in (traced, during))
    return Answer(
        history.conversation,
        reading.subject,
        number,
        at.state.seq,
        _read_as(reading, number),
        tuple(facts),
        plain(at.machine, at.state, reading.subject, facts, during, history.last),
        decisions=tuple([hide(one) for one in query.decisions]),
        also=reading.also,
        erased=history.erasures(),
    )


def _hidden(facts: Sequence[Fact], hide: Hide) -> list[Fact]:
    return [*facts] if hide is hide_nothing else [without_secrets(fact, hide) for fact in facts]


async def _in_conversation(history: History, reading: Reading, turn: int | None) -> Reading:
    """Return a question in plain words, or of a name that the flow has not, with what it names or repeats of the
    conversation, and the turn that it is about.
    """
    number = turn if turn is not None else history.last.turn
    found = await history.turn(number) if reading.sentence is not None or not reading.found else None
    if found is None:
        return reading
    query = Query(history, found, await history.facts(number), Subject("conversation"))
    return await called(query, reading) or await after_undo(query, reading) or await placed(query, reading)


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
