"""The options of the exposed fields, found by their words.

An option is found by exact words, by parts that belong to it only, and by near misses; never by negated ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from turnwise.core.commands.exposure import Exposed, ExposedField
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.tokens import closest, words_of
from turnwise.understanding.vocabulary.shape import Vocabulary, is_one_of

_MOST_FUZZY_WORDS = 12
_MOST_DIGITS = 12
_LEAST_STEM = 4


class Options(Struct, frozen=True):
    """Option phrases by their first word, longest first; each with the options that it means by field."""

    phrases: Mapping[str, tuple[tuple[str, ...], ...]]
    meanings: Mapping[tuple[str, ...], Mapping[str, str]]
    inflections: tuple[str, ...] = ()


def options_of(exposed: Exposed, vocabulary: Vocabulary) -> Options:
    """The options of all exposed fields, with their further words and common synonyms."""
    meanings: dict[tuple[str, ...], dict[str, str]] = {}
    for field in exposed.fields:
        said = _said(field, vocabulary)
        answers = yes_no_options(field, vocabulary).values()
        for phrase, option in said.items():
            if (option in answers and _is_answer(phrase, vocabulary)) or (len(phrase) == 1 and phrase[0].isdecimal()):
                continue
            meanings.setdefault(phrase, {})[field.address] = option
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted(meanings, key=lambda p: (-len(p), p)):
        phrases.setdefault(phrase[0], []).append(phrase)
    return Options({first: tuple(some) for first, some in phrases.items()}, meanings, vocabulary.inflections)


def _said(field: ExposedField, vocabulary: Vocabulary) -> dict[tuple[str, ...], str]:
    said: dict[tuple[str, ...], str] = {}
    for option in field.field.options:
        for text in (option.value, *option.words):
            if phrase := words_of(text):
                said.setdefault(phrase, option.value)
    for group in vocabulary.synonyms:
        owners = {said[(word,)] for word in group if (word,) in said}
        if len(owners) == 1:
            for word in group:
                said.setdefault((word,), next(iter(owners)))
    return said


def _is_answer(phrase: Sequence[str], vocabulary: Vocabulary) -> bool:
    """True if a phrase is a plain yes or no, which is understood as one."""
    return is_one_of(vocabulary.speech.yes, phrase) or is_one_of(vocabulary.speech.no, phrase)


def option_at(text: Text, at: int, options: Options) -> Reading | None:
    """The longest option that begins at a token; an option of one word may have an ending (`margheritas`, `große`)."""
    tokens, word = text.tokens, text.words[at]
    for phrase in options.phrases.get(word, ()):
        stop, matched = at, 0
        while stop < len(tokens) and matched < len(phrase):
            is_word = tokens[stop].kind != "mark"
            if tokens[stop].word != phrase[matched] if is_word else tokens[stop].text not in "-/&'":
                break
            stop, matched = stop + 1, matched + is_word
        if matched == len(phrase):
            return Reading("option", options.meanings[phrase], at, stop)
    for ending in options.inflections if word not in options.phrases else ():
        phrase = (word.removesuffix(ending),)
        if word.endswith(ending) and len(phrase[0]) >= _LEAST_STEM and phrase in options.meanings:
            return Reading("option", options.meanings[phrase], at, at + 1, 0.95)
    return None


def is_weak(text: Text, reading: Reading) -> bool:
    """True if an option's words are too small or too common to mean it inside a sentence."""
    said, speech = text.said(reading.first, reading.stop), text.vocabulary.speech
    if _is_answer(said, text.vocabulary) or is_one_of(speech.doubt, said):
        return True
    return all(
        len(word) <= 2 or word in speech.filler or word in speech.negators or word in speech.common for word in said
    )


def part_of_option(said: Sequence[str], field: ExposedField, vocabulary: Vocabulary) -> str | None:
    """The only option that has all these words (`private` for `Private insurance`)."""
    wanted = set(said)
    if not wanted or wanted & vocabulary.speech.negators:
        return None
    owners = {option.value for option in field.field.options if wanted.issubset(words_of(option.value))}
    is_clear = len(owners) == 1 and vocabulary.speech.negators.isdisjoint(words_of(*owners))
    return owners.pop() if is_clear else None


def near_option(said: Sequence[str], field: ExposedField, vocabulary: Vocabulary) -> tuple[str, float] | None:
    """The option that misspelled words are nearly, and how nearly (0 to 1)."""
    if not said or len(said) > _MOST_FUZZY_WORDS:
        return None
    known = {" ".join(phrase): option for phrase, option in _said(field, vocabulary).items()}
    negators = vocabulary.speech.negators
    negated = {phrase for phrase in known if not negators.isdisjoint(phrase.split())}
    for text in (" ".join(said), *(said if len(said) <= 4 else ())):
        is_negated = not negators.isdisjoint(text.split())
        found = closest(text, {phrase: o for phrase, o in known.items() if (phrase in negated) is is_negated})
        if found:
            return found[0], round(found[1], 2)
    return None


def yes_no_options(field: ExposedField, vocabulary: Vocabulary) -> Mapping[bool, str]:
    """The options of a field that simply say yes and no."""
    speech = vocabulary.speech
    found: dict[bool, str] = {}
    for option in field.field.options:
        for text in (option.value, *option.words):
            if is_one_of(speech.yes, words_of(text)):
                found.setdefault(True, option.value)
            elif is_one_of(speech.no, words_of(text)):
                found.setdefault(False, option.value)
    return found if len(found) == 2 else {}


def has_numbers(field: ExposedField) -> bool:
    """True if a bare number may be meant as an option rather than count them out."""
    return any(char.isdigit() for option in field.field.options for char in option.value)


def number_option(field: ExposedField, number: float) -> str | None:
    """The option that is a number written in digits."""
    found = {
        option.value
        for option in field.field.options
        for text in (option.value, *option.words)
        if text.strip().isdecimal() and len(text) < _MOST_DIGITS and int(text) == number
    }
    return found.pop() if len(found) == 1 else None


def option_number(field: ExposedField, place: int) -> str | None:
    """The option at a place: 1 is the first, -1 the last."""
    options = field.field.options
    index = place - 1 if place > 0 else len(options) + place
    return options[index].value if place and 0 <= index < len(options) else None
