"""Messages that answer no free-text question: a question, a bare yes, "please repeat", "I don't know" (law 5.10).

A question that takes any text is not asked about here.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import AnyCommand, Ask
from turnwise.understanding.clauses import Heard
from turnwise.understanding.polarity import answer_of
from turnwise.understanding.requests import command_named, kind_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.shape import length_at

HARMLESS = ("help", "repeat", "wait")
"""Commands that a whole message may ask for in any wording, since they change nothing."""

_LONGEST_QUESTION = 10
"""A longer message without a question mark is no question, in words."""


def is_no_answer(heard: Heard, asked: ExposedField, situation: Situation) -> bool:
    """True if a message as a whole cannot be what a free-text question asks for."""
    said = _said(heard)
    return (
        _is_question(heard, said, situation)
        or _is_bare_answer(heard.message, said, asked, situation)
        or _is_unknown(said, situation)
        or kind_of(said, situation) in HARMLESS
    )


def aside_of(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """What a message that is no answer asks for: help, the question again, a moment, or an answer aside."""
    said, everything = _said(heard), (0, len(heard.message))
    kind = kind_of(said, situation)
    command = command_named(kind, everything) if kind in HARMLESS else None
    if command is not None:
        return [command]
    is_question = _is_question(heard, said, situation)
    return [Ask(text=heard.message.strip(), words=everything, confidence=1.0)] if is_question else []


def _said(heard: Heard) -> tuple[str, ...]:
    return tuple(token.word for token in heard.tokens if token.kind != "mark")


def _is_question(heard: Heard, said: Sequence[str], situation: Situation) -> bool:
    """True if every part of a message asks, small words aside."""
    speech = situation.vocabulary.speech
    stated = [clause for clause in heard.clauses if not clause.is_question]
    if len(stated) == len(heard.clauses):
        return _asks_without_mark(said, situation)
    has_mark = "?" in heard.message
    is_short = has_mark or len(said) <= _LONGEST_QUESTION
    return is_short and all(word in speech.filler or word in speech.starters for one in stated for word in one.said)


def _asks_without_mark(said: Sequence[str], situation: Situation) -> bool:
    """True for `which cities do you serve`: a question word, and soon after it a verb before its subject."""
    speech = situation.vocabulary.speech
    first = next((at for at, word in enumerate(said) if word not in speech.starters), len(said))
    if first >= len(said) or said[first] not in speech.openers or len(said) > _LONGEST_QUESTION:
        return False
    return any(length_at(speech.inverted, said, at) for at in range(first + 1, min(first + 4, len(said))))


def _is_bare_answer(message: str, said: Sequence[str], asked: ExposedField, situation: Situation) -> bool:
    """True for a plain yes; for a plain no where the question asks which, what or when, so that none is meant."""
    speech = situation.vocabulary.speech
    if answer_of(said, situation) is True:
        return bool(speech.answers.intersection(said)) or situation.language.means("true", message)
    is_refusal = bool(said) and all(word in speech.refusals or word in speech.filler for word in said)
    title = words_of(asked.title)
    return is_refusal and bool(speech.refusals.intersection(said)) and bool(title) and title[0] in speech.openers


def _is_unknown(said: Sequence[str], situation: Situation) -> bool:
    """True if the message says that the answer is not known, and nothing else."""
    speech, phrases = situation.vocabulary.speech, situation.language.phrases["dont_know"]
    if len(said) > _LONGEST_QUESTION:
        return False
    idle = [word in speech.filler or word in speech.openers or situation.labels.knows(word) for word in said]
    return any(
        " ".join(said[first:stop]) in phrases and all(idle[:first]) and all(idle[stop:])
        for first in range(len(said))
        for stop in range(first + 1, len(said) + 1)
    )
