"""Times of day in a message, as the words allow them.

Where morning and evening are both meant it keeps both; it never picks one.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.numbers import amount_at
from turnwise.understanding.readings import Reading
from turnwise.understanding.tokens import Token
from turnwise.understanding.vocabulary.shape import ClockWords, NumberWords, length_at

_COLON = late_pattern(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_STOP = late_pattern(r"([0-9]{1,2})\.([0-9]{2})")


class Dial(Struct, frozen=True):
    """What reading a time of day depends on: the words of the language."""

    words: ClockWords
    numbers: NumberWords
    days: frozenset[str] = frozenset()
    parts: Mapping[str, str] = {}


class _Clock(Struct, frozen=True):
    """An hour and a minute as said, the token after them, and whether the day has 24 such hours."""

    hour: int
    minute: int
    stop: int
    is_exact: bool = False
    is_bare: bool = False


def time_at(tokens: tuple[Token, ...], at: int, dial: Dial) -> Reading | None:
    """The longest time of day that begins at a token; an odd reading where the clock has none."""
    part = _part_before(tokens, at, dial)
    begin = part[1] if part else at
    while part and begin < len(tokens) and tokens[begin].word in dial.words.at:
        begin += 1
    if begin >= len(tokens):
        return None
    fixed = dial.words.fixed.get(tokens[begin].word)
    if fixed:
        return Reading("time", (fixed,), at, begin + 1)
    clock = _clock(tokens, begin, dial)
    if clock is None:
        return None
    after = _part_at(tokens, clock.stop, dial)
    if part is None and after is None and clock.is_bare and not _is_led(tokens, at, dial):
        return None
    times = _times(clock, (after or part or ("", 0))[0])
    stop = after[1] if after else clock.stop
    if not times:
        return Reading("odd", None, at, stop)
    is_short = clock.is_exact and 0 < clock.hour < 12 and not tokens[begin].text.startswith("0") and not (part or after)
    evening = Reading("time", (f"{clock.hour + 12:02}:{clock.minute:02}",), at, stop, 0.9)
    return Reading("time", times, at, stop, others=(evening,) if is_short else ())


def _is_led(tokens: tuple[Token, ...], at: int, dial: Dial) -> bool:
    """True for an hour behind `at`, or behind a day and `around`."""
    if at == 0 or tokens[at - 1].word in dial.words.at:
        return at > 0
    return at > 1 and tokens[at - 1].word in dial.words.around and tokens[at - 2].word in dial.days


def hours_of(number: float) -> tuple[str, ...]:
    """The times of day that a bare number may be: `7` is 07:00 or 19:00, `18` is 18:00."""
    if not float(number).is_integer():
        return ()
    return _times(_Clock(int(number), 0, 0), "")


def _part_at(tokens: tuple[Token, ...], at: int, dial: Dial) -> tuple[str, int] | None:
    for size in (3, 2, 1):
        part = dial.words.parts.get(tuple(token.word for token in tokens[at : at + size]))
        if part and at + size <= len(tokens):
            return part, at + size
    return None


def _part_before(tokens: tuple[Token, ...], at: int, dial: Dial) -> tuple[str, int] | None:
    """The part of a day that is said before its hour: `this evening at 8`; but `I am 9` is no time."""
    if tokens[at].word in dial.words.only_behind:
        return None
    return _part_at(tokens, at, dial) or _part_of_day(tokens, at, dial)


def _part_of_day(tokens: tuple[Token, ...], at: int, dial: Dial) -> tuple[str, int] | None:
    """The part of a day right after its name: `Friday evening at 8`."""
    part = dial.parts.get(tokens[at].word) if at and tokens[at - 1].word in dial.days else None
    return (part, at + 1) if part else None


def _times(clock: _Clock, part: str) -> tuple[str, ...]:
    hour, minute = clock.hour, clock.minute
    if not 0 <= hour <= 24 or not 0 <= minute < 60:
        return ()
    if part:
        hours = _in_part(hour, part)
    elif hour > 12 or hour == 0:
        hours = (hour % 24,)
    else:
        hours = (hour,) if clock.is_exact else (hour % 12, hour % 12 + 12)
    return tuple(f"{h:02}:{minute:02}" for h in hours)


def _in_part(hour: int, part: str) -> tuple[int, ...]:
    """The hours that a part of the day leaves of an hour said."""
    if hour > 12 or hour == 0:
        return (hour % 24,)
    early, late = hour % 12, hour % 12 + 12
    if part == "morning":
        return (early,)
    if part == "night":
        return (early,) if hour in (12, 1, 2, 3, 4) else (late,) if hour >= 8 else ()
    return (late,)


def _clock(tokens: tuple[Token, ...], at: int, dial: Dial) -> _Clock | None:
    readers = (_fraction, _minutes_to, _digital, _hour_and_minute)
    return next((clock for read in readers if (clock := read(tokens, at, dial))), None)


def _digital(tokens: tuple[Token, ...], at: int, dial: Dial) -> _Clock | None:
    """`18:30`, `18:30 Uhr`, `18.30 Uhr`, `6.30 pm`."""
    token = tokens[at]
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    is_hour = after in dial.words.hour
    found = _COLON.fullmatch(token.text)
    if found is None and (is_hour or _part_at(tokens, at + 1, dial)):
        found = _STOP.fullmatch(token.text)
    if found is None:
        return None
    return _Clock(int(found[1]), int(found[2]), at + 2 if is_hour else at + 1, is_exact=True)


def _hour_and_minute(tokens: tuple[Token, ...], at: int, dial: Dial) -> _Clock | None:
    """`18 Uhr 30`, `7 o'clock`, `seven thirty`, `7 pm`, and a bare `7`."""
    hour = _number(tokens, at, 24, dial)
    if hour is None:
        return None
    value, stop = hour
    if stop < len(tokens) and tokens[stop].word in dial.words.hour:
        minute = _number(tokens, stop + 1, 59, dial)
        exact = tokens[at].kind == "number" and dial.numbers.units_first
        if minute and dial.numbers.units_first and _ends_minute(tokens, minute[1]):
            return _Clock(value, minute[0], minute[1], is_exact=True)
        return _Clock(value, 0, stop + 1, is_exact=exact)
    minute = _number(tokens, stop, 59, dial) if tokens[at].kind == "word" and stop == at + 1 else None
    if minute and minute[0] >= 10 and tokens[stop].kind == "word" and value <= 12:
        return _Clock(value, minute[0], minute[1])
    return _Clock(value, 0, stop, is_bare=True) if not _has_unit(tokens, stop, dial) else None


def _ends_minute(tokens: tuple[Token, ...], at: int) -> bool:
    return at >= len(tokens) or tokens[at].kind != "number"


def _has_unit(tokens: tuple[Token, ...], at: int, dial: Dial) -> bool:
    return at < len(tokens) and (tokens[at].word in dial.words.minutes or tokens[at].text in "€$%£")


def _fraction(tokens: tuple[Token, ...], at: int, dial: Dial) -> _Clock | None:
    """`Half past six`, `quarter to seven`, `halb sieben`, `dreiviertel acht`, `Viertel nach acht`."""
    words, said = dial.words, tuple(token.word for token in tokens[at : at + 3])
    if said[0] in words.half_next or said[0] in words.three_quarters:
        hour = _number(tokens, at + 1, 12, dial)
        minute = 30 if said[0] in words.half_next else 45
        return _Clock((hour[0] - 1) % 12 or 12, minute, hour[1]) if hour else None
    size = length_at(words.half_past, said, 0)
    if size:
        hour = _number(tokens, at + size, 12, dial)
        return _Clock(hour[0], 30, hour[1]) if hour and tokens[at + size].kind != "mark" else None
    size = length_at(words.quarter, said, 0)
    return _around(tokens, at + size, 15, dial) if size else None


def _minutes_to(tokens: tuple[Token, ...], at: int, dial: Dial) -> _Clock | None:
    """`Ten past five`, `5 minutes to six`, `fünf vor halb acht`."""
    minutes = _number(tokens, at, 29, dial)
    if minutes is None:
        return None
    value, stop = minutes
    if stop < len(tokens) and tokens[stop].word in dial.words.minutes:
        stop += 1
    return _around(tokens, stop, value, dial)


def _around(tokens: tuple[Token, ...], at: int, minutes: int, dial: Dial) -> _Clock | None:
    if at + 1 >= len(tokens):
        return None
    word, words = tokens[at].word, dial.words
    if word not in words.past and word not in words.to:
        return None
    base = 30 if tokens[at + 1].word in words.half_next else 0
    hour = _number(tokens, at + (2 if base else 1), 12, dial)
    if hour is None:
        return None
    total = (hour[0] % 12) * 60 - base + (minutes if word in words.past else -minutes)
    return _Clock(total // 60 % 12 or 12, total % 60, hour[1])


def _number(tokens: tuple[Token, ...], at: int, most: int, dial: Dial) -> tuple[int, int] | None:
    """A whole number of at most `most`, and the token after it."""
    if at >= len(tokens):
        return None
    amount = amount_at(tokens, at, dial.numbers)
    if amount is None or not 0 <= amount.value <= most or not float(amount.value).is_integer():
        return None
    return int(amount.value), amount.stop
