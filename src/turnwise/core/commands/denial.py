"""Finds whether a message denies or leaves open what it names: `not Bob`, `anything but small`, `Rome or Paris`."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.language import Language
from turnwise.core.language.answers import Denials, denials_of, is_idle, words_of
from turnwise.flow.late_pattern import late_pattern

_MARK = r"[,.;:!?\n()–—](?!\d)|\s-\s"
_BREAK = late_pattern(_MARK)
_DIVIDER = late_pattern(rf"[^\W\d_]+|{_MARK}")
_NEAR = 2
"""How many words before a value may bound it (`up to 50`)."""
_BEFORE = 60
"""A denial farther away speaks of something else, in characters."""


def is_denied(place: tuple[int, int], message: str, language: Language) -> bool:
    """Return whether the words at `place` (start, end) of a message follow a negation in their part: `not Rome`."""
    before = _BREAK.split(message[max(0, place[0] - _BEFORE) : place[0]])[-1]
    return ends_denied(words_of(before), denials_of(language.code))


def ends_denied(said: tuple[str, ...], denials: Denials) -> bool:
    """Return whether the words `said` deny what follows them: by a negation with no contrast after it (`not`, unlike
    `not 30 but`), or by words such as `anything but`. `denials` are the words of the language for this.
    """
    is_denying = False
    for number, word in enumerate(said):
        if word in denials.contrasts:
            is_denying = number > 0 and said[number - 1] in denials.everything
        elif word in denials.negators:
            is_denying = True
    return is_denying


def is_limit_or_sum(place: tuple[int, int], message: str, language: Language) -> bool:
    """Return whether the words at `place` are a bound or part of a sum: `less than 300`, `me and 3 friends`."""
    before = words_of(_BREAK.split(message[max(0, place[0] - _BEFORE) : place[0]])[-1])
    return not denials_of(language.code).bounds.isdisjoint(before[-_NEAR:])


def has_denial(text: str, language: Language) -> bool:
    """Return whether a text contains a negation."""
    return not denials_of(language.code).negators.isdisjoint(words_of(text))


def is_left_open(place: tuple[int, int], message: str, language: Language) -> bool:
    """Return whether the words at `place` are one of several alternatives (`Rome or Paris`, not `5 or so`)."""
    alternatives = denials_of(language.code).alternatives
    before = words_of(_BREAK.split(message[: place[0]])[-1])
    after = words_of(_BREAK.split(message[place[1] :])[0])
    if before and before[-1] in alternatives:
        return True
    follows = " ".join(after[1:])
    return bool(after) and after[0] in alternatives and not is_idle(language, follows, with_function_words=True)


def pieces_of(message: str, language: Language) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of each part of a message; punctuation and words such as `but` divide it."""
    contrasts, start = denials_of(language.code).contrasts, 0
    for found in _DIVIDER.finditer(message):
        if found[0][:1].isalpha() and found[0].casefold() not in contrasts:
            continue
        if message[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if message[start:].strip():
        yield start, len(message)


def asks_for_something(text: str, language: Language) -> bool:
    """Return whether a text is a question that begins with a question word: `what does it cost?`."""
    said = words_of(text)
    return "?" in text and bool(said) and said[0] in denials_of(language.code).openers
