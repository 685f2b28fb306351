"""The codes of the shipped languages, and how a language is named: by code, by tag, or in words."""

from __future__ import annotations

import re

from turnwise.core.language import LANGUAGES, normalized
from turnwise.flow.late_pattern import late_pattern

NAMES = {"en": "English", "de": "German"}
"""The shipped languages by code, in English."""
_DEFAULT = "en"
_BY_NAME = {"english": "en", "englisch": "en", "german": "de", "deutsch": "de"}
"""Codes by the names of languages, in English and German."""
_SUBTAG = late_pattern(r"[-_].*", re.DOTALL)


def speak_in(code: str) -> str:
    """Return the instruction for a model to speak a shipped language."""
    return f"Speak {NAMES[code]} with the user."


def language_code(named: str) -> str:
    """Return the code of a language that is named by its code, by a language tag such as `de-AT` (RFC 5646), or by its
    name in English or German; empty if there are no phrases for it.
    """
    name = normalized(named)
    code = _BY_NAME.get(name) or _SUBTAG.sub("", name)
    return code if code in LANGUAGES else ""


def code_or_default(named: str) -> str:
    """Return the code of a language as `language_code` does; that of English if no language is named, or one without
    phrases.
    """
    return language_code(named) or _DEFAULT
