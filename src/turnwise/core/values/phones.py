"""Reads telephone numbers: digits that can be called, with a `+` before a country's code, and an extension."""

from __future__ import annotations

import re

from turnwise.core.values.refusal import Refused, Rules
from turnwise.flow.late_pattern import late_pattern

_PHONE = late_pattern(r"\+?[\d\s()/.\-\u2010-\u2013]+")
EXTENSION = late_pattern(r"[\s,;]*(?:ext(?:ension|n)?|x|durchwahl)[.:\s]*([0-9]{1,6})(?![0-9])", re.IGNORECASE)
"""The extension behind a telephone number, which is kept as ` ext. 9`."""
_OTHER = late_pattern(
    r"(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])){3}"  # an IP address
    r"|(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])"  # a day
    r"|(?:0?[1-9]|[12]\d|3[01])[-./](?:0?[1-9]|1[0-2])[-./](?:19|20)\d\d"
)
_TRUNK = late_pattern(r"^(\+|00)([\d\s]*)\(0\)")
_FEWEST, _MOST = 5, 15
"""So many digits has a number of a subscriber at least, and one with its country's code at most."""


def read_phone(raw: object, rules: Rules) -> str | Refused:
    """Return a telephone number without separators between its digits, or its refusal."""
    text = str(raw).strip() if isinstance(raw, str | int) and not isinstance(raw, bool) else ""
    extended = EXTENSION.search(text)
    text, extension = (text[: extended.start()], f" ext. {extended[1]}") if extended is not None else (text, "")
    is_whole = extended is None or extended.end() == len(extended.string)
    if not is_whole or not _PHONE.fullmatch(text) or is_other_number(text):
        return rules.refused("phone")
    text = _TRUNK.sub(r"\1\2", text)  # `+49 (0)30 …` is called without the 0
    digits = "".join(str(int(char)) for char in text if char.isdecimal())
    is_abroad = text.startswith("+")
    is_valid = _FEWEST + 2 * is_abroad <= len(digits) <= _MOST and len(set(digits)) > 1
    if not is_valid or (is_abroad and digits.startswith("0")):
        return rules.refused("phone")
    return ("+" if is_abroad else "") + digits + extension


def is_other_number(text: str) -> bool:
    """Return whether a text of digits and separators is an IP address or a date, not a telephone number."""
    return _OTHER.fullmatch(text.strip()) is not None
