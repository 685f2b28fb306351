"""Finds the words for items of a list that were not proposed, each with the values of its item and the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.core.state.commands import CommandsByRules, Dropped, DropReason
from turnwise.understanding.clauses import Clause, ParsedMessage, parse
from turnwise.understanding.items.marks import Mark, known_marks
from turnwise.understanding.items.subject import Subject, subjects_of
from turnwise.understanding.left_out import leaves_out
from turnwise.understanding.mentions import about_others
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import overlaps_any


def with_dropped_items(found: CommandsByRules, text: Text, situation: Situation) -> CommandsByRules:
    """Return the commands `found`, with the items in the message that none of them uses, each with its list and the
    reason.
    """
    subjects = list(subjects_of(situation, text.message))
    known = [one.words for one in (*found, *found.dropped) if one.words is not None]
    if not subjects:
        return found
    message = parse(text, situation)
    left = [one for subject in subjects for one in _of_list(message, subject) if not overlaps_any(one.words, known)]
    found.dropped = (*found.dropped, *left)
    return found


def _of_list(message: ParsedMessage, subject: Subject) -> Iterator[Dropped]:
    """Yield the items of a list that the clauses of a message name by their values."""
    for clause in message.clauses:
        marks = [one for one in known_marks(message.text, subject) if clause.first <= one.first < clause.stop]
        for values, some in _items(marks, subject):
            words = message.text.span(some[0].first, some[-1].stop)
            yield Dropped(words, subject.field.address, values, _reason(clause, message, values, subject))


def _items(marks: list[Mark], subject: Subject) -> Iterator[tuple[Mapping[str, Any], list[Mark]]]:
    """Yield the values of each item in some marks, with their marks: a second value of a field begins another item."""
    values, some = dict[str, Any](), list[Mark]()
    denies = any(one.does in ("no", "without") for one in marks)
    for mark in marks:
        name, value = next(iter(mark.value.items())) if mark.does == "value" and len(mark.value) == 1 else ("", None)
        if not name or subject.part(name).field.secret:
            continue
        is_list = subject.is_list(name)
        if is_list and leaves_out(subject.part(name), subject.words) and not denies:
            continue
        if not is_list and values.get(name, value) != value:
            yield values, some
            values, some = {}, []
        values[name] = [*values.get(name, ()), value] if is_list else value
        some.append(mark)
    if values:
        yield values, some


def _reason(clause: Clause, message: ParsedMessage, values: Mapping[str, Any], subject: Subject) -> DropReason:
    if clause.is_question:
        return "question"
    if clause.is_negated and not any(map(subject.is_list, values)):
        return "denied"
    if message.clauses.index(clause) in about_others(message):
        return "about_another"
    if clause.is_doubtful:
        return "doubtful"
    return "beside_question" if any(one.is_question for one in message.clauses) else "other_words"
