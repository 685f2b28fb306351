"""Reads numbers, as digits and as words, in the grammar of a language.

Where a mark may group digits or divide them, they are no number.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from turnwise.core.values.numerals import Ambiguous, read_numeral
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.vocabulary.tables import numbered_words, value_at
from turnwise.understanding.vocabulary.value_shape import NumberWords

_CODE = late_pattern(r"0[0-9]{2,}")
_SPACED = late_pattern(r"[1-9][0-9]{0,2}(?:([ '’\u00a0\u2009\u202f])[0-9]{3})(?:\1[0-9]{3})*(?![ '’.,:/-]?[0-9])")
_LIMIT = 10**15


class Amount(Struct, frozen=True):
    """A number that was read, and where it ends."""

    value: float
    """The number that was read."""
    stop: int
    """The index of the token after the number."""


def number_at(text: Text, at: int) -> Reading | None:
    """Return the longest number that begins at token `at`; `None` if none does."""
    words, tokens = text.words, text.tokens
    if _is_in_code(text, at):
        return None
    is_dash = (
        words[at] in ("-", "\u2212")
        and text.is_joined_to_next(at)
        and (at == 0 or tokens[at - 1].end < tokens[at].start)
    )
    is_negative = at + 1 < len(tokens) and (is_dash or words[at] in text.vocabulary.numbers.minus)
    amount = amount_at(text, at + is_negative)
    return Reading("number", -amount.value if is_negative else amount.value, at, amount.stop) if amount else None


def _is_in_code(text: Text, at: int) -> bool:
    """True for digits of a code, behind letters, with a hyphen or without (`A-17`, `B12`, but `EUR40`)."""
    before = at - 2 if at > 1 and text.words[at - 1] in ("-", "\u2010") and text.is_joined_to_next(at - 1) else at - 1
    if text.kind(at) != "number" or before < 0 or not text.is_joined_to_next(before):
        return False
    return text.kind(before) == "word" and text.words[before] not in text.vocabulary.currencies


def amount_at(text: Text, at: int) -> Amount | None:
    """Return the amount that begins at token `at`, else `None`: digits or words, multipliers, a half or a fraction
    after it.
    """
    amount = _whole(text, at)
    if amount is None:
        return None
    if not isinstance(amount.value, float):
        amount = _with_fraction(text, int(amount.value), amount.stop)
    if isinstance(amount.value, float):
        amount = _scaled(text, amount)
    return amount if abs(amount.value) < _LIMIT else None


def _whole(text: Text, at: int) -> Amount | None:
    """Sums groups such as `two hundred and five thousand, three hundred`."""
    group = _group(text, at)
    if group is None or isinstance(group.value, float):
        return group
    words, numbers = text.words, text.vocabulary.numbers
    total, current, stop, least = 0, int(group.value), group.stop, _LIMIT
    while stop < len(text.tokens):
        scale = numbers.scales.get(words[stop])
        if scale is not None and scale < least:
            current, stop = current * scale, stop + 1
            if scale >= 1000:
                total, current, least = total + current, 0, scale
            continue
        if words[stop - 1] not in numbers.scales and words[stop - 1] not in numbers.joints:
            break
        joined = stop + 1 if words[stop] in numbers.joints else stop
        if text.kind(joined) != "word" or words[joined] in numbers.articles:
            break
        following = _atom(words, joined, numbers)
        # `two hundred` takes up to 99 more, `thousand` up to 999
        room = (1000 if total else 0) if current == 0 else 100 if current % 100 == 0 else 0
        if following is None or following.value >= room:
            break
        current, stop = current + int(following.value), following.stop
    return Amount(total + current, stop)


def _group(text: Text, at: int) -> Amount | None:
    """Read the first part of a sum: digits, a word, or a multiplier alone (`a hundred`)."""
    words, numbers = text.words, text.vocabulary.numbers
    if text.kind(at) == "number":
        if spaced := _spaced(text, at):
            return spaced
        value = None if _CODE.fullmatch(words[at]) else read_numeral(words[at], numbers.thousands_mark)
        if value is None or isinstance(value, Ambiguous):
            return None
        if (
            text.is_joined_to_next(at) and words[at + 1] == "k" and len(text.tokens) > 2
        ):  # `about 6k`; alone the field reads it
            thousands = read_numeral(words[at] + "k", numbers.thousands_mark)
            return Amount(thousands, at + 2) if isinstance(thousands, int | float) else None
        return _scaled(text, Amount(value, at + 1)) if isinstance(value, float) else Amount(value, at + 1)
    if text.kind(at) != "word":
        return None
    if fixed := value_at(numbers.fixed, words, at):
        return Amount(*fixed)
    is_article = words[at] in numbers.articles
    if is_article and value_at(numbers.fractions, words, at + 1):
        return Amount(1, at + 1)
    if words[at + is_article] in numbers.scales:
        return Amount(1, at + is_article)
    return None if is_article else _atom(words, at, numbers)


def _spaced(text: Text, at: int) -> Amount | None:
    """The number whose groups of three digits are set apart (`1 000`, `1'000`)."""
    tokens = text.tokens
    found = _SPACED.match(text.message, tokens[at].start) if text.kind(at - 1) != "number" else None
    if found is None:
        return None
    stop = at
    while stop < len(tokens) and tokens[stop].start < found.end():
        stop += 1
    return Amount(int(found[0].replace(found[1], "")), stop)


def _scaled(text: Text, amount: Amount) -> Amount:
    """An amount with the multiplier after it (`1.5 million`)."""
    scale = text.vocabulary.numbers.scales.get(text.words[amount.stop])
    if scale is None:
        return amount
    value = amount.value * scale
    return Amount(int(value) if float(value).is_integer() else value, amount.stop + 1)


def _atom(words: tuple[str, ...], at: int, numbers: NumberWords) -> Amount | None:
    """One number word, or tens and ones together (`forty-five`, `fünf und vierzig`)."""
    word = words[at]
    if word in numbers.mixed:
        return Amount(numbers.mixed[word], at + 1)
    if numbers.units_first:
        value = read_compound(word)
        if value is not None and 0 < value < 10 and words[at + 1] in numbers.joints and words[at + 2] in numbers.tens:
            return Amount(value + numbers.tens[words[at + 2]], at + 3)
        return None if value is None else Amount(value, at + 1)
    if word in numbers.tens:
        ones_at = at + 2 if words[at + 1] == "-" else at + 1
        ones = numbers.ones.get(words[ones_at], 0)
        return Amount(numbers.tens[word] + ones, ones_at + 1) if 0 < ones < 10 else Amount(numbers.tens[word], at + 1)
    return Amount(numbers.ones[word], at + 1) if word in numbers.ones else None


def _with_fraction(text: Text, value: int, at: int) -> Amount:
    """Add a fraction that follows a whole number: `and a half`, `point five`."""
    words, numbers = text.words, text.vocabulary.numbers
    if part := value_at(numbers.fractions, words, at):
        return Amount(value + part[0], part[1])
    digits, stop = "", at + 1
    while words[at] in numbers.points and stop < len(words) and len(digits) < 9:
        digit = int(words[stop]) if words[stop].isdecimal() else numbers.ones.get(words[stop], 10)
        if digit >= 10:
            break
        digits, stop = f"{digits}{digit}", stop + 1
    return Amount(value + int(digits) / 10 ** len(digits), stop) if digits else Amount(value, at)


# German compounds --------------------------------------------------------------------------------

_ONES_DE = numbered_words("ein/eins zwei/zwo drei vier fünf sechs sieben acht neun")
_TEENS_DE = numbered_words("zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn", 10)
_TENS_DE = numbered_words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", 20, 10)
_ONE_DE = "|".join(sorted(_ONES_DE, key=len, reverse=True))
_UNDER_100 = (
    rf"(?:(?:(?P<o{{0}}>{_ONE_DE})und)?(?P<t{{0}}>{'|'.join(_TENS_DE)})|"
    rf"(?P<n{{0}}>{'|'.join(_TEENS_DE)})|(?P<e{{0}}>{_ONE_DE}))"
)
_UNDER_1000 = rf"(?:(?P<h{{0}}>(?:{_ONE_DE})?hundert)(?:und)?)?{_UNDER_100}?"
_COMPOUND = late_pattern(
    rf"(?:(?P<thousands>{_UNDER_1000.format(1)}tausend)(?:und)?)?{_UNDER_1000.format(2)}(?P<half>(?:und)?einhalb)?"
)


@lru_cache(maxsize=1024)
def read_compound(word: str) -> float | None:
    """Return the number that one folded German word means, else `None`: `fuenfundvierzig`, `hundertzwei`,
    `zweieinhalb`.
    """
    if word == "null":
        return 0
    found = _COMPOUND.fullmatch(word) if 0 < len(word) <= 90 and word not in ("ein", "einhalb") else None
    if not found:
        return None
    value = _hundreds(found, 2)
    if found["thousands"]:
        value += 1000 * (_hundreds(found, 1) or 1)
    return value + 0.5 if found["half"] else value


def _hundreds(found: re.Match[str], part: int) -> int:
    hundreds = found[f"h{part}"]
    value = 100 * _ONES_DE.get(hundreds.removesuffix("hundert"), 1) if hundreds else 0
    tables = {"o": _ONES_DE, "t": _TENS_DE, "n": _TEENS_DE, "e": _ONES_DE}
    return value + sum(table.get(found[f"{group}{part}"] or "", 0) for group, table in tables.items())
