"""What a question means in its conversation: the first reader that knows it decides."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from turnwise.core.state import events as e
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.calls import failed_call, retried
from turnwise.why.reading.clauses import LEAVING, STAYING
from turnwise.why.reading.counting import counted_of_all, lasting, without_false_count
from turnwise.why.reading.firsts import first_question, not_at_first, not_ended_by_summary
from turnwise.why.reading.happenings import still_missing, unanswered, what_made, when_it_happened
from turnwise.why.reading.odd_words import not_understood
from turnwise.why.reading.people import named_person, needing_person
from turnwise.why.reading.presses import pressed
from turnwise.why.reading.refused_events import refused_before_turn
from turnwise.why.reading.rejections import of_rejection
from turnwise.why.reading.repeated_words import repeating
from turnwise.why.reading.sentences import Sentence
from turnwise.why.reading.set_against import set_against
from turnwise.why.reading.titles import titles_of
from turnwise.why.reading.undos import after_undo, undone_value

_Reader = Callable[[Query, Reading, Sentence], Awaitable[Reading | None]]


async def placed(query: Query, reading: Reading) -> Reading:
    """Return a reading with what it names or repeats of the conversation, and with the turn that it is about. `query`
    looks back from the turn at whose end the question is asked.
    """
    sentence = reading.sentence
    if sentence is None:
        return await called(query, reading) or await _of_person(query, reading) or reading
    for read in _READERS:
        found = await read(query, reading, sentence)
        if found is not None:
            return found
    for read in _IN_ANY_TURN if sentence.turn is None else _IN_ITS_TURN:
        found = await read(query, reading, sentence)
        if found is not None:
            return without_false_count(query, found)
    return without_false_count(query, reading)


async def called(query: Query, reading: Reading, sentence: Sentence | None = None) -> Reading | None:
    """Return a reading about a tool that a model called and that the flow has not; `None` where the question has no
    name that was called, as it is spelled or in words.
    """
    names = {name.casefold() for name in reading.spelled}
    words = {*words_in(reading.text)} if sentence is not None and not reading.names.best else set[str]()
    if not names and not words:
        return None
    async for entry in query.back(e.CallRefused):
        event = entry.event
        if isinstance(event, e.CallRefused) and (event.tool.casefold() in names or _is_said(query, event.tool, words)):
            turn = reading.turn if reading.turn is not None else entry.turn
            return reading._replace(found=(Subject("tool", event.tool),), turn=turn)
    return None


def _is_said(query: Query, tool: str, words: Collection[str]) -> bool:
    """Return whether words have all those of the name of a tool that the flow has not."""
    own = words_in(tool)
    return tool not in query.machine.tools and len(own) > 1 and all(word in words for word in own)


async def _left(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading with the transition that left a node, for a question why it was left."""
    nodes = {one.name for one in reading.found if one.kind == "node"}
    if not nodes or sentence.is_negated or LEAVING.search(sentence.clause) is None:
        return None
    async for entry in query.back(e.Moved):
        event = entry.event
        if isinstance(event, e.Moved) and event.source in nodes and sentence.turn in (None, entry.turn):
            return reading.about(Subject("transition", event.transition))._replace(turn=entry.turn)
    return None


async def _stayed(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last turn that ended in a node which was left since, for a question why it stayed."""
    nodes = {one.name for one in reading.found if one.kind == "node"} - {query.state.node}
    if not nodes or sentence.is_present or STAYING.search(sentence.clause) is None:
        return None
    async for entry in query.back(e.Moved):
        if isinstance(entry.event, e.Moved) and entry.event.source in nodes and entry.turn > 1:
            return reading.at(entry.turn - 1)
    return None


async def _chosen_by_hand(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last move that a person chose by hand; that one is meant rather than a rule's."""
    if not sentence.is_about_move:
        return None
    acts = [one for one in await query.acts() if isinstance(one.event, e.GivenBack) and one.event.transition]
    if reading.names.best or not acts or not isinstance(acts[-1].event, e.GivenBack):
        return None
    chosen = Subject("transition", acts[-1].event.transition)
    return reading.without().at(acts[-1].turn, chosen, Subject("turn"))


async def _noted_by_person(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the field against which a question holds that it went on, where a person gave its value:
    `why did it go on although I said no?`
    """
    aside = (*sentence.aside, *(word for quote in sentence.quotes if quote.is_aside for word in quote.words))
    if not aside or not sentence.is_about_move:
        return None
    named = titles_of(query.machine).weighed(aside).best
    found = [
        query.state.values[one.name] for one in named[:1] if one.kind == "field" and one.name in query.state.values
    ]
    is_noted = any(one.how in ("operator", "command") for one in found)
    return reading.about(named[0]) if is_noted else None


async def _own_question(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last question of the user, about what is named if that is; `None` for what is no
    question about one, or repeats its words.
    """
    if reading.happening != "inquiry" or any(not quote.is_aside for quote in sentence.quotes):
        return None
    about, titles = {*reading.names.best}, titles_of(query.machine)
    async for entry in query.back(e.UserSaid):
        text = entry.event.text if isinstance(entry.event, e.UserSaid) else ""
        if "?" in text and (not about or not about.isdisjoint(titles.weighed(words_in(text)).best)):
            return reading.at(entry.turn, Subject("message"))
    return None


async def _rejected(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last rejection of the user, or the one whose words the question repeats."""
    rejected = of_rejection(query, reading, sentence)
    if rejected is None:
        return None
    echoed = await repeating(query, rejected, sentence) if sentence.quotes else None
    return echoed or await when_it_happened(query, rejected, sentence) or rejected


async def _of_person(query: Query, reading: Reading, _sentence: Sentence | None = None) -> Reading | None:
    """Return a reading about the person whom a question names."""
    person = await named_person(query, reading)
    return reading.about(person) if person is not None else None


async def _happened(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading with the turn in which happened what its subject is about."""
    return await when_it_happened(query, reading, sentence) if reading.found else None


_READERS: tuple[_Reader, ...] = (
    *(called, after_undo, undone_value, counted_of_all),
    *(lasting, still_missing, needing_person, retried, _of_person),
)
"""What reads a question first, whether it names its turn or not."""
_IN_ITS_TURN: tuple[_Reader, ...] = (_left, failed_call)
"""What then reads one that names its turn."""
_IN_ANY_TURN: tuple[_Reader, ...] = (
    *(set_against, refused_before_turn, _left, _stayed, not_ended_by_summary, not_at_first, first_question),
    *(pressed, failed_call, _chosen_by_hand, _noted_by_person, _own_question),
    *(what_made, _rejected, not_understood, repeating, unanswered, _happened),
)
"""What then reads one that names none."""
