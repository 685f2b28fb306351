"""Where a message corrects itself, and which of its readings correct something.

It counts corrections; what they correct is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from turnwise.providers.offline.clauses import Heard
from turnwise.providers.offline.readings import Reading
from turnwise.providers.offline.situation import Situation
from turnwise.providers.offline.vocabulary.shape import length_at

Cue = Literal["", "weak", "strong"]


class Place(Struct, frozen=True):
    """How many corrections of earlier readings come before a reading, and how clearly it corrects something."""

    segment: int
    cue: Cue


def corrections_of(heard: Heard) -> Mapping[int, Place]:
    """The place of every reading among the corrections of its message, by the reading's first token."""
    values = [(reading.first, False, False) for clause in heard.clauses for reading in clause.readings]
    cues = [(at, True, clause.is_strong) for clause in heard.clauses for at in clause.cues]
    takes_back = any(clause.olds for clause in heard.clauses)
    places: dict[int, Place] = {}
    segment, has_value, cue = 0, False, _cue(says=takes_back, is_strong=takes_back)
    for at, is_cue, is_strong in sorted([*values, *cues]):
        if is_cue:
            segment, has_value = segment + has_value, False
            cue = _cue(says=True, is_strong=is_strong or cue == "strong")
        else:
            places[at], has_value = Place(segment, cue), True
    return _with_trailing(places, cues)


def _with_trailing(places: dict[int, Place], cues: list[tuple[int, bool, bool]]) -> Mapping[int, Place]:
    """The last reading is also corrected by what follows it (`my name is Adam, sorry`)."""
    last = max(places, default=-1)
    after = [is_strong for at, _, is_strong in cues if at > last]
    if after and last in places and not places[last].cue:
        places[last] = Place(places[last].segment, _cue(says=True, is_strong=any(after)))
    return places


def _cue(*, says: bool, is_strong: bool) -> Cue:
    return "strong" if is_strong else "weak" if says else ""


def says_cue(heard: Heard, reading: Reading, situation: Situation) -> bool:
    """True if a text comes with the words that change it (`change my city to …`)."""
    if reading.kind != "text":
        return False
    said = [token.word for token in heard.tokens[reading.first : reading.stop]]
    return any(length_at(situation.vocabulary.speech.strong_cues, said, at) for at in range(len(said)))
