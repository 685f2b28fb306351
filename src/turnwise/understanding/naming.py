"""Which fields the words around a reading name.

It goes by units, ways of speaking, and labels, in this order; it never goes by values.
"""

from __future__ import annotations

from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.fitting import takes_kind
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.vocabulary.shape import length_at


def named_fields(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> frozenset[str] | None:
    """The fields that the words around a reading name, of those whose type takes it; `None` if none."""
    takers = frozenset(f.address for f in situation.exposed.fields if takes_kind(situation, f, reading))
    if reading.kind == "text":
        return takers
    for named in (fields_by_unit(heard, reading, situation), _by_frame(heard, clause, reading, situation)):
        if named & takers:
            return named & takers
    before, after = _around(clause, reading)
    for said in (before, after):
        named = situation.labels.named(said)
        if named & takers:
            return named & takers
    return None


def fields_by_unit(heard: Heard, reading: Reading, situation: Situation) -> frozenset[str]:
    """The fields that the word right after a reading names: `8 guests`, `45 years`."""
    at = reading.stop
    while at < len(heard.tokens) and heard.tokens[at].text == "-":
        at += 1
    if at >= len(heard.tokens):
        return frozenset()
    return situation.labels.named((heard.tokens[at].word,))


def _by_frame(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> frozenset[str]:
    """The fields that a way of speaking names: `I'm 45` is an age, `we're 6` a number of people."""
    if reading.kind != "number":
        return frozenset()
    said = list(_words_before(heard, clause, reading, situation))
    return frozenset(
        address
        for address, tables in situation.labels.frames.items()
        if any(length_at(table, said[-size:], 0) == size for table in tables for size in (3, 2, 1) if size <= len(said))
    )


def _words_before(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> tuple[str, ...]:
    speech = situation.vocabulary.speech
    said = [heard.tokens[at].word for at in clause.places if at < reading.first]
    while said and (said[-1] in speech.hedges or said[-1] in speech.small_adverbs):
        said.pop()
    return tuple(said)


def speaks_of_self(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True if a number is said of the speaker ("I'm 45"), so that only a field for that may take it."""
    said = list(_words_before(heard, clause, reading, situation))
    frames = [concept.frames for concept in situation.vocabulary.concepts if concept.frames]
    return reading.kind == "number" and any(
        length_at(table, said[-size:], 0) == size for table in frames for size in (3, 2, 1) if size <= len(said)
    )


def _around(clause: Clause, reading: Reading) -> tuple[list[str], list[str]]:
    """The words between a reading and its neighbours in the clause, before and after it."""
    start = max((r.stop for r in clause.readings if r.stop <= reading.first), default=clause.first)
    end = min((r.first for r in clause.readings if r.first >= reading.stop), default=clause.stop)
    paired = list(zip(clause.places, clause.said, strict=True))
    before = [word for at, word in paired if start <= at < reading.first]
    return before, [word for at, word in paired if reading.stop <= at < end]
