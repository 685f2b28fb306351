"""A language as one flow speaks it: the vocabulary, with the flow's own phrases in place of the shipped ones.

It adds no words of its own; without phrases of a flow it is the vocabulary as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.language import Language, language_of
from turnwise.providers.offline.vocabulary import VOCABULARIES
from turnwise.providers.offline.vocabulary.shape import Phrases, Requests, Speech, Vocabulary, phrases

_NAMES = {"edit": "change", "deny": "edit", "leave": "leave_chooser"}
"""What a flow calls the phrases of a request, where it is not the name of the request."""
_MERGED = ("deny", "edit")
"""Requests whose shipped phrases depend on the question; they are in the vocabulary instead."""

Own = Mapping[str, tuple[str, ...]]


class Spoken(Struct, frozen=True):
    """The words of a flow and its fixed texts."""

    vocabulary: Vocabulary
    language: Language


def spoken(code: str, own: Own) -> Spoken | None:
    """A language with a flow's own phrases, `None` where it is not spoken here."""
    return _spoken(code, tuple(sorted(own.items()))) if code in VOCABULARIES else None


@lru_cache(maxsize=64)
def _spoken(code: str, given: tuple[tuple[str, tuple[str, ...]], ...]) -> Spoken:
    own = dict(given)
    language, shipped = language_of(code, own), VOCABULARIES[code]
    return Spoken(
        replace(
            shipped,
            speech=_speech(shipped.speech, own),
            requests=_requests(shipped, language_of(code).phrases, own),
        ),
        language,
    )


def _speech(shipped: Speech, own: Own) -> Speech:
    """Yes and no, as answers to a question."""
    return replace(
        shipped,
        yes=phrases(own["true"]) if "true" in own else shipped.yes,
        no=phrases(own["false"]) if "false" in own else shipped.no,
    )


def _requests(shipped: Vocabulary, known: Mapping[str, Iterable[str]], own: Own) -> Requests:
    """For each request its phrases: the flow's own, else the language's and the vocabulary's."""
    commands: dict[str, Phrases] = {}
    for kind, some in shipped.requests.commands.items():
        name = _NAMES.get(kind, kind)
        lines = [] if kind in _MERGED else [*known.get(name, ())]
        commands[kind] = phrases(own[name]) if name in own else phrases([*_lines(some), *lines])
    for kind, answers in (("affirm", shipped.speech.yes), ("deny", shipped.speech.no)):
        if _NAMES.get(kind, kind) not in own:
            commands[kind] = phrases([*_lines(commands[kind]), *_lines(answers)])
    keywords = tuple(rule for rule in shipped.requests.keywords if _NAMES.get(rule[0], rule[0]) not in own)
    return replace(shipped.requests, commands=commands, keywords=keywords)


def _lines(table: Phrases) -> list[str]:
    return [" ".join(phrase) for some in table.values() for phrase in some]
