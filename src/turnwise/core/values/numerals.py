"""Parses numbers in digits, with the separators of a language.

It never guesses: where a mark may group or divide, the text is ambiguous.
"""

from __future__ import annotations

import re

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern

MOST_CHARS = 40
"""How many characters a text may have that is read as a number."""

_PLAIN = late_pattern(r"[-+]?\d{1,18}")
_DIVIDED = late_pattern(r"[-+]?\d{0,18}[.,]\d{1,18}")
_ONE_GROUP = late_pattern(r"[-+]?[1-9]\d{0,2}([.,])\d{3}")
_AFTER_COMMA = late_pattern(r"[-+]?\d{1,9},\d{1,9}")
_GROUPED = {
    ",": late_pattern(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,9})?"),
    ".": late_pattern(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,9})?"),
}
_SPACED = late_pattern(r"[-+]?[1-9]\d{0,2}(?:([ '’\u00a0\u2009\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d{1,9})?")
_THOUSANDS = late_pattern(r"([-+]?\d{1,9}(?:[.,]\d{1,2})?) ?[kK]")


class Ambiguous(Struct, frozen=True):
    """A numeral, such as `1.500`, that may be a whole number or a decimal one."""

    whole: str
    """An unambiguous text for the whole number."""
    part: str
    """An unambiguous text for the decimal number."""


def read_numeral(text: str, thousands_mark: str) -> int | float | Ambiguous | None:
    """Return the number that a text is in a language with this grouping mark; `None` if it is no number. A single group
    of three after the mark that groups there is grouped; after the other mark it is ambiguous, for many people write
    numbers in another language than they speak.
    """
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if len(text) > MOST_CHARS:
        return None
    if _PLAIN.fullmatch(text):
        return int(text)
    if spaced := _SPACED.fullmatch(text):
        plain = text.replace(spaced[1], "").replace(",", ".")
        return float(plain) if "." in plain else int(plain)
    if thousands := _THOUSANDS.fullmatch(text):
        count = round(float(thousands[1].replace(",", ".")) * 1000, 9)
        return int(count) if count.is_integer() else count
    single = _ONE_GROUP.fullmatch(text)
    if single and single[1] != thousands_mark:
        return Ambiguous(re.sub(r"[.,]", "", text), _longer(text))
    if not single and _DIVIDED.fullmatch(text):
        return float(text.replace(",", "."))
    for mark, pattern in _GROUPED.items():
        if pattern.fullmatch(text):
            plain = text.replace(mark, "").replace(",", ".")
            return float(plain) if "." in plain else int(plain)
    return None


def ambiguous_numeral(text: str) -> Ambiguous | None:
    """Return the two readings of a number whose only mark may group digits or separate decimals; else `None`.
    There is a single group of three, or any digits after a comma.
    """
    text = text.replace("\N{MINUS SIGN}", "-")
    if len(text) > MOST_CHARS or not (_ONE_GROUP.fullmatch(text) or _AFTER_COMMA.fullmatch(text)):
        return None
    return Ambiguous(re.sub(r"[.,]", "", text), _longer(text.replace(",", ".")))


def _longer(text: str) -> str:
    """Return the same decimal number with other than three digits after the mark, so that it is unambiguous."""
    shorter = text.rstrip("0")
    return shorter + "0" if shorter[-1] in ".," or shorter == text else shorter
