"""Splits a message into tokens with positions, and finds the nearest known word for a misspelled one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeVar

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.characters import normalized

Kind = Literal["word", "number", "email", "moment", "mark"]
"""The kinds of tokens."""

_TOKEN = late_pattern(
    r"""
      (?P<email>[^\s@<>()\[\],;:\\"]{1,64}@[^\s@<>()\[\],;:\\".!?]{1,63}(?:\.[^\s@<>()\[\],;:\\".!?]{1,63}){1,8})
    | (?P<moment>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[+-][0-9]{2}:[0-9]{2})?)
    | (?P<number>[0-9](?:[0-9.,:/-]*[0-9])?)
    | (?P<word>(?<![^\W\d_])[aApP]\.\s?[mM]\b\.?|[^\W\d_]+(?:['’‘][^\W\d_]+)*)
    | (?P<mark>\n|[^\s])
    """,
    re.VERBOSE,
)
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_STRETCHED = late_pattern(r"(.)\1{2,}")
_MOST_FOLDED = 80
"""Longer words are compared as they are typed."""

Span = tuple[int, int]
"""A part of a message: the index of its first character, from 0, and the index behind its last."""


def overlaps_any(span: Span | None, others: Iterable[Span]) -> bool:
    """Return whether a part of a message has a character in common with one of the others; false for `None`."""
    return span is not None and any(span[0] < stop and start < span[1] for start, stop in others)


class Token(Struct, frozen=True):
    """A word, a number, a mark or an address in a message."""

    kind: Kind
    """What the token is."""
    text: str
    """The token as it was typed."""
    word: str
    """The token in the form that is compared: lower case, without accents, umlauts spelled out."""
    start: int
    """The offset of the token's first character in the message, from 0."""
    end: int
    """The offset behind the token's last character in the message."""


@lru_cache(maxsize=4096)
def folded(word: str) -> str:
    """Return a word in the form that is compared: lower case, umlauts spelled out, stretched letters shortened."""
    if word.isascii():
        plain = word.replace("`", "'").lower()
    else:
        plain = unicodedata.normalize("NFC", word).translate(_QUOTES).casefold().translate(_UMLAUTS)
    return _STRETCHED.sub(r"\1", plain)


def tokens_of(message: str) -> tuple[Token, ...]:
    """Return the tokens of a message, in order."""
    tokens: list[Token] = []
    for found in _TOKEN.finditer(normalized(message)):
        kind: Kind = found.lastgroup  # pyright: ignore[reportAssignmentType]
        text, word = message[found.start() : found.end()], found[0]
        if kind == "word":
            word = folded(text) if len(text) <= _MOST_FOLDED else text
            word = word.replace(".", "").replace(" ", "") if "." in word else word
        tokens.append(Token(kind, text, word, found.start(), found.end()))
    return tuple(tokens)


def is_plain(text: str) -> bool:
    """Return whether a text has only words with spaces between them, so that each word is a token."""
    if "'" not in text:
        return len(text) <= _MOST_FOLDED and text.replace(" ", "").isalpha()
    around = f" {text} "
    if " '" in around or "' " in around or "''" in around:
        return False
    return len(text) <= _MOST_FOLDED and text.replace(" ", "").replace("'", "").isalpha()


def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words and numbers of a text, without punctuation."""
    if is_plain(text):
        return tuple(map(folded, text.split()))
    return tuple(token.word for token in tokens_of(text) if token.kind != "mark")


def has_words(said: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether `words` stand side by side in `said`; both are folded as by `words_of`."""
    places = range(len(said) - len(words) + 1) if words else ()
    return any(said[at : at + len(words)] == words for at in places)


def stem(word: str, endings: tuple[str, ...]) -> str:
    """Return a word without its ending, so that `guests` and `guest` compare equal."""
    word = word.removesuffix("'s")
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def stems_of(words: Iterable[str], endings: tuple[str, ...]) -> frozenset[str]:
    """Return words without their endings."""
    return frozenset([stem(word, endings) for word in words])


Meaning = TypeVar("Meaning", bound=str)
"""The type of what a known word means."""
_LEAST_LENGTH = 4
_MOST_LENGTH = 60
_LEAST_RATIO = 0.84
_LEAD = 0.1
_OPPOSITES = late_pattern("un|in|im|ir|il|dis|non|mis|anti|de|a|be|ent|nicht|kein|fe|wo")


def closest(word: str, known: Mapping[str, Meaning]) -> tuple[Meaning, float] | None:
    """Return the meaning of a misspelled word, and the similarity (0 to 1); `None` if no word is near. `known` maps
    words to meanings. It returns nothing where another meaning is nearly as close.
    """
    if not _LEAST_LENGTH <= len(word) <= _MOST_LENGTH:
        return None
    best: dict[Meaning, float] = {}
    for other, meaning in known.items():
        best[meaning] = max(best.get(meaning, 0.0), _ratio(word, other))
    rated = sorted(((ratio, meaning) for meaning, ratio in best.items()), reverse=True)
    if not rated or rated[0][0] < _LEAST_RATIO or (len(rated) > 1 and rated[0][0] - rated[1][0] < _LEAD):
        return None
    return rated[0][1], rated[0][0]


def count_shared_letters(word: str, other: str) -> int:
    """Return how many letters two words have in common, wherever they stand."""
    return sum(min(word.count(letter), other.count(letter)) for letter in set(word))


def _ratio(word: str, other: str) -> float:
    """Return the similarity of two words (0 to 1): high if two adjacent letters are swapped, 0 if a prefix
    makes one the opposite of the other.
    """
    long, short = (word, other) if len(word) > len(other) else (other, word)
    if len(long) - len(short) > 2 or len(other) < _LEAST_LENGTH:
        return 0.0
    if long.endswith(short) and _OPPOSITES.fullmatch(long.removesuffix(short)):
        return 0.0
    if len(word) == len(other):
        wrong = [at for at in range(len(word)) if word[at] != other[at]]
        is_swap = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and word[wrong[0]] == other[wrong[1]]
        if not wrong or (is_swap and word[wrong[1]] == other[wrong[0]]):
            return 0.95
    if word[0] != other[0] or 2 * len(short) < _LEAST_RATIO * (len(long) + len(short)):
        return 0.0
    shared = count_shared_letters(word, other)  # no less than the ratio
    if 2 * shared < (_LEAST_RATIO - _LEAD) * (len(word) + len(other)):
        return 0.0
    from difflib import SequenceMatcher

    return SequenceMatcher(None, word, other, autojunk=False).ratio()
