"""Lengths of time in a message: an hour and a half, 90 minutes, eine Viertelstunde.

It reads fixed lengths only; months and "a few" have none.
"""

from __future__ import annotations

from turnwise.understanding.numbers import Amount, amount_at, fraction_at
from turnwise.understanding.readings import Length, Reading
from turnwise.understanding.tokens import Token, touches
from turnwise.understanding.vocabulary.shape import DurationWords, NumberWords

_LETTERS_NEED_TOUCH = frozenset("smdw")
_MOST_S = 10**11


def length_of_time_at(tokens: tuple[Token, ...], at: int, words: DurationWords, numbers: NumberWords) -> Reading | None:
    """The longest length of time that begins at a token."""
    whole = _whole(tokens, at, words)
    if whole:
        return whole
    first = _part(tokens, at, words, numbers)
    if first is None:
        return None
    seconds, stop, least = first
    count = seconds / least
    unit = tokens[stop - 1].word
    while (following := _following(tokens, stop, least, words, numbers)) is not None:
        seconds, stop, least = seconds + following[0], following[1], following[2]
        count = None
    part = fraction_at(tokens, stop, numbers)
    if part:
        seconds, stop, count = seconds + least * part.value, part.stop, None
    if seconds > _MOST_S:
        return Reading("odd", None, at, stop)
    return Reading("duration", Length(seconds, count, unit), at, stop)


def _whole(tokens: tuple[Token, ...], at: int, words: DurationWords) -> Reading | None:
    for size in (5, 4, 3, 2, 1):
        seconds = words.whole.get(tuple(token.word for token in tokens[at : at + size]))
        if seconds is not None and at + size <= len(tokens):
            return Reading("duration", Length(seconds), at, at + size)
    return None


def _part(
    tokens: tuple[Token, ...], at: int, words: DurationWords, numbers: NumberWords
) -> tuple[float, int, int] | None:
    """The seconds of one amount with its unit, the token after it, and the unit's seconds."""
    amount = amount_at(tokens, at, numbers)
    if amount is None and tokens[at].word in numbers.articles:
        amount = Amount(1, at + 1)
    if amount is None or amount.stop >= len(tokens) or amount.value < 0:
        return None
    unit_s = _unit_s(tokens, amount.stop, words)
    return None if unit_s is None else (amount.value * unit_s, amount.stop + 1, unit_s)


def _unit_s(tokens: tuple[Token, ...], at: int, words: DurationWords) -> int | None:
    word = tokens[at].word
    if word in _LETTERS_NEED_TOUCH and not touches(tokens, at - 1):
        return None
    return words.units.get(word)


def _following(
    tokens: tuple[Token, ...], at: int, least: int, words: DurationWords, numbers: NumberWords
) -> tuple[float, int, int] | None:
    """A smaller part after a larger one: `and 20 minutes`, `30m`, the bare `30` of `1h30`."""
    if at >= len(tokens):
        return None
    begin = at + 1 if tokens[at].word in words.joints else at
    if begin >= len(tokens):
        return None
    part = _part(tokens, begin, words, numbers)
    if part is not None:
        return part if part[2] < least else None
    token = tokens[at]
    is_bare = token.kind == "number" and touches(tokens, at - 1) and token.text.isdigit()
    if is_bare and least == 3600 and int(token.text) < 60:
        return int(token.text) * 60, at + 1, 60
    return None
