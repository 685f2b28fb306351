"""Texts with a fixed form, such as order numbers: the word of a message that has the form.

It takes one match or none; the form is the author's, matched in linear time.
"""

from __future__ import annotations

from turnwise.core.commands import Set
from turnwise.core.exposure import ExposedField
from turnwise.core.values import Refused, read_value
from turnwise.flow.late_pattern import late_pattern
from turnwise.providers.offline.clauses import Heard
from turnwise.providers.offline.situation import Situation

_WORD = late_pattern(r"\S+")
_EDGE = ".,;:!?()\"'"
_MOST_WORDS = 40


def pattern_sets(heard: Heard, situation: Situation) -> list[Set]:
    """The fields with a pattern that exactly one word of the message has the form of."""
    found: list[Set] = []
    for field in situation.exposed.fields:
        if field.field.type == "string" and field.field.pattern and not field.field.options:
            found += _set(heard, field, situation)
    return found


def _set(heard: Heard, field: ExposedField, situation: Situation) -> list[Set]:
    is_asked = situation.asked is not None and situation.asked.address == field.address
    if is_asked and not isinstance(read_value(field.field, heard.message, situation.rules), Refused):
        words = heard.words(0, len(heard.tokens))
        return [Set(field=field.address, value=heard.message.strip(), words=words, confidence=1.0)]
    if any(clause.is_negated or clause.is_doubtful or clause.is_question for clause in heard.clauses):
        return []
    matches = [
        (text, words) for text, words in _words(heard.message) if _has_form(field, text, situation, is_asked=is_asked)
    ]
    if len({text for text, _ in matches}) != 1:
        return []
    text, words = matches[0]
    corrects = any(clause.cues for clause in heard.clauses) and field.value is not None
    return [Set(field=field.address, value=text, correction=corrects, words=words, confidence=1.0)]


def _words(message: str) -> list[tuple[str, tuple[int, int]]]:
    words: list[tuple[str, tuple[int, int]]] = []
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
