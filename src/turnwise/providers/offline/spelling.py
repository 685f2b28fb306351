"""Which of a few known words a misspelled one is.

It is conservative: close to one, clearly farther from all others, and never a word turned into its opposite.
"""

from __future__ import annotations

from collections.abc import Mapping

_LEAST_LENGTH = 4
_MOST_LENGTH = 60
_LEAST_RATIO = 0.84
_LEAD = 0.1
_OPPOSITES = (
    "un",
    "in",
    "im",
    "ir",
    "il",
    "dis",
    "non",
    "mis",
    "anti",
    "de",
    "a",
    "be",
    "ent",
    "nicht",
    "kein",
    "fe",
    "wo",
)


def closest(word: str, known: Mapping[str, str]) -> tuple[str, float] | None:
    """What a misspelled word means, and how close it is (0 to 1); `known` gives meanings by words."""
    if not _LEAST_LENGTH <= len(word) <= _MOST_LENGTH:
        return None
    best: dict[str, float] = {}
    for other, meaning in known.items():
        best[meaning] = max(best.get(meaning, 0.0), _ratio(word, other))
    rated = sorted(((ratio, meaning) for meaning, ratio in best.items()), reverse=True)
    if not rated or rated[0][0] < _LEAST_RATIO:
        return None
    if len(rated) > 1 and rated[0][0] - rated[1][0] < _LEAD:
        return None
    return rated[0][1], rated[0][0]


def _ratio(word: str, other: str) -> float:
    if abs(len(word) - len(other)) > 2 or len(other) < _LEAST_LENGTH or _are_opposites(word, other):
        return 0.0
    if _is_swapped(word, other):
        return 0.95
    if word[0] != other[0]:
        return 0.0
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, word, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _LEAST_RATIO else 0.0


def _are_opposites(word: str, other: str) -> bool:
    long, short = (word, other) if len(word) > len(other) else (other, word)
    return any(long == prefix + short for prefix in _OPPOSITES)


def _is_swapped(word: str, other: str) -> bool:
    """True if two neighbouring letters changed places."""
    if len(word) != len(other) or word == other:
        return word == other
    wrong = [at for at in range(len(word)) if word[at] != other[at]]
    return (
        len(wrong) == 2
        and wrong[1] == wrong[0] + 1
        and word[wrong[0]] == other[wrong[1]]
        and word[wrong[1]] == other[wrong[0]]
    )
