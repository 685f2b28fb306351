"""Facts about a value, or words, that a question has: it was refused, taken back, taken elsewhere, or replaced."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.names import words_in
from turnwise.why.reading.clauses import ALTHOUGH
from turnwise.why.reading.sentences import Sentence
from turnwise.why.reading.titles import is_alike

UNDONE: tuple[FactKind, ...] = (
    "value_undone",
    "value_lost",
    "field_cleared",
    "field_shelved",
    "field_inactive",
    "items_removed",
)
"""Facts about values that a field no longer has."""
REFUSED: tuple[FactKind, ...] = (
    *("value_refused", "command_refused", "write_refused", "give_back_refused", "call_refused"),
    *("words_not_taken", "not_understood"),
)
"""Facts about values that a field never had."""


def with_value(facts: Sequence[Fact], sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return the fact about a value that the question has, and that the field has not; also about one that the question
    only holds against the value of the field: `why is it Partial although I said no?`, `why is it still Partial?`
    """
    first = facts[0]
    if first.kind == "field_empty":
        return _of_empty(facts, sentence, repeated)
    if first.kind not in ("field_set", "value_read"):
        return None
    own = _words(first.values["value"])
    added = [
        one for one in facts if one.kind == "items_added" and _words(one.values["before"]) & own & {*sentence.main}
    ]
    if len(added) == 1 and added[0].values["turn"] != first.turn and not own.issubset(sentence.words):
        return added[0]
    is_against = _AGAINST.search(sentence.text) is not None
    against = next((fact for fact in facts if is_set_against(fact, sentence, own)), None)
    if against is not None:
        return against
    if (
        own.issubset((*sentence.words, *words_in(sentence.text))) or _IN_THE_END.search(sentence.text) is not None
    ) and not is_against:
        return None
    lost = [fact for fact in facts if fact.kind in (*UNDONE, *REFUSED)]
    since = [fact for fact in lost if not 0 < fact.seq < first.seq] if is_against else []
    replaced = [fact for fact in facts if fact.kind == "value_replaced"]
    said = [fact for fact in (*lost, *replaced) if _has_words(fact, repeated - own)]
    before = replaced if sentence.is_about_first else []
    return next(iter(said or before[-1:] or since[::-1]), None)


def is_set_against(fact: Fact, sentence: Sentence, own: Collection[str]) -> bool:
    """Return whether a fact is about a value that its field never had, and that a question with the words of the value
    that it has sets against this: `why 48 and not 200?`
    """
    if fact.kind not in REFUSED or not own or not frozenset(own).issubset(sentence.words):
        return False
    quoted = ([word for word in one.words if word.isdecimal()] or one.words for one in sentence.quotes)
    others = [words for words in quoted if not frozenset(own).issuperset(words)]
    return any(words_of_value(fact).issuperset(words) for words in others)


_IN_THE_END = late_pattern(r"\b(?:in the end|at the end|finally|by now|am ende|am schluss|schließlich|letztlich)\b")
"""What asks for the value that a field has, whichever values it had before."""


def _has_words(fact: Fact, words: Collection[str]) -> bool:
    """Return whether a fact has the value, or the words for one, that some words are, or are forms of."""
    return any(is_alike(word, one) for word in words for one in words_of_value(fact))


def _of_empty(facts: Sequence[Fact], sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return the value that an empty field had, or words for one that it did not take, where the question has them."""
    asked = {*words_in(sentence.text)} if _IS_PAST.match(sentence.text) is not None else set[str]()
    had = (one for one in facts if one.kind == "field_set" and _words(one.values["value"]) <= asked)
    unused = (one for one in facts if one.kind == "words_not_taken" and _words(one.values["word"]) & repeated)
    return next(had, None) or next(unused, None)


_IS_PAST = late_pattern(r"\s*(?:who|wer|when|wann|how|wie|was|did|had)\b")
"""How a question begins that asks for a value of before, and not why there is none."""


def of_words(facts: Sequence[Fact], _sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return what became of the words of a message that the question has; `None` where the first fact says it."""
    said = [fact for fact in facts if fact.kind in TAKEN_OR_NOT and not repeated.isdisjoint(words_of_value(fact))]
    return said[0] if said and facts[0] not in said else None


TAKEN_OR_NOT: tuple[FactKind, ...] = (*REFUSED, "field_set")
_AGAINST = late_pattern(
    ALTHOUGH.pattern + r".*\b(?:sa(?:id|ys?|gte?|gt)|told|answer\w*|wrote|gesagt|schrieb)\b"
    r"|\bstill\b(?! (?:missing|lacking|needed|required|open))|\bimmer noch\b"
)
"""What the user said, or that another value was to be expected, is held against a value."""


def words_of_value(fact: Fact) -> set[str]:
    """Return the words of a value that was refused or taken back; of a refused command those of what caused it."""
    values = fact.values
    names = ("value",) if fact.kind == "field_set" else ("given", "before", "value", "operator")
    value = next((found for name in names if (found := values.get(name))), None)
    if value:
        return _words(value) | _words(values.get("word", ""))
    return {word for cause in fact.causes for own in cause.values.values() for word in _words(own)}


def _words(value: Any) -> set[str]:
    return {*words_in(str(value))}
