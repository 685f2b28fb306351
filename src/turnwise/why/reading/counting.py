"""Questions how often, how many or how long that name nothing of the flow: what they count or measure, if anything."""

from __future__ import annotations

from turnwise.core.machine import PERSON_TIMEOUT
from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.people import named_person
from turnwise.why.reading.sentences import Sentence, asks_for_count
from turnwise.why.subjects.counts import counts_of_all, is_counted
from turnwise.why.subjects.durations import ASKS, TURNS, UNTIL, WAIT, last_armed

_IS_COUNT = late_pattern(r"\bhow (?:often|many)\b|\bwie (?:oft|häufig|viele)\b|\bwieviele\b")

_OF_ANY_NAME: tuple[SubjectKind, ...] = ("message", "turn", "model", "person", "conversation")


async def counted_of_all(query: Query, reading: Reading, _sentence: Sentence) -> Reading | None:
    """Return a reading about the whole conversation, for one that counts calls, values or answers of any name."""
    text = reading.text.casefold()
    if reading.names.best or not _IS_COUNT.search(text) or not counts_of_all(text):
        return None
    if await named_person(query, reading) is not None:
        return None
    return reading.about(Subject("conversation"))._replace(turn=None)


_PAST = late_pattern(r"\b(?:did|passed|took|verging|was|were|has|had|hat|hatte|war|wurde|musste|ging|lief)\b")
_MAY = late_pattern(r"\b(?:have|had|left|remain\w*|hat|hatte|blieb\w*)\b(?! \w+ed\b)")
_OPEN: tuple[SubjectKind, ...] = ("turn", "message", "conversation")


async def lasting(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading for a question how long something took that names nothing, or two turns: about the person that
    was waited for, the timer that gave the time, or the whole conversation; with nothing found where it names a moment
    that is none of these.
    """
    if not ASKS.search(sentence.text) or not _PAST.search(sentence.text):
        return None
    if TURNS.search(sentence.text):
        own = Subject("conversation")
    else:
        is_named = reading.names.best or await named_person(query, reading) is not None
        is_open = not reading.found or reading.subject.kind in _OPEN or reading.subject == Subject("person")
        if is_named or not is_open:
            return None
        own = await _lasted(query, sentence.text)
    if own is None:
        return reading.without("ask from which turn to which it is: how long from turn 1 to turn 2?")
    return reading.about(own)._replace(turn=None)


async def _lasted(query: Query, text: str) -> Subject | None:
    """Return what a duration is of that a question does not name."""
    if WAIT.search(text) and await query.last(lambda event: isinstance(event, e.TakenOver | e.NobodyCame)) is not None:
        return Subject("person")
    is_of_timer = _MAY.search(text) is not None or WAIT.search(text) is not None
    armed = await last_armed(query, lambda timer: timer.transition != PERSON_TIMEOUT) if is_of_timer else None
    if armed is not None:
        return Subject("timer", armed.timer.transition)
    return Subject("conversation") if UNTIL.search(text) is None else None


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
    return reading.without(f"that is not counted {query.where or 'in a conversation'}")
