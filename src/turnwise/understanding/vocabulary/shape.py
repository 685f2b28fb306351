"""The shape of a language's vocabulary: which tables the offline understander reads.

Its parts are in `value_shape`, `speech_shape` and `item_shape`, and here: names, topics of fields, and the whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from turnwise.understanding.vocabulary.speech_shape import Navigation, Requests, Speech
from turnwise.understanding.vocabulary.tables import (
    Phrases,
    words,
)
from turnwise.understanding.vocabulary.value_shape import CalendarWords, ClockWords, DurationWords, NumberWords

_PARTICLES = words("""
    van von vom de der den da di del della dell dello degli la le lo los las les du des do dos das e y al el ul bin ibn
    bint ben abu ter ten tot ten op zu zum zur af av of the st mac mc ap ní nic 't 'n
""")
"""Small words inside of names, in whatever language: a person's name does not change with the one that they speak."""


class Naming(Struct, frozen=True, kw_only=True):
    """Phrases that introduce a name, and words that are no name after "I am"."""

    frames: Phrases
    """Before a name: *my name is*."""
    asked_frames: Phrases
    """Before a name, where a name is asked for: *it's*."""
    free_frames: Phrases = {}
    """Before a name, where a free text is asked for."""
    self_frames: Phrases
    """Before a name or something else about the user: *I'm*."""
    also_names: frozenset[str] = frozenset()
    """Common words that are names too: *will*."""
    adjective_endings: tuple[str, ...]
    """Endings by which a word behind *I'm* is no name."""
    noun_endings: tuple[str, ...]
    """Endings of words for people that are no names: *Austrian*."""
    particles: frozenset[str] = _PARTICLES
    """Particles of surnames: *van*."""
    particle_joints: frozenset[str]
    """What joins two surnames: *y*."""
    softeners: frozenset[str]
    """Words that may stand before a name: *just*."""
    spelling: frozenset[str]
    """Words behind which a name is spelled."""
    titles: frozenset[str]
    """Titles before a name: *Dr*."""
    signed: Phrases
    """Behind a name that comes first: *Grace here*."""
    no_names: frozenset[str]
    """Words that say that there is no name, whatever their capitals."""
    capital_pronouns: frozenset[str]
    """Pronouns that are written with a capital everywhere, and end a name."""
    abbreviations: frozenset[str]
    """Words whose point ends no sentence."""
    not_names: frozenset[str]
    """Words that are no name behind *I'm*: *tired*."""
    possessors: frozenset[str]
    """Words that make a name that of another person: *his*."""
    name_words: frozenset[str]
    """Words for a name: *surname*."""
    own: frozenset[str]
    """Words beside these that mean the user: *my*, *customer*."""
    other_owners: frozenset[str]
    """Words for what else has a name: *company*, *dog*."""
    copulas: Phrases
    """Between such a word and the name: *is*."""
    towards: frozenset[str]
    """Before the new name in a change: *to*."""


class Concept(Struct, frozen=True):
    """A common topic of fields: the words that mark such a field, and the words of users for it."""

    marks: frozenset[str]
    """Words in the name or question of a field that make it one of this topic."""
    said: frozenset[str]
    """Words of users for it."""
    frames: Phrases = {}
    """Phrases before or around a value of it: *I am* (an age)."""


class Vocabulary(Struct, frozen=True):
    """All tables of a language."""

    code: str
    """The code of the language."""
    speech: Speech
    requests: Requests
    navigation: Navigation
    naming: Naming
    numbers: NumberWords
    calendar: CalendarWords
    clock: ClockWords
    durations: DurationWords
    concepts: tuple[Concept, ...]
    """The topics of fields."""
    type_words: Mapping[str, frozenset[str]]
    """Words for a type of fields: *date*."""
    synonyms: tuple[tuple[str, ...], ...]
    """Groups of words that mean the same option."""
    endings: tuple[str, ...]
    """Endings that are ignored when words are compared."""
    inflections: tuple[str, ...]
    """Endings of a plural or a case, which options may have."""
    currencies: frozenset[str]
    """Words and signs of currencies."""
    other_numbers: frozenset[str]
    """Words for numbers that count nothing: *invoice*, *pin*."""
    reaching: frozenset[str]
    """Words around an address of the user: *call*, *mail*."""
    number_endings: tuple[str, ...]
    """Endings of number words in a case."""
    money: frozenset[str]
    """Words that make a number an amount of money."""
    paying: frozenset[str]
    """Verbs of paying."""
