"""The turn whose words a question in plain words repeats."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.clauses import ALTHOUGH, MENTION, UNANSWERED
from turnwise.why.reading.cues import OF_QUESTIONS, Happening
from turnwise.why.reading.echoes import (
    Echo,
    asks_why_not,
    find_echo,
    held_against,
    known_words,
    shown_values,
    stands_in,
)
from turnwise.why.reading.happenings import happening_of, message_or_turn, turn_of, when_it_happened
from turnwise.why.reading.sentences import Quote, Sentence, cue_of, has_phrase, hint_of
from turnwise.why.reading.titles import Named, titles_of
from turnwise.why.reading.words import BEFORE, COMMON, LITTLE, NEGATIONS, WHO_SET, content_of


async def repeating(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading with what its sentence repeats of the conversation, or that says that the conversation has not
    what it repeats; `None` for one that repeats nothing.
    """
    if _is_about_act(reading, sentence):
        return None
    then = await _until(query, sentence)
    echo = await find_echo(then, reading, sentence)
    is_to_message = UNANSWERED.search(sentence.clause) is not None
    field = None if then is not query or is_to_message else _field_of_value(query, reading, sentence)
    if echo is not None and await _is_of_named(query, reading, echo):
        return None
    if echo is None:
        return reading.about(field) if field is not None else _nowhere(query, reading, sentence)
    found = await _with_echo(query, reading, sentence, echo, field)
    return found._replace(against=await held_against(query, reading, sentence, echo))


async def _is_of_named(query: Query, reading: Reading, echo: Echo) -> bool:
    """Return whether the words, in no quotes, are those by which the machine asks for what the question names."""
    turn = await query.history.turn(echo.turn) if echo.subject.kind == "turn" and not echo.quote.is_marked else None
    asked = {one.field for one in (turn.events if turn is not None else ()) if isinstance(one, e.Said)}
    return any(one.kind == "field" and one.name in asked for one in reading.names.best)


def _nowhere(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading that says which words of a question the conversation has not; `None` where it has them."""
    missing = _missing(reading, sentence)
    if isinstance(query.state.status, Ended) and (not_kept := _repeated(sentence.quotes)):
        found = (Subject("end"),) if missing or not reading.found else reading.found
        return reading._replace(found=found, not_kept=not_kept)
    hint = f"nothing that was said or called {query.where or 'so far'} has {missing}" if missing else ""
    if not hint and reading.spelled and not reading.names.best:
        hint = f"nothing has the name {reading.spelled[0]!r}, and no call had it"
    return reading.without(hint) if hint or _is_about_else(query, reading, sentence) else None


async def _until(query: Query, sentence: Sentence) -> Query:
    """Return the query at the end of the turn before what a question says that it was before: `before I cancelled`."""
    cue = hint_of(sentence.aside) if sentence.aside[:1] in BEFORE else None
    number = await turn_of(query, cue.happening) if cue is not None and cue.happening is not None else 0
    turn = await query.history.turn(number - 1) if number > 1 else None
    return await query.at(turn) if turn is not None else query


_AFTER = (("after",), ("when",), ("nachdem",), ("als",), ("nach",))
"""Words that begin the part of a question that says at which turn."""


def _is_about_act(reading: Reading, sentence: Sentence) -> bool:
    """Return whether a question is about an act such as an undo, whose words it may repeat."""
    return reading.happening in _ACTS and not any(quote.is_marked for quote in sentence.quotes)


_ACTS: tuple[Happening, ...] = ("undo", "restart", "change", "outside")


def _missing(reading: Reading, sentence: Sentence) -> str:
    """Return what a question that is about nothing else repeats: numbers, or what stands in quotation marks."""
    if reading.names.best or reading.hint_kind not in (None, "message", "turn"):
        return ""
    return _repeated([quote for quote in sentence.quotes if not quote.is_aside])


def _repeated(quotes: Sequence[Quote]) -> str:
    """Return in words what quotes repeat of the user: numbers, or what stands in quotation marks."""
    own = [quote for quote in quotes if not quote.is_by_machine]
    marked = [quote.words for quote in own if quote.is_marked]
    numbers = [word for quote in own if not quote.is_marked for word in quote.words if word.isdecimal()]
    texts = [f"“{' '.join(words)}”" for words in marked]
    return " and ".join(dict.fromkeys((*texts, *(one for one in numbers if all(one not in words for words in marked)))))


def _is_about_else(query: Query, reading: Reading, sentence: Sentence) -> bool:
    """Return whether a question hints only at a message or turn, and has words that are nowhere in the conversation."""
    cue = reading.cue if sentence.cue() is not None else None
    is_hint = cue is not None and cue.kind in ("message", "turn") and not sentence.has_phrase
    if reading.names.best or not is_hint or UNANSWERED.search(sentence.unquoted) is not None:
        return False
    return not (known_words(query) | OF_QUESTIONS | NEGATIONS).issuperset(sentence.asked)


# what is repeated ---------------------------------------------------------------------------------


async def _with_echo(query: Query, reading: Reading, sentence: Sentence, echo: Echo, field: Subject | None) -> Reading:
    """Return a reading with the field whose value the question has; else with the turn whose words it repeats, or with
    what carried these as its subject.
    """
    names, quote = reading.names, echo.quote
    if quote.is_aside and happening_of(reading) is not None:
        then = await when_it_happened(query, reading, sentence, echo.turn)
        happened = then or await when_it_happened(query, reading, sentence)
        if happened is not None:
            return happened
    is_move = sentence.is_negated and bool(names.best) and names.best[0].kind in ("node", "transition")
    if echo.subject.kind == "message" and _is_why_not(reading, sentence, is_move=is_move):
        return reading.about(echo.subject)._replace(turn=echo.turn)
    carried = await _carried(query, reading, sentence, echo)
    if field is not None and not quote.is_aside and not echo.is_message:
        return reading.about(field, *reading.found, *carried)
    is_after = quote.is_marked and sentence.aside[:1] in _AFTER
    if quote.is_marked and _is_about_person(reading, quote):
        return reading.about(*reading.found, *carried)._replace(turn=echo.turn if is_after else None)
    is_hinted = quote.is_aside and reading.hint_kind not in (None, "turn", "message", "conversation")
    if _is_named_beside(names, quote, sentence) or (is_hinted and not names.best):
        is_then = is_after or ((quote.is_aside or is_move or quote.is_marked) and not sentence.is_present)
        is_then = is_then and not (quote.is_aside and _says_state(sentence))
        return reading.about(*reading.found, *carried)._replace(turn=echo.turn if is_then else None)
    is_now = sentence.is_present and bool(carried) and carried[0].kind == "person"
    return reading.without().about(*carried, *names.best)._replace(turn=None if is_now else echo.turn)


def _is_why_not(reading: Reading, sentence: Sentence, *, is_move: bool) -> bool:
    """Return whether a question is why a message was not answered, or without quotes why something was not taken."""
    if UNANSWERED.search(sentence.clause) is not None:
        return True
    is_refused = sentence.is_negated or (asks_why_not(sentence) and bool(reading.names.best))
    return is_refused and not is_move and not sentence.quotes


def _says_state(sentence: Sentence) -> bool:
    """Return whether what a question repeats says how something stood, and not when: `although she is 46`."""
    return ALTHOUGH.search(sentence.text) is not None and MENTION.search(sentence.text) is None


def _is_about_person(reading: Reading, quote: Quote) -> bool:
    """Return whether the words beside what is repeated hint at a person."""
    return [one.kind for one in reading.found[:1]] == ["person"] and cue_of(quote.words) is None


async def _carried(query: Query, reading: Reading, sentence: Sentence, echo: Echo) -> tuple[Subject, ...]:
    """Return what carried the words that a question repeats, and their turn."""
    kind = reading.hint_kind
    is_standing = sentence.is_present or kind == "person"
    if echo.subject.kind == "person" and is_standing:
        return (Subject("person"),)
    if echo.subject.kind not in ("message", "turn"):
        return (echo.subject,)
    if echo.subject.kind == "turn" and kind == "question":
        turn = await query.history.turn(echo.turn)
        said = [one for one in (turn.events if turn is not None else ()) if isinstance(one, e.Said) and one.question]
        if said:
            return (Subject("question", said[-1].field), Subject("turn", str(echo.turn)))
    is_missed = sentence.is_negated and await _is_missed(query, echo)
    if kind == "turn" and has_phrase(sentence.clause) and not is_missed:
        return (await message_or_turn(query, echo.turn, is_about_message=True))[::-1]
    return await message_or_turn(query, echo.turn, is_about_message=is_missed or _is_all(sentence) or kind == "message")


async def _is_missed(query: Query, echo: Echo) -> bool:
    """Return whether nothing was understood of the words that a question repeats, and these speak of a field."""
    is_of_field = any(one.kind == "field" for one in titles_of(query.machine).weighed(echo.quote.words).best)
    return is_of_field and await query.in_turn(echo.turn, lambda fact: fact.kind == "understood_nothing") is not None


def _is_named_beside(names: Named, quote: Quote, sentence: Sentence) -> bool:
    """Return whether a question names something beside what it repeats; what is in no quotation marks may be a name. A
    name in a clause that only says when does not count beside what the machine said.
    """
    if quote.is_by_machine and not quote.is_aside and names.by.isdisjoint(sentence.main):
        return False
    is_name = not names.by or (not quote.is_marked and names.by.issuperset(quote.words))
    return bool(names.best) and (is_name or not names.by.issubset(quote.words))


def _is_all(sentence: Sentence) -> bool:
    """Return whether a question has no further words but those that it repeats."""
    return all(word.isdecimal() for word in content_of(sentence.main))


def _field_of_value(query: Query, reading: Reading, sentence: Sentence) -> Subject | None:
    """Return the field whose value a question has, where nothing else is asked but where that comes from."""
    best, values = reading.names.best, query.state.values
    shown = shown_values(query.machine, values)
    own = [Subject("field", name) for name, value in shown.items() if is_quoted(value, sentence)]
    is_value = bool(own)
    if not is_value and sentence.is_negated and sentence.quotes:
        return None
    repeated = {word for quote in sentence.quotes if quote.is_marked for word in quote.words}
    is_option = not sentence.numbers and (LITTLE | reading.names.by).issuperset(repeated)
    own = own or [one for one in best if one.kind == "field" and one.name in values and is_option]
    is_within = is_value and all(reading.names.by.issubset(quote.words) for quote in sentence.quotes)
    if len(own) != 1 or (best and own[0] not in best and not is_within):
        return None
    known = COMMON | WHO_SET | known_words(query) | sentence.numbers | reading.names.by
    known |= repeated if is_value else frozenset()
    return own[0] if known.issuperset(sentence.asked) else None


def is_quoted(value: object, sentence: Sentence) -> bool:
    """Return whether a question has a value: a number, or a text in quotation marks."""
    if isinstance(value, str):
        own = words_in(value)
        is_said = any(quote.is_marked and quote.words == own for quote in sentence.quotes)
        return len(own) > 1 and (is_said or stands_in(own, sentence.words))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and f"{value:g}" in sentence.numbers
