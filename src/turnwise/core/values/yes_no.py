"""Choices whose options are Yes and No: they are read as strictly as any other yes (law 5.5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from turnwise.core.language import Language, language_of
from turnwise.core.language.answers import plain_answer, words_of
from turnwise.flow.model import Option

_SAYING = {
    **dict.fromkeys(("yes", "y", "yep", "yeah", "ja", "j", "true", "wahr"), True),
    **dict.fromkeys(("no", "n", "nope", "nein", "false", "falsch"), False),
}
"""The first words of options that mean only yes or only no; `Right` and `None` may mean something else."""


def yes_or_no_option(options: tuple[Option, ...], text: str, language: Language) -> str | None:
    """Return the option Yes or No that a text means; `None` if it means neither, or the options are others."""
    answers = answer_options(options, language.code)
    said = plain_answer(language, text, "true") if answers else None
    return None if said is None else answers[said]


def consent_of(option: str, options: tuple[Option, ...], language: Language) -> bool | None:
    """Return true for an option that means yes, false for one that means no, `None` for any other.
    It accepts or begins with a yes, or declines or begins with a no; of two options also where only the other one does.
    """
    said = _consent(option, language)
    if said is None and len(options) == 2:
        other = _consent(next(one.value for one in options if one.value != option), language)
        return None if other is None else not other
    return said


def _consent(option: str, language: Language) -> bool | None:
    words = words_of(option)
    said = plain_answer(language, option, "call")
    return _SAYING.get(words[0]) if said is None and words else said


@lru_cache(maxsize=256)
def answer_options(options: tuple[Option, ...], code: str) -> Mapping[bool, str]:
    """Return the options that only mean yes (`True`) and only mean no (`False`); empty unless both exist."""
    found: dict[bool, str] = {}
    for option in options:
        said = {_said(text, code) for text in (option.value, *option.words)} - {None}
        if len(said) == 1:
            found.setdefault(said == {True}, option.value)
    return found if len(found) == 2 else {}


def _said(text: str, code: str) -> bool | None:
    words = words_of(text)
    said = _SAYING.get(words[0]) if words else None
    is_whole = len(words) == 1 or plain_answer(language_of(code), text, "true") is said
    return said if is_whole else None
