"""Reads what a message says about items as values of their fields: new values to store, or the values by which it
describes an existing item (`the small one`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from turnwise.core.values import Refused, read_value
from turnwise.understanding.items.marks import Mark, Unclear
from turnwise.understanding.items.segments import Said
from turnwise.understanding.items.subject import Subject


class Value(Struct, frozen=True):
    """A value that words give to a field of an item."""

    name: str
    """The name of the item's field."""
    value: Any
    """The value for the field, or the entry if the field is a list."""
    is_in: bool = True
    """False for an entry that is to be removed from a list field."""


def values_of(said: Iterable[Said], labels: Sequence[frozenset[str]], subject: Subject) -> list[Value]:
    """Return the values that the words `said` give to fields of an item. `labels` are groups of fields, of each of
    which the words name one, so that one must get a value. Raises `Unclear` if a field or its value is unclear.
    """
    found: list[Value] = []
    for one in said:
        value = _number(one.mark, labels, subject) if one.mark.does == "number" else _chosen(one, subject)
        if value not in found:
            found.append(value)
    single = [one.name for one in found if not subject.is_list(one.name)]
    names = {one.name for one in found}
    if len(single) != len(set(single)) or any(names.isdisjoint(fields) for fields in labels):
        raise Unclear
    return found


def _number(mark: Mark, labels: Sequence[frozenset[str]], subject: Subject) -> Value:
    """Return a number for the field that a label names, else for the only one that holds numbers."""
    numbers = subject.number_fields()
    named = [name for name in numbers if any(name in fields for fields in labels)] or numbers
    if len(named) != 1:
        raise Unclear
    field = subject.part(named[0]).field
    value = read_value(field, mark.value, subject.fields.rules)
    if isinstance(value, Refused):  # beyond its bounds: the machine refuses it, and says the bounds
        is_whole = field.type == "number" or float(mark.value).is_integer()
        if value.reason not in ("min", "max") or not is_whole:
            raise Unclear
        value = mark.value
    return Value(named[0], value)


def _chosen(one: Said, subject: Subject) -> Value:
    """Return the value of words that may be for several fields: for the only one that holds a single value, or with
    words such as `without` for a list.
    """
    fields: Mapping[str, Any] = one.mark.value
    single = [name for name in fields if not subject.is_list(name)]
    lists = [name for name in fields if subject.is_list(name)]
    without = [name for name in lists if subject.leaves_out(name)]
    if not one.is_in:
        named = without or lists
        is_in = bool(without)
    else:
        named, is_in = single or [name for name in lists if name not in without], True
    if len(named) != 1:
        raise Unclear
    return Value(named[0], fields[named[0]], is_in)


def description_of(marks: Iterable[Mark], subject: Subject) -> dict[str, Any]:
    """Return the field values, by field name, by which words describe an existing item."""
    wanted: dict[str, Any] = {}
    for value in values_of([Said(mark) for mark in marks], (), subject):
        if subject.is_list(value.name):
            wanted.setdefault(value.name, []).append(value.value)
        else:
            wanted[value.name] = value.value
    return wanted


def only_entries(marks: Sequence[Mark], subject: Subject) -> bool:
    """Return whether all words are entries of list fields, so that they do not describe an item."""
    return bool(marks) and all(
        mark.does == "value" and all(subject.is_list(name) for name in mark.value) for mark in marks
    )
