"""Decides whether a yes that a model understood counts (law 7.1a)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.language import Language, is_question, language_of
from turnwise.core.language.answers import cautions_of, is_courtesy, is_idle, plain_answer, words_of
from turnwise.core.state import commands as c
from turnwise.flow.late_pattern import late_pattern

_BREAK = late_pattern(r"[,.;:!?\n()–—]|\s-\s")
_SENTENCE = late_pattern(r"[.!?\n]+")
_CONTRARY = (c.Deny, c.Cancel, c.Restart, c.Undo)
_CHANGES = (c.Set, c.Clear, c.Add, c.Remove, c.Edit)
HARMLESS = (c.Ask, c.Help, c.Why, c.Repeat, c.Wait)
"""Commands that change nothing."""


def objection_to_yes(
    quoted: str, words: tuple[int, int] | None, others: Sequence[c.AnyCommand], message: str, allowed: AllowedInput
) -> c.Objection:
    """Return why a yes that the understanding proposed does not count; empty if it does: if the quoted words say yes,
    and nothing in the message or the other commands (`others`) takes that back. `words` is the span of `quoted` in the
    message; `None` if it does not occur there.
    """
    language, is_call = language_of(allowed.language, allowed.phrases), allowed.question == "call"
    is_offer = allowed.question == "offer"
    kind = "call" if is_call else "offer" if is_offer else "affirm"
    if plain_answer(language, message, kind) and not others:
        return ""
    if words is None or not plain_answer(language, quoted, kind):
        return "no_plain_yes"
    is_whole = is_call or allowed.question == "confirmation"
    if any(isinstance(one, _CONTRARY) or (is_whole and isinstance(one, _CHANGES)) for one in others):
        return "contradicted"
    if is_call and others:
        return "beside_question" if all(isinstance(one, HARMLESS) for one in others) else "contradicted"
    asks = any(isinstance(one, c.Ask) for one in others)
    may_ask = asks and not is_call and not is_offer  # what is opened would leave the question unanswered
    if is_plainly_stated(words, message, language, may_ask=may_ask) and _says_no_more(
        words, message, language, may_ask=may_ask
    ):
        return ""
    return "beside_question" if asks or is_question(message) else "no_plain_yes"


def _says_no_more(words: tuple[int, int], message: str, language: Language, *, may_ask: bool) -> bool:
    """Return whether a message speaks of nothing beside the yes, except in questions if it may ask."""
    rest = [message[: words[0]], *_sentences(message[words[1] :])]
    return all(is_idle(language, one, with_function_words=True) or (may_ask and is_question(one)) for one in rest)


def is_plainly_stated(
    words: tuple[int, int] | None,
    message: str,
    language: Language,
    *,
    may_ask: bool = False,
    may_touch: bool = False,
    is_yes: bool = True,
) -> bool:
    """Return whether the words at the span `words` are a whole part of a message, and the rest does not doubt, limit or
    deny them; without a span, whether the message is a plain yes (no, if not `is_yes`). With `may_ask`, another
    sentence may be a question; with `may_touch`, the words may be a piece of a part.
    """
    if words is None:
        return plain_answer(language, message, "true") is is_yes
    start, end = sentence_around(words, message)
    left, right = message[start : words[0]], message[words[1] : end]
    pieces = (_BREAK.split(left)[-1], -1), (_BREAK.split(right)[0], 0)
    if not may_touch and not all(_is_apart(piece, at, language, is_yes=is_yes) for piece, at in pieces):
        return False
    others = [message[:start], left, right, message[end:]]
    if may_ask:
        others = [left, right, *(one for one in _sentences(f"{message[:start]} {message[end:]}") if "?" not in one)]
    return not any(_is_doubted(one, language, is_yes=is_yes) for one in others)


def sentence_around(words: tuple[int, int], message: str) -> tuple[int, int]:
    """Return start and end (exclusive) of the sentence around the words of a message, with its question mark."""
    start = max((found.end() for found in _SENTENCE.finditer(message, 0, words[0])), default=0)
    stop = _SENTENCE.search(message, words[1])
    return start, stop.end() if stop is not None else len(message)


def _sentences(text: str) -> list[str]:
    return re.findall(r"[^.!?\n]+[.!?\n]*", text)


def _is_apart(piece: str, at: int, language: Language, *, is_yes: bool) -> bool:
    """Return whether what touches the quoted words, up to the next mark, is nothing, a courtesy or the same answer."""
    near = words_of(piece)
    if not near or near[at] in language.phrases["and"]:
        return True
    return is_courtesy(language, piece) or plain_answer(language, piece, "call" if is_yes else "true") is is_yes


def _is_doubted(text: str, language: Language, *, is_yes: bool) -> bool:
    """Return whether a text asks, doubts, limits, denies or changes something, or says the opposite."""
    if is_question(text):
        return True
    pieces = [piece for piece in _BREAK.split(text) if piece.strip()]
    if any(plain_answer(language, piece, "call") is (not is_yes) for piece in pieces):
        return True
    cautions = cautions_of(language) if is_yes else frozenset[str]()
    return any(word in cautions or (is_yes and any(map(str.isdigit, word))) for word in words_of(text))


def contradicts_itself(text: str, language: Language) -> bool:
    """Return whether a text says both yes and no."""
    joints = language.phrases["and"]
    pieces = [piece for part in _BREAK.split(text) for piece in _split(words_of(part), joints)]
    return {True, False} <= {plain_answer(language, piece, "true") for piece in pieces if piece}


def _split(said: Sequence[str], joints: Collection[str]) -> list[str]:
    """Return the words between joining words, as texts."""
    found: list[list[str]] = [[]]
    for word in said:
        if word in joints:
            found.append([])
        else:
            found[-1].append(word)
    return [" ".join(some) for some in found]
