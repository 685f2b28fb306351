"""Which subjects of a flow the words of a question name: by name, title, option, question or description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from turnwise.core.machine import PERSON_TIMEOUT, Machine
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import FormField
from turnwise.understanding.tokens import closest
from turnwise.understanding.vocabulary import CODES, shipped
from turnwise.why.answer import Subject
from turnwise.why.names import by_name, by_other_name, subjects, words_in
from turnwise.why.reading.compounds import GERMAN, parts_of
from turnwise.why.reading.cues import ALONE, CUE_WORDS, OF_QUESTIONS
from turnwise.why.reading.words import (
    ASKING,
    AUXILIARIES,
    BEFORE_NAMES,
    LITTLE,
    MENTIONING,
    NEGATIONS,
    NOISE,
    OWNERS,
    PRONOUNS,
    SAVING,
    TRANSLATED,
)


class Named(NamedTuple):
    """What the words of a sentence name: the subjects that are named best, how well from 0 on, by which words; and the
    subjects that are named only by a word of questions, such as `end`.
    """

    best: tuple[Subject, ...] = ()
    weight: float = 0.0
    by: frozenset[str] = frozenset()
    doubtful: tuple[Subject, ...] = ()

    @property
    def is_marked(self) -> bool:
        """Whether they are named after their kind, in quotes, or as they are spelled."""
        return self.weight == MARKED


MARKED = 9.0
"""More than any words of a sentence weigh."""


class Titles:
    """The names of everything in a flow, and the words by which a question may name it."""

    def __init__(self, machine: Machine) -> None:
        self.subjects = subjects(machine)
        self._by_name = by_name(machine)
        self._by_other_name = by_other_name(machine)
        self._titles = _titles(machine, self.subjects)
        self._by_word: dict[str, list[int]] = {}
        """The places of the subjects of which a title has a word."""
        self._by_begin: dict[str, list[str]] = {}
        """The words of titles by their first letters."""
        for at, titles in enumerate(self._titles):
            for word in dict.fromkeys(word for title in titles for word in title.words):
                self._by_word.setdefault(word, []).append(at)
        self._by_letter: dict[str, dict[str, str]] = {}
        """The longer words of titles by their first letter."""
        for word in self._by_word:
            self._by_begin.setdefault(word[:LEAST_BEGIN], []).append(word)
            if len(word) >= _LEAST_SLIP:
                self._by_letter.setdefault(word[0], {})[word] = word

    @property
    def names(self) -> Mapping[str, list[Subject]]:
        """Every subject by its folded name."""
        return self._by_name

    def named(self, name: str) -> tuple[Subject, ...]:
        """Return every subject of a name."""
        return (*self._by_name.get(name.casefold(), ()), *self._by_other_name.get(name, ()))

    def weighed(self, said: tuple[str, ...]) -> Named:
        """Return what the words of a sentence name best."""
        is_asked = not ASKING.isdisjoint(said)
        is_what = said[:1] in (("what",), ("was",))
        pairs = [(before, word) for before, word in pairwise(("", *said)) if not is_what or before not in AUXILIARIES]
        as_name = {word for before, word in pairs if _stands_as_name(word, before)}
        by_title = self._said_for(said)
        found: dict[int, tuple[float, frozenset[str]]] = {}
        doubtful: list[Subject] = []
        for at in sorted({at for word in by_title for at in self._by_word[word]}):
            subject = self.subjects[at]
            weighed = [_weight(title, by_title) for title in self._titles[at]]
            weight, by = max(weighed, key=_first)
            is_field = subject.kind == "field" and ASKING.isdisjoint(words_in(subject.name))
            is_named = (is_asked and is_field) or (subject.kind == "tool" and not SAVING.isdisjoint(by))
            if weight and (is_named or by - CUE_WORDS or by & as_name):
                found[at] = weight, by.union(*(by for _, by in weighed))
            elif weight >= _NOISY:
                doubtful.append(subject)
        most = max((weight for weight, _ in found.values()), default=0.0)
        best = {at: by for at, (weight, by) in found.items() if weight == most}
        named = tuple([self.subjects[at] for at in best])
        return Named(named, most, frozenset[str]().union(*best.values()), tuple(doubtful))

    def mentioned(self, said: Iterable[str]) -> list[str]:
        """Return the names of the subjects of which titles or texts have the most of some words, at most three."""
        counts = Counter(
            at for word in said for at in {at for one in self._said_for((word,)) for at in self._by_word[one]}
        )
        most = max(counts.values(), default=0)
        return list(dict.fromkeys(self.subjects[at].name for at in sorted(counts) if counts[at] == most))[
            :_MOST_MENTIONED
        ]

    def _said_for(self, said: tuple[str, ...]) -> dict[str, str]:
        """Return the words of titles that a question has, or has a form of, a word for, or a slip of, each with its
        word for it.
        """
        found: dict[str, str] = {}
        for word in dict.fromkeys(one for one in said if one not in LITTLE):
            alike = [one for one in self._by_begin.get(word[:LEAST_BEGIN], ()) if is_alike(word, one)]
            known = [one for one in (word, *alike, *_meanings().get(word, ())) if one in self._by_word]
            for one in known or self._compound(word, said) or self._slip(word):
                found.setdefault(one, word)
        return found

    def _compound(self, word: str, said: tuple[str, ...]) -> list[str]:
        """Return the words of titles that are parts of a German compound, in a question that has German words."""
        if word in _KNOWN or GERMAN.isdisjoint(said):
            return []
        meanings = _meanings()
        parts = parts_of(word, {*self._by_word, *meanings})
        return [one for part in parts for one in (part, *meanings.get(part, ())) if one in self._by_word]

    def _slip(self, word: str) -> list[str]:
        """Return the word of titles that a word is a slip of, or in the other language a letter or two away from."""
        if len(word) < _LEAST_SLIP or word in _KNOWN:
            return []
        found = closest(word, self._by_letter.get(word[0], {}))
        return [found[0]] if found is not None else []


def _first(weighed: tuple[float, frozenset[str]]) -> float:
    return weighed[0]


_MOST_MENTIONED = 3
_KEPT: dict[str, Titles] = {}
"""The titles of the flows that were asked about last, by the fingerprint of each."""
_MOST_KEPT = 8


def titles_of(machine: Machine) -> Titles:
    """Return the titles of a machine."""
    found = _KEPT.get(machine.fingerprint)
    if found is None:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        found = _KEPT[machine.fingerprint] = Titles(machine)
    return found


_PLACE = late_pattern(r"\b(?:in|at|im|in de[rm]) (?:(?:the|node) )*((?:[\w.-]+ ?){1,3})")


def node_in(machine: Machine, clause: str) -> str:
    """Return the node that a clause names as a place, `in research`, `in planning mode`; empty if it names none."""
    places = (found.split() for found in _PLACE.findall(clause))
    names = ("_".join(words[:count]) for words in places for count in range(len(words), 0, -1))
    return next((name for name in names if name in machine.nodes), "")


def _stands_as_name(word: str, before: str) -> bool:
    """Return whether a word of questions is a name where it stands: `was end taken`, `my summary`, but not `my end`."""
    if word in PRONOUNS:
        return False
    return before in BEFORE_NAMES or (before in OWNERS and word not in ALONE)


class _Title(NamedTuple):
    """Words by which a subject may be named, and how much they weigh; `least` is how many of them must be there. An
    option is not named by the first letters of a word of it.
    """

    words: frozenset[str]
    factor: float
    least: float
    is_option: bool = False


def _weight(title: _Title, by_title: Mapping[str, str]) -> tuple[float, frozenset[str]]:
    """Return how well a title is contained in a question, and by which of its words."""
    if title.words.isdisjoint(by_title):
        return 0.0, frozenset()
    by = {word: by_title[word] for word in title.words if word in by_title}
    if title.is_option and any(_is_part(by[word], word) for word in by):
        return 0.0, frozenset()
    found = sum(1.0 if one == word else _ALIKE for word, one in by.items())
    if found < title.least * _ALIKE:
        return 0.0, frozenset()
    weight = found * found / len(title.words) * title.factor
    if NOISE.issuperset(by):
        weight *= _NOISY if len(by) == len(title.words) else 0.0
    return weight, frozenset(by.values())


@lru_cache(maxsize=4096)
def is_alike(one: str, other: str) -> bool:
    """Return whether two words are forms of one: `agree` and `agreement`, `urgent` and `urgency`."""
    if one[:LEAST_BEGIN] != other[:LEAST_BEGIN]:
        return False
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    ending = max(len(one), len(other)) - same
    is_begin = ending <= _LONGEST_ENDING and (_is_whole(one, same) or _is_whole(other, same))
    return is_begin or (same > LEAST_BEGIN and ending < _LONGEST_ENDING)


def _is_part(one: str, other: str) -> bool:
    """Return whether a word only begins another one, and is no form of it: `part` of `partial`, but not `bill`."""
    return other.startswith(one) and other[len(one) :] not in _ENDINGS


_ENDINGS = ("", "s", "es", "e", "n", "en", "d", "ed", "ing", "er")


def _is_whole(word: str, same: int) -> bool:
    """Return whether the first letters of a word are the word, but for the ending of `agreed` or `terms`."""
    return same == len(word) or (same == len(word) - 1 and word[-1] in "ds")


@cache
def _meanings() -> Mapping[str, frozenset[str]]:
    """Return for each word that names of flows often have all words for the same, in every language: `age`, `alter`."""
    found: dict[str, frozenset[str]] = {}
    for code in CODES:
        for concept in shipped(code).concepts:
            words = frozenset([word.casefold() for word in concept.marks]) - LITTLE
            found |= {word: found.get(word, frozenset()) | words for word in words}
    for words in TRANSLATED:
        found |= {word: found.get(word, frozenset()) | words for word in words}
    return found


_ALIKE = 0.9
"""How much another form of a word weighs."""
_NOISY = 0.95
"""How much a title weighs that is a word of any question."""
LEAST_BEGIN, _LONGEST_ENDING = 4, 4
"""How many first letters two forms of one word share at least, and how long the ending of one is at most."""
_LEAST_SLIP = 5
"""How long a word is that may be a slip."""
_KNOWN = OF_QUESTIONS | NEGATIONS | MENTIONING
"""Words that are no slips of others."""
_OPTION, _QUESTION, _DESCRIPTION = 0.5, 0.4, 0.25
"""How much the words of an option, of a question, or of a description weigh against those of a name."""
_VERBS = {"read": ("read",), "write": ("write", "wrote", "written")}
"""The verbs of the tools for records: each names its tool where there is one only."""
_OF_ABOUT = 0.6
"""How much of what a tool does a question must say, so that it names the tool."""
_MENTION = 2.0
"""More than all words of a text: it names nothing, and a question that names nothing may mention its words."""
_FIRST = late_pattern(r"[^,;:(]*")


def _titles(machine: Machine, named: Iterable[Subject]) -> list[tuple[_Title, ...]]:
    """Return the titles of each subject."""
    forms = _form_fields(machine)
    nodes = machine.nodes.values()
    because = {one.id: one.because for node in nodes for one in node.candidates}
    tools = {tool for node in nodes for tool in (*node.toolbox.reads, *node.toolbox.writes)}
    verbs = Counter(tool.partition("_")[0] for tool in tools)
    return [
        tuple([one for one in _titles_of(machine, subject, forms, because, verbs) if one.words]) for subject in named
    ]


def _titles_of(
    machine: Machine,
    subject: Subject,
    forms: Mapping[str, list[FormField]],
    because: Mapping[str, str],
    verbs: Mapping[str, int],
) -> Iterator[_Title]:
    """Yield the words by which a subject may be named. `verbs` are those of the tools for records, with how many tools
    each has.
    """
    name, kind = subject.name, subject.kind
    if kind in ("limit", "form") or name == PERSON_TIMEOUT:
        return
    if kind == "tool" and name not in machine.tools:
        yield _title(name, part=1.0)
        verb = name.partition("_")[0]
        yield from (_title(form, _OPTION) for form in _VERBS.get(verb, ()) if verbs.get(verb) == 1)
        return
    yield _title(name.partition(".")[2] if kind == "field" else name)
    if kind == "tool":
        yield _title(machine.tools[name].tool.about, _DESCRIPTION, part=_OF_ABOUT)
    if kind == "transition":
        yield _title(because.get(name, ""), part=_MENTION)
    if kind == "node":
        yield _title(machine.nodes[name].node.description, _DESCRIPTION)
    if kind == "field":
        field = machine.fields[name]
        first = _FIRST.match(field.about)
        yield _title(field.about)
        yield _title(first[0] if first is not None else "")
        yield from (_title(one.ask, _QUESTION) for one in forms.get(name, ()))
        yield from (_title(one.help, part=_MENTION) for one in forms.get(name, ()))
        yield from (
            _title(word, _OPTION, 1.0, is_option=True)
            for option in field.options
            for word in (option.value, *option.words)
        )


def _title(text: str, factor: float = 1.0, part: float = 0.5, *, is_option: bool = False) -> _Title:
    """Return the words of a title of which a part must be in a question."""
    words = frozenset(words_in(text)) - LITTLE
    return _Title(words, factor, len(words) * part, is_option)


def _form_fields(machine: Machine) -> dict[str, list[FormField]]:
    """Return how forms ask for each field."""
    found: dict[str, list[FormField]] = {}
    for node in machine.nodes.values():
        for one in node.form.form.fields if node.form is not None else ():
            found.setdefault(one.field, []).append(one)
    return found
