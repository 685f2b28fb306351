"""Which fact of an answer about a field comes first: the one that has the words of the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.names import words_in
from turnwise.why.reading import Reading

_LOST: tuple[FactKind, ...] = ("command_refused", "value_refused", "write_refused", "give_back_refused", "value_undone")
"""Facts about values that a field does not have."""


def with_lead(facts: Sequence[Fact], reading: Reading) -> list[Fact]:
    """Return the facts of an answer. A value that was refused or taken back comes first where the question has it, and
    not the value that the field has: `why was 51 not taken?`
    """
    lead = _lead(facts, reading)
    return list(facts) if lead is None else [lead, *(fact for fact in facts if fact is not lead)]


def _lead(facts: Sequence[Fact], reading: Reading) -> Fact | None:
    first, sentence = facts[0], reading.sentence
    if sentence is None or first.kind != "field_set" or not _words(first.values["value"]).isdisjoint(sentence.words):
        return None
    asked = {*sentence.content} - {*words_in(reading.subject.name)}
    return next((fact for fact in facts[1:] if fact.kind in _LOST and not asked.isdisjoint(_lost(fact))), None)


def _lost(fact: Fact) -> set[str]:
    """Return the words of a value that was refused or taken back; a refused command has it in what caused it."""
    value = fact.values.get("given") or fact.values.get("before")
    return _words(value) if value else {word for cause in fact.causes for word in words_in(cause.text)}


def _words(value: Any) -> set[str]:
    return {*words_in(str(value))}
