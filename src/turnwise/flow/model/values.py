"""The values that a flow declares: records, fields, options; and conditions that are written as objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnwise.flow import short_forms as short
from turnwise.flow.call_sites import call_site
from turnwise.flow.declare import Takes, converter, hidden, key, part
from turnwise.flow.diagnostic import Diagnostic, Span
from turnwise.flow.frozen import frozen
from turnwise.flow.kinds import PATH, Anything, Bound, Many, Named, Object, Text, When, one_of, word_or_name
from turnwise.flow.model.words import REFERENCE, TEXTS, AnyBound, AnyFieldType, FieldType, ItemType, Naming


@frozen
class Condition:
    """One condition of a guard that is written as an object, such as `type: tool_used`."""

    type: str
    """The type of the condition, such as `tool_used`."""
    value: str = ""
    """What the condition is about, such as the name of a tool; empty for conditions that need none."""
    window: int | None = None
    """How many of the last tool uses count, for `not_recently_used`; `None` for other conditions."""
    description: str = ""
    """The author's comment on the condition; empty without one."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


Guard = str | tuple[Condition, ...]
"""A guard as written: text of the guard language, or condition objects that must all hold."""
AnyGuard = str | bool | Sequence[Condition]
"""A guard as a program may write it."""
Options = str | Iterable["Option | str | int | float"] | Mapping[str, Sequence[str] | str | None]
"""Allowed answers as a program may write them."""

GUARD: Takes[AnyGuard, Guard] = converter(When())
"""The converter of a guard: text of the guard language, true or false, or condition objects."""
ANSWER: Takes[str, str] = converter(Text())
"""The converter of an answer to a text."""
OPTIONS: Takes[Options, tuple[Option, ...]] = converter(Many(Object("Option"), single=True, split=True))
"""The converter of the options of a field."""
OPTIONS_FROM: Takes[OptionsFrom | str | None, OptionsFrom | None] = converter(Object("OptionsFrom"))
"""The converter of the source of a field's options, or the field with the list."""
FIELD_TYPE: Takes[AnyFieldType, FieldType] = converter(one_of(FieldType))
"""The converter of the type of a field."""
ITEM_TYPE: Takes[Naming | None, str | None] = converter(word_or_name(ItemType, "record"))
"""The converter of the type of a list's items, or the record that each item is."""
BOUND: Takes[AnyBound, float | str | None] = converter(Bound())
"""The converter of the smallest or largest value of a field."""
DATA: Takes[Any, Any] = converter(Anything())
"""The converter of any JSON data, which stays as it is."""
FIELDS: Takes[Sequence[Field], tuple[Field, ...]] = converter(Named("Field"))
"""The converter of a list of fields."""


@part("an allowed answer", short.OPTION, is_bare=True)
class Option:
    """An allowed answer to a question, and other words that mean it."""

    value: str = key("the answer", converter=ANSWER)
    words: tuple[str, ...] = key("further words that mean it", converter=TEXTS, default=())
    label: str = hidden(default="")
    """The text that users see for an option read from a list; empty if it is the value."""

    @property
    def shown(self) -> str:
        """The text that users see for the option."""
        return self.label or self.value


@part("the list from which a field has its options", short.OPTIONS_FROM, is_bare=True)
class OptionsFrom:
    """The list from which a field reads its options, and how an item of a list of records becomes an option."""

    list: str = key("the field that holds the list: of texts, or of a record", converter=REFERENCE)
    label: str = key("of a list of a record: a template that reads an item as `option.name`", default="")
    value: str = key("of a list of a record: the field whose value is stored; without it the label is", default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a field of a record, or an argument of a tool", short.FIELD)
class Field:
    """A typed value that a flow stores in a record, or one argument of a tool."""

    name: str
    """The name of the field in its record, or of the argument."""
    type: FieldType = key("what kind of value it holds", converter=FIELD_TYPE, default="string")
    of: str | None = key(
        "of a list: the type of its items, or the record that each is", converter=ITEM_TYPE, default=None
    )
    options: tuple[Option, ...] = key(
        "the allowed answers, each with further words that mean it", converter=OPTIONS, default=()
    )
    options_from: OptionsFrom | None = key(
        "the list that holds the allowed answers; they are read when the question is asked",
        converter=OPTIONS_FROM,
        default=None,
    )
    min: float | str | None = key(
        "smallest value, of a date also `today + 2d`, of a time `now`; of a text its length, of a list its least items",
        converter=BOUND,
        default=None,
    )
    max: float | str | None = key(
        "largest value, of a date also `today + 30d`, of a time `now`; of a text its length, of a list its most items",
        converter=BOUND,
        default=None,
    )
    pattern: str = key(
        r"a regular expression (RE2) that the whole text must match; `\w` and `\d` mean every script", default=""
    )
    about: str = key("what it means, for people and models", default="")
    title: str = key("its name in a few words, for headlines and summaries", default="")
    format: str = key("the format for users, as in texts: `date: full`, `currency: EUR`", default="")
    default: Any = key(
        "what guards and templates see while it is missing; a form offers it", converter=DATA, default=None
    )
    value: str = key("an expression: the field is derived, and cannot be written", default="")
    secret: bool = key(
        "redacted everywhere but in the store, and in what `turnwise test` compares and writes", default=False
    )
    names: bool = key(
        "its value is what the conversation is called in lists; of several fields, those that are known", default=False
    )
    optional: bool = key("of a tool's argument, or of a scope's input: it may be left out", default=False)
    validate: Guard = key("a guard that a new value must not fail", converter=GUARD, default="")
    refuse: str = key("the reply when `validate` refuses; without it, when `min`, `max` or `pattern` does", default="")
    parts: tuple[Field, ...] = hidden(default=())
    """For a list of records: the fields of each item, once the flow is linked."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a named group of fields", short.RECORD)
class Record:
    """A named group of fields, addressed as `record.field`."""

    name: str
    """The name of the record, unique in the flow."""
    fields: tuple[Field, ...] = key("its fields", converter=FIELDS, default=())
    faults: tuple[Diagnostic, ...] = hidden(default=())
    """The diagnostics found when the record was made."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


RECORDS: Takes[Sequence[Record | type[Any]], tuple[Record, ...]] = converter(Named("Record", PATH))
"""The converter of a list of records; a class stands for its record."""
