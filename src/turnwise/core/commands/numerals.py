"""Finds numerals, e-mail addresses and telephone numbers in a message (law 7.1a)."""

from __future__ import annotations

import re

from turnwise.core.language.answers import words_of
from turnwise.flow.late_pattern import late_pattern

NUMERAL = late_pattern(r"\d+(?:[.,]\d+)*")
"""Matches a number in digits."""
_GROUPED = late_pattern(r"\d{1,3}(?:[.,]\d{3})+")
_DIGITS_PER_WORD = 3
"""So many digits of a telephone number may a spoken word stand for: `double seven`, `four hundred`."""
_LEAST_DIGITS = 4
"""A shorter run of digits is no telephone number by itself."""


def numbers_in(text: str, *, are_parts: bool = False) -> set[float]:
    """Return the numbers that the numerals of a text may mean; `1.500` may be 1500 or 1.5. With `are_parts`, what
    stands between marks is a number as well, as in dates.
    """
    found: set[float] = set()
    for numeral in NUMERAL.findall(text):
        marks = len(re.findall(r"[.,]", numeral))
        kinds = {mark for mark in ".," if mark in numeral}
        is_grouped = _GROUPED.fullmatch(numeral) is not None
        if marks == 0 or is_grouped:
            found.add(float(re.sub(r"[.,]", "", numeral)))
        if marks == 1:
            found.add(float(numeral.replace(",", ".")))
        elif len(kinds) > 1:
            mark = max(".,", key=numeral.rfind)
            whole, _, rest = numeral.rpartition(mark)
            found.add(float(f"{re.sub(r'[.,]', '', whole)}.{rest}"))
        if are_parts or (marks > 1 and len(kinds) == 1 and not is_grouped):
            found.update(float(part) for part in re.split(r"[.,]", numeral))
    return found


def has_address(value: str, text: str) -> bool:
    """Return whether an e-mail address occurs in a text, or is spelled out: `ada at example dot org`."""
    if _compact(value) in _compact(text):
        return True
    return bool(words_of(text)) and set(re.findall(r"[^\W_]+", value.casefold())) <= set(words_of(text))


def has_phone(value: str, text: str) -> bool:
    """Return whether a telephone number occurs in a text, with or without country code, or may be spelled out."""
    wanted, said = _digits(value), _digits(text)
    if len(said) < _LEAST_DIGITS:
        return len(words_of(text)) * _DIGITS_PER_WORD >= len(wanted)
    return wanted in said or any(wanted.endswith(run.lstrip("0")) for run in _runs(text))


def _runs(text: str) -> list[str]:
    runs = [_digits(found) for found in re.findall(r"[\d+][\d\s()/.–-]*", text)]
    return [run for run in runs if len(run.lstrip("0")) >= _LEAST_DIGITS]


def _digits(text: str) -> str:
    return "".join(re.findall(r"\d", text))


def _compact(text: str) -> str:
    return "".join([char for char in text.casefold() if char.isalnum() or char == "@"])
