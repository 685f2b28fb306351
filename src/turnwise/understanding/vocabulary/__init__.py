"""The words that the offline rules know, one vocabulary per language; a flow's own phrases replace shipped ones.

A language without a vocabulary here is not understood without a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module

from msgspec.structs import replace

from turnwise.core.language import Language, language_of
from turnwise.understanding.vocabulary.item_shape import ItemWords
from turnwise.understanding.vocabulary.shape import Vocabulary
from turnwise.understanding.vocabulary.speech_shape import RequestKind, Requests
from turnwise.understanding.vocabulary.tables import Phrases, phrases

LANGUAGE_CODES = ("en", "de")
"""The codes of the languages that have a vocabulary."""
_NAMES: Mapping[RequestKind, str] = {"edit": "change", "deny": "edit", "leave": "leave_chooser"}
"""What a flow calls the phrases of a request, where that is not the name of the request."""
_MERGED = ("deny", "edit")
"""Requests whose shipped phrases depend on the question; the vocabulary holds them instead."""


def load_vocabulary(code: str) -> Vocabulary:
    """Return the vocabulary of a language, which is loaded when it is first used."""
    return import_module(f"{__name__}.{code}").VOCABULARY


def item_words(code: str) -> ItemWords:
    """Return the words of a language about items of lists, which are loaded when they are first used."""
    return import_module(f"{__name__}.{code}_items").ITEMS


def vocabulary_and_texts(code: str, own: Mapping[str, tuple[str, ...]]) -> tuple[Vocabulary, Language] | None:
    """Return a language's vocabulary and texts with a flow's own phrases; `None` if the language has no vocabulary."""
    return _spoken(code, tuple(sorted(own.items()))) if code in LANGUAGE_CODES else None


@lru_cache(maxsize=64)
def _spoken(code: str, phrases_by_kind: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Vocabulary, Language]:
    own = dict(phrases_by_kind)
    words = load_vocabulary(code)
    speech = replace(
        words.speech,
        yes=phrases(own["true"]) if "true" in own else words.speech.yes,
        no=phrases(own["false"]) if "false" in own else words.speech.no,
    )
    return replace(words, speech=speech, requests=_requests(words, code, own)), language_of(code, own)


def _requests(words: Vocabulary, code: str, own: Mapping[str, tuple[str, ...]]) -> Requests:
    """For each request its phrases: the flow's own, else the language's and the further ones of the vocabulary."""
    known, commands = language_of(code).phrases, dict[RequestKind, Phrases]()
    for kind, table in words.requests.commands.items():
        name = _NAMES.get(kind, kind)
        further = () if kind in _MERGED else known.get(name, ())
        commands[kind] = phrases(own[name] if name in own else [*_lines(table), *further])
    replies: tuple[tuple[RequestKind, Phrases], ...] = (("affirm", words.speech.yes), ("deny", words.speech.no))
    for kind, answers in replies:
        if _NAMES.get(kind, kind) not in own:
            commands[kind] = phrases([*_lines(commands[kind]), *_lines(answers)])
    keywords = tuple(rule for rule in words.requests.short_requests if _NAMES.get(rule[0], rule[0]) not in own)
    return replace(words.requests, commands=commands, short_requests=keywords)


def _lines(table: Phrases) -> list[str]:
    return [" ".join(phrase) for some in table.values() for phrase in some]
