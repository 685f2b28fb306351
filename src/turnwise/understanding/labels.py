"""What people call the exposed fields: words from names and questions, and what fields are about.

It names fields; whether a field can take a value is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from turnwise.core.commands.exposure import Exposed, ExposedField
from turnwise.understanding.tokens import stem, words_of
from turnwise.understanding.vocabulary.shape import Concept, Phrases, Vocabulary

_SHORT_ABOUT = 3


class Labels(Struct, frozen=True):
    """What is known of the exposed fields' words.

    `fields` are addresses by the stems that name them, `stems` the stems by address, `titles` the words of
    questions that carry meaning (and, apart from them, those of a short `about`), `frames` ways of speaking
    that name a field; `persons` are what people are called, `agreements` ask for consent.
    """

    fields: Mapping[str, frozenset[str]]
    stems: Mapping[str, frozenset[str]]
    titles: Mapping[str, tuple[frozenset[str], ...]]
    frames: Mapping[str, tuple[Phrases, ...]]
    persons: frozenset[str]
    agreements: frozenset[str]
    endings: tuple[str, ...]

    def knows(self, word: str) -> bool:
        """True if a word names some field."""
        return stem(word, self.endings) in self.fields

    def named(self, said: Iterable[str]) -> frozenset[str]:
        """The fields that words name: by words of one field only, else by the words that several share."""
        found = [self.fields[s] for word in said if (s := stem(word, self.endings)) in self.fields]
        single = frozenset[str]().union(*(some for some in found if len(some) == 1))
        if single or not found:
            return single
        return found[0].intersection(*found[1:])


def labels_of(exposed: Exposed, vocabulary: Vocabulary) -> Labels:
    """The labels of all exposed fields."""
    stems = {field.address: _stems(field, vocabulary) for field in exposed.fields}
    fields: dict[str, set[str]] = {}
    for address, some in stems.items():
        for one in some:
            fields.setdefault(one, set()).add(address)
    frames = {
        field.address: tuple(concept.frames for concept in concepts_of(field, vocabulary) if concept.frames)
        for field in exposed.fields
    }
    return Labels(
        fields={one: frozenset(some) for one, some in fields.items()},
        stems=stems,
        titles={field.address: _wordings(field, vocabulary) for field in exposed.fields},
        frames=frames,
        persons=frozenset(field.address for field in exposed.fields if is_person_name(field, vocabulary)),
        agreements=frozenset(field.address for field in exposed.fields if is_agreement(field, vocabulary)),
        endings=vocabulary.endings,
    )


def name_words(field: ExposedField) -> tuple[str, ...]:
    """The words of a field's name: `what_is_it` is three."""
    return words_of(field.address.rpartition(".")[2].replace("_", " "))


def title_words(field: ExposedField, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The words of a field's question (or of a short `about`) that carry meaning."""
    speech = vocabulary.speech
    said = words_of(field.title) + _short_about(field)
    return tuple(w for w in said if w not in speech.filler and w not in speech.openers and not w.isdigit())


def _short_about(field: ExposedField) -> tuple[str, ...]:
    about = words_of(field.field.about)
    return about if len(about) <= _SHORT_ABOUT else ()


def _wordings(field: ExposedField, vocabulary: Vocabulary) -> tuple[frozenset[str], ...]:
    """The meaningful words of a field's question, and those of a short `about`: two ways to say what it asks."""
    kept = set(title_words(field, vocabulary))
    return tuple(frozenset(kept.intersection(said)) for said in (words_of(field.title), _short_about(field)) if said)


def concepts_of(field: ExposedField, vocabulary: Vocabulary) -> tuple[Concept, ...]:
    """What a field is about, by the words that it shows."""
    shown = {*name_words(field), *words_of(field.title), *words_of(field.field.about), field.address.rpartition(".")[2]}
    marks = {mark for mark in "€$£%" if mark in field.title}
    return tuple(concept for concept in vocabulary.concepts if (shown | marks) & concept.marks)


def _stems(field: ExposedField, vocabulary: Vocabulary) -> frozenset[str]:
    said = {w for w in name_words(field) if w not in vocabulary.speech.openers and len(w) > 1}
    said.update(title_words(field, vocabulary))
    for concept in concepts_of(field, vocabulary):
        said.update(concept.said)
    said.update(vocabulary.type_words.get(field.field.type, ()))
    if is_money(field, vocabulary):
        said.update(vocabulary.currencies, vocabulary.paying)
    return frozenset(stem(word, vocabulary.endings) for word in said if word not in vocabulary.speech.negators)


def is_money(field: ExposedField, vocabulary: Vocabulary) -> bool:
    """True for a number that counts money without a currency, so that it may be said with any."""
    shown = {*name_words(field), *words_of(field.title), *words_of(field.field.about)}
    shown.update(mark for mark in "€$£" if mark in field.title)
    is_number = field.field.type in ("integer", "number") and not field.field.options
    return is_number and bool(shown & vocabulary.money) and not shown & vocabulary.currencies


def is_person_name(field: ExposedField, vocabulary: Vocabulary) -> bool:
    """True if a free text is what a person is called, rather than a company, a pet or a file."""
    naming = vocabulary.naming
    if not field.is_free_text:
        return False
    record, _, own_name = field.address.rpartition(".")
    parts = words_of(own_name.replace("_", " "))
    title = words_of(field.title)
    if not naming.name_words & {*parts, *title, *words_of(field.field.about)}:
        return False
    shown = {*parts, *title, *words_of(record.replace(".", " ").replace("_", " "))}
    if naming.other_owners & shown or any(
        word.endswith("'s") and word not in vocabulary.speech.openers for word in title
    ):
        return False
    return bool(naming.name_words & set(parts)) or bool(naming.own & set(title))


def is_agreement(field: ExposedField, vocabulary: Vocabulary) -> bool:
    """True if a boolean field asks for consent."""
    shown = {*name_words(field), *words_of(field.title), *words_of(field.field.about)}
    return field.field.type == "boolean" and bool(shown & vocabulary.speech.agreement_marks)
