"""All readings of a message, left to right, the longest first.

It lets every reader look at every place and never lets two readings overlap.
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.understanding.calendar import day_at, nth_at
from turnwise.understanding.clock import time_at
from turnwise.understanding.contacts import contact_at
from turnwise.understanding.free_text import text_at
from turnwise.understanding.lengths import length_of_time_at
from turnwise.understanding.moments import ahead_at, day_and_time, with_moments
from turnwise.understanding.numbers import number_at
from turnwise.understanding.options import option_at
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token
from turnwise.understanding.vocabulary.shape import NumberWords, length_at

MOST_READINGS = 60
"""A message with more values than this is no answer; the rest of it is not read."""
_SIGNS = frozenset("+-(\u2212")


def readings_of(message: str, tokens: tuple[Token, ...], situation: Situation) -> tuple[Reading, ...]:
    """The readings of a message, in order, without overlap."""
    found: list[Reading] = []
    at = 0
    while at < len(tokens) and len(found) <= MOST_READINGS:
        reading = _longest(message, tokens, at, situation)
        if reading is None:
            at += 1
        else:
            found += day_and_time(tokens, reading, situation)
            at = reading.stop
    return with_moments(tokens, tuple(found), situation)


def _longest(message: str, tokens: tuple[Token, ...], at: int, situation: Situation) -> Reading | None:
    token, vocabulary = tokens[at], situation.vocabulary
    if token.kind == "mark" and token.text not in _SIGNS:
        return None
    if token.kind == "moment":
        return Reading("moment", token.text, at, at + 1)
    candidates = (
        contact_at(message, tokens, at),
        day_at(tokens, at, situation.almanac),
        time_at(tokens, at, situation.dial),
        length_of_time_at(tokens, at, vocabulary.durations, vocabulary.numbers),
        ahead_at(tokens, at, situation),
        option_at(tokens, at, situation.options),
        _number_at(tokens, at, situation),
        nth_at(tokens, at, situation.almanac),
        text_at(message, tokens, at, situation),
    )
    found = [reading for reading in candidates if reading]
    if not found:
        return Reading("odd", None, at, at + 1) if token.kind == "number" else None
    stop = max(reading.stop for reading in found)
    return _combined([reading for reading in found if reading.stop == stop])


def _number_at(tokens: tuple[Token, ...], at: int, situation: Situation) -> Reading | None:
    """A number, unless its word stands for a thing here (`the private one`); `10k` is not ten."""
    numbers = situation.vocabulary.numbers
    reading = number_at(tokens, at, numbers) or _lone_at(tokens, at, situation)
    if reading and reading.stop < len(tokens) and tokens[reading.stop].word == "k":
        return Reading("odd", None, at, reading.stop + 1)
    if reading and reading.stop == at + 1 and tokens[at].word in numbers.pronouns:
        before = tokens[at - 1] if at else None
        counts = before is None or before.kind == "mark" or before.word in numbers.before_pronouns
        return reading if counts else None
    return _rating(tokens, reading, numbers) or reading if reading else None


def _lone_at(tokens: tuple[Token, ...], at: int, situation: Situation) -> Reading | None:
    """An article that counts, since nothing follows it: `nur eine`."""
    numbers, before = situation.vocabulary.numbers, tokens[at - 1].word if at else ""
    if tokens[at].word not in numbers.lone or before not in numbers.before_pronouns:
        return None
    ends = at + 1 == len(tokens) or tokens[at + 1].kind == "mark"
    return (
        Reading("number", 1, at, at + 1)
        if ends or tokens[at + 1].word in situation.vocabulary.speech.trailing
        else None
    )


def _rating(tokens: tuple[Token, ...], reading: Reading, numbers: NumberWords) -> Reading | None:
    """A number with how many there are (`7 out of 10`)."""
    said = tuple(token.word for token in tokens[reading.stop : reading.stop + 3])
    size = length_at(numbers.out_of, said, 0) if said else 0
    most = number_at(tokens, reading.stop + size, numbers) if size and reading.stop + size < len(tokens) else None
    return Reading("rating", (reading.value, most.value), reading.first, most.stop) if most else None


def _combined(found: list[Reading]) -> Reading:
    """Several meanings of the same tokens as one; what looks like a day or a time and is none stays odd."""
    odd = next((reading for reading in found if reading.kind == "odd"), None)
    option = next((reading for reading in found if reading.kind == "option"), None)
    if odd:
        return option or odd
    if found[0].kind in ("date", "time"):
        found = [reading for reading in found if reading.kind != "number"]
    return replace(found[0], others=(*found[0].others, *found[1:]))
