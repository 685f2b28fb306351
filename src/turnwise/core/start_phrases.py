"""The phrases by which users begin a scope: fixed ones, and those with gaps that fill its input (`explain {word}`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from turnwise.core.language import normalized

_GAP = re.compile(r"\{(\w+)\}")
_QUOTES = "'\"\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a`"
_EDGE = " \t.!?,;:\u2026"


class StartPhrases(Struct, frozen=True):
    """The texts with which a user begins a scope: its titles, fixed phrases, and phrases with gaps."""

    scope: str
    """The qualified name of the scope."""
    titles: frozenset[str] = frozenset()
    """The titles of the scope, normalized."""
    fixed: frozenset[str] = frozenset()
    """The phrases without gaps, normalized."""
    gapped: tuple[str, ...] = ()
    """The phrases with gaps for inputs, as the author wrote them."""

    def read(self, text: str) -> dict[str, str] | None:
        """Return the input by name that a whole text gives, empty without gaps; `None` if it is no phrase."""
        said = normalized(text)
        if said in self.titles or said in self.fixed:
            return {}
        for phrase in self.gapped:
            found = _pattern(phrase).fullmatch(" ".join(text.split()).strip(_EDGE))
            filled = {name: value.strip(_QUOTES + _EDGE) for name, value in found.groupdict().items()} if found else {}
            if filled and all(filled.values()):
                return filled
        return None


def gaps_of(phrase: str) -> tuple[str, ...]:
    """Return the names of the gaps of a phrase, which are inputs of the scope."""
    return tuple(_GAP.findall(phrase))


def start_phrases_of(scope: str, titles: Iterable[str], phrases: Iterable[str]) -> StartPhrases:
    """Return the phrases that begin a scope, from its titles and those that its author wrote."""
    written = tuple(phrases)
    fixed = frozenset(normalized(text) for text in written if not gaps_of(text))
    gapped = tuple([text for text in written if gaps_of(text)])
    return StartPhrases(scope, frozenset(map(normalized, titles)), fixed, gapped)


@lru_cache(maxsize=256)
def _pattern(phrase: str) -> re.Pattern[str]:
    """Return a pattern for a phrase: words in any case, any text in its gaps."""
    parts = _GAP.split(" ".join(phrase.split()).strip(_EDGE))
    of_gaps = [f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)]
    return re.compile("".join(of_gaps), re.IGNORECASE)
