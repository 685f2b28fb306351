"""Finds all readings in a message from left to right; the longest reading at a token wins.

Every reader looks at every token, and no two readings overlap.
"""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from turnwise.core.values.phones import EXTENSION, is_other_number
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.calendar import day_at, day_of_month, nth_at
from turnwise.understanding.dates import is_bare_pair
from turnwise.understanding.free_text import text_at
from turnwise.understanding.labels import option_at
from turnwise.understanding.numbers import number_at
from turnwise.understanding.readings import Day, Length, Moment, Reading, Text
from turnwise.understanding.several_days import days_sharing_month, span_at
from turnwise.understanding.situation import Situation
from turnwise.understanding.times import hours_of, length_of_time_at, time_at
from turnwise.understanding.vocabulary.tables import length_at

MOST_READINGS = 60
"""How many values of a message are read: one with more is no answer, and its rest is not read."""
_SIGNS = frozenset("+-(\u2212")
_PHONES = (
    late_pattern(r"(?:\+|\(|0)[0-9(](?:[ ()/.-]{0,3}[0-9]){4,18}"),
    late_pattern(r"[0-9]{3}([ .-])[0-9]{3}\1[0-9]{4}(?![0-9])"),
    late_pattern(r"[0-9]{7,15}(?![0-9.,:/-]*[0-9])"),
)
_MOST_AHEAD_S = 86_400
_LEAST_AHEAD_S = 300


def readings_of(text: Text, situation: Situation) -> tuple[Reading, ...]:
    """Return the readings of a message, in order, without overlap."""
    found: list[Reading] = []
    has_numbers = any(field.field.type in ("integer", "number") for field in situation.allowed.fields)
    at = 0
    while at < len(text.tokens) and len(found) <= MOST_READINGS:
        reading, days = _longest(text, at, situation), days_sharing_month(text, at, has_numbers=has_numbers)
        if len(days) > 1 and (reading is None or days[-1].stop > reading.stop):
            found += days
            at = days[-1].stop
        elif reading is None:
            at += 1
        else:
            found += _day_and_time(text, reading, situation)
            at = reading.stop
    return _joined(text, found, situation)


def _longest(text: Text, at: int, situation: Situation) -> Reading | None:
    """Return the longest reading at a token, with the other meanings of the same tokens."""
    token = text.tokens[at]
    if token.kind == "mark" and token.text not in _SIGNS:
        return None
    if token.kind == "moment":
        return Reading("moment", token.text, at, at + 1)
    day = day_at(text, at)
    candidates = (
        contact_at(text, at),
        span_at(text, at, day),
        day,
        time_at(text, at),
        length_of_time_at(text, at),
        _ahead_at(text, at, situation),
        _now_at(text, at, situation),
        option_at(text, at, situation.options),
        _number_at(text, at),
        nth_at(text, at),
        text_at(text, at, situation),
    )
    found = [reading for reading in candidates if reading]
    if not found:
        return Reading("odd", None, at, at + 1) if token.kind == "number" else None
    stop = max(reading.stop for reading in found)
    found = [reading for reading in found if reading.stop == stop]
    odd = next((reading for reading in found if reading.kind == "odd"), None)
    if odd:  # what looks like a day or a time and is none stays odd, unless it is an option
        return next((reading for reading in found if reading.kind == "option"), odd)
    if found[0].kind in ("date", "time") and not is_bare_pair(text, found[0]):
        found = [reading for reading in found if reading.kind != "number"]
    return replace(found[0], others=(*found[0].others, *found[1:]))


def contact_at(text: Text, at: int) -> Reading | None:
    """Return the e-mail address or telephone number that begins at token `at`, by its form alone; `None` if neither."""
    token, tokens = text.tokens[at], text.tokens
    if token.kind == "email":
        return Reading("email", token.text, at, at + 1)
    if token.kind != "number" and token.text not in ("+", "("):
        return None
    found = (form.match(text.message, token.start) for form in _PHONES)
    phone = next((one for one in found if one and 7 <= sum(char.isdigit() for char in one[0]) <= 15), None)
    if phone is None or is_other_number(phone[0]) or _is_within_number(text, at):
        return None
    extension = EXTENSION.match(text.message, phone.end())
    end = extension.end() if extension is not None else phone.end()
    stop = at
    while stop < len(tokens) and tokens[stop].start < end:
        stop += 1
    return (
        Reading("phone", text.message[phone.start() : end].strip(), at, stop) if tokens[stop - 1].end == end else None
    )


def _is_within_number(text: Text, at: int) -> bool:
    """True for digits that go on with others before them, or that stand at a letter (`DE89 3704 0044 0532 0130 00`)."""
    return text.kind(at - 1) == "number" or (at > 0 and text.is_joined_to_next(at - 1) and text.kind(at - 1) == "word")


# numbers in their surroundings ---------------------------------------------------------------------


def _number_at(text: Text, at: int) -> Reading | None:
    """A number, or a rating; but not a word that stands for a thing here (`the private one`), nor the ten of `10k`."""
    words, numbers = text.words, text.vocabulary.numbers
    reading = number_at(text, at)
    if reading is None:  # an article counts if nothing follows it: `nur eine`
        ends = text.kind(at + 1) in ("", "mark") or words[at + 1] in text.vocabulary.speech.trailing
        is_lone = words[at] in numbers.lone and words[at - 1] in numbers.before_pronouns and ends
        return Reading("number", 1, at, at + 1) if is_lone else None
    if words[reading.stop] == "k":
        return Reading("odd", None, at, reading.stop + 1)
    if reading.stop == at + 1 and words[at] in numbers.pronouns:
        counts = at == 0 or text.kind(at - 1) == "mark" or words[at - 1] in numbers.before_pronouns
        return reading if counts else None
    size = length_at(numbers.out_of, words, reading.stop)
    most = number_at(text, reading.stop + size) if size and reading.stop + size < len(text.tokens) else None
    return Reading("rating", (reading.value, most.value), at, most.stop) if most else reading


# days and times that belong together ---------------------------------------------------------------


def _now_at(text: Text, at: int, situation: Situation) -> Reading | None:
    """Read a message that says only that something is to be at once, as the day, time or moment that is asked for."""
    size = length_at(text.vocabulary.calendar.now, text.words, at) if situation.asks_for_time else 0
    rest = (*text.words_between(0, at), *text.words_between(at + size, len(text.tokens)))
    if not size or any(word not in text.vocabulary.speech.filler for word in rest):
        return None
    now, stop = situation.now, at + size
    time, moment = (f"{now:%H:%M}",), Moment(Day(text.today, is_relative=True), (f"{now:%H:%M}",))
    others = (Reading("time", time, at, stop), Reading("moment", moment, at, stop))
    return Reading("date", Day(text.today, is_relative=True), at, stop, others=others)


def _ahead_at(text: Text, at: int, situation: Situation) -> Reading | None:
    """Read a moment some hours or minutes in the future (`in 2 hours`); only the time of day if it is today."""
    is_within = text.words[at] in text.vocabulary.calendar.within
    length = length_of_time_at(text, at + 1) if is_within else None
    if length is None or length.kind != "duration" or not _LEAST_AHEAD_S <= length.value.seconds < _MOST_AHEAD_S:
        return None
    moment = situation.now + timedelta(seconds=length.value.seconds)
    time = Reading("time", (f"{moment:%H:%M}",), at, length.stop)
    is_today = moment.date() == text.today
    return Reading("moment", f"{moment:%Y-%m-%dT%H:%M}", at, length.stop, others=(time,) if is_today else ())


def _day_and_time(text: Text, reading: Reading, situation: Situation) -> tuple[Reading, ...]:
    """A time of day whose words also name the day, as both (`tonight at 8`, `um 8 heute Abend`)."""
    wants_day = any(field.field.type in ("date", "datetime") for field in situation.allowed.fields)
    for at in range(reading.first, reading.stop) if reading.kind == "time" and wants_day else ():
        day = day_at(text, at)
        if day is None or day.kind != "date" or not day.value.is_relative:
            continue
        if at == reading.first:
            return (day, replace(reading, first=day.stop)) if day.stop < reading.stop else (reading,)
        return replace(reading, stop=at), replace(day, stop=reading.stop)
    return (reading,)


def _in_unit_of(text: Text, before: Reading, reading: Reading) -> Reading | None:
    """Return a bare number that corrects a length of time (`30 minutes, no, 40`) as a length in the same unit."""
    speech, ends = text.vocabulary.speech, text.kind(reading.stop) in ("", "mark")
    if before.kind != "duration" or reading.kind != "number" or not ends or not before.value.count:
        return None
    between, at = text.words_between(before.stop, reading.first), 0
    while at < len(between):
        sizes = (length_at(table, between, at) for table in (speech.weak_cues, speech.strong_cues))
        size = max(*sizes, between[at] in speech.filler)
        if not size:
            return None
        at += size
    if not between:
        return None
    seconds = before.value.seconds / before.value.count * reading.value
    return replace(reading, kind="duration", value=Length(seconds, reading.value, before.value.unit))


def _with_half_of(text: Text, before: Reading, reading: Reading) -> Reading | None:
    """Return an hour before a time of day (`5 or 6 pm`, `9 to 5 pm`) as the latest one that is earlier than that."""
    calendar, between = text.vocabulary.calendar, text.words[before.stop : reading.first]
    is_pair = len(between) == 1 and (
        between[0] in calendar.either or between[0] in calendar.until or between[0] in "-–"
    )
    hours = before.value if before.kind == "time" else hours_of(before.value) if before.kind == "number" else ()
    if not is_pair or reading.kind != "time" or len(reading.value) != 1 or len(hours) != 2:
        return None
    earlier = max((hour for hour in hours if hour < reading.value[0]), default=None)
    return replace(before, kind="time", value=(earlier,), others=(before,)) if earlier else None


def _joined(text: Text, found: list[Reading], situation: Situation) -> tuple[Reading, ...]:
    """Joins a day and a time of day to a moment, where some field wants both in one; a day of the month is the next
    one after the day before it (`from June 2nd … the 5th`).
    """
    wants_moment = any(field.field.type == "datetime" for field in situation.allowed.fields)
    links = text.vocabulary.clock.at | text.vocabulary.calendar.on | {",", "@"}
    joined: list[Reading] = []
    for reading in found:
        before = joined[-1] if joined else None
        if before is not None and (length := _in_unit_of(text, before, reading)):
            joined.append(replace(reading, others=(*reading.others, length)))
            continue
        if before is not None and (hour := _with_half_of(text, before, reading)):
            joined[-1] = before = hour
        is_pair = wants_moment and before is not None and {before.kind, reading.kind} == {"date", "time"}
        if before and is_pair and links.issuperset(text.words[before.stop : reading.first]):
            day, time = (before, reading) if before.kind == "date" else (reading, before)
            joined[-1] = Reading("moment", Moment(day.value, time.value), before.first, reading.stop)
            continue
        days = [one.value for one in joined if one.kind == "date"]
        is_day = reading.kind == "nth" or (reading.kind == "place" and text.kind(reading.stop) in ("", "mark"))
        if is_day and days and 0 < reading.value <= 31:
            day_after = day_of_month(days[-1].upcoming, reading.value)
            if day_after is not None:
                joined.append(replace(reading, kind="date", value=Day(day_after), others=(reading,)))
                continue
        joined.append(reading)
    return tuple(joined)
