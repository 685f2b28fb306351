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
    """What begins a scope: its titles, the fixed phrases (both as `normal` writes them), and those with gaps."""

    scope: str
    """The qualified name of the scope that they begin."""
    titles: frozenset[str] = frozenset()
    """The titles of the scope, as `normal` writes them."""
    fixed: frozenset[str] = frozenset()
    """The phrases without gaps, as `normal` writes them."""
    gapped: tuple[str, ...] = ()
    """The phrases with gaps for inputs, as they are written."""

    def read(self, text: str) -> dict[str, str] | None:
        """Return the input that a whole text fills, empty for a title and a fixed phrase; `None` if it is no phrase."""
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
    """Return the names of the gaps of a phrase."""
    return tuple(_GAP.findall(phrase))


def start_phrases_of(scope: str, titles: Iterable[str], phrases: Iterable[str]) -> StartPhrases:
    """Return the phrases that begin a scope, of those that its author wrote."""
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
