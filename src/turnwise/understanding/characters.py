"""Reduces the characters of all scripts to the few kinds that the tokenizer distinguishes (UAX #29).

The reduced message has the length of the message, so that places in the one are places in the other.
"""

from __future__ import annotations

import unicodedata

_JOINERS = "\u200c\u200d\u00ad\u034f"
"""Without a width: they join or part the shapes of letters, never words."""
_BETWEEN_LETTERS = "\u00b7\u0387\u2027\u30fb\uff65\u05f3\u05f4"
"""The middle dots and the Hebrew signs that belong to a word between two letters (`Gal·la`, `צה״ל`)."""
_PLAIN = {
    **dict.fromkeys("\u2010\u2011\u058a\ufe63\uff0d", "-"),
    **dict.fromkeys("\uff07\u055a", "’"),
    **dict.fromkeys("\u3002\uff61\u0964\u06d4", "."),
    **dict.fromkeys("\uff1f\u061f", "?"),
    **dict.fromkeys("\uff0c\u3001\u060c", ","),
    **dict.fromkeys("\uff1b\u061b", ";"),
    "\uff01": "!",
    "\uff1a": ":",
}
_LETTER = "x"


def normalized(message: str) -> str:
    """Return a message in the form that the tokenizer reads: ASCII digits, hyphens and stops, words joined."""
    if message.isascii():
        return message
    found: list[str] = []
    for at, char in enumerate(message):
        before = found[-1] if found else " "
        found.append(char if char.isascii() else _reduced(char, before, message[at + 1 : at + 2]))
    return "".join(found)


def _reduced(char: str, before: str, after: str) -> str:
    """Return what stands for a character between the reduced one before it and the one after it."""
    if plain := _PLAIN.get(char):
        return plain
    is_in_word = before.isalpha()
    if char in _JOINERS:
        return _LETTER if is_in_word else " "
    if char in _BETWEEN_LETTERS:
        return _LETTER if is_in_word and after.isalpha() else char
    match unicodedata.category(char):
        case "Mn" | "Mc" | "Me":  # of a letter; a mark of anything else, such as an emoji, stays
            return _LETTER if is_in_word else char
        case "Nd":
            return str(unicodedata.decimal(char))
        case "Nl" | "No":  # neither a letter nor a digit for the tokenizer (`Ⅷ`, `²`)
            return char
        case "Cf":
            return " "
        case _:
            return char
