"""Words for the allowed fields and their options, from names, questions and the concepts of the vocabulary.

Labels name fields; whether a field can take a value is decided in `field_values`. An option is found by exact words, by
parts that belong to it only, and by near misses; never by negated ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.values.yes_no import answer_options
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.tokens import closest, stem, stems_of, words_of
from turnwise.understanding.vocabulary.shape import Concept, Vocabulary
from turnwise.understanding.vocabulary.tables import Phrases, is_one_of

_SHORT_ABOUT = 3


@lru_cache(maxsize=4096)
def flow_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text of a flow. Every message is compared with the same texts."""
    return words_of(text)


class Labels(Struct, frozen=True):
    """The words by which messages name the allowed fields."""

    fields: Mapping[str, frozenset[str]]
    """The addresses of fields, keyed by the stem of a word that names them."""
    stems: Mapping[str, frozenset[str]]
    """The stems of words that name a field, keyed by the field's address."""
    titles: Mapping[str, tuple[frozenset[str], ...]]
    """The meaningful words of a field's question, and of its short `about`, keyed by the field's address."""
    frames: Mapping[str, tuple[Phrases, ...]]
    """The phrases before a value that name its field (`I am`), keyed by the field's address."""
    persons: frozenset[str]
    """The addresses of fields that are the name of a person."""
    agreements: frozenset[str]
    """The addresses of fields that ask for consent."""
    endings: tuple[str, ...]
    """Endings that are ignored when words are compared."""

    def names_field(self, word: str) -> bool:
        """Return whether a word names at least one field."""
        return stem(word, self.endings) in self.fields

    def fields_named(self, said: Iterable[str]) -> frozenset[str]:
        """Return the addresses of the fields that words name: by words of one field only, else by shared words."""
        found = [self.fields[s] for word in said if (s := stem(word, self.endings)) in self.fields]
        single = frozenset[str]().union(*(some for some in found if len(some) == 1))
        return single if single or not found else found[0].intersection(*found[1:])

    def only_field_named(self, said: Iterable[str]) -> str | None:
        """Return the address of the one field that words name; `None` if they name none or several."""
        named = self.fields_named(said)
        return next(iter(named)) if len(named) == 1 else None


def labels_of(allowed: AllowedInput, vocabulary: Vocabulary) -> Labels:
    """Return the words that name the allowed fields."""
    concepts: dict[str, list[Concept]] = {}
    titles: dict[str, tuple[frozenset[str], ...]] = {}
    for field in allowed.fields:
        shown = _shown(field) | {field.address.rpartition(".")[2]} | {sign for sign in "€$£%" if sign in field.title}
        concepts[field.address] = [one for one in vocabulary.concepts if not one.marks.isdisjoint(shown)]
        kept = frozenset(title_words(field, vocabulary))
        ways = (flow_words(field.title), _short_about(field))  # two ways to say what the field asks
        titles[field.address] = tuple(kept.intersection(said) for said in ways if said)
    stems = {field.address: _stems(field, concepts[field.address], vocabulary) for field in allowed.fields}
    fields: dict[str, set[str]] = {}
    for address, some in stems.items():
        for one in some:
            fields.setdefault(one, set()).add(address)
    return Labels(
        fields={one: frozenset(some) for one, some in fields.items()},
        stems=stems,
        titles=titles,
        frames={address: tuple(one.frames for one in some if one.frames) for address, some in concepts.items()},
        persons=frozenset(field.address for field in allowed.fields if is_person_name(field, vocabulary)),
        agreements=frozenset(field.address for field in allowed.fields if is_agreement(field, vocabulary)),
        endings=vocabulary.endings,
    )


def name_words(field: AllowedField) -> tuple[str, ...]:
    """Return the words of a field's name: `what_is_it` is three."""
    return flow_words(field.address.rpartition(".")[2].replace("_", " "))


def title_words(field: AllowedField, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words of a field's question (or of its short `about`) that carry meaning."""
    speech = vocabulary.speech
    said = flow_words(field.title) + _short_about(field)
    return tuple(w for w in said if w not in speech.filler and w not in speech.openers and not w.isdigit())


def is_agreement(field: AllowedField, vocabulary: Vocabulary) -> bool:
    """Return whether a yes-or-no field asks for consent."""
    return field.field.type == "boolean" and not vocabulary.speech.agreement_marks.isdisjoint(_shown(field))


def is_person_name(field: AllowedField, vocabulary: Vocabulary) -> bool:
    """Return whether a free-text field is the name of a person, not of a company, a pet or a file."""
    naming, name, title = vocabulary.naming, name_words(field), flow_words(field.title)
    if not field.is_free_text or naming.name_words.isdisjoint(_shown(field)):
        return False
    record = field.address.rpartition(".")[0].replace(".", " ").replace("_", " ")
    is_possessed = any(word.endswith("'s") and word not in vocabulary.speech.openers for word in title)
    if is_possessed or not naming.other_owners.isdisjoint((*name, *title, *flow_words(record))):
        return False
    return not (naming.name_words.isdisjoint(name) and naming.own.isdisjoint(title))


def _shown(field: AllowedField) -> set[str]:
    return {*name_words(field), *flow_words(field.title), *flow_words(field.field.about)}


def _short_about(field: AllowedField) -> tuple[str, ...]:
    about = flow_words(field.field.about)
    return about if len(about) <= _SHORT_ABOUT else ()


def _stems(field: AllowedField, concepts: list[Concept], vocabulary: Vocabulary) -> frozenset[str]:
    said = {w for w in name_words(field) if w not in vocabulary.speech.openers and len(w) > 1}
    said.update(title_words(field, vocabulary), vocabulary.type_words.get(field.field.type, ()))
    said.update(*(concept.said for concept in concepts))
    # A number that counts money without a currency may be said with any.
    shown = _shown(field) | {sign for sign in "€$£" if sign in field.title}
    is_number = field.field.type in ("integer", "number") and not field.field.options
    if is_number and vocabulary.currencies.isdisjoint(shown) and not vocabulary.money.isdisjoint(shown):
        said.update(vocabulary.currencies, vocabulary.paying)
    return stems_of(said - vocabulary.speech.negators, vocabulary.endings)


# options -----------------------------------------------------------------------------------------


_MOST_FUZZY_WORDS = 12
_LEAST_STEM = 4


class Options(Struct, frozen=True):
    """The words for the options of the allowed fields."""

    phrases: Mapping[str, tuple[tuple[str, ...], ...]]
    """The phrases for options, keyed by their first word, the longest first."""
    meanings: Mapping[tuple[str, ...], Mapping[str, str]]
    """For each phrase the option that it means, keyed by the address of the field."""
    inflections: tuple[str, ...] = ()
    """Endings that an option may have in a message."""


def options_of(allowed: AllowedInput, vocabulary: Vocabulary) -> Options:
    """Return the options of all allowed fields, with their further words and common synonyms."""
    meanings: dict[tuple[str, ...], dict[str, str]] = {}
    for field in allowed.fields:
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


def _said(field: AllowedField, vocabulary: Vocabulary) -> dict[tuple[str, ...], str]:
    said: dict[tuple[str, ...], str] = {}
    for option in field.field.options:
        for text in (option.value, *option.words):
            if phrase := flow_words(text):
                said.setdefault(phrase, option.value)
    for group in vocabulary.synonyms:
        owners = {said[(word,)] for word in group if (word,) in said}
        if len(owners) == 1:
            for word in group:
                said.setdefault((word,), next(iter(owners)))
    return said


def _is_answer(phrase: Sequence[str], vocabulary: Vocabulary) -> bool:
    """True if a phrase is a plain yes or no."""
    return is_one_of(vocabulary.speech.yes, phrase) or is_one_of(vocabulary.speech.no, phrase)


def option_at(text: Text, at: int, options: Options) -> Reading | None:
    """Return the longest option that begins at token `at`, else `None`; one of a single word may have an ending
    (`margheritas`).
    """
    tokens, word = text.tokens, text.words[at]
    for phrase in options.phrases.get(word, ()):
        stop, matched = at, 0
        while stop < len(tokens) and matched < len(phrase):
            is_word = tokens[stop].kind != "mark"
            if tokens[stop].word != phrase[matched] if is_word else tokens[stop].word not in "-/&'":
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
    """Return whether an option's words are too short or too common to identify it inside a sentence."""
    said, speech = text.words_between(reading.first, reading.stop), text.vocabulary.speech
    if _is_answer(said, text.vocabulary) or is_one_of(speech.doubt, said):
        return True
    return all(
        len(word) <= 2 or word in speech.filler or word in speech.negators or word in speech.common for word in said
    )


def part_of_option(said: Sequence[str], field: AllowedField, vocabulary: Vocabulary) -> str | None:
    """Return the option of a field if only one has all these words (`private` for `Private insurance`), else `None`."""
    wanted = set(said)
    if not wanted or wanted & vocabulary.speech.negators:
        return None
    owners = {option.value for option in field.field.options if wanted.issubset(flow_words(option.shown))}
    shown = [option.shown for option in field.field.options if option.value in owners]
    is_clear = len(owners) == 1 and vocabulary.speech.negators.isdisjoint(flow_words(*shown))
    return owners.pop() if is_clear else None


def near_option(said: Sequence[str], field: AllowedField, vocabulary: Vocabulary) -> tuple[str, float] | None:
    """Return the option most similar to misspelled words, and the similarity (0 to 1); `None` if none is near."""
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


def yes_no_options(field: AllowedField, vocabulary: Vocabulary) -> Mapping[bool, str]:
    """Return the options of a field that mean yes (key true) and no (key false); empty if it has no such pair."""
    return answer_options(field.field.options, vocabulary.code)


def yes_no_values(field: AllowedField, vocabulary: Vocabulary) -> Mapping[bool, Any]:
    """Return the values of a field for yes (key true) and no (key false); empty if it is not a yes-or-no field."""
    if field.field.type == "boolean" and not field.field.options:
        return {True: True, False: False}
    return yes_no_options(field, vocabulary) if field.field.options else {}
