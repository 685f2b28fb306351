"""Which fields the words around a reading name.

Units decide first, then ways of speaking, then labels; values never do.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.understanding.clauses import Clause, Message
from turnwise.understanding.fitting import takes_kind
from turnwise.understanding.readings import Reading
from turnwise.understanding.vocabulary.shape import Phrases, length_at


def named_fields(message: Message, clause: Clause, reading: Reading) -> frozenset[str] | None:
    """The fields that the words around a reading name, of those whose type takes it; `None` if none."""
    labels, fields = message.situation.labels, message.situation.exposed.fields
    takers = frozenset(field.address for field in fields if takes_kind(message.situation, field, reading))
    if reading.kind == "text":
        return takers
    # the words between the reading and its neighbours in the clause, before and after it
    start = max((other.stop for other in clause.readings if other.stop <= reading.first), default=clause.first)
    end = min((other.first for other in clause.readings if other.first >= reading.stop), default=clause.stop)
    paired = list(zip(clause.places, clause.said, strict=True))
    before = [word for at, word in paired if start <= at < reading.first]
    after = [word for at, word in paired if reading.stop <= at < end]
    by_frame = {
        address for address, tables in labels.frames.items() if _ends_with_frame(message, clause, reading, tables)
    }
    for named in (fields_by_unit(message, reading), by_frame, labels.named(before), labels.named(after)):
        if not takers.isdisjoint(named):
            return takers & named
    return None


def fields_by_unit(message: Message, reading: Reading) -> frozenset[str]:
    """The fields that the word right after a reading names: `8 guests`, `45 years`."""
    at = reading.stop
    while message.text.words[at] == "-":
        at += 1
    return message.situation.labels.named((message.text.words[at],))


def speaks_of_self(message: Message, clause: Clause, reading: Reading) -> bool:
    """True if a number is said of the speaker ("I'm 45"), so that only a field for that may take it."""
    frames = (concept.frames for concept in message.situation.vocabulary.concepts)
    return _ends_with_frame(message, clause, reading, frames)


def _ends_with_frame(message: Message, clause: Clause, reading: Reading, frames: Iterable[Phrases]) -> bool:
    """True if a way of speaking leads to a number: `I'm 45` is an age, `we're 6` a number of people."""
    speech = message.situation.speech
    said = clause.before(reading.first) if reading.kind == "number" else []
    while said and (said[-1] in speech.hedges or said[-1] in speech.small_adverbs):
        said.pop()
    sizes = [size for size in (3, 2, 1) if size <= len(said)]
    return any(length_at(table, said[-size:], 0) == size for table in frames for size in sizes)
