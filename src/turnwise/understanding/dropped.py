"""Finds the values in a message that were not proposed, each with the field that it is for and the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import AnyCommand, CommandsByRules, Dropped, DropReason
from turnwise.core.values.json_data import as_list
from turnwise.understanding.answers import answer_of
from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.field_values import fit
from turnwise.understanding.labels import yes_no_options, yes_no_values
from turnwise.understanding.mentions import about_others, named_fields
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation

_ANYWHERE = frozenset({"number", "date", "time", "moment", "duration", "email", "phone"})
"""The readings that may be a value of a field which is not exposed."""


class _Value(NamedTuple):
    """A value of a field in a message, for which no command was proposed."""

    words: tuple[int, int]
    clause: Clause
    field: ExposedField
    value: Any
    reading: Reading | None


def with_dropped(found: CommandsByRules, message: ParsedMessage) -> CommandsByRules:
    """Return commands with the values of the message that they leave out."""
    if _may_give_secret(message.situation):
        return found
    taken, left = [one.words for one in found if one.words is not None], list[_Value]()
    for clause in message.clauses:
        for reading in clause.readings:
            words = message.span(reading)
            if any(start < words[1] and words[0] < stop for start, stop in taken):
                continue
            field = _field(message, clause, reading)
            if field is None:
                found.has_more |= clause.asserts() and reading.kind in _ANYWHERE
            elif (value := fit(message.situation, field, reading)) is not None and not _is_held(field, value):
                left.append(_Value(words, clause, field, value, reading))
    left += _answers(message, taken)
    found.dropped = tuple(
        [Dropped(one.words, one.field.address, one.value, _reason(one, left, found, message)) for one in left]
    )
    return found


def _answers(message: ParsedMessage, taken: Sequence[tuple[int, int]]) -> Iterator[_Value]:
    """Yield what yes and no mean for the asked field, where nothing else is in their clause."""
    asked = message.situation.asked
    if asked is None or not (values := yes_no_values(asked, message.situation.vocabulary)):
        return
    for clause in message.clauses:
        answer, words = answer_of(clause.said, message.situation), message.span(clause)
        if answer is None or clause.readings or any(start < words[1] and words[0] < stop for start, stop in taken):
            continue
        yield _Value(words, clause, asked, values[answer], None)


def _may_give_secret(situation: Situation) -> bool:
    exposed = situation.exposed
    is_hidden = bool(exposed.asked) and exposed.field(exposed.asked) is None
    return is_hidden or any(one.field.secret for one in exposed.fields)


def _field(message: ParsedMessage, clause: Clause, reading: Reading) -> ExposedField | None:
    """Return the field that a value is for: the asked one, the one that its words name, the only one with the option;
    a yes or no is for the asked field only.
    """
    situation = message.situation
    asked, exposed = situation.asked, situation.exposed
    if asked is not None and fit(situation, asked, reading) is not None:
        return asked
    names = reading.value if reading.kind == "option" else named_fields(message, clause, reading) or ()
    field = exposed.field(next(iter(names))) if len(names) == 1 else None
    if field is None or reading.kind != "option":
        return field
    return None if reading.value[field.address] in yes_no_options(field, situation.vocabulary).values() else field


def _is_held(field: ExposedField, value: Any) -> bool:
    return value in (as_list(field.value) or (field.value,))


def _reason(one: _Value, left: Sequence[_Value], found: Sequence[AnyCommand], message: ParsedMessage) -> DropReason:
    clause, field = one.clause, one.field
    is_list = field.field.type == "list"
    if clause.is_question:
        return "question"
    if one.reading in clause.olds or clause.is_negated:
        return "denied"
    if message.clauses.index(clause) in about_others(message):
        return "about_another"
    if not is_list and any(getattr(command, "field", "") == field.address for command in found):
        return "corrected"
    if not is_list and any(other.field is field and other.value != one.value for other in left):
        return "several"
    if clause.is_doubtful:
        return "doubtful"
    is_aside = bool(field.field.options) and not message.situation.asks(field)
    return "not_alone" if is_aside else "other_words"
