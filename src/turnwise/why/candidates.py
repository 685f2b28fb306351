"""Ranks what a question in plain words may be about: by the names, titles, options and texts of the flow, by the values
and words of the conversation, and by a few words for each kind of subject.

It knows no grammar. Words count by their rarity: one that few subjects have says more than one that many have.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from turnwise.core.language.writing import asks_about_writing
from turnwise.core.machine import Machine
from turnwise.core.phrase import Listing, Phrase, joined, phrase
from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.numbers import number_at
from turnwise.understanding.readings import text_of
from turnwise.understanding.vocabulary import LANGUAGE_CODES, load_vocabulary
from turnwise.why.answer import Subject
from turnwise.why.asked_again import asked_again, asks_about_repetition
from turnwise.why.item_candidates import hidden_by_items, item_candidates
from turnwise.why.kind_words import ALL_KIND_WORDS, EVENT_WORDS, IGNORED, KIND_WORDS, meanings
from turnwise.why.named_turns import named_turns
from turnwise.why.names import words_in
from turnwise.why.query import Query, actor
from turnwise.why.scope_questions import scope_asked
from turnwise.why.subject_index import content_words, subject_index
from turnwise.why.unprompted import last_writing

_FORM, _PART = 0.8, 0.5
"""How much another form of a word counts, and one for a kind of subject in a longer name: `asked` in `asked_enough`."""
_QUOTED, _NUMBER, _KIND = 6.0, 3.0, 2.0
"""How much a quotation counts, a number that was said, a word for a kind."""
_QUOTE = late_pattern(r"[“\"„'‘]([^”\"“'’]{2,})[”\"“'’]")
_DIGITS = late_pattern(r"\d+(?:[.,:]\d+)*")
_LEAST_BEGIN, _LONGEST_ENDING = 4, 4


class Candidate(NamedTuple):
    """A subject that a question may be about, and how likely it is."""

    subject: Subject
    """The subject that the question may be about."""
    turn: int | None
    """The number of the turn that the question may be about; `None` for the last one."""
    weight: float
    """How well the question fits the subject; higher is likelier."""
    because: str
    """The best reason for this subject, in words."""


@lru_cache(maxsize=8192)
def likeness(one: str, other: str) -> float:
    """Return how well a word matches another one: 1 for the same word, less for another form of it, 0 for no match."""
    if one == other:
        return 1.0
    if other in meanings().get(one, ()):
        return _FORM
    if one[:_LEAST_BEGIN] != other[:_LEAST_BEGIN] or min(len(one), len(other)) < _LEAST_BEGIN:
        return 0.0
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return _FORM if max(len(one), len(other)) - same <= _LONGEST_ENDING else 0.0


async def candidates(query: Query, question: str) -> tuple[Candidate, ...]:
    """Return the subjects that a question may be about, the likeliest first.
    `query` looks back from the turn at whose end it is asked; secrets are not read.
    """
    asked = _Asked(question)
    found = _Weights()
    for signal in (_of_flow(query.machine, asked), _of_values(query, asked), _by_kind(query, asked)):
        for subject, weight, because in signal:
            found.add(subject, weight, because)
    for subject, weight, because, turn in named_turns(question, asked.said):
        found.add(subject, weight, because, turn)
    again = await asked_again(query, asked.words) if asks_about_repetition(asked.said) else None
    if again is not None:
        found.add(again[0], _SCOPE, Phrase("it was asked for in two turns in a row"), again[1])
    wrote = await last_writing(query) if asks_about_writing(asked.said) else None
    if wrote is not None:
        found.add(wrote[0], _WROTE, Phrase("it wrote to the user last, without a message"), wrote[1])
    await _of_conversation(query, asked, found)
    items = await item_candidates(query, asked.said, likeness)
    for subject in hidden_by_items(query.machine, items):
        found.drop(subject)
    for one in items:
        found.add(one.subject, one.weight, one.because)
    _asked_for(query.machine, asked, found)
    if scope := scope_asked(query.machine, asked.words):
        found.add(scope, _SCOPE, Phrase("the question is only about it, and whether it is open"))
    return found.ranked()


class _Asked:
    """The words of a question: those that may name something, its numbers, and what it quotes."""

    def __init__(self, question: str) -> None:
        self.said = words_in(question)
        self.words = list(dict.fromkeys(word for word in self.said if word not in IGNORED))
        self.numbers = numbers_of(question)
        self.quoted = [found.casefold() for found in _QUOTE.findall(question)]

    def has(self, words: Iterable[str]) -> list[str]:
        """Return those of its words that are forms of some words."""
        return [word for word in self.said if any(likeness(word, own) for own in words)]


_Signal = Iterator[tuple[Subject, float, str]]
"""Subjects, how much speaks for each, and what that is."""


@lru_cache(maxsize=1024)
def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers that a text has in digits or as German or English words; whole ones without a fraction."""
    found = set(_DIGITS.findall(text))
    for code in LANGUAGE_CODES:
        read = text_of(text, load_vocabulary(code), _ANY_DAY)
        said = (number_at(read, at) for at in range(len(read.tokens)))
        values = [one.value for one in said if one is not None and isinstance(one.value, int | float)]
        found |= {str(int(value) if value == int(value) else value) for value in values if value > _SMALL or value < 0}
    return frozenset(found)


_ANY_DAY = date(2000, 1, 1)
_SMALL = 3
"""Up to this, a word for a number counts something: `one`, `twice`, `the third`."""


class _Weights:
    """What speaks for each subject so far, what of it does most, and the turn that the subject is about."""

    def __init__(self) -> None:
        self.by: dict[Subject, float] = {}
        self.because: dict[Subject, tuple[float, str]] = {}
        self.turns: dict[Subject, int] = {}

    def add(self, subject: Subject, weight: float, because: str, turn: int | None = None) -> None:
        self.by[subject] = self.by.get(subject, 0.0) + weight
        self.because[subject] = max(self.because.get(subject, (0.0, "")), (weight, because))
        if turn is not None:
            self.turns[subject] = turn

    def drop(self, subject: Subject) -> None:
        """Forget what speaks for a subject."""
        self.by.pop(subject, None)

    def ranked(self) -> tuple[Candidate, ...]:
        ranked = sorted(self.by.items(), key=lambda one: -one[1])
        return tuple([Candidate(one, self.turns.get(one), weight, self.because[one][1]) for one, weight in ranked])


def _quoted(words: Iterable[str]) -> Listing:
    return joined([phrase("“{word}”", word=word) for word in dict.fromkeys(words)], ", ")


def _of_flow(machine: Machine, asked: _Asked) -> _Signal:
    """Yield the subjects of the flow that share words with a question."""
    index = subject_index(machine)
    for one in index.texts:
        weight, named, shared = 0.0, 0, list[str]()
        for word in asked.words:
            best, by = 0.0, ""
            share = _PART if word in ALL_KIND_WORDS and len(one.name) > 1 else 1.0
            for own, factor in one.words.items():
                found = likeness(word, own) * factor * index.rarity[own] * (share if own in one.name else 1.0)
                best, by = max((best, by), (found, own))
            weight += best
            named += best > 0 and by in one.name
            shared += [word] if best > 0 else []
        if weight:
            part = named / len(one.name) if one.name else 0.0
            yield one.subject, weight + part, phrase("its name or a text of it has {words}", words=_quoted(shared))


def _by_kind(query: Query, asked: _Asked) -> _Signal:
    """Yield the kinds of subjects for which a question has words; of the timers, each one, the armed ones first."""
    armed = {timer.transition for timer in query.state.timers}
    for kind, words in KIND_WORDS.items():
        found = asked.has(words)
        if not found:
            continue
        weight, because = _KIND * (1 + 0.3 * (len(found) - 1)), phrase("the question has {words}", words=_quoted(found))
        if kind == "timer":
            timers = [one.subject for one in subject_index(query.machine).texts if one.subject.kind == "timer"]
            yield from ((one, weight * (1.2 if one.name in armed else 1.0), because) for one in timers)
        else:
            yield Subject(kind, str(query.turn.number) if kind == "message" else ""), weight, because


def _of_values(query: Query, asked: _Asked) -> _Signal:
    """Yield the fields whose values now are in a question."""
    for name, value in query.state.values.items():
        if query.machine.fields[name].secret or isinstance(value.value, bool):
            continue
        text = str(value.value)
        own = set(content_words(text))
        if text in asked.numbers:
            yield Subject("field", name), _NUMBER, Phrase("the question has its value")
        elif shared := own.intersection(asked.words):
            yield Subject("field", name), _VALUE * len(shared) / len(own), Phrase("the question has its value")


async def _of_conversation(query: Query, asked: _Asked, found: _Weights) -> None:
    """Weigh the messages, persons and events that a question repeats, names, or has the word for; and a little what
    happened last, which a question that names nothing is about.
    """
    last = query.turn.number
    happened = {types: words for types, said in EVENT_WORDS.items() if (words := asked.has(said))}
    found.add(Subject("turn", str(last)), _LAST, Phrase("it is the last turn"), last)
    async for entry, text in _with_words(query):
        event, number = entry.event, entry.turn
        age = 1 / (1 + last - number)
        name = actor(event)
        if name and not set(asked.words).isdisjoint(words_in(name)):
            found.add(Subject("person", name), _PERSON, Phrase("the question has the name"))
        leaves_out = isinstance(event, e.Understood) and bool(event.dropped)  # some of the words of its message
        for types, words in happened.items():
            if isinstance(event, types) or (leaves_out and e.Missed in types):
                because = phrase("the question has {words}", words=_quoted(words))
                found.add(_subject_of(entry), _HAPPENED + age, because, number)
        match event:
            case e.Moved(transition=transition):
                found.add(Subject("transition", transition), _LAST * age, Phrase("it was taken lately"))
            case e.Ended():
                found.add(Subject("end"), _LAST, Phrase("the conversation has ended"))
            case e.PersonAwaited() | e.TakenOver():
                found.add(Subject("person"), _LAST * age, Phrase("a person was awaited lately"))
            case e.UserSaid() | e.UserChose() | e.OperatorSaid():
                repeated, lately = _in_message(text, asked), _LAST * age / 2
                because = Phrase("the question repeats a part of it" if repeated else "it was said lately")
                found.add(Subject("message", str(number)), repeated + lately, because, number)
            case e.Said() if any(one in text.casefold() for one in asked.quoted):
                found.add(Subject("turn", str(number)), _QUOTED, Phrase("the question quotes its reply"), number)
            case _:
                pass


async def _with_words(query: Query) -> AsyncIterator[tuple[e.Entry, str]]:
    """Yield the entries, the newest first, each with the text that was said in it, without the words of secrets."""
    hide = await query.history.hide()
    secret: dict[int, list[tuple[int, int]]] = {}
    async for entry in query.entries_backwards():
        text = ""
        match entry.event:
            case e.WordsHidden(place=(seq, start, end)):  # of a message before it
                secret.setdefault(seq, []).append((start, end))
            case e.UserSaid(text=text) | e.UserChose(value=text) | e.OperatorSaid(text=text) | e.Said(text=text):
                for start, end in sorted(secret.get(entry.seq, ()), reverse=True):
                    text = text[:start] + text[end:]
            case _:
                pass
        yield entry, hide(text)


def _in_message(text: str, asked: _Asked) -> float:
    """Return how much of a question is in a message."""
    folded, own = text.casefold(), set(content_words(text))
    weight = _QUOTED if any(one in folded for one in asked.quoted) else 0.0
    if shared := len(own.intersection(asked.words)):
        weight += _REPEATED * shared * shared / len(own)
    return weight + (1.0 if asked.numbers.intersection(numbers_of(text)) else 0.0)


def _subject_of(entry: e.Entry) -> Subject:
    """Return what an event is about that went wrong, or was taken back."""
    match entry.event:
        case e.ToolFailed(tool=tool) | e.CallRefused(tool=tool) if tool:
            return Subject("tool", tool)
        case e.ModelFailed() | e.UnderstandingFailed():
            return Subject("model")
        case e.Missed() | e.CommandRefused() | e.EventRefused() | e.Understood():
            return Subject("message", str(entry.turn))
        case e.Commands(by=name) if name:
            return Subject("person", name)
        case _:
            return Subject("turn", str(entry.turn))


def _asked_for(machine: Machine, asked: _Asked, found: _Weights) -> None:
    """Weigh the questions for the fields that a question names, where it has a word for asking."""
    if not asked.has(KIND_WORDS["question"]):
        return
    for subject, weight in list(found.by.items()):
        if subject.kind == "field" and subject.name in machine.forms_of:
            found.add(Subject("question", subject.name), weight * _ASKED, found.because[subject][1])


_LAST, _PERSON, _HAPPENED, _REPEATED, _VALUE, _ASKED = 0.6, 3.0, 1.5, 1.2, 0.8, 0.95
"""How much what happened last counts, a person's name, an event for which there is a word, the part of a message that
is repeated, the value of a field, and of what speaks for a field where the question has a word for asking.
"""
_SCOPE = 12.0
"""How much counts that a question is only about a scope, or about what was asked for again."""
_WROTE = 6.0
"""How much what wrote to the user last without a message counts, where a question is about that."""


def is_clear(ranked: Sequence[Candidate]) -> bool:
    """Return whether the first of some ranked candidates is clearly better than the others."""
    if not ranked:
        return False
    second = next((one.weight for one in ranked[1:] if not _is_same(one.subject, ranked[0].subject)), 0.0)
    return ranked[0].weight >= _LEAST_CLEAR and ranked[0].weight >= _AHEAD * second


def _is_same(one: Subject, other: Subject) -> bool:
    """Return whether two subjects are a field and its question, a turn and its message, or parts of the same list."""
    kinds = {one.kind, other.kind}
    if "item" in kinds:
        of_list = one.name.partition("[")[0] == other.name.partition("[")[0]
        of_item = one.name.partition("]")[0] == other.name.partition("]")[0]
        return of_item or (of_list and kinds == {"item", "field"})
    return one.name == other.name and (kinds <= {"field", "question"} or kinds <= {"turn", "message"})


_LEAST_CLEAR, _AHEAD = 2.5, 1.6
"""How much must speak for a subject that is clear, and how many times as much as for the next one."""
