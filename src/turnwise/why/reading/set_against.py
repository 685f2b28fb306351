"""Values that a question sets against each other: `why is it 48 and not 200?`"""

from __future__ import annotations

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.echoes import shown_values
from turnwise.why.reading.repeated_words import is_quoted
from turnwise.why.reading.sentences import Sentence
from turnwise.why.reading.values import is_set_against
from turnwise.why.subjects import answer


async def set_against(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the field of which a question has the value and another one that it did not take, or lost;
    `None` where there is no such field, and where it asks what happened at a value: `why did it go on at 9, not at 3?`
    """
    if len(sentence.quotes) < _BOTH or _AT.search(sentence.text) is not None:
        return None
    for name, value in shown_values(query.machine, query.state.values).items():
        if not is_quoted(value, sentence):
            continue
        field, own = Subject("field", name), {*words_in(str(value))}
        if any(is_set_against(fact, sentence, own) for fact in await answer(query.of(field))):
            return reading.about(field)
    return None


_BOTH = 2
_AT = late_pattern(r"\b(?:at|bei) \d")
