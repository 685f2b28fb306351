"""Fixed texts and phrases of a conversation by language, which a flow may replace.

It matches whole phrases only; understanding free speech is the business of an understander.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.language import de, de_phrases, en, en_phrases
from turnwise.flow.late_pattern import late_pattern

LANGUAGES: dict[str, tuple[dict[str, str], dict[str, tuple[str, ...]]]] = {
    "en": (en.TEXTS, en_phrases.PHRASES),
    "de": (de.TEXTS, de_phrases.PHRASES),
}
"""The fixed texts by key, and the phrases by kind, of each language by its code."""
_THOUSANDS_MARKS = {"en": en.THOUSANDS_MARK, "de": de.THOUSANDS_MARK}
COURTESIES = ("greeting", "thanks", "farewell")
"""Messages that are no answers; each kind has phrases, and a text that is said back."""
_SAYS_MORE_ELSEWHERE = frozenset(("tag",))
"""Greetings that are words of another meaning in other languages."""
_EDGE = " \t\r\n.,;:!?…\"'()"
_UNSEEN = (
    " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u2060\ufeff"
    "\u061c\u200e\u200f"
)
"""White space, and what has neither width nor meaning at the ends of a text: marks of direction, word joiners."""
_OPENS = _UNSEEN + "\u202a\u202b\u2066\u2067\u2068"
_CLOSES = _UNSEEN + "\u202c\u2069"
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"'})
_NAME = late_pattern(r"\{(\w+)\}")
_WHY = late_pattern(
    r"(?i)(?:^|[,;:.!?]|\b(?:and|but|so|then|also|or|und|aber|oder|denn))\s*"
    r"(?:(?:why|how come|warum|wieso|weshalb|weswegen|wozu|wofür)\b|what\b.{3,80}\bfor\W*$)"
)
_BEFORE_WHY = late_pattern(
    r"(?i)\W*(?:(?:and|but|so|then|also|or|well|please|sorry|ok|okay|hm+|oh|ah|hello|hi|hey|thanks|thank you|und|aber|oder"
    r"|denn|na|bitte|entschuldigung|ach|hallo|danke)\b\W*)*"
)
"""Small words that may stand before a question without saying anything."""


class Language(Struct, frozen=True):
    """A natural language: the machine's fixed texts, and the phrases that users say, by kind."""

    code: str
    """The code of the language, such as `en`."""
    texts: Mapping[str, str]
    """The fixed texts of the machine, by key, with `{names}` to fill in."""
    phrases: Mapping[str, frozenset[str]]
    """The phrases by which users express a command or answer, by kind such as `cancel`, normalised."""
    joint: re.Pattern[str]
    """Matches what separates the parts of a list: a comma, *and*."""
    thousands_mark: str
    """The character that groups the digits of a large number: `,` in English."""
    own: Mapping[str, tuple[str, ...]]
    """The phrases that a flow has in place of those of the language, by kind, as its author wrote them."""

    def text(self, key: str, **values: object) -> str:
        """Return the fixed text of a key, such as `greeting`, with its `{names}` filled in."""
        return _NAME.sub(lambda found: str(values.get(found[1], found[0])), self.texts[key])

    def means(self, kind: str, message: str) -> bool:
        """Return whether the whole message is one phrase of a kind, such as `cancel`."""
        return normalized(message) in self.phrases[kind]

    def asks_why(self, message: str) -> bool:
        """Return whether a message is only a phrase such as `why?`.
        One of another language counts with its question mark only: without it the word may be an answer.
        """
        return self.means("why", message) or (
            is_question(message) and any(language_of(code).means("why", message) for code in LANGUAGES)
        )

    def courtesy(self, message: str) -> str:
        """Return the courtesy that the whole message is, such as `greeting` (see `COURTESIES`); else empty."""
        if is_question(message):
            return ""
        parts = self.parts(message)
        found = next((kind for kind in COURTESIES if parts and self.phrases[kind].issuperset(parts)), "")
        if found or not parts or "greeting" in self.own:
            return found
        return "greeting" if _greetings().issuperset(parts) else ""  # people greet so, whatever is spoken then

    def says_none(self, message: str, title: str) -> bool:
        """Return whether every part of a message says that the list named `title` is empty: `none`, `no allergies`."""
        if is_question(message):
            return False
        named, parts = set(normalized(title).replace("_", " ").split()), self.parts(message)
        said = [part for part in parts if part not in self.phrases["polite"]]
        plain = [" ".join([word for word in part.split() if word not in named]) for part in said]
        return bool(said) and all(part in self.phrases["none"] for part in plain)

    def parts(self, message: str) -> list[str]:
        """Return the message split at commas, full stops and "and", each part normalised."""
        return [part for part in map(normalized, self.joint.split(message)) if part]

    def spaced_parts(self, message: str) -> list[str]:
        """Return the message split as by `parts`, but not at a comma or full stop inside a word."""
        found, start = list[str](), 0
        for joint in self.joint.finditer(message):
            around = message[joint.start() - 1 : joint.end() + 1] if joint.start() else ""
            if joint[0] not in ".," or len(around) < 3 or " " in around:
                found.append(message[start : joint.start()])
                start = joint.end()
        return [*found, message[start:]]

    def all_mean(self, kind: str, message: str) -> bool:
        """Return whether every part of the message, except for politeness, is a phrase of a kind (law 5.5)."""
        known = self.phrases[kind]
        if normalized(message) in known:
            return True
        parts = [part for part in self.parts(message) if part not in self.phrases["polite"]]
        return bool(parts) and all(part in known for part in parts)


def is_why_question(text: str) -> bool:
    """Return whether a text asks why, in English or German: a word such as `why` begins it or one of its clauses."""
    return _WHY.search(text.translate(_QUOTES)) is not None


def begins_with_why(text: str) -> bool:
    """Return whether a text asks why at its beginning, apart from small words."""
    found = _WHY.search(text.translate(_QUOTES))
    return found is not None and _BEFORE_WHY.fullmatch(text, 0, found.start()) is not None


def is_question(text: str) -> bool:
    """Return whether a text has a question mark, so that it asks or doubts something."""
    return "?" in text or "？" in text or "؟" in text


def trimmed(text: str) -> str:
    """Return a text without white space and invisible direction marks at its ends."""
    return text.strip() if text.isascii() else text.lstrip(_OPENS).rstrip(_CLOSES)


def folded(text: str) -> str:
    """Return a text in the form in which options are compared: trimmed, lower case, with composed accents."""
    plain = trimmed(text).casefold()
    return plain if plain.isascii() else normalize("NFC", plain)


def normalized(text: str) -> str:
    """Return a text as phrases are compared: folded, single spaces, straight quotes, no final stop."""
    straight = text if text.isascii() else trimmed(text).translate(_QUOTES)
    return " ".join(straight.split()).strip(_EDGE).casefold()


def language_of(code: str, own: Mapping[str, Any] | None = None) -> Language:
    """Return the language of a code, with a flow's own texts and phrases in place of its usual ones (law 5.13)."""
    if not own:
        return _shipped(code)
    texts, phrases = LANGUAGES[code]
    own_texts = {key: value for key, value in own.items() if key in texts and isinstance(value, str)}
    lists = {phrase_kind(key, phrases): value for key, value in own.items() if not isinstance(value, str)}
    own_phrases = {kind: tuple(value) for kind, value in lists.items() if kind}
    return replace(_language(code, texts | own_texts, phrases | own_phrases), own=own_phrases)


def phrase_kind(key: str, phrases: Iterable[str]) -> str:
    """Return the kind, one of those in `phrases`, whose phrases a key under `texts:` of a flow replaces; empty if it
    replaces none. The phrases of a kind that is also the key of a text have the key `greeting_phrases`.
    """
    known = frozenset(phrases)
    return next((kind for kind in (key, key.removesuffix("_phrases")) if kind in known), "")


@cache
def _greetings() -> frozenset[str]:
    """Return the greetings of all languages."""
    return frozenset[str]().union(*[_shipped(code).phrases["greeting"] for code in LANGUAGES]) - _SAYS_MORE_ELSEWHERE


@cache
def _shipped(code: str) -> Language:
    return _language(code, *LANGUAGES[code])


def _language(code: str, texts: dict[str, str], phrases: dict[str, tuple[str, ...]]) -> Language:
    words = "|".join(re.escape(word) for word in phrases["and"])
    joint = re.compile(rf"[,.;!?\n]|\b(?:{words})\b", re.IGNORECASE)
    return Language(
        code,
        texts,
        {kind: frozenset(map(normalized, some)) for kind, some in phrases.items()},
        joint,
        _THOUSANDS_MARKS[code],
        {},
    )
