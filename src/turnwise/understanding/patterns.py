"""Finds values of fields with a pattern, such as order numbers.

A field takes one match or none; the form is the author's, matched in linear time. A word that is part of something
else, such as the year of a date, or that another field takes, is no match.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import Set
from turnwise.core.values import Refused, read_value
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.clauses import ParsedMessage
from turnwise.understanding.mentions import Mention
from turnwise.understanding.tokens import Span, overlaps_any, words_of

_WORD = late_pattern(r"\S+")
_EDGE = ".,;:!?()\"'"
_MOST_WORDS = 40
_ASKED, _NAMED, _BARE = 2, 1, 0


class _Match(Struct, frozen=True):
    """A value for a field with a pattern, and how clearly it is for this field (`rank`)."""

    set: Set
    span: Span
    rank: int


def with_patterns(sets: Sequence[Set], message: ParsedMessage, mentions: Sequence[Mention]) -> list[Set]:
    """Return the commands `sets` with those for fields with a pattern added; each word of the message is for one field
    only.

    The asked field has precedence, then the field that the words name, then a field with a value of another kind
    (`mentions`). Where two fields with a pattern claim a word with equal right, neither takes it.
    """
    taken = {one.field for one in sets}
    fields = [f for f in message.situation.allowed.fields if f.field.type == "string" and f.field.pattern]
    fields = [field for field in fields if not field.field.options and field.address not in taken]
    matches = [match for field in fields if (match := _match(message, field))]
    named = {message.span(one.reading) for one in mentions if one.named is not None}
    kept: list[_Match] = []
    for match in matches:
        rivals = [other.span for other in matches if other is not match and other.rank >= match.rank]
        rivals += [one.words for one in sets if one.words and (match.rank == _BARE or one.words in named)]
        if not overlaps_any(match.span, rivals):
            kept.append(match)
    claimed = [match.span for match in kept]
    return [*(one for one in sets if not overlaps_any(one.words, claimed)), *(match.set for match in kept)]


def _match(message: ParsedMessage, field: AllowedField) -> _Match | None:
    """The match of a field: the whole message, where the field is asked, or exactly one of its words."""
    situation, typed = message.situation, message.text.message
    is_asked = situation.asks(field)
    if is_asked and not isinstance(read_value(field.field, typed, situation.rules), Refused):
        whole = message.whole()
        return _Match(Set(whole, 1.0, value=typed.strip(), field=field.address), whole, _ASKED)
    if not all(clause.is_assertion() for clause in message.clauses):
        return None
    # a word that could hardly be anything else: with a digit, unless its field is asked
    small = _small_words(message, field) if is_asked else frozenset[str]()
    words = [one for one in _words(message) if is_asked or any(char.isdigit() for char in one[0])]
    words = [one for one in words if not small.issuperset(words_of(one[0]))]
    found = [one for one in words if read_value(field.field, one[0], situation.rules) == one[0]]
    if len({text for text, _ in found}) != 1:
        return None
    text, span = found[0]
    if is_asked and any(word not in small for word in words_of(f"{typed[: span[0]]} {typed[span[1] :]}")):
        return None
    around = [one for one in message.clauses if message.span(one)[0] <= span[0] and span[1] <= message.span(one)[1]]
    is_named = bool(around) and situation.labels.only_field_named(around[0].said) == field.address
    rank = _ASKED if is_asked else _NAMED if is_named else _BARE
    corrects = any(clause.cues for clause in message.clauses) and field.value is not None
    if situation.asked is not None and field.value is not None and not corrects and rank == _BARE:
        return None  # a bare word does not replace another answer than the asked one
    return _Match(Set(span, 1.0, value=text, correction=corrects, field=field.address), span, rank)


def _small_words(message: ParsedMessage, field: AllowedField) -> frozenset[str]:
    """Return the words that may stand beside the answer to the question of a field: its name and small words, as in
    `my zip is 10115`, unlike `I owe 12345 dollars`.
    """
    situation, naming = message.situation, message.text.vocabulary.naming
    speech, labels = situation.speech, situation.labels
    small = naming.own | speech.filler | speech.copulas | speech.pronouns | speech.starters | speech.hedges
    small |= speech.answers | situation.polite_words
    named = tuple(word for word in message.all_words() if labels.names_field(word))
    own = set(named) if field.address in labels.fields_named(named) else set[str]()
    return frozenset(small | own | set(words_of(field.title)))


def _words(message: ParsedMessage) -> list[tuple[str, Span]]:
    """Return the words between spaces, except words inside a longer reading (the year of a date)."""
    words: list[tuple[str, Span]] = []
    places = [message.span(reading) for reading in message.readings]
    for found in list(_WORD.finditer(message.text.message))[:_MOST_WORDS]:
        text = found[0].strip(_EDGE)
        start = found.start() + found[0].find(text)
        span = (start, start + len(text))
        if text and not any(first <= span[0] and span[1] <= stop and (first, stop) != span for first, stop in places):
            words.append((text, span))
    return words
