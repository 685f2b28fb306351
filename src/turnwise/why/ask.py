"""Answers a question of why about a stored conversation."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from turnwise.core.explain.hiding import Hide, hide_nothing
from turnwise.core.guards.types import shown
from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.errors import UnknownSubject, describe
from turnwise.why.answer import Answer, Fact, Subject, SubjectKind
from turnwise.why.facts.builder import listed, without_secrets
from turnwise.why.history import History
from turnwise.why.plain import plain
from turnwise.why.query import Query
from turnwise.why.reading import BY_MODEL, Reading, read_question
from turnwise.why.reading.hints import hint_for
from turnwise.why.reading.leads import distinct, ordered
from turnwise.why.reading.placing import placed
from turnwise.why.reading.sentences import sentence_of
from turnwise.why.reading.supposing import is_hypothetical
from turnwise.why.reading.times import times_asked, together
from turnwise.why.subjects.setbacks import with_setbacks

if TYPE_CHECKING:
    from turnwise.why.reading.by_model import ModelReader

MOST_CHARS = 500
"""The longest question of a user that is read: the time of some readings grows with the square of the length."""


async def why(
    history: History, question: str = "", turn: int | None = None, reader: ModelReader | None = None
) -> Answer:
    """Return why something is as it is at the end of a turn, by default the last: a field, node, transition, tool,
    timer or other subject by its name, a turn by its number, or a question in plain words. A question about a turn or
    its message is about that one, whatever `turn` is. A name that only an earlier version of the flow has is
    asked about at the end of its last turn. `reader` reads plain words; without it, and where it fails, the rules do.

    Raises `UnknownTurn`, and `UnknownSubject` with the nearest name.
    """
    found = await _answer(history, question, turn, reader)
    unknown = (await history.machines.shown_of_state(history.last)).language.text("why_unknown")
    return found if found.plain else replace(found, plain=unknown)


async def _answer(history: History, question: str, turn: int | None, reader: ModelReader | None) -> Answer:
    """Return the same, without a sentence for the user where nothing can be said to them."""
    first, *others = times_asked(question)
    answers = [await _in_any_version(history, first, turn, reader)]
    for one in others:
        answers.append(await _of_same(history, one, answers[0].subject, turn, reader))
    return together(answers)


async def _of_same(
    history: History, question: str, subject: Subject, turn: int | None, reader: ModelReader | None
) -> Answer:
    """Return the answer to a question that follows another one; it is about the same subject where it names none."""
    try:
        return await _in_any_version(history, question, turn, reader)
    except UnknownSubject:
        return await _in_any_version(history, f"{question} {subject.name}", turn, reader)


async def _in_any_version(history: History, question: str, turn: int | None, reader: ModelReader | None) -> Answer:
    """Return the answer to one question, by the version of the flow that has what it names."""
    try:
        return await _why(history, question, turn, reader)
    except UnknownSubject:
        for number in await _ends_of_versions(history) if turn is None else ():
            with suppress(UnknownSubject):
                found = await _why(history, question, number, reader)
                return replace(found, read_as=f"{found.read_as}, with the version of the flow that was in use then")
        raise


async def why_for_user(history: History, question: str) -> str:
    """Return the sentence for the user who asks in the conversation itself; empty where the rules do not understand the
    question, or nothing can be said. What would have been is for authors and auditors.
    """
    if len(question) > MOST_CHARS or is_hypothetical(question):
        return ""
    try:
        found = await _why_for_user(history, question)
    except UnknownSubject:
        return ""
    return found.plain


async def _why_for_user(history: History, question: str) -> Answer:
    """Return the answer to a question; of one why something is not so that names nothing known, that to *why not?*."""
    try:
        return await _answer(history, question, None, None)
    except UnknownSubject:
        if not sentence_of(question, ()).is_negated:
            raise
        return await _answer(history, "why not?", None, None)


async def _why(history: History, question: str, turn: int | None, reader: ModelReader | None) -> Answer:
    state = history.last
    asked = await history.turn(turn) if turn is not None else None
    machine = asked.machine if asked is not None else await history.machines.shown_of_state(state)
    reading = await _read(history, machine, question, turn, reader)
    number = _number(reading, turn, state.turn)
    at = await history.turn(number)
    if at is None and reading.subject.kind in _STANDING:
        at = await history.turns.erased(history.conversation, number)
    if at is None:
        return _erased(history, machine, reading, number)
    during, names_turn = await history.facts(number), (turn, reading.turn) != (None, None)
    query = Query(history, at, during, reading.subject, names_turn=names_turn)
    traced = [await history.traced(fact) for fact in await ordered(query, reading)]
    traced = distinct(await with_setbacks(query, traced))
    hide = await history.hide()
    facts, during = (_hidden(some, hide) for some in (traced, during))
    asks_why_not = sentence_of(question, ()).is_negated
    if reader is not None and reading.is_by_model:
        facts = await _led(reader, hide(reading.text), facts)
    return Answer(
        history.conversation,
        reading.subject,
        number,
        at.state.seq,
        _read_as(at.machine, reading, number),
        tuple(facts),
        plain(at.machine, at.state, reading.subject, facts, during, history.last, asks_why_not=asks_why_not),
        decisions=tuple([hide(one) for one in query.decisions]),
        also=reading.also,
        erased=history.erasures(),
    )


async def _read(
    history: History, machine: Machine, question: str, turn: int | None, reader: ModelReader | None
) -> Reading:
    """Return a question as it is read: one in plain words, or of a name that the flow has not, with what it names or
    repeats of the conversation, and the turn that it is about. Raises `UnknownSubject`.
    """
    state = history.last
    number = turn if turn is not None else state.turn
    reading = read_question(machine, question, state, number)
    is_placed = reading.sentence is not None or not reading.found
    found = await history.turn(number) if is_placed else None
    if found is not None:
        query = Query(history, found, await history.facts(number), Subject("conversation"))
        reading = await placed(query, reading)
        if reader is not None and reading.sentence is not None:
            reading = await _by_model(query, reading, reader)
    if not reading.found:
        hints = (reading.hint, hint_for(machine, reading.text, state), reading.note and f"read {reading.note}")
        raise UnknownSubject(reading.text, "; ".join(filter(None, hints)))
    return reading


async def _ends_of_versions(history: History) -> list[int]:
    """Return the last turn of each earlier version of the flow, the newest first."""
    last = await history.turn(history.last.turn)
    if last is None:
        return []
    migrations = Query(history, last, (), Subject("conversation")).back(e.Migrated)
    return [entry.turn - 1 async for entry in migrations]


def _number(reading: Reading, turn: int | None, last: int) -> int:
    """Return the turn that a question is about: its own, else the one at whose end it is asked."""
    own = reading.turn if reading.subject.kind in ("turn", "message") else None
    return next(one for one in (own, turn, reading.turn, last) if one is not None)


def _hidden(facts: Sequence[Fact], hide: Hide) -> list[Fact]:
    return [*facts] if hide is hide_nothing else [without_secrets(fact, hide) for fact in facts]


async def _by_model(query: Query, reading: Reading, reader: ModelReader) -> Reading:
    """Return a question in plain words as a model reads it; as the rules read it, where the model fails."""
    try:
        read = await reader.read(query, reading.text)
    except Exception as error:  # noqa: BLE001  a model of the program may raise anything
        return reading._replace(note=f"by the rules, because the model failed: {describe(error)}")
    others = [one for one in reading.found if one != read.subject]
    if reading.found and read.subject == reading.subject and read.turn in (None, reading.turn):
        return reading._replace(note=BY_MODEL)
    return Reading(reading.text, (read.subject, *others), read.turn, reading.sentence, note=BY_MODEL)


async def _led(reader: ModelReader, question: str, facts: list[Fact]) -> list[Fact]:
    """Return facts with the one first that a model chooses; as they are, where the model fails."""
    try:
        return await reader.with_lead(question, facts) if len(facts) > 1 else facts
    except Exception:  # noqa: BLE001  a model of the program may raise anything
        return facts


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


def _read_as(machine: Machine, reading: Reading, number: int) -> str:
    if reading.supposes is not None:
        texts = {name: shown(value, machine.fields.get(name)) for name, value in reading.supposes.values.items()}
        others = listed(f"{name} = {text or 'missing'}" for name, text in texts.items())
        return f"what would have been with {others}, about {reading.subject}, up to the end of turn {number}"
    kind = reading.subject.kind
    read = f"why {reading.subject}" if kind == "turn" else f"why {reading.subject}, at the end of turn {number}"
    return f"{read} ({reading.note})" if reading.note else read


def _erased(history: History, machine: Machine, reading: Reading, number: int) -> Answer:
    """Return the answer about a turn that retention took away."""
    fact = history.erased_fact(number, reading.subject)
    return Answer(
        history.conversation,
        reading.subject,
        number,
        history.last.seq,
        _read_as(machine, reading, number),
        (fact,),
        plain(machine, history.last, reading.subject, (fact,)),
        erased=history.erasures(),
    )
