"""A message that answers an open free-text question and asks something: `Bergen. Do you have vegan food?` (law 5.10).

It splits such a message only where the answer is certain; otherwise it keeps the question and no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state.commands import Ask
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.questions import questions_of, sentence_asks
from turnwise.understanding.requests import kind_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.shape import is_one_of

_LONGEST_ANSWER = 5
"""A longer statement beside a question may be an introduction to it as well, in words."""


class Mixed(Struct, frozen=True):
    """A message that states and asks: the characters of the answer (`None` if uncertain), and its questions."""

    answer: tuple[int, int] | None
    questions: tuple[Ask, ...]


def split(heard: Heard, situation: Situation) -> Mixed | None:
    """Return the parts of a message that both states and asks something; `None` for any other message."""
    sentences = [tuple(some) for _, some in groupby(heard.clauses, key=lambda clause: clause.sentence)]
    asks = [_asks(sentence, heard) for sentence in sentences]
    stated = [sentence for sentence, is_question in zip(sentences, asks, strict=True) if not is_question]
    if not any(asks) or not (stated or _has_statement_before_question(sentences)):
        return None
    answer = _bare_answer(stated[0], heard, situation) if len(stated) == 1 and _stands_at_an_end(asks) else None
    return Mixed(answer, tuple(_questions(sentences, asks, heard, situation)))


def _asks(sentence: Sequence[Clause], heard: Heard) -> bool:
    return any(clause.is_question for clause in sentence) or sentence_asks(sentence, heard.tokens)


def _has_statement_before_question(sentences: Sequence[Sequence[Clause]]) -> bool:
    """True for one sentence such as `Bergen, do you have vegan food?`; a request or a tag is no such question."""
    return any(sentence[-1].is_question and not sentence[0].is_question for sentence in sentences)


def _stands_at_an_end(asks: Sequence[bool]) -> bool:
    """True if the one statement is the first or the last sentence."""
    return not asks[0] or not asks[-1]


def _bare_answer(sentence: Sequence[Clause], heard: Heard, situation: Situation) -> tuple[int, int] | None:
    """The characters of a sentence that is a name or a few words for a thing, and no remark about the question."""
    speech = situation.vocabulary.speech
    small = speech.filler | speech.small_adverbs | speech.hedges | speech.negators | speech.subjects | speech.pronouns
    small |= speech.modals | speech.copulas | speech.starters | speech.openers | speech.answers
    first, stop = sentence[0].first, sentence[-1].stop
    said = tuple(token.word for token in heard.tokens[first:stop] if token.kind != "mark")
    text = heard.text(first, stop)
    is_remark = (
        any(word in small or word in speech.remarks for word in said)
        or any(clause.is_negated or clause.is_doubtful or clause.readings for clause in sentence)
        or not _is_name_like(heard, first, stop)
        or any(is_one_of(table, said) for table in (speech.yes, speech.no, speech.doubt, speech.idle))
        or bool(kind_of(said, situation) or situation.language.courtesy(text))
        or all(situation.labels.knows(word) for word in said)
    )
    return None if is_remark or len(said) > _LONGEST_ANSWER else heard.words(first, stop)


def _is_name_like(heard: Heard, first: int, stop: int) -> bool:
    """True for one word, or several with a capital each: `New York`, unlike `Fair enough`."""
    typed = [token.text for token in heard.tokens[first:stop] if token.kind != "mark"]
    return len(typed) == 1 or all(word[0].isupper() for word in typed)


def _questions(
    sentences: Sequence[Sequence[Clause]], asks: Sequence[bool], heard: Heard, situation: Situation
) -> list[Ask]:
    """The questions in their order, each with its closing mark."""
    asking = [sentence for sentence, is_question in zip(sentences, asks, strict=True) if is_question]
    ranges = questions_of([clause for sentence in asking for clause in _asking(sentence)], heard.tokens)
    texts = [(heard.words(first, stop), heard.text(first, stop)) for first, stop in ranges]
    return [
        Ask(text=text, words=words, confidence=1.0)
        for words, text in texts
        if len(words_of(text)) > 1 and not kind_of(words_of(text), situation)
    ]


def _asking(sentence: Sequence[Clause]) -> list[Clause]:
    """The clauses of a sentence that ask; of a request with a question mark, all of them."""
    return [clause for clause in sentence if clause.is_question] or [replace(one, is_question=True) for one in sentence]
