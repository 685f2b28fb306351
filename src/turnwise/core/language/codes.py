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
    """Return the instruction to a model to speak the language of a code."""
    return f"Speak {NAMES[code]} with the user."


def language_code(named: str) -> str:
    """Return the code of a language named by code, by tag such as `de-AT` or by its name; empty if not supported.
    Names are read in English or German; a language without phrases is not supported.
    """
    name = normalized(named)
    code = _BY_NAME.get(name) or _SUBTAG.sub("", name)
    return code if code in LANGUAGES else ""


def code_or_default(named: str) -> str:
    """Return the code of a language as `language_code` does; `en` if none is named, or it is not supported."""
    return language_code(named) or _DEFAULT
