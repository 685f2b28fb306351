"""Numbers, as digits and as words, in the grammar of a language.

It reads what stands there and never guesses: where a mark may group or divide, it reads nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from turnwise.core.values.numerals import Ambiguous, read_numeral
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.readings import Reading
from turnwise.understanding.tokens import Token, touches
from turnwise.understanding.vocabulary.shape import NumberWords

_CODE = late_pattern(r"0[0-9]{2,}")
_LIMIT = 10**15


class Amount(Struct, frozen=True):
    """A number and the token after it."""

    value: float
    stop: int


def read_digits(text: str, words: NumberWords) -> float | None:
    """The number that digits with marks are in a language, `None` where they are none or two."""
    if _CODE.fullmatch(text):
        return None
    found = read_numeral(text, words.thousands_mark)
    return None if isinstance(found, Ambiguous) else found


def number_at(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Reading | None:
    """The longest number that begins at a token."""
    start, sign = _signed(tokens, at, words)
    amount = amount_at(tokens, start, words)
    return Reading("number", sign * amount.value, at, amount.stop) if amount else None


def amount_at(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Amount | None:
    """The amount that begins at a token: digits or words, multipliers, a half or a fraction after it."""
    amount = _whole(tokens, at, words)
    if amount is None:
        return None
    amount = _fraction(tokens, amount, words)
    scaled = _scaled(tokens, amount, words) if isinstance(amount.value, float) else amount
    return scaled if abs(scaled.value) < _LIMIT else None


def _signed(tokens: tuple[Token, ...], at: int, words: NumberWords) -> tuple[int, int]:
    token = tokens[at]
    is_dash = token.text in "-\u2212" and touches(tokens, at) and (at == 0 or tokens[at - 1].end < token.start)
    if at + 1 < len(tokens) and (is_dash or token.word in words.minus):
        return at + 1, -1
    return at, 1


def _whole(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Amount | None:
    """Sums groups such as `two hundred and five thousand, three hundred`."""
    group = _group(tokens, at, words)
    if group is None or isinstance(group.value, float):
        return group
    total, current, stop, least = 0, int(group.value), group.stop, _LIMIT
    while stop < len(tokens):
        scale = words.scales.get(tokens[stop].word)
        if scale is not None and scale < least:
            current, stop = current * scale, stop + 1
            if scale >= 1000:
                total, current, least = total + current, 0, scale
            continue
        following = _after_scale(tokens, stop, words)
        if following is None or following.value >= _room(total, current):
            break
        current, stop = current + int(following.value), following.stop
    return Amount(total + current, stop)


def _room(total: int, current: int) -> int:
    """Below which a further group may be added: `two hundred` takes up to 99, `thousand` up to 999."""
    if current == 0:
        return 1000 if total else 0
    return 100 if current % 100 == 0 else 0


def _after_scale(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Amount | None:
    if tokens[at - 1].word not in words.scales and tokens[at - 1].word not in words.joints:
        return None
    joined = at + 1 if tokens[at].word in words.joints else at
    if joined >= len(tokens) or tokens[joined].kind != "word" or tokens[joined].word in words.articles:
        return None
    return _atom(tokens, joined, words)


def _group(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Amount | None:
    """What a sum begins with: digits, a word, or a multiplier alone (`a hundred`)."""
    token = tokens[at]
    if token.kind == "number":
        value = read_digits(token.text, words)
        amount = None if value is None else Amount(value, at + 1)
        return _scaled(tokens, amount, words) if amount and isinstance(value, float) else amount
    if token.kind != "word":
        return None
    for size in (3, 2):
        value = words.fixed.get(tuple(token.word for token in tokens[at : at + size]))
        if value is not None and at + size <= len(tokens):
            return Amount(value, at + size)
    if token.word in words.articles and fraction_at(tokens, at + 1, words):
        return Amount(1, at + 1)
    scale_at = at + 1 if token.word in words.articles else at
    if scale_at < len(tokens) and tokens[scale_at].word in words.scales:
        return Amount(1, scale_at)
    return None if scale_at > at else _atom(tokens, at, words)


def _scaled(tokens: tuple[Token, ...], amount: Amount, words: NumberWords) -> Amount:
    scale = words.scales.get(tokens[amount.stop].word) if amount.stop < len(tokens) else None
    if scale is None:
        return amount
    value = amount.value * scale
    return Amount(int(value) if float(value).is_integer() else value, amount.stop + 1)


def _atom(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Amount | None:
    """One number word, or tens and ones together (`forty-five`, `fünf und vierzig`)."""
    word = tokens[at].word
    if word in words.mixed:
        return Amount(words.mixed[word], at + 1)
    if words.units_first:
        return _german_atom(tokens, at, words)
    if word in words.tens:
        ones_at = at + 2 if at + 1 < len(tokens) and tokens[at + 1].text == "-" else at + 1
        ones = words.ones.get(tokens[ones_at].word, 0) if ones_at < len(tokens) else 0
        if 0 < ones < 10:
            return Amount(words.tens[word] + ones, ones_at + 1)
        return Amount(words.tens[word], at + 1)
    return Amount(words.ones[word], at + 1) if word in words.ones else None


def _german_atom(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Amount | None:
    value = read_compound(tokens[at].word)
    if value is None:
        return None
    joined = at + 2 < len(tokens) and tokens[at + 1].word in words.joints and tokens[at + 2].word in words.tens
    if joined and 0 < value < 10:
        return Amount(value + words.tens[tokens[at + 2].word], at + 3)
    return Amount(value, at + 1)


def _fraction(tokens: tuple[Token, ...], amount: Amount, words: NumberWords) -> Amount:
    """Adds `and a half` or `point five` to a whole number."""
    at = amount.stop
    if at >= len(tokens) or isinstance(amount.value, float):
        return amount
    part = fraction_at(tokens, at, words)
    if part:
        return Amount(amount.value + part.value, part.stop)
    if tokens[at].word in words.points:
        digits, stop = "", at + 1
        while stop < len(tokens) and len(digits) < 9 and (digit := _digit(tokens[stop], words)) is not None:
            digits, stop = digits + str(digit), stop + 1
        if digits:
            return Amount(amount.value + int(digits) / 10 ** len(digits), stop)
    return amount


def fraction_at(tokens: tuple[Token, ...], at: int, words: NumberWords) -> Amount | None:
    """The part of a whole that is added at a token (`and a half`), and the token after it."""
    for size in (4, 3, 2):
        value = words.fractions.get(tuple(token.word for token in tokens[at : at + size]))
        if value is not None and at + size <= len(tokens):
            return Amount(value, at + size)
    return None


def _digit(token: Token, words: NumberWords) -> int | None:
    value = words.ones.get(token.word)
    if value is None and token.text.isdecimal():
        value = int(token.text)
    return value if value is not None and value < 10 else None


# German compounds --------------------------------------------------------------------------------

_ONES_DE = {
    "ein": 1,
    "eins": 1,
    "zwei": 2,
    "zwo": 2,
    "drei": 3,
    "vier": 4,
    "fuenf": 5,
    "sechs": 6,
    "sieben": 7,
    "acht": 8,
    "neun": 9,
}
_TEENS_DE = {
    "zehn": 10,
    "elf": 11,
    "zwoelf": 12,
    "dreizehn": 13,
    "vierzehn": 14,
    "fuenfzehn": 15,
    "sechzehn": 16,
    "siebzehn": 17,
    "achtzehn": 18,
    "neunzehn": 19,
}
_TENS_DE = {
    "zwanzig": 20,
    "dreissig": 30,
    "vierzig": 40,
    "fuenfzig": 50,
    "sechzig": 60,
    "siebzig": 70,
    "achtzig": 80,
    "neunzig": 90,
}
_ONE_DE = "|".join(sorted(_ONES_DE, key=len, reverse=True))
_TEN_DE = "|".join(_TENS_DE)
_UNDER_100 = (
    rf"(?:(?:(?P<o{{0}}>{_ONE_DE})und)?(?P<t{{0}}>{_TEN_DE})|(?P<n{{0}}>{'|'.join(_TEENS_DE)})|(?P<e{{0}}>{_ONE_DE}))"
)
_UNDER_1000 = rf"(?:(?P<h{{0}}>(?:{_ONE_DE})?hundert)(?:und)?)?{_UNDER_100}?"
_COMPOUND = late_pattern(
    rf"(?:(?P<thousands>{_UNDER_1000.format(1)}tausend)(?:und)?)?{_UNDER_1000.format(2)}(?P<half>(?:und)?einhalb)?"
)


@lru_cache(maxsize=1024)
def read_compound(word: str) -> float | None:
    """The number that one (folded) German word is: `fuenfundvierzig`, `hundertzwei`, `zweieinhalb`."""
    if word == "null":
        return 0
    if len(word) > 90 or word in ("ein", "einhalb"):
        return None
    found = _COMPOUND.fullmatch(word)
    if not found or not word:
        return None
    value = _hundreds(found, 2)
    if found["thousands"]:
        value += 1000 * (_hundreds(found, 1) or 1)
    return value + 0.5 if found["half"] else value


def _hundreds(found: re.Match[str], part: int) -> int:
    hundreds = found[f"h{part}"]
    value = 100 * _ONES_DE.get(hundreds.removesuffix("hundert"), 1) if hundreds else 0
    value += _ONES_DE.get(found[f"o{part}"] or "", 0) + _TENS_DE.get(found[f"t{part}"] or "", 0)
    return value + _TEENS_DE.get(found[f"n{part}"] or "", 0) + _ONES_DE.get(found[f"e{part}"] or "", 0)
