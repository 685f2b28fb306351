"""The shape of a language's vocabulary: which tables the offline understander reads.

It holds data and looks phrases up; it knows no language and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from msgspec import Struct

from turnwise.core.state.commands import CommandName
from turnwise.understanding.tokens import folded, is_plain, words_of

Value = TypeVar("Value")
PartOfDay = Literal["morning", "afternoon", "evening", "night"]
RequestKind = CommandName | Literal["leave"]
"""What a phrase asks for: a command, or to leave the choice of answers."""
Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases as folded words, by their first word, longest first."""
LONGEST_PHRASE = 5
"""A phrase that stands for a value has at most so many words."""


def words(text: str) -> frozenset[str]:
    """A set of folded words, written as one text."""
    return frozenset(folded(text).split())


def phrases(lines: str | Iterable[str]) -> Phrases:
    """Phrases, written one per line (or `|`-separated), ready to be found by their first word. They are folded
    together, for a process that starts reads a thousand.
    """
    text = folded(lines if isinstance(lines, str) else "\n".join(lines))
    found: dict[str, set[tuple[str, ...]]] = {}
    for line in text.replace("|", "\n").split("\n"):
        phrase = tuple(line.split()) if is_plain(line) else words_of(line)
        if phrase:
            found.setdefault(phrase[0], set()).add(phrase)
    return {first: tuple(sorted(some, key=lambda p: (-len(p), p))) for first, some in found.items()}


def by_word(table: Mapping[str, Value]) -> dict[str, Value]:
    """A table by folded word; several words for one value are separated by spaces."""
    return {folded(word): value for line, value in table.items() for word in line.split()}


def by_phrase(table: Mapping[str, Value]) -> dict[tuple[str, ...], Value]:
    """A table by folded phrase; several phrases for one value are separated by `|`."""
    return {words_of(phrase): value for line, value in table.items() for phrase in line.split("|")}


def counted(forms: str, first: int = 1, step: int = 1) -> dict[str, int]:
    """Map folded words to consecutive numbers from the first; other forms of a number follow a `/`."""
    lines = enumerate(forms.split())
    return {folded(word): first + step * at for at, line in lines for word in line.split("/")}


def endings(text: str) -> tuple[str, ...]:
    """Endings of folded words, written as one text."""
    return tuple(folded(one) for one in text.split())


def value_at(table: Mapping[tuple[str, ...], Value], said: tuple[str, ...], at: int) -> tuple[Value, int] | None:
    """The value of the longest phrase of a table that begins at a place, and the place after it."""
    for stop in range(at + LONGEST_PHRASE, at, -1):
        value = table.get(said[at:stop])
        if value is not None:
            return value, stop
    return None


def length_at(table: Phrases, said: Sequence[str], at: int) -> int:
    """Return the number of words in the longest phrase of a table at a position; 0 if there is none."""
    for phrase in table.get(said[at], ()):
        if tuple(said[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def is_one_of(table: Phrases, said: Sequence[str]) -> bool:
    """True if the words as a whole are one phrase of a table."""
    return bool(said) and tuple(said) in table.get(said[0], ())


class NumberWords(Struct, frozen=True, kw_only=True):
    """Number words: values of single words, multipliers, and what joins them."""

    ones: Mapping[str, int]
    tens: Mapping[str, int]
    scales: Mapping[str, int]
    articles: frozenset[str]
    joints: frozenset[str]
    fractions: Mapping[tuple[str, ...], float]
    mixed: Mapping[str, float] = {}
    fixed: Mapping[tuple[str, ...], int]
    minus: frozenset[str]
    points: frozenset[str]
    ordinals: Mapping[str, int]
    ordinal_suffixes: frozenset[str]
    led_by: frozenset[str] = frozenset()
    lasts: frozenset[str]
    out_of: Phrases
    place_words: frozenset[str]
    pronouns: frozenset[str] = frozenset()
    lone: frozenset[str] = frozenset()
    zeros: frozenset[str]
    before_pronouns: frozenset[str]
    thousands_mark: str
    units_first: bool


class CalendarWords(Struct, frozen=True, kw_only=True):
    """Days, weeks and months, and the words that move them."""

    relative: Mapping[tuple[str, ...], int]
    weekdays: Mapping[str, int]
    short_weekdays: Mapping[str, int]
    months: Mapping[str, int]
    upcoming: frozenset[str]
    following: frozenset[str]
    overnext: frozenset[str] = frozenset()
    after_next: Phrases = {}
    past: frozenset[str]
    coming_weeks: Mapping[tuple[str, ...], int]
    added: Mapping[tuple[str, ...], int] = {}
    counted_from: frozenset[str] = frozenset()
    lasting: frozenset[str]
    span_leads: frozenset[str]
    between: frozenset[str]
    until: frozenset[str]
    either: frozenset[str]
    neither: frozenset[str]
    now: Phrases
    order_hints: tuple[Phrases, ...]
    within: frozenset[str]
    ago_before: frozenset[str] = frozenset()
    ago_after: frozenset[str] = frozenset()
    from_base: Phrases
    days: Mapping[str, int]
    month_units: Mapping[str, int]
    on: frozenset[str]
    of: frozenset[str] = frozenset()
    holidays: Mapping[tuple[str, ...], tuple[int, int]]
    past_hints: frozenset[str]
    birth_hints: frozenset[str]
    not_before: frozenset[str] = frozenset()
    parts: Mapping[str, PartOfDay]

    def names_day(self, word: str) -> bool:
        """True for a weekday, and for the last word of a day that is counted from today."""
        return word in self.weekdays or any(phrase[-1] == word for phrase in self.relative)


class ClockWords(Struct, frozen=True, kw_only=True):
    """Times of day: words for hours, fractions, and the parts of a day."""

    hour: frozenset[str]
    past: frozenset[str]
    to: frozenset[str]
    half_next: frozenset[str] = frozenset()
    half_past: Phrases = {}
    quarter: Phrases
    three_quarters: frozenset[str] = frozenset()
    minutes: frozenset[str]
    fixed: Mapping[str, str]
    day_parts: frozenset[str] = frozenset()
    parts: Mapping[tuple[str, ...], PartOfDay]
    at: frozenset[str]
    around: frozenset[str] = frozenset()
    only_behind: frozenset[str] = frozenset()


class DurationWords(Struct, frozen=True):
    """Lengths of time: seconds per unit, whole phrases, and ways to say a half."""

    units: Mapping[str, int]
    whole: Mapping[tuple[str, ...], int]
    joints: frozenset[str]


_PARTICLES = words("""
    van von vom de der den da di del della dell dello degli la le lo los las les du des do dos das e y al el ul bin ibn
    bint ben abu ter ten tot ten op zu zum zur af av of the st mac mc ap ní nic 't 'n
""")
"""Small words inside of names, in whatever language: a person's name does not change with the one that they speak."""


class Naming(Struct, frozen=True, kw_only=True):
    """Phrases that introduce a name, and words that are no name after "I am".

    `signed` stand behind a name that comes first (`Grace here`), `no_names` say that there is none, whatever their
    capitals; `capital_pronouns` are written with one everywhere, and end a name.
    """

    frames: Phrases
    asked_frames: Phrases
    free_frames: Phrases = {}
    self_frames: Phrases
    also_names: frozenset[str] = frozenset()
    adjective_endings: tuple[str, ...]
    noun_endings: tuple[str, ...]
    particles: frozenset[str] = _PARTICLES
    particle_joints: frozenset[str]
    softeners: frozenset[str]
    spelling: frozenset[str]
    titles: frozenset[str]
    signed: Phrases
    no_names: frozenset[str]
    capital_pronouns: frozenset[str]
    abbreviations: frozenset[str]
    not_names: frozenset[str]
    possessors: frozenset[str]
    name_words: frozenset[str]
    own: frozenset[str]
    other_owners: frozenset[str]
    copulas: Phrases
    towards: frozenset[str]


class Concept(Struct, frozen=True):
    """A common topic of fields: the words that mark such a field, and the words of users for it."""

    marks: frozenset[str]
    said: frozenset[str]
    frames: Phrases = {}


class Speech(Struct, frozen=True, kw_only=True):
    """Yes, no, doubt, fillers and other function words of a conversation."""

    filler: frozenset[str]
    leads: frozenset[str]
    fill_phrases: Phrases
    hedges: frozenset[str]
    small_adverbs: frozenset[str]
    yes: Phrases
    no: Phrases
    doubt: Phrases
    idle: Phrases
    negators: frozenset[str]
    common: frozenset[str]
    refusals: frozenset[str]
    answers: frozenset[str]
    starters: frozenset[str]
    subjects: frozenset[str]
    tags: frozenset[str]
    joints: frozenset[str]
    away: frozenset[str]
    instead: frozenset[str] = frozenset()
    away_led: frozenset[str]
    reservations: frozenset[str]
    exclusions: Phrases
    exclusives: frozenset[str]
    conditions: Phrases
    denials: frozenset[str]
    disagreement: frozenset[str]
    additions: frozenset[str]
    modals: frozenset[str]
    copulas: frozenset[str]
    contrasts: frozenset[str]
    alternatives: frozenset[str]
    universals: frozenset[str]
    final_fillers: frozenset[str] = frozenset()
    weak_cues: Phrases
    strong_cues: Phrases
    interjections: frozenset[str]
    remarks: frozenset[str]
    openers: frozenset[str]
    inverted: Phrases
    requests: Phrases
    wishes: Phrases
    trailing: frozenset[str]
    others: frozenset[str]
    pronouns: frozenset[str] = frozenset()
    addressing: frozenset[str]
    agreement_marks: frozenset[str]
    anyone: frozenset[str]
    nobody: Phrases
    impersonal: frozenset[str]
    trouble: frozenset[str]
    contacting: frozenset[str]
    ailments: frozenset[str]
    rates: frozenset[str]
    possessives: frozenset[str]
    attributes: frozenset[str]
    past: frozenset[str]
    minding: frozenset[str]
    not_minding: Phrases
    agreement: frozenset[str]
    agreement_objects: frozenset[str]


class Requests(Struct, frozen=True):
    """Phrases that request the commands of a conversation. Those of a shipped vocabulary stand beside the language's,
    in `core/language/`, which they do not repeat.
    """

    commands: Mapping[RequestKind, Phrases]
    dismissals: Phrases
    keywords: tuple[tuple[CommandName, frozenset[str], frozenset[str]], ...]
    edit_verbs: frozenset[str]
    wrong: frozenset[str]
    right: frozenset[str]
    exceptions: Phrases
    into: frozenset[str]
    clear_verbs: frozenset[str]
    add_verbs: frozenset[str]
    remove_verbs: frozenset[str]
    explain: Phrases
    target_links: frozenset[str]
    list_carriers: Phrases


class Move(Struct, frozen=True):
    """What a whole message asks for that has a word of each group in `needs`, and beside them only words of `may` and
    small words.
    """

    kind: CommandName
    needs: tuple[frozenset[str], ...]
    may: frozenset[str] = frozenset()


class Navigation(Struct, frozen=True):
    """Words that move through a conversation and say nothing about its subject.

    `told` are those of an answer given, `indifferent` those that are an answer where one of several is asked for;
    `hesitations` say nothing, however long they are drawn out; `choosing` take a value, `about` lead to a
    subject.
    """

    small: frozenset[str]
    told: frozenset[str]
    indifferent: frozenset[str]
    hesitations: frozenset[str]
    choosing: frozenset[str]
    about: frozenset[str]
    moves: tuple[Move, ...]


class Vocabulary(Struct, frozen=True):
    """All tables of a language."""

    code: str
    speech: Speech
    requests: Requests
    navigation: Navigation
    naming: Naming
    numbers: NumberWords
    calendar: CalendarWords
    clock: ClockWords
    durations: DurationWords
    concepts: tuple[Concept, ...]
    type_words: Mapping[str, frozenset[str]]
    synonyms: tuple[tuple[str, ...], ...]
    endings: tuple[str, ...]
    inflections: tuple[str, ...]
    currencies: frozenset[str]
    other_numbers: frozenset[str]
    reaching: frozenset[str]
    number_endings: tuple[str, ...]
    money: frozenset[str]
    paying: frozenset[str]
