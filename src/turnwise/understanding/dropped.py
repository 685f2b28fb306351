"""Finds the values in a message that were not proposed, each with the field that it is for and the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import AnyCommand, CommandsByRules, Dropped, DropReason
from turnwise.core.values.json_data import as_list
from turnwise.understanding.answers import answer_of
from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.field_values import fitting_value
from turnwise.understanding.labels import yes_no_options, yes_no_values
from turnwise.understanding.mentions import about_others, named_fields, speaks_of_self
from turnwise.understanding.readings import Reading
from turnwise.understanding.tokens import Span, overlaps_any

_ANYWHERE = frozenset({"number", "date", "time", "moment", "duration", "email", "phone"})
"""The readings that may be a value of a field which is not allowed."""


class _Value(NamedTuple):
    """A value of a field in a message, for which no command was proposed."""

    words: Span
    clause: Clause
    field: AllowedField
    value: Any
    reading: Reading | None


def with_dropped(found: CommandsByRules, message: ParsedMessage) -> CommandsByRules:
    """Return the commands `found`, with the values of the message that none of them uses, each with its field and the
    reason.

    If the message may give a secret, these values are options only; if a secret is asked for, there are none.
    """
    situation = message.situation
    secrets = {one.address for one in situation.allowed.fields if one.field.secret}
    asked = situation.allowed.asked
    if asked in secrets or (asked and situation.allowed.field(asked) is None):
        return found
    taken, left = [one.words for one in found if one.words is not None], list[_Value]()
    for clause in message.clauses:
        for reading in clause.readings:
            words = message.span(reading)
            if overlaps_any(words, taken) or (secrets and reading.kind != "option"):
                continue
            field = _field(message, clause, reading)
            value = fitting_value(situation, field, reading) if field is not None else None
            if reading.kind in _ANYWHERE and clause.is_assertion() and (value is None or clause.foreign):
                found.has_more = True
            if field is not None and value is not None and value not in (as_list(field.value) or (field.value,)):
                left.append(_Value(words, clause, field, value, reading))
    left = [one for one in (*left, *_answers(message, taken)) if one.field.address not in secrets]
    found.dropped = tuple(
        [Dropped(one.words, one.field.address, one.value, _reason(one, left, found, message)) for one in left]
    )
    return found


def _answers(message: ParsedMessage, taken: Sequence[Span]) -> Iterator[_Value]:
    """Yield the yes or no of each clause that ends with it and names a field for it, or that is one to the question."""
    situation = message.situation
    for clause in message.clauses:
        if clause.readings or not clause.said or clause.said[-1] not in situation.speech.answers:
            continue
        named = situation.allowed.field(situation.labels.only_field_named(clause.said) or "")
        field = named or situation.asked
        values = yes_no_values(field, situation.vocabulary) if field is not None else None
        answer = answer_of(clause.said[-1:] if named is not None else clause.said, situation)
        if field is None or not values or answer is None:
            continue
        words = message.text.span(clause.places[-1], clause.places[-1] + 1) if named else message.span(clause)
        if not overlaps_any(words, taken):
            yield _Value(words, clause, field, values[answer], None)


def _field(message: ParsedMessage, clause: Clause, reading: Reading) -> AllowedField | None:
    """Return the field that a value is for: the asked one, the one that its words name, the only one with the option;
    a yes or no is for the asked field only.
    """
    situation, asked = message.situation, message.situation.asked
    if reading.kind == "option":
        if asked is not None and asked.address in reading.value:
            return asked
        field = situation.allowed.field(next(iter(reading.value))) if len(reading.value) == 1 else None
        answers = yes_no_options(field, situation.vocabulary).values() if field is not None else ()
        return field if field is not None and reading.value[field.address] not in answers else None
    names = named_fields(message, clause, reading) or ()
    if len(names) == 1:
        return situation.allowed.field(next(iter(names)))
    return asked if not names and not speaks_of_self(message, clause, reading) else None


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
