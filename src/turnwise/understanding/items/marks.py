"""Reads a message about items as a sequence of marks: verbs, references, counts and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.understanding.field_values import fitting_value
from turnwise.understanding.items.subject import Subject
from turnwise.understanding.labels import option_at
from turnwise.understanding.numbers import number_at, read_compound
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.scan import readings_of
from turnwise.understanding.tokens import closest, stem
from turnwise.understanding.vocabulary.item_shape import ItemWord

Does = ItemWord | Literal["value", "number", "nth", "label", "noun", "joint"]
"""The kinds of words in a message about items: verbs, references, counts, values and more."""
_JOINTS = frozenset(",.;!\n+&")
_OTHER_KINDS = frozenset({"date", "time", "moment", "duration", "email", "phone"})
_MOST_MARKS = 80
_LEAST_STEM = 3


class Unclear(Exception):
    """A message, or a part of it, has no certain meaning for the list."""


class Mark(Struct, frozen=True):
    """One or more tokens of a message about items, with what they are (such as a verb or a count) and mean."""

    does: Does
    """What kind of word the tokens are: a verb, a reference, a count or a value."""
    first: int
    """The index of the mark's first token among the tokens of the message, from 0."""
    stop: int
    """The index of the token after the mark's last one."""
    value: Any = None
    """The meaning, depending on `does`: values by field, a number, a position (from 1; -1 is the last), or fields; else
    `None`."""
    is_plural: bool = False
    """True for a word in the plural."""
    is_known: bool = False
    """True for a text that an item of the list already has."""
    is_compared: bool = False
    """True for a word that may be a comparison (`kleiner`)."""
    similarity: float = 1.0
    """From 0 to 1; less than 1 if the word is misspelled."""


def marks_of(text: Text, subject: Subject) -> list[Mark]:
    """Return the marks of a message, without filler words. Raises `Unclear` for a word that is not explained."""
    others = {one.first: one for one in readings_of(text, subject.fields) if one.kind in _OTHER_KINDS}
    found: list[Mark] = []
    at = 0
    while at < len(text.tokens):
        marks = _at(text, at, subject, others, found)
        if marks and marks[-1].does in ("have", "take"):
            marks = _wanted(marks[-1], found)
        if not marks or len(found) > _MOST_MARKS:
            raise Unclear
        found += [one for one in marks if one.does not in ("filler", "done")]
        at = marks[-1].stop
    if any(one.is_compared and not _is_before_thing(found, number) for number, one in enumerate(found)):
        raise Unclear
    return list(_without_list_joints(found, subject))


def known_marks(text: Text, subject: Subject) -> list[Mark]:
    """Return the marks of the words of a message that have a meaning for the list `subject`; others are ignored."""
    found: list[Mark] = []
    at = 0
    while at < len(text.tokens):
        marks = _at(text, at, subject, {}, found)
        found += marks
        at = marks[-1].stop if marks else at + 1
    return found


def _wanted(mark: Mark, before: list[Mark]) -> list[Mark]:
    """Return a verb such as `have` as a wish, where words such as `could I` or `I'll` lead to it."""
    lead = next((one for one in reversed(before) if one.does not in ("just", "rather", "also")), None)
    leads = ("subject",) if mark.does == "take" else ("subject", "request")
    if lead is not None and lead.does in leads:
        return [replace(mark, does="want")]
    return [mark] if mark.does == "take" else []


def _is_before_thing(marks: list[Mark], number: int) -> bool:
    """True for a word that describes the thing behind it (`ein kleiner Salat`), and compares nothing."""
    return number + 1 < len(marks) and marks[number + 1].does in ("value", "noun", "one")


def _at(text: Text, at: int, subject: Subject, others: Mapping[int, Reading], before: list[Mark]) -> list[Mark]:
    """Return the marks of the longest words at a token that have a meaning; of two, a value comes first."""
    candidates: list[list[Mark]] = [
        *_known_text(text, at, subject),
        *_option(text, at, subject),
        *_other(at, others, subject),
        *_place(text, at, before),
        *_phrase(text, at, subject),
        *_inflected(text, at, subject),
        *_number(text, at, subject),
        *_named(text, at, subject),
        *_joint(text, at),
    ]
    if not candidates:
        return list(_misspelt(text, at, subject))
    longest = max([one[-1].stop for one in candidates])
    return next(one for one in candidates if one[-1].stop == longest)


def _known_text(text: Text, at: int, subject: Subject) -> Iterator[list[Mark]]:
    words = text.words
    for said, known in subject.texts.items():
        stop = at + len(said)
        found = tuple(word.removesuffix("'s") for word in words[at:stop])
        if found == said:
            yield [Mark("value", at, stop, dict(known), is_known=True)]


def _option(text: Text, at: int, subject: Subject) -> Iterator[list[Mark]]:
    options = subject.fields.options
    reading = option_at(text, at, options) if text.kind(at) != "mark" else None
    if reading is not None:
        word, words = text.words[reading.stop - 1], subject.words
        is_plural = reading.confidence < 1 and word.endswith(words.plurals)
        is_compared = reading.confidence < 1 and word.endswith(words.comparing)
        yield [Mark("value", at, reading.stop, dict(reading.value), is_plural=is_plural, is_compared=is_compared)]


def _inflected(text: Text, at: int, subject: Subject) -> Iterator[list[Mark]]:
    """An option of several words with an ending (`iced teas`), or a short one (`pens`, `rotes`), which elsewhere may be
    another word.
    """
    words, options = subject.words, subject.fields.options
    if text.kind(at) != "word":
        return
    for phrase in (*options.phrases.get(text.words[at], ()), ()):
        stop = at + len(phrase or (1,))
        word = text.words[stop - 1]
        for ending in options.inflections:
            said = (*text.words[at : stop - 1], word.removesuffix(ending))
            is_it = (said == phrase and len(phrase) > 1) or (not phrase and said in options.meanings)
            if is_it and word.endswith(ending) and len(said[-1]) >= _LEAST_STEM:
                is_plural, is_compared = word.endswith(words.plurals), word.endswith(words.comparing)
                value = dict(options.meanings[said])
                yield [Mark("value", at, stop, value, is_plural=is_plural, is_compared=is_compared)]


def _misspelt(text: Text, at: int, subject: Subject) -> Iterator[Mark]:
    """A word of no other meaning that is nearest to one option, and begins as it does (`margarita`). A word that only
    goes on behind an option may compare (`larger`).
    """
    word, meanings = text.words[at], subject.fields.options.meanings
    if text.kind(at) != "word":
        return
    known = {said[0]: said[0] for said in meanings if len(said) == 1 and said[0][:1] == word[:1]}
    found = closest(word, known)
    if found is not None and not any(word.startswith(said) for said in known):
        yield Mark("value", at, at + 1, dict(meanings[(found[0],)]), similarity=round(found[1], 2))


def _other(at: int, others: Mapping[int, Reading], subject: Subject) -> Iterator[list[Mark]]:
    """A day, a time, an address or the like that one field takes."""
    reading = others.get(at)
    if reading is None:
        return
    values = {
        part.name: fitting_value(subject.fields, subject.part(part.name), reading) for part in subject.item_fields
    }
    known = {name: value for name, value in values.items() if value is not None}
    if len(known) == 1:
        yield [Mark("value", at, reading.stop, known)]


def _place(text: Text, at: int, before: list[Mark]) -> Iterator[list[Mark]]:
    """The place of an item: `second`, `2nd`, `die 2.`."""
    words, numbers = text.words, text.vocabulary.numbers
    if words[at] in numbers.ordinals:
        yield [Mark("nth", at, at + 1, numbers.ordinals[words[at]])]
    if words[at].isdecimal() and len(words[at]) <= 3:
        is_led = bool(before) and before[-1].does in ("the", "that") and words[at + 1] == "." and words[at + 2]
        if words[at + 1] in numbers.ordinal_suffixes or is_led:
            yield [Mark("nth", at, at + 2, int(words[at]))]


def _phrase(text: Text, at: int, subject: Subject) -> Iterator[list[Mark]]:
    for said, does in subject.words.phrases.get(text.words[at], ()):
        stop = at + len(said)
        if text.words[at:stop] == said:
            values, is_plural = {"last": -1, "before_last": -2}, said[-1].endswith(subject.words.plurals)
            yield [Mark("nth" if one in values else one, at, stop, values.get(one), is_plural) for one in does]
            return


def _number(text: Text, at: int, subject: Subject) -> Iterator[list[Mark]]:
    """A number, with the words that only count behind it: `two`, `2 x`, `zweimal`."""
    for ending in subject.words.times_endings:
        word = text.words[at].removesuffix(ending)
        times = 1 if word in text.vocabulary.numbers.articles else read_compound(word)
        if word != text.words[at] and times is not None:
            yield [Mark("number", at, at + 1, times)]
            return
    reading = number_at(text, at)
    if reading is not None and reading.value >= 0:
        stop = reading.stop + (text.words[reading.stop] in subject.words.times)
        yield [Mark("number", at, stop, reading.value)]


def _named(text: Text, at: int, subject: Subject) -> Iterator[list[Mark]]:
    """A word for one item, or the name of a field."""
    word = text.words[at]
    if text.kind(at) != "word":
        return
    if stem(word, text.vocabulary.endings) in subject.nouns:
        yield [Mark("noun", at, at + 1, is_plural=word.endswith(subject.words.plurals))]
    labels = subject.fields.labels
    fields = labels.fields.get(stem(word, labels.endings))
    if fields:
        yield [Mark("label", at, at + 1, fields)]


def _joint(text: Text, at: int) -> Iterator[list[Mark]]:
    word = text.words[at]
    if word == ":":
        yield [Mark("is", at, at + 1)]
    elif word == "#":
        yield [Mark("place", at, at + 1)]
    elif word in _JOINTS or (word == "?" and at == len(text.tokens) - 1):
        yield [Mark("joint", at, at + 1, word)]


def _without_list_joints(marks: list[Mark], subject: Subject) -> Iterator[Mark]:
    """Yield the marks without what only joins the entries of one list: `olives, garlic and basil`. Everything else that
    joins becomes a joint; an `or` between other words is unclear.
    """
    for at, mark in enumerate(marks):
        if mark.does not in ("joint", "and", "or"):
            yield mark
            continue
        sides = [_list_fields(one, subject) for one in (*marks[at - 1 : at], *marks[at + 1 : at + 2])]
        is_inner = at > 0 and len(sides) == 2 and not sides[0].isdisjoint(sides[1])
        is_inner = is_inner and _is_one_run(marks, at, subject)
        if mark.does == "or" and not (is_inner and any(one.does in ("no", "without") for one in marks[:at])):
            raise Unclear
        if not is_inner:
            yield replace(mark, does="joint", value="and" if mark.does == "and" else mark.value)


def _is_one_run(marks: list[Mark], at: int, subject: Subject) -> bool:
    """True if the entries on both sides of a joint are said of the same item: in `with mushrooms, olives on the first`
    the second one is said of another.
    """
    first, stop = at, at + 1
    while first and (marks[first - 1].does in ("joint", "and", "or") or _list_fields(marks[first - 1], subject)):
        first -= 1
    while stop < len(marks) and (marks[stop].does in ("joint", "and", "or") or _list_fields(marks[stop], subject)):
        stop += 1
    leads = marks[first - 1].does if first else "joint"
    is_placed = stop < len(marks) and marks[stop].does in ("to", "of")
    if not is_placed or leads in ("joint", "add", "put"):
        return True
    return leads == "no" and marks[at].does != "joint"


def _list_fields(mark: Mark, subject: Subject) -> set[str]:
    """Return the list fields that a value is for."""
    return {name for name in mark.value if subject.is_list(name)} if mark.does == "value" else set()
