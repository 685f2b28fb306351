"""Texts with a fixed form, such as order numbers: the word of a message that has the form.

It takes one match or none; the form is the author's, matched in linear time. A word that is part of something
else, such as the year of a date, or that another field takes, is no match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import Set
from turnwise.core.values import Refused, read_value
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.clauses import Heard
from turnwise.understanding.mentions import Mention
from turnwise.understanding.situation import Situation

_WORD = late_pattern(r"\S+")
_EDGE = ".,;:!?()\"'"
_MOST_WORDS = 40
_ASKED, _NAMED, _BARE = 2, 1, 0

Span = tuple[int, int]


class _Match(Struct, frozen=True):
    """A value for a field with a pattern, and how clearly it is for this field (`rank`)."""

    set: Set
    span: Span
    rank: int


def with_patterns(sets: Sequence[Set], heard: Heard, mentions: Sequence[Mention], situation: Situation) -> list[Set]:
    """Add the values of fields with a pattern, each word for one field only.

    The asked field has precedence, then the field that the words name, then a field with a type of its own. Where
    two fields with a pattern claim a word with equal right, neither takes it.
    """
    taken = {one.field for one in sets}
    fields = [f for f in situation.exposed.fields if f.field.type == "string" and f.field.pattern]
    matches = [
        match
        for field in fields
        if not field.field.options and field.address not in taken
        for match in _matches(heard, field, situation)
    ]
    named = {heard.words(one.reading.first, one.reading.stop) for one in mentions if one.named is not None}
    kept = [match for match in matches if _is_clear(match, matches, sets, named)]
    claimed = [match.span for match in kept]
    return [*(one for one in sets if not _overlaps_any(one.words, claimed)), *(match.set for match in kept)]


def _is_clear(match: _Match, matches: Iterable[_Match], sets: Iterable[Set], named: set[Span]) -> bool:
    rivals = (other for other in matches if other is not match and other.rank >= match.rank)
    if _overlaps_any(match.span, [other.span for other in rivals]):
        return False
    stronger = [one.words for one in sets if one.words and (match.rank == _BARE or one.words in named)]
    return not _overlaps_any(match.span, stronger)


def _overlaps_any(span: Span | None, others: Iterable[Span]) -> bool:
    return span is not None and any(span[0] < stop and start < span[1] for start, stop in others)


def _matches(heard: Heard, field: ExposedField, situation: Situation) -> list[_Match]:
    """The match of a field: the whole message, where the field is asked, or exactly one of its words."""
    is_asked = situation.asked is not None and situation.asked.address == field.address
    if is_asked and not isinstance(read_value(field.field, heard.message, situation.rules), Refused):
        words = heard.words(0, len(heard.tokens))
        return [_Match(Set(words, 1.0, value=heard.message.strip(), field=field.address), words, _ASKED)]
    if any(clause.is_negated or clause.is_doubtful or clause.is_question for clause in heard.clauses):
        return []
    found = [
        (text, span)
        for text, span in _words(heard.message)
        if _has_form(field, text, situation, is_asked=is_asked) and not _is_part(span, heard)
    ]
    if len({text for text, _ in found}) != 1:
        return []
    text, span = found[0]
    rank = _ASKED if is_asked else _NAMED if _is_named(field, span, heard, situation) else _BARE
    corrects = any(clause.cues for clause in heard.clauses) and field.value is not None
    is_other = situation.asked is not None and not corrects and rank == _BARE
    if is_other and field.value is not None:
        return []  # a bare word does not replace another answer than the asked one
    return [_Match(Set(span, 1.0, value=text, correction=corrects, field=field.address), span, rank)]


def _is_part(span: Span, heard: Heard) -> bool:
    """True for a word inside something longer that has a meaning of its own (the year of a date)."""
    places = (heard.words(reading.first, reading.stop) for reading in heard.readings)
    return any(start <= span[0] and span[1] <= stop and (start, stop) != span for start, stop in places)


def _is_named(field: ExposedField, span: Span, heard: Heard, situation: Situation) -> bool:
    """True if the words around a word name this field and no other."""
    for clause in heard.clauses:
        start, stop = heard.words(clause.first, clause.stop)
        if start <= span[0] and span[1] <= stop:
            return situation.labels.named(clause.said) == frozenset({field.address})
    return False


def _words(message: str) -> list[tuple[str, Span]]:
    words: list[tuple[str, Span]] = []
    for found in list(_WORD.finditer(message))[:_MOST_WORDS]:
        text = found[0].strip(_EDGE)
        start = found.start() + found[0].find(text) if text else found.start()
        words.append((text, (start, start + len(text))))
    return words


def _has_form(field: ExposedField, text: str, situation: Situation, *, is_asked: bool) -> bool:
    """True for a word that could hardly be anything else: with a digit, unless its field is asked."""
    if not text or not (is_asked or any(char.isdigit() for char in text)):
        return False
    return read_value(field.field, text, situation.rules) == text
