"""Reads whole numbers and other numbers, from JSON data or from a typed text."""

from __future__ import annotations

import math

from msgspec.structs import replace

from turnwise.core.values.numerals import Ambiguous, ambiguous_numeral, read_numeral
from turnwise.core.values.refusal import Refused, Rules
from turnwise.flow.late_pattern import late_pattern

_WIDEST = 2**63
"""Whole numbers have 64 bits, as in guards."""
_MANY_DIGITS = late_pattern(r"[-+]?\d{20,}")


def read_integer(raw: object, rules: Rules) -> int | Refused:
    """Return a whole number, or its refusal; a mark that may group digits or separate decimals counts as grouping.
    A fraction is no answer, but `3.0` has none.
    """
    if isinstance(raw, float) and raw.is_integer():
        return int(raw) if abs(raw) < 10**15 else rules.refused("digits")
    found = _given(raw, rules)
    if isinstance(found, Refused) and found.readings:
        return next(one for one in found.readings if isinstance(one, int))
    if isinstance(found, float) and found.is_integer() and abs(found) < 10**15:
        return int(found)
    if isinstance(raw if found is None else found, float):
        return rules.refused("fraction")
    return found if isinstance(found, int | Refused) else rules.refused("integer")


def read_number(raw: object, rules: Rules) -> float | Refused:
    """Return a number, or its refusal."""
    if isinstance(raw, float) and math.isfinite(raw):
        return raw
    found = _given(raw, rules)
    return rules.refused("number") if found is None else found


def _given(raw: object, rules: Rules) -> int | float | Refused | None:
    """Return the number in a value, `None` if there is none; refuse whole numbers beyond 64 bits."""
    found = _numeral(raw, rules) if isinstance(raw, str) else None
    if isinstance(raw, int) and not isinstance(raw, bool):
        found = raw
    return rules.refused("digits") if isinstance(found, int) and not -_WIDEST <= found < _WIDEST else found


def _numeral(raw: str, rules: Rules) -> int | float | Refused | None:
    """Return the number in a text, `None` if there is none; refuse an ambiguous one with both readings."""
    text = raw.strip().rstrip(".!")
    if _MANY_DIGITS.fullmatch(text):
        return rules.refused("digits")
    found = read_numeral(text, rules.language.thousands_mark)
    return _either(found, rules) if isinstance(found, Ambiguous) else found


def ambiguous_for_a_model(raw: str, rules: Rules) -> Refused | None:
    """Return the refusal, with both readings, of a number like `1.500`; `None` for any other text.
    Its only mark may group digits or separate decimals.
    """
    found = ambiguous_numeral(raw.strip())
    return None if found is None else _either(found, rules)


def _either(found: Ambiguous, rules: Rules) -> Refused:
    refused = rules.refused("ambiguous", whole=found.whole, part=found.part)
    return replace(refused, readings=(int(found.whole), float(found.part.replace(",", "."))))
