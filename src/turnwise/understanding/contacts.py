"""E-mail addresses and telephone numbers in a message.

It reads what has the form of one; whether the address exists is nobody's business here.
"""

from __future__ import annotations

import re

from turnwise.core.values import EXTENSION
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.readings import Reading
from turnwise.understanding.tokens import Token

_PHONE = late_pattern(r"(?:\+|\(|0)[0-9(](?:[ ()/.-]{0,3}[0-9]){4,18}")
_GROUPED = late_pattern(r"[0-9]{3}([ .-])[0-9]{3}\1[0-9]{4}(?![0-9])")
_RUN = late_pattern(r"[0-9]{7,15}(?![0-9.,:/-]*[0-9])")


def contact_at(message: str, tokens: tuple[Token, ...], at: int) -> Reading | None:
    """The e-mail address or telephone number that begins at a token."""
    token = tokens[at]
    if token.kind == "email":
        return Reading("email", token.text, at, at + 1)
    if token.kind != "number" and token.text not in "+(":
        return None
    for form in (_PHONE, _GROUPED, _RUN):
        found = form.match(message, token.start)
        if found and 7 <= sum(char.isdigit() for char in found[0]) <= 15:
            return _phone(tokens, at, found)
    return None


def _phone(tokens: tuple[Token, ...], at: int, found: re.Match[str]) -> Reading | None:
    extension = EXTENSION.match(found.string, found.end())
    end = extension.end() if extension is not None else found.end()
    stop = at
    while stop < len(tokens) and tokens[stop].start < end:
        stop += 1
    if tokens[stop - 1].end != end:
        return None
    return Reading("phone", found.string[found.start() : end].strip(), at, stop)
