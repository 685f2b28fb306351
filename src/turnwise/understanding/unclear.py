"""Days and times that may be two, said beside other values: `double, 12/5/2026`, `half past six for two`.

It proposes them as they were written. The machine refuses them, and says why, so that no part of a message that was
understood is lost in silence.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import AnyCommand, Set
from turnwise.core.values import Refused, read_value
from turnwise.understanding.calendar import may_be_two_days
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation


def unclear_sets(heard: Heard, given: Sequence[AnyCommand], situation: Situation) -> list[Set]:
    """The days and times that are not clear, beside values that are; each for the one field that it can be for."""
    if not any(isinstance(one, Set) for one in given):
        return []
    taken = {one.field for one in given if isinstance(one, Set)}
    found: dict[str, list[Set]] = {}
    for clause in heard.clauses:
        if not clause.is_plain():
            continue
        for reading in clause.readings:
            field = _field_of(clause, _kind_of(heard, reading), taken, situation)
            text, words = heard.text(reading.first, reading.stop), heard.words(reading.first, reading.stop)
            if field is not None and isinstance(read_value(field.field, text, situation.rules), Refused):
                found.setdefault(field.address, []).append(Set(words, 1.0, value=text, field=field.address))
    return [some[0] for some in found.values() if len(some) == 1]


def _kind_of(heard: Heard, reading: Reading) -> str:
    """The type of field that an unclear reading is for, empty where it is clear."""
    if reading.kind == "odd" and may_be_two_days(heard.text(reading.first, reading.stop)):
        return "date"
    return "time" if reading.kind == "time" and len(reading.value) > 1 else ""


def _field_of(clause: Clause, kind: str, taken: set[str], situation: Situation) -> ExposedField | None:
    """The field that the words name, else the asked one, else the only one of the type that has no answer."""
    able = [f for f in situation.exposed.fields if f.field.type == kind and f.address not in taken]
    named = situation.labels.named(clause.said)
    asked = situation.asked.address if situation.asked else ""
    for chosen in (
        [field for field in able if field.address in named],
        [field for field in able if field.address == asked],
        [field for field in able if field.value is None],
    ):
        if chosen:
            return chosen[0] if len(chosen) == 1 else None
    return None
