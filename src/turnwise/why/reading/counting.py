"""Questions of how often, or how many, where nothing of the flow is named: what they count, or that it is no count."""

from __future__ import annotations

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.sentences import asks_for_count
from turnwise.why.subjects.counts import counts_of_all, is_counted

_IS_COUNT = late_pattern(r"\bhow (?:often|many)\b|\bwie (?:oft|häufig|viele)\b|\bwieviele\b")

_OF_ANY_NAME: tuple[SubjectKind, ...] = ("message", "turn", "model", "person", "conversation")


def counted_of_all(reading: Reading) -> Reading | None:
    """Return a reading about the whole conversation, for one that counts calls, values or answers of any name."""
    text = reading.text.casefold()
    if reading.sentence is None or reading.names.best or not _IS_COUNT.search(text) or not counts_of_all(text):
        return None
    return reading._replace(found=(Subject("conversation"), *reading.found), turn=None)


def without_false_count(query: Query, reading: Reading) -> Reading:
    """Return a reading; with nothing found where it asks for a count of what is not counted: no other number answers
    that.
    """
    text = reading.text.casefold()
    if reading.sentence is None or not reading.found or reading.names.best or not _IS_COUNT.search(text):
        return reading
    kind = reading.subject.kind
    if kind not in _OF_ANY_NAME or not asks_for_count(text, kind) or is_counted(kind, text):
        return reading
    return reading._replace(found=(), hint=f"that is not counted {query.where or 'in a conversation'}")
