"""The subjects of a flow by the words of their names, titles, options and texts, which a question may share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import log
from typing import NamedTuple

from turnwise.core.machine import Machine
from turnwise.flow.addresses import field_of
from turnwise.why.answer import Subject
from turnwise.why.kind_words import IGNORED
from turnwise.why.names import is_used, subjects, words_in

NAME, TITLE, OPTION, TEXT = 1.0, 0.9, 0.7, 0.3
"""How much a word counts in a name, in a title or reason, in an option, and in a text that is said."""


class SubjectTexts(NamedTuple):
    """The words that may mean a subject."""

    subject: Subject
    """The subject that the words may mean."""
    words: Mapping[str, float]
    """Each word of the subject's name, title, options and texts, with the weight of the word."""
    name: frozenset[str]
    """The words of the subject's name."""


class SubjectIndex(NamedTuple):
    """An index of the subjects of a flow by their words."""

    texts: tuple[SubjectTexts, ...]
    """The words of each subject."""
    rarity: Mapping[str, float]
    """For each word how rare it is among the subjects; a rare word counts more."""


def subject_index(machine: Machine) -> SubjectIndex:
    """Return the index of a flow; it is built at the first question."""
    found = machine.explain_cache.get(_KEY)
    if found is None:
        texts = tuple(_texts(machine))
        seen = Counter(word for one in texts for word in one.words)
        found = machine.explain_cache[_KEY] = SubjectIndex(texts, {w: log(1 + len(texts) / n) for w, n in seen.items()})
    return found


_KEY = ("why", "candidates")


def _texts(machine: Machine) -> Iterator[SubjectTexts]:
    """Yield the words of every subject of a flow that a question may be about."""
    because: dict[str, str] = {}
    for one in machine.all_candidates():
        because[one.id] = f"{because.get(one.id, '')} {one.because}"
    asks: dict[str, list[str]] = {}
    for node in machine.nodes.values():
        for form_field in node.form.form.fields if node.form is not None else ():
            asks.setdefault(form_field.field, []).append(form_field.ask)
    for subject in subjects(machine):
        if subject.kind in ("limit", "form") or (subject.kind == "timer" and not is_used(machine, subject.name)):
            continue
        name = field_of(subject.name) if subject.kind == "field" else subject.name
        words: dict[str, float] = {}
        scope, _, own = name.rpartition("/")
        for text, factor in ((own, NAME), (scope, TEXT), *_texts_of(machine, subject, because, asks)):
            for word in content_words(text):
                words[word] = max(words.get(word, 0.0), factor)
        yield SubjectTexts(subject, words, frozenset(content_words(name)))


def _texts_of(
    machine: Machine, subject: Subject, because: Mapping[str, str], asks: Mapping[str, list[str]]
) -> Iterator[tuple[str, float]]:
    """Yield the texts by which a subject may be known beside its name, and how much a word of each counts."""
    name = subject.name
    match subject.kind:
        case "field":
            field = machine.fields[name]
            yield field.about, TITLE
            yield from ((ask, TEXT) for ask in asks.get(name, ()))
            yield from ((word, OPTION) for option in field.options for word in (option.value, *option.words))
        case "transition" | "timer":
            yield because.get(name, ""), TITLE
        case "node":
            yield machine.nodes[name].node.description, TITLE
            yield machine.nodes[name].node.say, TEXT
        case "tool" if name in machine.tools:
            yield machine.tools[name].tool.about, TEXT
        case "overlay":
            overlay = machine.overlays[name].overlay
            yield overlay.persona_name, TITLE
            yield from ((text, TEXT) for text in (overlay.persona, overlay.addendum))
        case "schedule":
            yield machine.schedules[name].scope, TITLE
            yield machine.schedules[name].schedule.instruct, TEXT
        case _:
            pass


def content_words(text: str) -> list[str]:
    """Return the words of a text that may name something, without common words."""
    return [word for word in words_in(text) if word not in IGNORED]
