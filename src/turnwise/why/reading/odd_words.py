"""Words of a question that a message had and that nothing took: `why did her elbow not count as joints?`"""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.why.answer import Subject
from turnwise.why.kinds import FactKind
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.cues import OF_QUESTIONS
from turnwise.why.reading.echoes import asks_why_not, known_words
from turnwise.why.reading.sentences import Sentence


async def not_understood(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last message that was not understood and that has a word of a question why something
    was not taken; `None` where this repeats more of the conversation, or names more than a field.
    """
    is_of_field = all(one.kind == "field" for one in reading.names.best)
    if sentence.quotes or not asks_why_not(sentence) or not is_of_field:
        return None
    known = known_words(query) | OF_QUESTIONS | reading.names.by
    odd = {word for word in sentence.content if word not in known and len(word) >= _LEAST}
    if not odd:
        return None
    async for entry in query.back(e.UserSaid):
        text = entry.event.text if isinstance(entry.event, e.UserSaid) else ""
        if odd.isdisjoint(words_in(text)):
            continue
        kinds = {fact.kind for fact in await query.history.facts(entry.turn)}
        return reading.at(entry.turn, Subject("message")) if not kinds.isdisjoint(_MISSED) else None
    return None


_LEAST = 4
"""How many letters a word has that is not one of any message."""
_MISSED: tuple[FactKind, ...] = ("understood_nothing", "not_understood")
