"""Finds messages that only cancel, in words of another language than the flow speaks (law 7.3a).

People who are stuck fall back into their own language, as they do when they greet. Other commands are read in the
language of the flow alone: their words are too often answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module

from turnwise.core.language import LANGUAGES, language_of
from turnwise.core.state.commands import Cancel
from turnwise.understanding import vocabulary
from turnwise.understanding.choices import exact_option
from turnwise.understanding.navigation import inner_forms, is_move
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.speech_shape import Move, Navigation

_MOST_WORDS = 8
"""A longer message says something."""


def cancel_in_another_language(text: Text, situation: Situation) -> Cancel | None:
    """Return the cancel command of a message that asks for it in another language; `None` for any other message. Only
    where something can be cancelled, the flow has no phrases of its own for it, and no option reads like it.
    """
    allowed = situation.allowed
    if _cancel_words(allowed.language).isdisjoint(text.words):
        return None
    can_cancel = (allowed.inside or allowed.asked) and "cancel" in allowed.commands and "cancel" not in allowed.phrases
    words = text.words_between(0, len(text.tokens))
    if not can_cancel or not 0 < len(words) <= _MOST_WORDS:
        return None
    takes_phrases_only = situation.asked is not None and situation.asked.takes_anything
    others = [code for code in LANGUAGES if code != allowed.language]
    is_cancel = any(language_of(code).means("cancel", text.message) for code in others) or (
        not takes_phrases_only and any(_moves(words, code, situation) for code in others)
    )
    if not is_cancel or exact_option(text.message, situation) is not None:
        return None
    return Cancel(words=(0, len(text.message)), confidence=1.0)


@cache
def _cancel_words(language: str) -> frozenset[str]:
    """Return the words without which no message cancels in another language than this one."""
    others = [code for code in LANGUAGES if code != language]
    found = {word for code in others for phrase in language_of(code).phrases["cancel"] for word in words_of(phrase)}
    groups = [group for code in others for move in _cancels(code) for group in move.needs]
    return frozenset(found.union(*groups))


def _cancels(code: str) -> tuple[Move, ...]:
    """Return the moves of a language that cancel."""
    return tuple([move for move in _navigation(code).moves if move.kind == "cancel"])


def _navigation(code: str) -> Navigation:
    return import_module(f"{vocabulary.__name__}.{code}_navigation").NAVIGATION


def _moves(said: Sequence[str], code: str, situation: Situation) -> bool:
    """Return whether several words cancel in a language, also if they name the scope in charge."""
    if len(said) < 2 or code not in vocabulary.LANGUAGE_CODES:  # one word may be a name
        return False
    forms, small = (said, *inner_forms(said, situation.allowed.inside, code)), _navigation(code).small
    return any(is_move(move, form, small) for form in forms for move in _cancels(code))
