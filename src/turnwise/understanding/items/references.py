"""Finds the items that a phrase names: by their place, by what they have, or as those that were spoken of last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from turnwise.core.state.commands import ItemRef
from turnwise.understanding.items.marks import Mark, Unclear
from turnwise.understanding.items.segments import Phrase
from turnwise.understanding.items.subject import Subject
from turnwise.understanding.items.values import description_of, only_entries


class Found(Struct, frozen=True):
    """The items that a phrase names, and its words that were not needed to find them.

    An item is named by its id; by its description where several have it, or none; by a place that no item has.
    """

    items: tuple[ItemRef, ...]
    """The items that the phrase names."""
    rest: tuple[Mark, ...] = ()
    """The words of the phrase that were not needed to find the items."""


def names_items(phrase: Phrase, subject: Subject) -> bool:
    """Return whether a phrase names items of the list, rather than a new item or an entry of a list in an item."""
    if phrase.kind in ("all", "both"):
        return not _is_part(phrase, subject)
    if phrase.kind in ("it", "they") or phrase.is_known:
        return True
    is_definite = phrase.kind in ("the", "that", "those")
    return is_definite and not _is_part(phrase, subject)


def _is_part(phrase: Phrase, subject: Subject) -> bool:
    """True for entries of a list (`the olives`, `all olives`)."""
    return only_entries(phrase.values, subject) and phrase.nth is None and not phrase.has_noun


def named_by(phrase: Phrase, subject: Subject, *, is_whole: bool) -> Found:
    """Return the items that a phrase names: if `is_whole`, all of its words must be needed for that, else values may be
    left over. Raises `Unclear` if it names none.
    """
    if _may_point(phrase, subject) and not is_whole:
        return Found(_spoken_of(phrase, subject).items, phrase.values)
    if phrase.nth is not None:
        return _by_place(phrase, subject, is_whole=is_whole)
    match phrase.kind:
        case "all" | "both":
            return _several(phrase, subject, is_whole=is_whole)
        case "it" | "they" | "that" | "those" if phrase.is_empty or not (phrase.values or phrase.having):
            return _spoken_of(phrase, subject)
        case _:
            return _described(phrase, subject, is_whole=is_whole)


def _may_point(phrase: Phrase, subject: Subject) -> bool:
    """True for a word such as `that` with values that do not say what the thing is: `make that large`."""
    head = subject.item_fields[0].name
    is_bare = phrase.nth is None and not phrase.has_noun and bool(phrase.values)
    return phrase.kind == "that" and is_bare and not [mark for mark in phrase.values if head in mark.value]


def _said(found: Found, used: Sequence[Mark], subject: Subject) -> Found:
    """Return the items with the words that are left as what is said about them. Raises `Unclear` where these may be the
    thing itself: in `the red notebooks` the last word is no new value of what is red.
    """
    head = subject.item_fields[0].name
    known = {name for mark in used for name in mark.value}
    is_thing = any(head in mark.value for mark in found.rest)
    is_other = head not in known and any(known.isdisjoint(mark.value) for mark in found.rest)
    if is_thing or (used and is_other):
        raise Unclear
    return found


def _spoken_of(phrase: Phrase, subject: Subject) -> Found:
    """The item that was changed or shown last; several only where there are just two, and one only where it is clear
    that one is meant.
    """
    known, last = [str(one["id"]) for one in subject.items], subject.last_item()
    if last and (phrase.kind in ("it", "that") or len(known) == 1):
        return Found((last,))
    if not last and phrase.kind in ("it", "that") and subject.item_pointed_at() != "":
        return Found((subject.item_pointed_at(),))
    if phrase.kind == "those" and len(known) == 2 and subject.spoken_of is None:
        return Found(tuple(known))
    raise Unclear


def _several(phrase: Phrase, subject: Subject, *, is_whole: bool) -> Found:
    values: tuple[Mark, ...] = phrase.values
    rest: tuple[Mark, ...] = ()
    first = values[0] if values and not is_whole and not phrase.has_noun else None
    if first is not None:
        is_thing = len(values) > 1 and subject.item_fields[0].name in first.value
        if first.is_plural or is_thing:
            values, rest = values[:1], values[1:]
        elif len(values) > 1 and subject.items_with(description_of([first], subject)):
            raise Unclear
        else:
            values, rest = (), values
    wanted = description_of((*values, *[one.mark for one in phrase.having]), subject)
    items = subject.items_with(wanted)
    if not items or (phrase.kind == "both" and len(items) != 2):
        raise Unclear
    return _said(Found(tuple(items), rest), values, subject)


def _by_place(phrase: Phrase, subject: Subject, *, is_whole: bool) -> Found:
    nth, span, known = phrase.nth or 0, phrase.span, [str(one["id"]) for one in subject.items]
    rest = phrase.values
    if rest and (is_whole or phrase.has_noun):
        return _by_place_among(phrase, subject)
    if span != 1:
        start = nth - 1 if nth > 0 else len(known) + nth + 1 - span
        if span < 1 or start < 0 or start + span > len(known) or (rest and phrase.has_noun):
            raise Unclear
        return _said(Found(tuple(known[start : start + span]), rest), (), subject)
    index = nth - 1 if nth > 0 else len(known) + nth
    if nth and 0 <= index < len(known):
        return _said(Found((known[index],), _not_had(rest, known[index], nth, subject)), (), subject)
    if (rest and not is_whole) or not known or nth < 0:
        raise Unclear
    return Found((nth,), rest)


def _by_place_among(phrase: Phrase, subject: Subject) -> Found:
    """The item at a place that fits a description: it must be the same among all and among those that fit, or there
    must be no such place among these.
    """
    nth, known = phrase.nth or 0, [str(one["id"]) for one in subject.items]
    fitting = subject.items_with(description_of(phrase.values, subject))
    places = [(ids[nth - 1 if nth > 0 else nth] if 0 < abs(nth) <= len(ids) else "") for ids in (known, fitting)]
    is_same = places[0] in fitting and places[1] in ("", places[0])
    if phrase.span != 1 or not (is_same or (nth < 0 and places[1])):
        raise Unclear
    return Found((places[1] or places[0],))


def _not_had(rest: tuple[Mark, ...], item: str, nth: int, subject: Subject) -> tuple[Mark, ...]:
    """Return the words behind a place without the first if the item has it (`the second salami small`). Where so many
    others have it that the place may be among them, it is unclear which is meant.
    """
    if len(rest) < 2:
        return rest
    having = subject.items_with(description_of(rest[:1], subject))
    if having and (len(having) < nth or having[nth - 1] != item) and (item not in having or len(having) >= nth):
        raise Unclear
    return rest[1:] if item in having else rest


def _described(phrase: Phrase, subject: Subject, *, is_whole: bool) -> Found:
    having = [one.mark for one in phrase.having if one.is_in]
    if len(having) != len(phrase.having) or not (phrase.values or having):
        raise Unclear
    sizes = [len(phrase.values)] if is_whole or phrase.has_noun else list(range(len(phrase.values), 0, -1))
    for size in sizes or [0]:
        wanted = _wanted((*phrase.values[:size], *having), subject)
        items = subject.items_with(wanted) if wanted else []
        if items:
            found = Found(_one_or_several(items, wanted, phrase, size), phrase.values[size:])
            return _said(found, (*phrase.values[:size], *having), subject)
    if not is_whole:
        raise Unclear
    return Found((_content(phrase, subject),))


def _wanted(marks: Sequence[Mark], subject: Subject) -> dict[str, Any]:
    """Return a description; an empty one where words exclude each other, as in `the small one large`."""
    try:
        return description_of(marks, subject)
    except Unclear:
        return {}


def _content(phrase: Phrase, subject: Subject) -> dict[str, Any]:
    return description_of((*phrase.values, *[one.mark for one in phrase.having]), subject)


def _one_or_several(items: list[str], wanted: dict[str, Any], phrase: Phrase, size: int) -> tuple[ItemRef, ...]:
    """Return the items with a description: all where several are meant, else the description, so that the machine asks
    which.
    """
    if phrase.count is not None and phrase.count != len(items):
        return (wanted,) if phrase.count == 1 else _refuse()
    is_plural = phrase.is_several or any(mark.is_plural for mark in phrase.values[:size])
    is_several = phrase.kind == "those" or is_plural or phrase.count
    return tuple(items) if len(items) == 1 or is_several else (wanted,)


def _refuse() -> tuple[ItemRef, ...]:
    raise Unclear
