"""Answers a question of why about a stored conversation."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from turnwise.core.explain.hiding import Hide, hide_nothing
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import Ended, State
from turnwise.core.state import events as e
from turnwise.errors import NoClearSubject, UnknownSubject, describe
from turnwise.flow.diagnostic import nearest
from turnwise.why.answer import Answer, Fact, Subject, SubjectKind
from turnwise.why.exact import named_exactly
from turnwise.why.facts.builder import without_secrets
from turnwise.why.for_users import field_named
from turnwise.why.history import History
from turnwise.why.kind_words import IGNORED
from turnwise.why.names import is_used, subjects, words_in
from turnwise.why.plain import plain
from turnwise.why.query import Query
from turnwise.why.scope_questions import scope_asked
from turnwise.why.subjects import answer
from turnwise.why.subjects.field_history import with_setbacks
from turnwise.why.supplements import supplements

if TYPE_CHECKING:
    from turnwise.why.candidates import Candidate
    from turnwise.why.model_reader import ModelReader

MOST_CHARS = 500
"""How many characters a question of a user may have to be read."""
_MOST_ALSO = 4
"""How many other subjects an answer names."""


class _Asked(NamedTuple):
    """What a question is about: its subject, others that may be meant, the turn that it names, and how it was read."""

    subject: Subject
    also: tuple[Subject, ...] = ()
    turn: int | None = None
    note: str = ""


async def why(
    history: History, question: str = "", turn: int | None = None, reader: ModelReader | None = None
) -> Answer:
    """Return the answer to a question about a conversation at the end of a turn, by default the last one.
    The question is the name of a field, node, transition, tool, timer or other subject, the number of a turn, or a
    question in words, which is about the subject that it names most clearly. The subject alone decides the answer. A
    name that only an earlier version of the flow has is asked about at the end of that version's last turn. `reader`
    chooses a subject if none is clear.

    Raises `UnknownTurn`, `UnknownSubject` with the nearest name, and `NoClearSubject` with what may be meant.
    """
    found = await _in_any_version(history, question, turn, reader)
    if found.plain:
        return found
    machine = await history.machines.shown_of_state(history.last)
    return replace(found, plain=machine.language.text("why_unknown"))


async def why_for_user(history: History, question: str) -> str:
    """Return one sentence that answers the user's question about their own conversation; empty if nothing can be said.
    It is about the field or the scope that the question names, else about what wrote to the user last, else about the
    end if that is reached.
    """
    from turnwise.core.language.writing import asks_about_writing

    if len(question) > MOST_CHARS:
        return ""
    machine, turn = await history.machines.shown_of_state(history.last), None
    said = [word for word in words_in(question) if word not in IGNORED]
    subject = field_named(machine, question) or scope_asked(machine, said)
    if subject is None and asks_about_writing(words_in(question)):
        subject, turn = await _writing(history) or (None, None)
    if subject is None and isinstance(history.last.status, Ended):
        subject = Subject("end")
    return (await _why(history, str(subject), turn, None)).plain if subject is not None else ""


async def _writing(history: History) -> tuple[Subject, int] | None:
    """Return what wrote to the user last unprompted; `None` where nothing did, or the state itself says why."""
    from turnwise.why.unprompted import is_shown_by_state, last_writing

    at = await history.turn(history.last.turn)
    query = Query(history, at, (), Subject("conversation")) if at is not None else None
    return await last_writing(query) if query is not None and not is_shown_by_state(query) else None


async def _in_any_version(history: History, question: str, turn: int | None, reader: ModelReader | None) -> Answer:
    """Return the answer to one question, by the version of the flow that has what it names."""
    try:
        return await _why(history, question, turn, reader)
    except UnknownSubject:
        for number in await _ends_of_versions(history) if turn is None else ():
            with suppress(UnknownSubject):
                found = await _why(history, question, number, reader)
                return replace(
                    found,
                    read_as=phrase(
                        "{read_as}, with the version of the flow that was in use then", read_as=found.read_as
                    ),
                )
        raise


async def _why(history: History, question: str, turn: int | None, reader: ModelReader | None) -> Answer:
    machine, state = await _standing_at(history, turn)
    named = named_exactly(machine, question, state, turn if turn is not None else history.last.turn)
    if named is not None:
        asked = _Asked(named.found[0], named.found[1:], named.turn)
    else:
        asked = await _read(history, machine, question, turn, reader)
    number = _number(asked, turn, history.last.turn)
    at = await history.turn(number)
    if at is None and asked.subject.kind in _STANDING:
        at = await history.turns.erased_turn(history.conversation, number)
    if at is None:
        return _erased(history, machine, asked, number)
    during = await history.facts(number)
    query = Query(history, at, during, asked.subject, names_turn=(turn, asked.turn) != (None, None))
    found = await answer(query)
    if not found:
        raise UnknownSubject(str(asked.subject))
    others = await supplements(query, found[0])
    hide = await history.hide()
    facts = _hidden(_distinct(await _traced(query, found)), hide)
    others, during = _hidden(await _traced(query, others), hide), _hidden(during, hide)
    return Answer(
        history.conversation,
        asked.subject,
        number,
        at.state.seq,
        _read_as(asked, number),
        tuple(_distinct([*facts, *others])),
        plain(at.machine, at.state, asked.subject, facts, during, history.last),
        decisions=tuple([hide(one) for one in query.decisions]),
        also=asked.also,
        erased=history.erasures(),
    )


async def _standing_at(history: History, turn: int | None) -> tuple[Machine, State]:
    """Return the machine and the state at the end of a turn, by default or if it is erased the last."""
    at = await history.turn(turn) if turn is not None else None
    if at is not None:
        return at.machine, at.state
    return await history.machines.shown_of_state(history.last), history.last


async def _traced(query: Query, facts: Sequence[Fact]) -> list[Fact]:
    """Return facts with their causes, also those in earlier turns."""
    return await with_setbacks(query, [await query.history.with_traced_values(fact) for fact in facts])


async def _read(
    history: History, machine: Machine, question: str, turn: int | None, reader: ModelReader | None
) -> _Asked:
    """Return what a question is about that names nothing exactly: the one subject that is clear, else what a model
    chooses. Raises `UnknownSubject`, and `NoClearSubject` with what may be meant.
    """
    number = turn if turn is not None else history.last.turn
    text = question.strip()
    names = [one.name for one in subjects(machine) if one.kind != "limit" and is_used(machine, one.name)]
    hint = nearest(text, names) if " " not in text else ""
    if hint.startswith("did you mean"):  # a slip in a name
        raise UnknownSubject(text, hint)
    return await _read_by_rank(history, text, number, hint, reader)


async def _read_by_rank(history: History, text: str, number: int, hint: str, reader: ModelReader | None) -> _Asked:
    """Return what a text is about that names no subject exactly: the one that is clear, else what a model chooses."""
    from turnwise.why.candidates import candidates, is_clear
    from turnwise.why.offered import offered_subjects

    at = await history.turn(number)
    query = Query(history, at, await history.facts(number), Subject("conversation")) if at is not None else None
    ranked = await candidates(query, text) if query is not None else ()
    offer = next((one for one in ranked if str(one.subject).casefold() == text.casefold()), None)
    if offer is not None:
        return _Asked(offer.subject, turn=offer.turn)
    if is_clear(ranked):
        first, *others = list(ranked)
        also = tuple(one.subject for one in others[:_MOST_ALSO])
        return _Asked(first.subject, also, first.turn, Phrase("the likeliest of what it may be about"))
    failed = ""
    if reader is not None and query is not None:
        try:
            return await _chosen(reader, query, text, ranked)
        except Exception as error:  # noqa: BLE001  a model of the program may raise anything
            failed = phrase("; the model failed: {error}", error=describe(error))
    if " " not in text:
        raise UnknownSubject(text, hint + failed)
    offers = await offered_subjects(query, ranked) if query is not None else ()
    raise NoClearSubject(text, offers, failed.removeprefix("; "))


async def _chosen(reader: ModelReader, query: Query, question: str, ranked: Sequence[Candidate]) -> _Asked:
    read = await reader.read(query, question)
    also = tuple(one.subject for one in ranked[:_MOST_ALSO] if one.subject != read.subject)
    return _Asked(read.subject, also, read.turn, Phrase("as the model read it"))


async def _ends_of_versions(history: History) -> list[int]:
    """Return the last turn of each earlier version of the flow, the newest first."""
    last = await history.turn(history.last.turn)
    if last is None:
        return []
    migrations = Query(history, last, (), Subject("conversation")).entries_backwards(e.Migrated)
    return [entry.turn - 1 async for entry in migrations]


def _number(asked: _Asked, turn: int | None, last: int) -> int:
    """Return the turn that a question is about: its own, else the one at whose end it is asked."""
    own = asked.turn if asked.subject.kind in ("turn", "message") else None
    return next(one for one in (own, turn, asked.turn, last) if one is not None)


def _distinct(facts: Sequence[Fact]) -> list[Fact]:
    """Return facts without those that stand before, as one of the facts or among its causes."""
    known: set[tuple[str, int, int]] = set()
    found: list[Fact] = []
    for fact in facts:
        if (fact.text, fact.turn, fact.seq) not in known:
            found.append(fact)
        for one in fact.walk():
            known.add((one.text, one.turn, one.seq))
    return found


def _hidden(facts: Sequence[Fact], hide: Hide) -> list[Fact]:
    return [*facts] if hide is hide_nothing else [without_secrets(fact, hide) for fact in facts]


_STANDING: tuple[SubjectKind, ...] = (
    "field",
    "item",
    "question",
    "form",
    "tool",
    "timer",
    "overlay",
    "schedule",
    "event",
    "person",
    "end",
    "conversation",
    "delivery",
    "origin",
)
"""Subjects that the state at the end of a turn answers for, also where the turn is erased."""


def _read_as(asked: _Asked, number: int) -> str:
    kind = asked.subject.kind
    read = (
        phrase("why {subject}", subject=asked.subject.text)
        if kind == "turn"
        else phrase("why {subject}, at the end of turn {number}", subject=asked.subject.text, number=number)
    )
    return phrase("{read} ({note})", read=read, note=asked.note) if asked.note else read


def _erased(history: History, machine: Machine, asked: _Asked, number: int) -> Answer:
    """Return the answer about a turn that retention took away."""
    fact = history.erased_fact(number, asked.subject)
    return Answer(
        history.conversation,
        asked.subject,
        number,
        history.last.seq,
        _read_as(asked, number),
        (fact,),
        plain(machine, history.last, asked.subject, (fact,)),
        erased=history.erasures(),
    )
