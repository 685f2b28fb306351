"""What people call the exposed fields: words from names and questions, and what fields are about.

Labels name fields; whether a field can take a value is decided in `fitting`.
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
        return single if single or not found else found[0].intersection(*found[1:])

    def only_named(self, said: Iterable[str]) -> str | None:
        """The one field that words name, if they name one."""
        named = self.named(said)
        return next(iter(named)) if len(named) == 1 else None


def labels_of(exposed: Exposed, vocabulary: Vocabulary) -> Labels:
    """The labels of all exposed fields."""
    concepts = {field.address: _concepts_of(field, vocabulary) for field in exposed.fields}
    stems = {field.address: _stems(field, concepts[field.address], vocabulary) for field in exposed.fields}
    fields: dict[str, set[str]] = {}
    for address, some in stems.items():
        for one in some:
            fields.setdefault(one, set()).add(address)
    return Labels(
        fields={one: frozenset(some) for one, some in fields.items()},
        stems=stems,
        titles={field.address: _wordings(field, vocabulary) for field in exposed.fields},
        frames={address: tuple(one.frames for one in some if one.frames) for address, some in concepts.items()},
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


def is_agreement(field: ExposedField, vocabulary: Vocabulary) -> bool:
    """True if a boolean field asks for consent."""
    return field.field.type == "boolean" and not vocabulary.speech.agreement_marks.isdisjoint(_shown(field))


def is_person_name(field: ExposedField, vocabulary: Vocabulary) -> bool:
    """True if a free text is what a person is called, rather than a company, a pet or a file."""
    naming, name, title = vocabulary.naming, name_words(field), words_of(field.title)
    if not field.is_free_text or naming.name_words.isdisjoint(_shown(field)):
        return False
    record = field.address.rpartition(".")[0].replace(".", " ").replace("_", " ")
    is_possessed = any(word.endswith("'s") and word not in vocabulary.speech.openers for word in title)
    if is_possessed or not naming.other_owners.isdisjoint((*name, *title, *words_of(record))):
        return False
    return not (naming.name_words.isdisjoint(name) and naming.own.isdisjoint(title))


def _shown(field: ExposedField) -> set[str]:
    return {*name_words(field), *words_of(field.title), *words_of(field.field.about)}


def _short_about(field: ExposedField) -> tuple[str, ...]:
    about = words_of(field.field.about)
    return about if len(about) <= _SHORT_ABOUT else ()


def _wordings(field: ExposedField, vocabulary: Vocabulary) -> tuple[frozenset[str], ...]:
    """The meaningful words of a field's question, and those of a short `about`: two ways to say what it asks."""
    kept = frozenset(title_words(field, vocabulary))
    return tuple(kept.intersection(said) for said in (words_of(field.title), _short_about(field)) if said)


def _concepts_of(field: ExposedField, vocabulary: Vocabulary) -> tuple[Concept, ...]:
    """What a field is about, by the words and the signs that it shows."""
    shown = _shown(field) | {field.address.rpartition(".")[2]} | {sign for sign in "€$£%" if sign in field.title}
    return tuple(concept for concept in vocabulary.concepts if not concept.marks.isdisjoint(shown))


def _stems(field: ExposedField, concepts: tuple[Concept, ...], vocabulary: Vocabulary) -> frozenset[str]:
    said = {w for w in name_words(field) if w not in vocabulary.speech.openers and len(w) > 1}
    said.update(title_words(field, vocabulary), vocabulary.type_words.get(field.field.type, ()))
    said.update(*(concept.said for concept in concepts))
    # A number that counts money without a currency may be said with any.
    shown = _shown(field) | {sign for sign in "€$£" if sign in field.title}
    is_number = field.field.type in ("integer", "number") and not field.field.options
    if is_number and vocabulary.currencies.isdisjoint(shown) and not vocabulary.money.isdisjoint(shown):
        said.update(vocabulary.currencies, vocabulary.paying)
    return frozenset(stem(word, vocabulary.endings) for word in said if word not in vocabulary.speech.negators)
