"""Finds in the journal what a question in plain words repeats of the conversation, and the turn that it is about."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple, cast

from turnwise.core.state import events as e
from turnwise.why.answer import Subject
from turnwise.why.cues import (
    COMMON,
    CUE_WORDS,
    FAILED,
    FILLING,
    LITTLE,
    NEGATIONS,
    OUTCOMES,
    STANDING,
    TOOLS,
    WHO_SET,
    Happening,
)
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.sentences import Quote, Sentence, has_spoken, spoken
from turnwise.why.titles import Named, is_alike


class Echo(NamedTuple):
    """Where a conversation has words that a question repeats: what carried them, in which turn, and how well they
    are the same.
    """

    subject: Subject
    turn: int
    score: float
    quote: Quote


async def placed(query: Query, reading: Reading) -> Reading:
    """Return a reading with what its sentence repeats of the conversation, and with the turn that it is about. `query`
    looks back from the turn at whose end the question is asked.
    """
    sentence = reading.sentence
    if sentence is None:
        return reading
    is_about_act = reading.cue is not None and reading.cue.happening in _ACTS
    if sentence.turn is None and not (is_about_act and not any(quote.is_marked for quote in sentence.quotes)):
        echo = await _echo(query, reading, sentence)
        field = _field_of_value(query, reading, sentence)
        if echo is not None or field is not None:
            return await _with_echo(query, reading, sentence, echo, field)
        missing = _missing(reading, sentence)
        if missing:
            hint = f"nothing that was said or called {query.where or 'so far'} has {missing}"
            return reading._replace(found=(), hint=hint)
        if _is_about_else(query, reading, sentence):
            return reading._replace(found=())
    turn = await _turn_of(query, reading, sentence) if sentence.turn is None and reading.found else None
    return turn if turn is not None else reading


_ACTS: tuple[Happening, ...] = ("undo", "restart")
"""What a question is about even if it repeats what that did."""

# what is repeated ---------------------------------------------------------------------------------


def _missing(reading: Reading, sentence: Sentence) -> str:
    """Return what a question that is about nothing else repeats: numbers, or what stands in quotation marks."""
    if reading.names.best or (reading.cue is not None and reading.cue.kind not in ("message", "turn")):
        return ""
    own = [quote for quote in sentence.quotes if not quote.is_aside]
    texts = [f"“{' '.join(quote.words)}”" for quote in own if quote.is_marked]
    return " and ".join(dict.fromkeys((*texts, *(word for quote in own for word in quote.words if word.isdecimal()))))


def _is_about_else(query: Query, reading: Reading, sentence: Sentence) -> bool:
    """Return whether a question hints only at a message or turn, and has words that are nowhere in the conversation."""
    cue = sentence.cue()
    is_hint = cue is not None and cue.kind in ("message", "turn") and not sentence.has_phrase
    if reading.names.best or not is_hint:
        return False
    return not (_known(query) | CUE_WORDS | COMMON | NEGATIONS).issuperset(sentence.content)


async def _echo(query: Query, reading: Reading, sentence: Sentence) -> Echo | None:
    """Return where the conversation has what a question repeats; without quotes, where it has most of its words."""
    known = _known(query)
    quotes = [_without(quote, known) for quote in sentence.quotes]
    if not quotes and not _is_named(reading):
        content = dict.fromkeys(word for word in sentence.content if word not in known and word not in CUE_WORDS)
        quotes = [Quote(tuple(content))] if not reading.names.by.issuperset(content) else []
    quotes = [quote for quote in quotes if quote.words]
    if not quotes:
        return None
    best: Echo | None = None
    async for entry in query.back():
        for text, subject in _texts(entry):
            said = _said(text, sentence)
            for quote in quotes:
                found = _echoed(quote, said, subject, entry, is_explicit=bool(sentence.quotes))
                if (
                    found is not None
                    and _is_better(found, best, sentence)
                    and await _is_shown(query, entry, text, quote)
                ):
                    best = found
    return best


def _echoed(quote: Quote, said: tuple[str, ...], subject: Subject, entry: e.Entry, *, is_explicit: bool) -> Echo | None:
    score = _score(quote, said, is_explicit=is_explicit or subject.kind in _FEW_WORDS)
    is_expected = (subject.kind in _BY_MACHINE) == quote.is_by_machine
    return Echo(subject, entry.turn, score + (_RANK if is_expected else 0), quote) if score else None


def _is_better(echo: Echo, best: Echo | None, sentence: Sentence) -> bool:
    """Return whether an echo is meant rather than the best of later turns. What the machine said is meant where it said
    it first; else the last time is meant, where the question does not say which.
    """
    if best is None or echo.score != best.score:
        return best is None or echo.score > best.score
    return sentence.is_about_first or (echo.subject.kind in _BY_MACHINE and not sentence.is_present)


_RANK = 0.1
"""How much more it weighs that words are of the side which the question says."""
_FEW_WORDS = ("message", "tool", "model", "person")
"""What one word of a question may repeat, also where it is not in quotes."""


def _is_named(reading: Reading) -> bool:
    """Return whether a question names something of the flow, or hints at what is no message."""
    is_hinted = reading.cue is not None and reading.cue.kind not in ("turn", "message", "conversation", "question")
    return reading.names.weight >= 1 or (is_hinted and not reading.names.best)


def _known(query: Query) -> frozenset[str]:
    """Return the words by which a question may call the conversation or its user: its name, and short values."""
    texts = [query.history.conversation]
    for name, value in query.state.values.items():
        field = query.machine.fields.get(name)
        if field is not None and field.type == "string" and not field.options and isinstance(value.value, str):
            texts += [value.value] if len(value.value.split()) <= _MOST_NAME_WORDS else []
    return frozenset([word for text in texts for word in (*words_in(text), *(f"{one}s" for one in words_in(text)))])


_MOST_NAME_WORDS = 3


def _without(quote: Quote, known: frozenset[str]) -> Quote:
    kept = tuple([word for word in quote.words if word not in known])
    return quote._replace(words=kept) if kept else quote


def _texts(entry: e.Entry) -> Iterator[tuple[str, Subject]]:
    """Yield the texts of an entry that a question may repeat, each with what carried it."""
    event, turn = entry.event, str(entry.turn)
    match event:
        case e.UserSaid(text=text) | e.UserChose(value=text):
            yield text, Subject("message", turn)
        case e.Said(text=text, kind=kind):
            yield text, Subject("form") if kind in _BY_FORM else Subject("turn", turn)
        case e.ModelReplied(calls=calls):
            for call in calls:
                yield " ".join(map(str, _leaves(call.arguments))), Subject("tool", call.tool)
        case e.ToolFailed(tool=tool, reason=reason):
            yield reason, Subject("tool", tool)
        case e.ModelFailed(reason=reason):
            yield reason, Subject("model")
        case e.TakenOver(operator=operator, reason=reason) | e.GivenBack(operator=operator, reason=reason):
            yield f"{operator} {reason}", Subject("person")
        case e.OperatorSaid(text=text, operator=operator):
            yield f"{operator} {text}", Subject("person")
        case _:
            pass


_BY_FORM = ("summary", "stop", "cancelled", "done")
_BY_MACHINE = ("turn", "form")
"""The kinds of what carries the words of the machine."""


def _leaves(data: Any) -> Iterator[Any]:
    """Yield the names and values in the arguments of a call."""
    if isinstance(data, dict):
        for name, value in cast("dict[str, Any]", data).items():
            yield name
            yield from _leaves(value)
    elif isinstance(data, list):
        for value in cast("list[Any]", data):
            yield from _leaves(value)
    else:
        yield data


def _said(text: str, sentence: Sentence) -> tuple[str, ...]:
    """Return the words of a text; with its numbers as digits where the question has a number."""
    return spoken(text) if sentence.numbers and has_spoken(text) else words_in(text)


def _score(quote: Quote, said: tuple[str, ...], *, is_explicit: bool) -> float:
    """Return how much of a quote some words have: 0 for too little, 1 for all of it, more where it stands there."""
    own = quote.words
    if any(own == said[at : at + len(own)] for at in range(len(said) - len(own) + 1)):
        return 1.0 + (_WHOLE if len(own) > 1 else 0.0) if is_explicit or len(own) > 1 else 0.0
    if any(word.isdecimal() and word not in said for word in own):
        return 0.0
    content = [word for word in own if word not in LITTLE and word not in FILLING]
    there = [word for word in content if word in said or any(is_alike(word, one) for one in said)]
    if not there or len(there) < len(content) * _LEAST_PART or (len(there) < _FEWEST and not is_explicit):
        return 0.0
    return len(there) / len(content)


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


async def _with_echo(
    query: Query, reading: Reading, sentence: Sentence, echo: Echo | None, field: Subject | None
) -> Reading:
    """Return a reading with the field whose value the question has; else with the turn whose words it repeats, or with
    what carried these as its subject.
    """
    names, cue = reading.names, reading.cue
    carried = await _carried(query, reading, sentence, echo) if echo is not None else ()
    if echo is None or (field is not None and not echo.quote.is_aside):
        return reading._replace(found=_unique(*((field,) if field is not None else ()), *reading.found, *carried))
    is_aside = echo.quote.is_aside
    is_hinted = cue is not None and is_aside and cue.kind not in ("turn", "message", "conversation")
    if _is_named_beside(names, echo.quote) or (is_hinted and not names.best):
        is_then = is_aside and not sentence.is_present
        return reading._replace(found=_unique(*reading.found, *carried), turn=echo.turn if is_then else None)
    return reading._replace(found=_unique(*carried, *names.best), turn=echo.turn)


async def _carried(query: Query, reading: Reading, sentence: Sentence, echo: Echo) -> tuple[Subject, ...]:
    """Return what carried the words that a question repeats, and their turn."""
    if echo.subject.kind not in ("message", "turn"):
        return (echo.subject,)
    is_about_words = _is_all(sentence) or (reading.cue is not None and reading.cue.kind == "message")
    return await _message_or_turn(query, echo.turn, is_about_message=is_about_words)


async def _message_or_turn(query: Query, number: int, *, is_about_message: bool = False) -> tuple[Subject, ...]:
    """Return the message of a turn and the turn, the turn first where it went somewhere."""
    turn = await query.history.turn(number)
    events = turn.events if turn is not None else ()
    own = [Subject("message", str(number))] if any(isinstance(one, e.UserSaid | e.UserChose) for one in events) else []
    has_moved = any(isinstance(one, e.Moved | e.Ended | e.Failed) for one in events)
    found = (*own, Subject("turn", str(number)))
    return found[::-1] if has_moved and not is_about_message else found


def _is_named_beside(names: Named, quote: Quote) -> bool:
    """Return whether a question names something beside what it repeats; what is in no quotation marks may be a name."""
    is_name = not names.by or (not quote.is_marked and names.by.issuperset(quote.words))
    return bool(names.best) and (is_name or not names.by.issubset(quote.words))


def _is_all(sentence: Sentence) -> bool:
    """Return whether a question has no further words but those that it repeats."""
    return not [word for word in sentence.main if word not in LITTLE and word not in FILLING and not word.isdecimal()]


def _unique(*subjects: Subject) -> tuple[Subject, ...]:
    return tuple(dict.fromkeys(subjects))


def _field_of_value(query: Query, reading: Reading, sentence: Sentence) -> Subject | None:
    """Return the field whose value a question has, where nothing else is asked but where that comes from."""
    best, values = reading.names.best, query.state.values
    shown = {name: found.value for name, found in values.items() if not query.machine.fields[name].secret}
    own = [Subject("field", name) for name, value in shown.items() if _is_quoted(value, sentence)]
    is_value = bool(own)
    own = own or [one for one in best if one.kind == "field" and not sentence.numbers]
    is_within = is_value and all(reading.names.by.issubset(quote.words) for quote in sentence.quotes)
    if len(own) != 1 or (best and own[0] not in best and not is_within):
        return None
    marked = [word for quote in sentence.quotes if quote.is_marked for word in quote.words if list(best) != own]
    known = LITTLE | FILLING | WHO_SET | _known(query) | sentence.numbers | reading.names.by | frozenset(marked)
    return own[0] if known.issuperset(sentence.words) else None


def _is_quoted(value: object, sentence: Sentence) -> bool:
    """Return whether a question has a value: a number, or a text in quotation marks."""
    if isinstance(value, str):
        said = words_in(value)
        return any(quote.is_marked and len(quote.words) > 1 and quote.words == said for quote in sentence.quotes)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and f"{value:g}" in sentence.numbers


# what happened ------------------------------------------------------------------------------------

_HAPPENINGS: dict[Happening, tuple[type[e.AnyEvent], ...]] = {
    "undo": (e.UndoAsked, e.Undone),
    "restart": (e.CommandApplied,),
    "loss": (e.CommandApplied, e.FieldCleared, e.Undone, e.Migrated),
    "failure": (e.ToolFailed, e.ModelFailed, e.UnderstandingFailed, e.Faulted, e.Failed),
    "move": (e.Moved,),
}


async def _turn_of(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading with the last turn in which happened what its subject is about; `None` where that is not known,
    and for a question about how something stands.
    """
    happening = reading.cue.happening if reading.cue is not None and not reading.names.best else None
    if happening == "move" and sentence.is_negated:
        return None
    events = _HAPPENINGS[happening] if happening is not None else _uses(reading.subject, sentence)
    name = reading.subject.name if reading.subject.kind == "tool" else ""
    async for entry in _back(query, sentence):
        event = entry.event
        is_meant = isinstance(event, events) and (not name or getattr(event, "tool", "") == name)
        if is_meant and (not isinstance(event, e.CommandApplied) or event.command == "restart"):
            found = _what_failed(reading, event)
            if happening in ("restart", "loss"):
                found = await _message_or_turn(query, entry.turn)
            return _at(reading, found, entry.turn)
    return None


def _at(reading: Reading, found: tuple[Subject, ...], turn: int) -> Reading:
    """Return a reading about some subjects at a turn."""
    own = [Subject(one.kind, str(turn)) if one.kind in ("turn", "message") else one for one in found]
    return reading._replace(found=_unique(*own), turn=turn)


def _what_failed(reading: Reading, event: e.AnyEvent) -> tuple[Subject, ...]:
    """Return the subjects of a reading, after what failed where the question does not name it."""
    match event:
        case e.ToolFailed(tool=tool) | e.CallRefused(tool=tool) if not reading.names.best:
            return (Subject("tool", tool), *reading.found)
        case e.ModelFailed() if not reading.names.best:
            return (Subject("model"), *reading.found)
        case _:
            return reading.found


def _uses(subject: Subject, sentence: Sentence) -> tuple[type[e.AnyEvent], ...]:
    """Return the events that are uses of a subject; none where its answer looks back itself, or where it is asked how
    it stands.
    """
    is_failure = not FAILED.isdisjoint(sentence.words)
    match subject.kind:
        case "message":
            return (e.UserSaid, e.UserChose)
        case "model" if is_failure and not TOOLS.isdisjoint(sentence.words):
            return (e.ToolFailed, e.CallRefused)
        case "model" if is_failure:
            return (e.ModelFailed,)
        case "model" if not sentence.is_negated:
            return (e.ModelReplied, e.ModelFailed)
        case "tool" if STANDING.isdisjoint(sentence.words):
            is_outcome = not OUTCOMES.isdisjoint(sentence.words)
            return _USES if is_outcome or not sentence.is_negated else ()
        case _:
            return ()


_USES = (e.ToolReturned, e.ToolFailed, e.ToolUsed, e.CallRefused, e.CallAnswered, e.CallHeld)


async def _back(query: Query, sentence: Sentence) -> AsyncIterator[e.Entry]:
    """Yield the entries, the newest first; the oldest first where the question is about the first of several."""
    if not sentence.is_about_first:
        async for entry in query.back():
            yield entry
        return
    for entry in reversed([one async for one in query.back()]):
        yield entry
