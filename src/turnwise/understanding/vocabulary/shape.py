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
    """The words by which a language introduces the name of a person."""

    frames: Phrases
    """Phrases before a name: *my name is*."""
    asked_frames: Phrases
    """Phrases before a name, if a name is asked for: *it's*."""
    free_frames: Phrases = {}
    """Phrases before a name, if a free text is asked for."""
    self_frames: Phrases
    """Phrases before a name or another statement about the user: *I'm*."""
    also_names: frozenset[str] = frozenset()
    """Common words that are names too: *will*."""
    adjective_endings: tuple[str, ...]
    """Endings of adjectives, which are no names behind *I'm*."""
    noun_endings: tuple[str, ...]
    """Endings of words for people that are no names: *Austrian*."""
    particles: frozenset[str] = _PARTICLES
    """Particles of surnames: *van*."""
    particle_joints: frozenset[str]
    """Words that join two surnames: *y*."""
    softeners: frozenset[str]
    """Words that may stand before a name: *just*."""
    spelling: frozenset[str]
    """Words behind which a name is spelled out letter by letter."""
    titles: frozenset[str]
    """Titles before a name: *Dr*."""
    signed: Phrases
    """Phrases behind a name at the start of a message: *Grace here*."""
    no_names: frozenset[str]
    """Words that are never a name, even with a capital."""
    capital_pronouns: frozenset[str]
    """Pronouns that are always written with a capital, and so end a name."""
    abbreviations: frozenset[str]
    """Abbreviations, whose period ends no sentence."""
    not_names: frozenset[str]
    """Words that are no name behind *I'm*: *tired*."""
    possessors: frozenset[str]
    """Possessives by which a name is the name of another person: *his*."""
    name_words: frozenset[str]
    """Words that mean a name: *surname*."""
    own: frozenset[str]
    """Words beside *name* that mean the user: *my*, *customer*."""
    other_owners: frozenset[str]
    """Words for other things that have a name: *company*, *dog*."""
    copulas: Phrases
    """Phrases between a word such as *surname* and the name: *is*."""
    towards: frozenset[str]
    """Words before the new name in a request to change it: *to*."""


class Concept(Struct, frozen=True):
    """A common topic of fields, with the words that mark such a field and those that users say for it."""

    marks: frozenset[str]
    """Words in the name or question of a field that assign it to this topic."""
    said: frozenset[str]
    """Words that users say for the topic."""
    frames: Phrases = {}
    """Phrases before or around a value of the topic: *I am* (an age)."""


class Vocabulary(Struct, frozen=True):
    """All word tables of one language."""

    code: str
    """The code of the language, such as `en`."""
    speech: Speech
    """Yes, no, doubt, fillers and other function words."""
    requests: Requests
    """The phrases that request commands."""
    navigation: Navigation
    """The words that move through a conversation."""
    naming: Naming
    """The words that introduce names of persons."""
    numbers: NumberWords
    """The words of numbers."""
    calendar: CalendarWords
    """The words of days and dates."""
    clock: ClockWords
    """The words of times of day."""
    durations: DurationWords
    """The words of lengths of time."""
    concepts: tuple[Concept, ...]
    """Common topics of fields, such as an age or a city."""
    type_words: Mapping[str, frozenset[str]]
    """Words that users say for a type of field, keyed by the type: *date*."""
    synonyms: tuple[tuple[str, ...], ...]
    """Groups of words of which each may stand for the same option."""
    endings: tuple[str, ...]
    """Endings that are ignored when words are compared."""
    inflections: tuple[str, ...]
    """Endings of a plural or a grammatical case, which options may have."""
    currencies: frozenset[str]
    """Words and signs of currencies."""
    other_numbers: frozenset[str]
    """Words before numbers that count nothing: *invoice*, *pin*."""
    contact_words: frozenset[str]
    """Words that say how the user can be reached, beside an address or number: *call*, *mail*."""
    number_endings: tuple[str, ...]
    """Endings of number words in a grammatical case."""
    money: frozenset[str]
    """Words that make a number an amount of money."""
    paying: frozenset[str]
    """Verbs of paying."""
