"""Describes the kinds of values that a key of a document may have: a text, a time span, a guard, a list of parts.

A kind only describes. The reader, the writer, the JSON Schema, the type check and the converters match on it.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern


class NameRule(Struct, frozen=True):
    """A rule for names of some kind: the pattern, and the rule in words (`hint`)."""

    pattern: re.Pattern[str]
    """The pattern that the whole name must match."""
    hint: str
    """The rule in words, for messages."""

    def allows(self, text: str) -> bool:
        """Return whether a text is a name by this rule."""
        return self.pattern.fullmatch(text) is not None


IDENTIFIER = NameRule(late_pattern(r"[A-Za-z_][A-Za-z0-9_]*"), "letters, digits and _ only")
"""Names of fields, flows, transitions and most other parts."""
PATH = NameRule(
    late_pattern(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"),
    "letters, digits and _ only, with a . between the parts of a path",
)
"""Names of nodes and records: one that belongs to another may have its path as name, `order.check`."""
TOOL_NAME = NameRule(late_pattern(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}"), "letters, digits, _, -, . and / only")
"""Names of tools and of their servers, as the Model Context Protocol allows them."""
ARGUMENT_NAME = NameRule(
    late_pattern(r"[A-Za-z0-9_$@][A-Za-z0-9_$@./-]{0,127}"), "letters, digits, _, -, ., /, $ and @ only"
)
"""Names of the arguments of tools, as schemas of servers have them."""


class Text(Struct, frozen=True):
    """The kind of a value that is a text. The writer leaves data of this kind as it is."""


class Name(Struct, frozen=True):
    """The kind of a value that is a name: an identifier, unless the rule allows more."""

    rule: NameRule = IDENTIFIER
    """The rule for the name."""


class FunctionName(Name, frozen=True):
    """The kind of a value that names a Python function; in a program it may be the function, but no lambda."""


class Integer(Struct, frozen=True):
    """The kind of a value that is a whole number, at least `least`."""

    least: int = 0
    """The smallest number that is allowed."""


class Number(Struct, frozen=True):
    """The kind of a value that is a number from `least` to `most`, both inclusive."""

    least: float
    """The smallest number that is allowed."""
    most: float
    """The largest number that is allowed."""


class Bound(Struct, frozen=True):
    """The kind of a value that is a number, or a date, time or duration as text."""


class Flag(Struct, frozen=True):
    """The kind of a value that is true or false."""


class OneOf(Struct, frozen=True):
    """The kind of a value that is one of some words."""

    words: tuple[str, ...]
    """The words that are allowed."""


class WordOrName(OneOf, frozen=True):
    """The kind of a value that is one of some words, or the name of a part, such as a node (`named`)."""

    named: str = ""
    """What kind of part the name refers to, such as a node; it is resolved when the flow is linked."""


class Duration(Struct, frozen=True):
    """The kind of a value that is a time span such as `90s`, `30m`, `2h`, `3d`, `2w`, stored in seconds."""


class When(Struct, frozen=True):
    """The kind of a value that is a guard: a text, or a list of condition objects."""


class Anything(Struct, frozen=True):
    """The kind of a value that is any JSON data, kept as it is."""


class Many(Struct, frozen=True):
    """The kind of a value that is a list, stored as a tuple.
    With `single`, one value stands for a list of one; with `split`, a mapping stands for the list of its pairs.
    """

    of: Kind
    """The kind of the list's items."""
    single: bool = False
    """True if one value may stand for a list of one."""
    split: bool = False
    """True if a mapping may stand for the list of its pairs."""


class Table(Struct, frozen=True):
    """The kind of a value that is a mapping from texts to values.
    With `is_written`, its values are expressions that a node or transition writes to fields, so a date of Python
    becomes a constant of the guard language. With `is_named`, parts of a flow stand for their names, as keys and as
    values.
    """

    of: Kind
    """The kind of the mapping's values."""
    is_written: bool = False
    """True if the values are expressions that are written to fields, so that Python dates become constants."""
    is_named: bool = False
    """True if parts of a flow may stand for their names, as keys and as values."""


class Named(Struct, frozen=True):
    """The kind of a value that is a mapping from names to parts of a flow, stored as a tuple of named parts."""

    shape: str
    """The name of the class of the parts."""
    rule: NameRule = IDENTIFIER
    """The rule for the names."""


class Object(Struct, frozen=True):
    """The kind of a value that is one part of a flow."""

    shape: str
    """The name of the class of the part."""


Kind = (
    Text
    | Name
    | Integer
    | Number
    | Bound
    | Flag
    | OneOf
    | WordOrName
    | Duration
    | When
    | Anything
    | Many
    | Table
    | Named
    | Object
)
"""What a key of a document accepts."""


def number_between(kind: Number) -> str:
    """Return in words which numbers a kind allows, for messages."""
    return f"a number from {kind.least:g} to {kind.most:g}"


def one_of(literal: Any) -> OneOf:
    """Return the kind for a `Literal` type of texts."""
    return OneOf(get_args(literal))


def word_or_name(literal: Any, named: str) -> WordOrName:
    """Return the kind for a `Literal` type of texts beside which names of parts, such as nodes, are allowed."""
    return WordOrName(get_args(literal), named)
