"""Names of conversations that come from outside: from a request, a file, or the command line.

A program may name its conversations as it likes. A name that another program chose is shown to people and printed on
terminals, so it has no control characters, none that change the direction of text, and none that cannot be seen.
"""

from __future__ import annotations

import re
from functools import cache

from turnwise.errors import WrongArgument

LONGEST_NAME = 200
"""How many characters the name of a conversation may have."""
LONGEST_OWNER = 128
"""How many characters the name of an owner may have."""
_UNSEEN = (
    r"\u0000-\u001f\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u1680\u180e\u2000-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u3000\ue000-\uf8ff\ufeff\ufff0-\ufffb\ufffe-\uffff"
)
"""Characters that no name has, as a regular expression of Python and of JSON Schema writes them. Halves of surrogate
pairs are not among them, for most languages cannot write them; no text in UTF-8 has one.
"""
NAME = rf"^ *[^ {_UNSEEN}][^{_UNSEEN}]*(?![\s\S])"
"""The regular expression of a name; its end is strict also in Python, where `$` would allow a line break."""
EXPECTED_NAME = f"a name of 1 to {LONGEST_NAME} printable characters"
"""What a name has to be, for messages."""


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(NAME)


def is_name(name: str) -> bool:
    """Return whether a text is valid as the name of a new conversation, or of an operator."""
    return len(name) <= LONGEST_NAME and _pattern().match(name) is not None and _is_utf8(name)


def _is_utf8(text: str) -> bool:
    """Return whether a text can be encoded: it has no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_owner(owner: str) -> bool:
    """Return whether a text is valid as the owner of conversations, which is the part of their ids before `:`."""
    is_short = len(owner) <= LONGEST_OWNER and not owner.startswith(" ")
    return is_short and ":" not in owner and "/" not in owner and is_name(owner)


def is_id(text: str, *, has_owner: bool = False) -> bool:
    """Return whether a text is valid as the whole id of a new conversation: a name, or `owner:name`. With `has_owner`
    only `owner:name` is valid.
    """
    owner, colon, name = text.partition(":")
    return (bool(colon) and is_owner(owner) and is_name(name)) or (not has_owner and is_name(text))


def check_new_id(argument: str, text: str) -> str:
    """Return the whole id of a new conversation, checked. Raises `WrongArgument`, which calls it `argument`."""
    if not is_id(text):
        raise WrongArgument(argument, text, EXPECTED_NAME)
    return text
