"""The turn in which something was not so the first time: `why was her name not stored when she first said it?`"""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.echoes import stands_in
from turnwise.why.reading.happenings import at_turn
from turnwise.why.reading.sentences import Sentence


async def not_at_first(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the first turn in which a field did not take an answer, or the conversation failed instead
    of ending; `None` for a question about no first time, and where there is no such turn.
    """
    if not sentence.is_negated or not sentence.is_about_first or sentence.quotes or not reading.found:
        return None
    subject = reading.subject
    said = _said(query, subject.name) if subject.kind == "field" else ()
    for entry in reversed([one async for one in query.back()]):
        match entry.event:
            case e.Missed(field=name) | e.CommandRefused(field=name) if name and name == subject.name:
                return at_turn(reading, reading.found, entry.turn)
            case e.UserSaid(text=text) if (
                said and stands_in(said, words_in(text)) and not _is_set(query, subject, entry)
            ):
                return at_turn(reading, (Subject("message"), *reading.found), entry.turn)
            case e.Failed() if subject.kind == "end":
                return at_turn(reading, reading.found, entry.turn)
            case _:
                pass
    return None


def _said(query: Query, name: str) -> tuple[str, ...]:
    """Return the words of the value that a field has now, where they may be shown."""
    found = query.state.values.get(name)
    is_secret = name in query.machine.fields and query.machine.fields[name].secret
    return words_in(str(found.value)) if found is not None and not is_secret else ()


def _is_set(query: Query, field: Subject, entry: e.Entry) -> bool:
    """Return whether a field had its value at the end of the turn of an entry."""
    found = query.state.values.get(field.name)
    return found is None or found.turn <= entry.turn
