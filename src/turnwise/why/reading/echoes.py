"""Where a conversation has the words, numbers and names that a question in plain words repeats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from turnwise.core.machine import Machine
from turnwise.core.secrets import redacted_call
from turnwise.core.state import FieldValue
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Against, Reading
from turnwise.why.reading.clauses import AGAINST, CONTRAST, UNANSWERED
from turnwise.why.reading.cues import OF_QUESTIONS
from turnwise.why.reading.sentences import Quote, Sentence, has_spoken, spoken
from turnwise.why.reading.titles import LEAST_BEGIN, is_alike
from turnwise.why.reading.words import content_of


class Echo(NamedTuple):
    """Where a conversation has words that a question repeats: what carried them, in which turn, and how well they
    are the same.
    """

    subject: Subject
    turn: int
    score: float
    quote: Quote
    is_message: bool = False
    """Whether the quote is all of a message."""


async def find_echo(query: Query, reading: Reading, sentence: Sentence) -> Echo | None:
    """Return where the conversation has what a question repeats; without quotes, where it has most of its words."""
    known = known_words(query)
    is_to_message = UNANSWERED.search(sentence.clause) is not None  # it is about what the user wrote
    called = known | reading.names.by if is_to_message else known
    quotes = [_without(quote, called) for quote in sentence.quotes if not _is_name(quote, known)]
    quotes = quotes or _unquoted(query.machine, reading, sentence, known)
    beside = _beside_name(reading, sentence, known) if not quotes else ()
    if beside:
        quotes = [Quote(beside)]
    if not quotes and sentence.is_about_first and reading.found and reading.subject.kind in ("node", "transition"):
        quotes = [Quote(tuple(reading.names.by), is_aside=True)]
    quotes = [quote for quote in quotes if quote.words]
    if not quotes:
        return None
    best: Echo | None = None
    has_numbers, begins = bool(sentence.numbers), {word[:LEAST_BEGIN] for quote in quotes for word in quote.words}
    async for entry in query.back(*((e.UserSaid, e.UserChose) if is_to_message else _WITH_TEXTS)):
        for text, subject in _texts(query.machine, entry):
            folded = text.casefold()
            if not has_numbers and not any(begin in folded for begin in begins):
                continue
            said = spoken(text) if has_numbers and has_spoken(text) else words_in(text)
            alike = not begins.isdisjoint([word[:LEAST_BEGIN] for word in said])
            for quote in quotes if alike else ():
                found = _echoed(quote, said, subject, entry, is_explicit=bool(sentence.quotes))
                if found is not None and subject.kind == "tool" and subject in reading.names.best:
                    found = found._replace(score=found.score + _RANK)  # words of a call of the tool that is named
                if (
                    found is not None
                    and _is_better(found, best, sentence)
                    and await _is_shown(query, entry, text, quote)
                ):
                    best = found
    return best if best is None or not beside or best.score >= 1 + _WHOLE else None


def _unquoted(machine: Machine, reading: Reading, sentence: Sentence, known: frozenset[str]) -> list[Quote]:
    """Return what a question without quotes repeats: a word for an option, else all its words that name nothing."""
    option = _word_for_option(machine, reading, sentence)
    if option or _is_named(reading):
        return option
    said = sentence.asked if sentence.is_about_itself else sentence.content
    content = dict.fromkeys(word for word in said if word not in known | OF_QUESTIONS)
    return [Quote(tuple(content))] if not reading.names.by.issuperset(content) else []


async def held_against(query: Query, reading: Reading, sentence: Sentence, echo: Echo) -> Against:
    """Return the turn of the words that a question holds against what it asks, or against those of another turn."""
    others = tuple([quote for quote in sentence.quotes if quote.is_aside])
    is_turn = CONTRAST.search(sentence.text) is not None
    if not others or not (is_turn or AGAINST.search(sentence.text)):
        return Against()
    found = await find_echo(query, reading, sentence._replace(quotes=others))
    if found is None or (is_turn and found.turn == echo.turn):
        return Against()
    return Against(found.turn, found.quote.words, is_turn=is_turn)


def _word_for_option(machine: Machine, reading: Reading, sentence: Sentence) -> list[Quote]:
    """Return the word for an option of a named field that is not the option itself, in a question why it was not taken:
    `why was therapy not understood as Treatment?`
    """
    if not (asks_why_not(sentence) and reading.found and reading.subject.kind == "field"):
        return []
    options = machine.fields[reading.subject.name].options
    known = (words_in(word) for option in options for word in option.words)
    return [Quote(words) for words in known if words and stands_in(words, sentence.asked)][:1]


def _beside_name(reading: Reading, sentence: Sentence, known: frozenset[str]) -> tuple[str, ...]:
    """Return the words beside a named field in a question why something is not so: `why was my head aches not noted as
    a symptom?`
    """
    if not (sentence.is_negated and reading.found and reading.subject.kind == "field"):
        return ()
    rest = known | OF_QUESTIONS | reading.names.by
    found = tuple(word for word in dict.fromkeys(sentence.content) if word not in rest)
    return found if len(found) > 1 else ()


def asks_why_not(sentence: Sentence) -> bool:
    """Return whether a question asks why something was not taken."""
    return sentence.is_negated or _REFUSED.search(sentence.clause) is not None


_REFUSED = late_pattern(r"\b(?:refus|reject|ignor|declin)\w*|\b(?:abgelehnt|abgewiesen|zurückgewiesen)\b")


def _echoed(quote: Quote, said: tuple[str, ...], subject: Subject, entry: e.Entry, *, is_explicit: bool) -> Echo | None:
    """Return how a text of an entry has the words of a quote, if it does."""
    is_short = subject.kind in _FEW_WORDS or isinstance(entry.event, e.Commands)
    score = _score(quote, said, is_explicit=is_explicit or is_short)
    if not score and subject.kind == "person" and said[:1] and said[0] in quote.words:
        score = _LEAST_PART
    is_expected = subject.kind != "field" and (subject.kind in _BY_MACHINE) == quote.is_by_machine
    rank = _RANK * (is_expected + 2 * (not quote.is_aside))
    is_message = quote.is_marked and len(quote.words) > 1 and quote.words == said and subject.kind == "message"
    return Echo(subject, entry.turn, score + rank, quote, is_message) if score else None


def _is_better(echo: Echo, best: Echo | None, sentence: Sentence) -> bool:
    """Return whether an echo is meant rather than the best of later turns. What the machine said is meant where it said
    it first; else the last time is meant, where the question does not say which.
    """
    if best is None or echo.score != best.score:
        return best is None or echo.score > best.score
    return sentence.is_about_first or (echo.subject.kind in _BY_MACHINE and not sentence.is_present)


_RANK = 0.1
"""How much more it weighs that words are of the side which the question says."""
_FEW_WORDS = ("message", "tool", "model", "person", "field", "form")
"""What one word of a question may repeat, also where it is not in quotes."""


_NAMED = 0.8
"""How well something must be named, so that other words repeat nothing."""


def _is_named(reading: Reading) -> bool:
    """Return whether a question names something of the flow, or hints at what is no message."""
    is_hinted = reading.hint_kind not in (None, "turn", "message", "conversation", "question")
    return reading.names.weight >= _NAMED or (is_hinted and not reading.names.best)


def known_words(query: Query) -> frozenset[str]:
    """Return the words by which a question may call the conversation or its user: its name, and short values."""
    texts = [query.history.conversation]
    for name, value in query.state.values.items():
        field = query.machine.fields.get(name)
        is_name = field is not None and field.type == "string" and not field.options and not field.secret
        if is_name and isinstance(value.value, str) and len(value.value.split()) <= _MOST_NAME_WORDS:
            texts.append(value.value)
    return frozenset([word for text in texts for word in (*words_in(text), *(f"{one}s" for one in words_in(text)))])


_MOST_NAME_WORDS = 3


def _is_name(quote: Quote, known: frozenset[str]) -> bool:
    """Return whether words after a verb such as `answer` are the name of the user: `why does nobody answer Greta`."""
    return not quote.is_marked and known.issuperset(quote.words) and not any(word.isdecimal() for word in quote.words)


def _without(quote: Quote, known: frozenset[str]) -> Quote:
    """Return a quote without known words, unless it has no others."""
    kept = tuple([word for word in quote.words if word not in known])
    return quote._replace(words=kept) if kept else quote


_WITH_TEXTS = (
    *(e.UserSaid, e.UserChose, e.Said, e.ModelReplied, e.ToolFailed, e.ModelFailed, e.Commands, e.FieldSet),
    *(e.TakenOver, e.GivenBack, e.GiveBackRefused, e.OperatorSaid),
)
"""The events that have texts which a question may repeat."""


def _texts(machine: Machine, entry: e.Entry) -> Iterator[tuple[str, Subject]]:
    """Yield the texts of an entry that a question may repeat, each with what carried it."""
    event, turn = entry.event, str(entry.turn)
    match event:
        case e.UserSaid(text=text) | e.UserChose(value=text):
            yield text, Subject("message", turn)
        case e.Said(text=text, kind=kind, buttons=buttons):
            carrier = Subject("form") if kind in _BY_FORM else Subject("turn", turn)
            yield from ((one, carrier) for one in (text, *(button.label for button in buttons)))
        case e.ModelReplied(calls=calls):
            for call in calls:
                yield " ".join(map(str, leaves(redacted_call(machine, call).arguments))), Subject("tool", call.tool)
        case e.ToolFailed(tool=tool, reason=reason):
            yield reason, Subject("tool", tool)
        case e.ModelFailed(reason=reason):
            yield reason, Subject("model")
        case _:
            yield from _set(machine, entry)


def _set(machine: Machine, entry: e.Entry) -> Iterator[tuple[str, Subject]]:
    """Yield the texts of persons and programs, and the values of fields, except secret ones."""
    match entry.event:
        case e.TakenOver(operator=operator, reason=text):
            yield f"{operator} {text}", Subject("person", operator)
        case e.GivenBack(operator=operator, reason=text, set=given):
            yield " ".join((operator, text, *_shown(machine, given.items()))), Subject("person", operator)
        case e.GiveBackRefused(operator=operator, set=given):
            yield " ".join((operator, *_shown(machine, given.items()))), Subject("person", operator)
        case e.OperatorSaid(text=text, operator=operator):
            yield f"{operator} {text}", Subject("person", operator)
        case e.Commands(commands=commands, by=by):
            own = [(one.field, one.value) for one in commands if isinstance(one, c.Set)]
            yield " ".join((by, *_shown(machine, own))), Subject("turn", str(entry.turn))
        case e.FieldSet(field=field, value=value) if field in machine.fields and not machine.fields[field].secret:
            yield str(value), Subject("field", field)
        case _:
            pass


def shown_values(machine: Machine, values: Mapping[str, FieldValue]) -> dict[str, Any]:
    """Return the values of fields, except secret ones."""
    secret = {name for name, field in machine.fields.items() if field.secret}
    return {name: found.value for name, found in values.items() if name not in secret}


def _shown(machine: Machine, given: Iterable[tuple[str, Any]]) -> list[str]:
    """Return the values that were given for fields, except secret ones."""
    return [str(value) for name, value in given if name in machine.fields and not machine.fields[name].secret]


_BY_FORM = ("summary", "stop", "cancelled", "done")
_BY_MACHINE = ("turn", "form")
"""The kinds of what carries the words of the machine."""


def leaves(data: Any) -> Iterator[Any]:
    """Yield the names and values in the arguments of a call."""
    if isinstance(data, dict):
        for name, value in cast("dict[str, Any]", data).items():
            yield name
            yield from leaves(value)
    elif isinstance(data, list):
        for value in cast("list[Any]", data):
            yield from leaves(value)
    else:
        yield data


def _score(quote: Quote, said: tuple[str, ...], *, is_explicit: bool) -> float:
    """Return how much of a quote some words have: 0 for too little, 1 for all of it, more where it stands there."""
    own = quote.words
    if stands_in(own, said):
        return 1.0 + (_WHOLE if len(own) > 1 else 0.0) if is_explicit or len(own) > 1 else 0.0
    if any(word.isdecimal() and word not in said for word in own):
        return 0.0
    content = content_of(own)
    there = {next((one for one in said if word == one or is_alike(word, one)), "") for word in content} - {""}
    if not there or len(there) < len(content) * _LEAST_PART or (len(there) < _FEWEST and not is_explicit):
        return 0.0
    return len(there) / len(content)


def stands_in(own: tuple[str, ...], said: tuple[str, ...]) -> bool:
    """Return whether some words stand beside each other in others."""
    return any(own == said[at : at + len(own)] for at in range(len(said) - len(own) + 1))


_WHOLE = 0.5
_LEAST_PART, _FEWEST = 0.66, 2


async def _is_shown(query: Query, entry: e.Entry, text: str, quote: Quote) -> bool:
    """Return whether the words are in the text also where its secrets are hidden."""
    if not query.machine.has_secrets:
        return True
    turn = await query.history.turn(entry.turn)
    shown = str(turn.hide(text)) if turn is not None else ""
    return shown == text or _score(quote, spoken(shown), is_explicit=True) >= _score(
        quote, spoken(text), is_explicit=True
    )
