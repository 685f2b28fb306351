"""Understands the answer to the question which item is meant: by its number, its place among those shown, or what it
has (`2`, `the second`, `the salami one`); or that all of them are (`both`).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.state.commands import Edit
from turnwise.understanding.items.marks import Mark, Unclear, marks_of
from turnwise.understanding.items.references import named_by
from turnwise.understanding.items.segments import Phrase, Segment, segments_of
from turnwise.understanding.items.subject import Subject, subjects_of
from turnwise.understanding.items.values import description_of
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation

_SMALL = frozenset({"yes", "no_cue", "want", "subject", "rather", "joint"})
"""What a message may say before the item that it chooses."""


def chosen_item(text: Text, situation: Situation) -> list[Edit]:
    """Return the commands that choose one or all of the items shown; empty if the message says anything else."""
    address, items_shown = situation.allowed.choosing or ("", ())
    shown = dict(items_shown)
    for subject in subjects_of(situation, text.message) if shown else ():
        if subject.field.address != address:
            continue
        items = tuple([one for one in subject.items if one["id"] in shown])
        narrow = replace(subject, items=items, spoken_of="", is_open=False)
        try:
            ids = _chosen(marks_of(text, narrow), narrow, shown)
        except Unclear:
            return []
        return [Edit((0, len(text.message)), 1.0, field=f"{address}[{id_}]") for id_ in ids]
    return []


def _chosen(marks: list[Mark], subject: Subject, shown: dict[str, int]) -> list[str]:
    """Return the ids of the only item that a message names, or of all that are shown."""
    while marks and marks[0].does in _SMALL:
        marks = marks[1:]
    if len(marks) == 1 and marks[0].does == "number":
        return [_numbered(marks[0].value, shown)]
    segments = segments_of(marks, subject)
    if _means_all(segments, len(shown)):
        return list(shown)
    phrase = _only_phrase(segments)
    if phrase.nth is not None:
        is_of_all = not phrase.values or len(_having(phrase, subject)) == len(shown)
        if not is_of_all or phrase.span != 1:
            raise Unclear  # `the second small` may change the second
        return [_numbered(phrase.nth, shown)]
    found = named_by(phrase, subject, is_whole=True).items
    if len(found) != 1 or not isinstance(found[0], str) or found[0] not in shown:
        raise Unclear
    return [found[0]]


def _means_all(segments: Sequence[Segment], count: int) -> bool:
    """Return whether a message only says that all things are meant that are shown: `both`, `all of them`."""
    segment = segments[0] if len(segments) == 1 else None
    if segment is None or len(segment.phrases) != 1 or segment.said or segment.labels or segment.does:
        return False
    phrase = segment.phrases[0]
    is_plain = not (phrase.values or phrase.having or phrase.is_excepted) and phrase.nth is None
    return is_plain and (phrase.kind == "all" or (phrase.kind == "both" and count == 2))


def _only_phrase(segments: Sequence[Segment]) -> Phrase:
    """Return the phrase of a message that only names one thing; what it says about it is a part of its description."""
    segment = segments[0] if len(segments) == 1 else None
    if (
        segment is None
        or len(segment.phrases) != 1
        or segment.labels
        or not segment.does <= {"with", "to", "of", "place"}
    ):
        raise Unclear
    phrase = segment.phrases[0]
    marks = tuple([one.mark for one in segment.said if one.is_in])
    is_new = phrase.kind == "new" and (phrase.count != 1 or phrase.has_noun)
    if phrase.kind not in ("the", "that", "bare", "new") or is_new or len(marks) != len(segment.said):
        raise Unclear
    return replace(phrase, kind="the", count=None, values=(*phrase.values, *marks))


def _having(phrase: Phrase, subject: Subject) -> list[str]:
    return subject.items_with(description_of(phrase.values, subject))


def _numbered(number: int, shown: dict[str, int]) -> str:
    """Return the item with a number as it is shown, else the one at a place among those shown; -1 is the last."""
    found = [id_ for id_, one in shown.items() if one == number]
    places = list(shown)
    at = number - 1 if number > 0 else len(places) + number
    if not found and 0 <= at < len(places):
        return places[at]
    if len(found) != 1:
        raise Unclear
    return found[0]
