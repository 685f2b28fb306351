"""Which parts of a message ask something, and which only ask for something.

It tells "when will I hear from you?" from "could we do Tuesday?"; it answers neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec.structs import replace

from turnwise.understanding.clauses import ENDS_SENTENCE, Clause
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token
from turnwise.understanding.vocabulary.shape import Phrases, is_one_of, length_at


def with_questions(clauses: tuple[Clause, ...], tokens: tuple[Token, ...], situation: Situation) -> tuple[Clause, ...]:
    """The clauses with those marked that belong to a question."""
    marked: list[Clause] = []
    for _, some in groupby(clauses, key=lambda clause: clause.sentence):
        sentence = list(some)
        begin = _question_begin(sentence, tokens, situation)
        marked += [replace(clause, is_question=at >= begin) for at, clause in enumerate(sentence)]
    return tuple(marked)


def questions_of(clauses: Sequence[Clause], tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    """The token ranges of the questions, each with its closing mark."""
    found: list[tuple[int, int]] = []
    for _, some in groupby((c for c in clauses if c.is_question), key=lambda clause: clause.sentence):
        asked = list(some)
        stop = asked[-1].stop
        while stop < len(tokens) and tokens[stop].text not in ENDS_SENTENCE:
            stop += 1
        found.append((asked[0].first, _with_mark(stop, tokens)))
    return found


def is_request(said: Sequence[str], situation: Situation) -> bool:
    """True if words ask that something be done."""
    return is_led_by(situation.vocabulary.speech.requests, said, situation)


def sentence_asks(sentence: Sequence[Clause], tokens: tuple[Token, ...]) -> bool:
    """True if a sentence ends with a question mark."""
    stop = sentence[-1].stop
    while stop < len(tokens) and tokens[stop].text not in ENDS_SENTENCE:
        stop += 1
    return _with_mark(stop, tokens) > stop


def _question_begin(sentence: list[Clause], tokens: tuple[Token, ...], situation: Situation) -> int:
    """The first clause of the question in a sentence; past its end where there is none."""
    has_mark = sentence_asks(sentence, tokens)
    for at, clause in enumerate(sentence):
        if is_request(clause.said, situation):
            return len(sentence)
        if _opens(clause, situation, has_mark=has_mark):
            return at
    if not has_mark or (len(sentence) > 1 and _is_tag(sentence[-1], situation)):
        return len(sentence)
    return 0


def _opens(clause: Clause, situation: Situation, *, has_mark: bool) -> bool:
    speech = situation.vocabulary.speech
    if not clause.said or (clause.readings and clause.readings[0].first < clause.places[0]):
        return False
    if any(is_one_of(table, clause.said) for table in (speech.yes, speech.no, speech.doubt)):
        return False
    if is_led_by(speech.inverted, clause.said, situation):
        return True
    first = next((word for word in clause.said if word not in speech.starters), "")
    return has_mark and first in speech.openers


def is_led_by(table: Phrases, said: Sequence[str], situation: Situation) -> bool:
    """True if words begin with a phrase of a table, small openers aside."""
    starters = situation.vocabulary.speech.starters
    for at, word in enumerate(said):
        if length_at(table, said, at):
            return True
        if word not in starters:
            return False
    return False


def _is_tag(clause: Clause, situation: Situation) -> bool:
    return not clause.readings and len(clause.said) == 1 and clause.said[0] in situation.vocabulary.speech.tags


def _with_mark(stop: int, tokens: tuple[Token, ...]) -> int:
    at = stop
    while at < len(tokens) and tokens[at].text in "!?":
        at += 1
    return at if any(token.text == "?" for token in tokens[stop:at]) else stop
