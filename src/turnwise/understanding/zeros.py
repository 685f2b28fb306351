"""Reads an answer that means none (`no children`) as 0, where the field accepts 0."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.state.commands import Set
from turnwise.core.values import read_value
from turnwise.understanding.clauses import Clause, ParsedMessage


def zero_sets(message: ParsedMessage, found: Sequence[Set]) -> list[Set]:
    """Return the command that sets the asked number to 0 if the whole message says that there are none (`none`, `no
    kids`, `keine`); none if `found` has another value.
    """
    situation = message.situation
    asked, clauses = situation.asked, message.clauses
    is_count = asked is not None and asked.field.type in ("integer", "number") and not asked.field.options
    if asked is None or not is_count or found or len(clauses) != 1 or not _says_none(clauses[0], message):
        return []
    if read_value(asked.field, 0, situation.rules) != 0:
        return []
    return [Set(message.whole(), 0.9, value=0, field=asked.address)]


def _says_none(clause: Clause, message: ParsedMessage) -> bool:
    """True for one word of none among the words of the question and small ones; a bare no says nothing of a number."""
    situation, speech = message.situation, message.situation.speech
    if clause.readings or clause.is_question or clause.is_doubtful or situation.asked is None:
        return False
    zeros = [word for word in clause.said if word in situation.vocabulary.numbers.zeros]
    negators = [word for word in clause.said if word in speech.negators]
    rest = [word for word in clause.said if word not in zeros and word not in negators]
    names = [word for word in rest if situation.labels.only_field_named((word,)) == situation.asked.address]
    small = speech.filler | speech.subjects | speech.trailing | speech.small_adverbs
    if len(zeros) != 1 or len(negators) != 1 or any(word not in small and word not in names for word in rest):
        return False
    is_refusal = not names and (zeros[0] in speech.refusals or zeros[0] == "no")
    return not is_refusal
