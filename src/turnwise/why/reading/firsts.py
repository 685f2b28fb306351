"""What was first: the turn in which something was not so the first time, and the question that was asked first."""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.clauses import SUMMARY
from turnwise.why.reading.echoes import shown_values, stands_in
from turnwise.why.reading.sentences import Sentence


async def not_at_first(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the first turn in which a field did not take an answer, or the conversation failed instead
    of ending; `None` for a question about no first time, and where there is no such turn.
    """
    said_it = [quote for quote in sentence.quotes if quote.is_aside and reading.names.by.issuperset(quote.words)]
    is_about_first = sentence.is_about_first or bool(said_it)  # `when she said her name`
    if not sentence.is_negated or not is_about_first or len(said_it) < len(sentence.quotes) or not reading.found:
        return None
    subject = reading.subject
    said = _said(query, subject.name) if subject.kind == "field" else ()
    async for entry in query.forth(e.Missed, e.CommandRefused, e.UserSaid, e.Failed):
        match entry.event:
            case e.Missed(field=name) | e.CommandRefused(field=name) if name and name == subject.name:
                return reading.at(entry.turn)
            case e.UserSaid(text=text) if (
                said and stands_in(said, words_in(text)) and not _is_set(query, subject, entry)
            ):
                return reading.at(entry.turn, Subject("message"))
            case e.Failed() if subject.kind == "end":
                return reading.at(entry.turn)
            case _:
                pass
    return None


async def not_ended_by_summary(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the form at the first summary, for a question why this was not the end."""
    is_end = [one.kind for one in reading.found[:1]] == ["end"] and sentence.is_negated and sentence.is_about_first
    if not is_end or SUMMARY.search(sentence.unquoted) is None:
        return None
    async for entry in query.forth(e.Said):
        if isinstance(entry.event, e.Said) and entry.event.kind == "summary":
            return reading.at(entry.turn, Subject("form"))
    return None


_FIRST_QUESTION = late_pattern(r"\b(?:first|ersten?) (?:question|frage)\b")


async def first_question(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the field that was asked for first, for a question about the first question."""
    if reading.names.best or _FIRST_QUESTION.search(sentence.clause) is None:
        return None
    asked = [one.event async for one in query.back(e.Said)]
    fields = [one.field for one in asked if isinstance(one, e.Said) and one.question == "field"]
    return reading.about(Subject("question", fields[-1])) if fields else None


def _said(query: Query, name: str) -> tuple[str, ...]:
    """Return the words of the value that a field has now, where they may be shown."""
    return words_in(str(shown_values(query.machine, query.state.values).get(name, "")))


def _is_set(query: Query, field: Subject, entry: e.Entry) -> bool:
    """Return whether a field had its value at the end of the turn of an entry."""
    found = query.state.values.get(field.name)
    return found is None or found.turn <= entry.turn
