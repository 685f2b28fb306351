"""The turn that a question in plain words is about: whose words it repeats, or in which happened what it asks about."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from turnwise.core.machine import Machine
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.kinds import AppliedCommand
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.clauses import LEAVING, UNANSWERED
from turnwise.why.reading.cues import CUE_WORDS, Happening
from turnwise.why.reading.echoes import Echo, find_echo, held_against, known_words, stands_in
from turnwise.why.reading.people import named_person, who_changed
from turnwise.why.reading.sentences import Quote, Sentence, asks_for_count, cue_of
from turnwise.why.reading.titles import Named, titles_of
from turnwise.why.reading.words import (
    COMMON,
    COULD,
    FAILED,
    FILLING,
    LITTLE,
    NEGATIONS,
    OUTCOMES,
    STANDING,
    TOOLS,
    WHO_SET,
)


async def placed(query: Query, reading: Reading) -> Reading:
    """Return a reading with what its sentence repeats of the conversation, and with the turn that it is about. `query`
    looks back from the turn at whose end the question is asked.
    """
    sentence, person = reading.sentence, await named_person(query, reading)
    if person is not None:
        return reading._replace(found=_unique(person, *reading.found))
    if sentence is None:
        return reading
    left = await _left(query, reading, sentence)
    if left is not None or sentence.turn is not None:
        return left or reading
    chosen = await _chosen_by_hand(query, reading) if sentence.is_about_move else None
    if chosen is not None:
        return chosen
    noted = _noted_by_person(query, sentence)
    if noted is not None:
        return reading._replace(found=_unique(noted, *reading.found))
    if not _is_about_act(reading, sentence):
        echo, field = await find_echo(query, reading, sentence), _field_of_value(query, reading, sentence)
        if echo is not None or field is not None:
            found = await _with_echo(query, reading, sentence, echo, field)
            against = await held_against(query, reading, sentence, echo) if echo is not None else found.against
            return found._replace(against=against)
        nowhere = _nowhere(query, reading, sentence)
        if nowhere is not None:
            return nowhere
    return (await _when_it_happened(query, reading, sentence) if reading.found else None) or reading


def _nowhere(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading that says which words of a question the conversation has not; `None` where it has them."""
    missing = _missing(reading, sentence)
    if isinstance(query.state.status, Ended) and (not_kept := _repeated(sentence.quotes)):
        found = (Subject("end"),) if missing or not reading.found else reading.found
        return reading._replace(found=found, not_kept=not_kept)
    hint = f"nothing that was said or called {query.where or 'so far'} has {missing}" if missing else ""
    if not hint and reading.spelled and not reading.names.best:
        hint = f"nothing has the name {reading.spelled[0]!r}, and no call had it"
    return reading._replace(found=(), hint=hint) if hint or _is_about_else(query, reading, sentence) else None


async def called(query: Query, reading: Reading) -> Reading | None:
    """Return a reading about a tool that a model called and that the flow has not; `None` where the question spells no
    name that was called.
    """
    names = {name.casefold() for name in reading.spelled}
    if not names:
        return None
    async for entry in query.back():
        event = entry.event
        if isinstance(event, e.CallRefused) and event.tool.casefold() in names:
            turn = reading.turn if reading.turn is not None else entry.turn
            return reading._replace(found=(Subject("tool", event.tool),), turn=turn)
    return None


def _noted_by_person(query: Query, sentence: Sentence) -> Subject | None:
    """Return the field against which a question holds that it went on, where a person gave its value: `why did it go on
    although I said no?`
    """
    aside = (*sentence.aside, *(word for quote in sentence.quotes if quote.is_aside for word in quote.words))
    if not aside or not sentence.is_about_move:
        return None
    named = titles_of(query.machine).weighed(aside).best
    found = [
        query.state.values[one.name] for one in named[:1] if one.kind == "field" and one.name in query.state.values
    ]
    return named[0] if any(one.how in ("operator", "command") for one in found) else None


async def _chosen_by_hand(query: Query, reading: Reading) -> Reading | None:
    """Return a reading about the last move that a person chose by hand; that one is meant rather than a rule's."""
    acts = [one for one in await query.acts() if isinstance(one.event, e.GivenBack) and one.event.transition]
    if reading.names.best or not acts or not isinstance(acts[-1].event, e.GivenBack):
        return None
    return _at(reading, (Subject("transition", acts[-1].event.transition), Subject("turn")), acts[-1].turn)


async def _left(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading with the transition that left a node, for a question why it was left."""
    nodes = {one.name for one in reading.found if one.kind == "node"}
    if not nodes or sentence.is_negated or LEAVING.search(sentence.clause) is None:
        return None
    async for entry in query.back():
        event = entry.event
        if isinstance(event, e.Moved) and event.source in nodes and sentence.turn in (None, entry.turn):
            return reading._replace(
                found=_unique(Subject("transition", event.transition), *reading.found), turn=entry.turn
            )
    return None


def _is_about_act(reading: Reading, sentence: Sentence) -> bool:
    """Return whether a question is about an act such as an undo, whose words it may repeat."""
    is_act = reading.cue is not None and reading.cue.happening in _ACTS
    return is_act and not any(quote.is_marked for quote in sentence.quotes)


_ACTS: tuple[Happening, ...] = ("undo", "restart", "change")


def _missing(reading: Reading, sentence: Sentence) -> str:
    """Return what a question that is about nothing else repeats: numbers, or what stands in quotation marks."""
    if reading.names.best or (reading.cue is not None and reading.cue.kind not in ("message", "turn")):
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
    if reading.names.best or not is_hint:
        return False
    return not (known_words(query) | CUE_WORDS | COMMON | NEGATIONS).issuperset(sentence.asked)


# what is repeated ---------------------------------------------------------------------------------


async def _with_echo(
    query: Query, reading: Reading, sentence: Sentence, echo: Echo | None, field: Subject | None
) -> Reading:
    """Return a reading with the field whose value the question has; else with the turn whose words it repeats, or with
    what carried these as its subject.
    """
    names, cue = reading.names, reading.cue
    if echo is not None and echo.quote.is_aside and _happening(reading) is not None:
        then = await _when_it_happened(query, reading, sentence, echo.turn)
        happened = then or await _when_it_happened(query, reading, sentence)
        if happened is not None:
            return happened
    carried = await _carried(query, reading, sentence, echo) if echo is not None else ()
    if echo is None or (field is not None and not echo.quote.is_aside and not echo.is_message):
        return reading._replace(found=_unique(*((field,) if field is not None else ()), *reading.found, *carried))
    is_aside = echo.quote.is_aside
    if sentence.is_negated and not sentence.quotes and echo.subject.kind == "message":
        return reading._replace(found=_unique(echo.subject, *reading.found), turn=echo.turn)
    if echo.quote.is_marked and _is_about_person(reading, echo.quote):
        return reading._replace(found=_unique(*reading.found, *carried))
    is_hinted = cue is not None and is_aside and cue.kind not in ("turn", "message", "conversation")
    if _is_named_beside(names, echo.quote, sentence) or (is_hinted and not names.best):
        is_then = (is_aside or echo.quote.is_marked) and not sentence.is_present
        return reading._replace(found=_unique(*reading.found, *carried), turn=echo.turn if is_then else None)
    is_now = sentence.is_present and bool(carried) and carried[0].kind == "person"
    return reading._replace(found=_unique(*carried, *names.best), turn=None if is_now else echo.turn)


def _is_about_person(reading: Reading, quote: Quote) -> bool:
    """Return whether the words beside what is repeated hint at a person."""
    return [one.kind for one in reading.found[:1]] == ["person"] and cue_of(quote.words) is None


async def _carried(query: Query, reading: Reading, sentence: Sentence, echo: Echo) -> tuple[Subject, ...]:
    """Return what carried the words that a question repeats, and their turn."""
    is_standing = sentence.is_present or (reading.cue is not None and reading.cue.kind == "person")
    if echo.subject.kind == "person" and is_standing:
        return (Subject("person"),)
    if echo.subject.kind not in ("message", "turn"):
        return (echo.subject,)
    kind = reading.cue.kind if reading.cue is not None else None
    if echo.subject.kind == "turn" and kind == "question":
        turn = await query.history.turn(echo.turn)
        said = [one for one in (turn.events if turn is not None else ()) if isinstance(one, e.Said) and one.question]
        if said:
            return (Subject("question", said[-1].field), Subject("turn", str(echo.turn)))
    if kind == "turn" and sentence.has_phrase:
        return (await _message_or_turn(query, echo.turn, is_about_message=True))[::-1]
    return await _message_or_turn(query, echo.turn, is_about_message=_is_all(sentence) or kind == "message")


async def _message_or_turn(query: Query, number: int, *, is_about_message: bool = False) -> tuple[Subject, ...]:
    """Return the message of a turn and the turn, the turn first where it went somewhere."""
    turn = await query.history.turn(number)
    events = turn.events if turn is not None else ()
    own = [Subject("message", str(number))] if any(isinstance(one, e.UserSaid | e.UserChose) for one in events) else []
    has_moved = any(isinstance(one, e.Moved | e.Ended | e.Failed) for one in events)
    found = (*own, Subject("turn", str(number)))
    return found[::-1] if has_moved and not is_about_message else found


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
    return not [word for word in sentence.main if word not in LITTLE and word not in FILLING and not word.isdecimal()]


def _unique(*subjects: Subject) -> tuple[Subject, ...]:
    return tuple(dict.fromkeys(subjects))


def _field_of_value(query: Query, reading: Reading, sentence: Sentence) -> Subject | None:
    """Return the field whose value a question has, where nothing else is asked but where that comes from."""
    best, values = reading.names.best, query.state.values
    secret = {name for name, field in query.machine.fields.items() if field.secret}
    shown = {name: found.value for name, found in values.items() if name not in secret}
    own = [Subject("field", name) for name, value in shown.items() if _is_quoted(value, sentence)]
    is_value = bool(own)
    if not is_value and sentence.is_negated and sentence.quotes:
        return None
    repeated = {word for quote in sentence.quotes if quote.is_marked for word in quote.words}
    is_option = not sentence.numbers and (LITTLE | reading.names.by).issuperset(repeated)
    own = own or [one for one in best if one.kind == "field" and one.name in values and is_option]
    is_within = is_value and all(reading.names.by.issubset(quote.words) for quote in sentence.quotes)
    if len(own) != 1 or (best and own[0] not in best and not is_within):
        return None
    known = LITTLE | FILLING | COMMON | WHO_SET | known_words(query) | sentence.numbers | reading.names.by
    known |= repeated if is_value else frozenset()
    return own[0] if known.issuperset(sentence.asked) else None


def _is_quoted(value: object, sentence: Sentence) -> bool:
    """Return whether a question has a value: a number, or a text in quotation marks."""
    if isinstance(value, str):
        own = words_in(value)
        is_said = any(quote.is_marked and quote.words == own for quote in sentence.quotes)
        return len(own) > 1 and (is_said or stands_in(own, sentence.words))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and f"{value:g}" in sentence.numbers


# what happened ------------------------------------------------------------------------------------

_HAPPENINGS: dict[Happening, tuple[type[e.AnyEvent], ...]] = {
    "undo": (e.UndoAsked, e.Undone),
    "restart": (e.CommandApplied,),
    "skip": (e.CommandApplied, e.CommandRefused),
    "loss": (e.CommandApplied, e.FieldCleared, e.Undone, e.Migrated),
    "failure": (e.ToolFailed, e.ModelFailed, e.UnderstandingFailed, e.Faulted, e.Failed),
    "move": (e.Moved,),
    "admission": (e.Moved,),
    "return": (e.Moved,),
    "result": (e.ToolReturned, e.ToolFailed),
    "stop": (e.FormChanged,),
    "cancel": (e.CommandApplied,),
    "confirm": (e.CommandApplied, e.FormClosed),
    "miss": (e.Missed, e.UnderstandingFailed),
}
_COMMANDS: dict[Happening, AppliedCommand] = {"skip": "skip", "cancel": "cancel", "confirm": "affirm"}
"""The command that is meant by what happens; else a new start."""


def _happening(reading: Reading) -> Happening | None:
    return reading.cue.happening if reading.cue is not None and not reading.names.best else None


async def _when_it_happened(
    query: Query, reading: Reading, sentence: Sentence, turn: int | None = None
) -> Reading | None:
    """Return a reading with the last turn, or the given one, in which happened what its subject is about; `None` where
    that is not known, and for a question about how something stands.
    """
    if reading.subject.kind == "person" and reading.cue is not None and reading.cue.happening == "change":
        return reading._replace(found=await who_changed(query) or reading.found)
    happening = _happening(reading)
    if happening == "move" and sentence.is_negated:
        return None
    events = _HAPPENINGS[happening] if happening is not None else _uses(reading.subject, sentence)
    if not events:
        return None
    name = reading.subject.name if reading.subject.kind == "tool" else ""
    async for entry in _back(query, sentence):
        event = entry.event
        is_meant = isinstance(event, events) and (not name or getattr(event, "tool", "") == name)
        if is_meant and turn in (None, entry.turn) and _is_of(query.machine, event, happening):
            found = _what_did(query.machine, reading, event, happening)
            if happening in ("restart", "skip", "loss"):
                found = await _message_or_turn(query, entry.turn)
            is_over = isinstance(query.state.status, Ended) and reading.subject.kind == "message"
            is_after = is_over and turn is None and UNANSWERED.search(sentence.unquoted) is not None
            return _at(reading._replace(not_kept="" if is_after else None), found, entry.turn)
    return None


def _at(reading: Reading, found: tuple[Subject, ...], turn: int) -> Reading:
    """Return a reading about some subjects at a turn."""
    own = [Subject(one.kind, str(turn)) if one.kind in ("turn", "message") else one for one in found]
    return reading._replace(found=_unique(*own), turn=turn)


def _is_of(machine: Machine, event: e.AnyEvent, happening: Happening | None) -> bool:
    """Return whether an event is one of what happened: who is let in leaves the node in which the flow starts, and who
    gets a second chance comes back to it.
    """
    match event:
        case e.CommandApplied(command=command) | e.CommandRefused(command=command):
            return command == _COMMANDS.get(happening or "restart", "restart")
        case e.Faulted(fault=fault):
            return fault.kind not in ("write", "refused")  # the model got the error, and nothing broke
        case e.FormChanged(run=run):
            return run.status == "stopped"
        case e.Moved(source=source) if happening == "admission":
            return source == machine.flow.start
        case e.Moved(target=target) if happening == "return":
            return target == machine.flow.start
        case _:
            return True


def _what_did(
    machine: Machine, reading: Reading, event: e.AnyEvent, happening: Happening | None
) -> tuple[Subject, ...]:
    """Return the subjects of a reading, after what failed, returned or moved, where the question does not name it."""
    match event:
        case e.ToolReturned(tool=tool) if happening == "result":
            return (Subject("tool", tool), *reading.found)
        case e.Moved(transition=name) if happening in ("admission", "return") and name in machine.transitions():
            return (Subject("transition", name), *reading.found)
        case e.ToolReturned(tool=tool) | e.ToolFailed(tool=tool) | e.CallRefused(tool=tool) if not reading.names.best:
            return (Subject("tool", tool), *reading.found)
        case e.ModelFailed() if not reading.names.best:
            return (Subject("model"), *reading.found)
        case _:
            return reading.found


def _uses(subject: Subject, sentence: Sentence) -> tuple[type[e.AnyEvent], ...]:
    """Return the events that are uses of a subject; none where its answer looks back itself, or where it is asked how
    it stands.
    """
    is_failure = not FAILED.isdisjoint(sentence.words) or (sentence.is_negated and not COULD.isdisjoint(sentence.main))
    is_of_tools = subject.kind == "tool" or not TOOLS.isdisjoint(sentence.words)
    match subject.kind:
        case "message":
            return (e.UserSaid, e.UserChose)
        case "model" | "tool" if is_failure:
            return (e.ToolFailed, e.CallRefused) if is_of_tools else (e.ModelFailed,)
        case "model" if not sentence.is_negated and not asks_for_count(sentence.text, "model"):
            return (e.ToolReturned, e.ToolFailed, e.CallRefused) if is_of_tools else (e.ModelReplied, e.ModelFailed)
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
