"""Describes the kinds of values that a key of a document may have: a text, a time span, a guard, a list of parts.

A kind only describes. The reader, the writer, the JSON Schema, the type check and the converters match on it.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern


class NameRule(Struct, frozen=True):
    """A rule for the texts that are names of some kind; `hint` describes it in words."""

    pattern: re.Pattern[str]
    hint: str

    def allows(self, text: str) -> bool:
        """Return true if a text is such a name."""
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
    """A text. The writer leaves data of this kind as it is."""


class Name(Struct, frozen=True):
    """A name, an identifier unless the rule allows more."""

    rule: NameRule = IDENTIFIER


class FunctionName(Name, frozen=True):
    """The name of a Python function, for which a program gives the function itself; a lambda has no such name."""


class Integer(Struct, frozen=True):
    """A whole number, at least `least`."""

    least: int = 0


class Number(Struct, frozen=True):
    """A number between two others, these included."""

    least: float
    """The smallest that is allowed."""
    most: float
    """The largest that is allowed."""


class Bound(Struct, frozen=True):
    """A number, or a date, time or duration as text."""


class Flag(Struct, frozen=True):
    """True or false."""


class OneOf(Struct, frozen=True):
    """One of some words."""

    words: tuple[str, ...]


class WordOrName(OneOf, frozen=True):
    """One of some words, or a name that is resolved when the flow is linked; `named` is what it is a name of."""

    named: str = ""


class Duration(Struct, frozen=True):
    """A time span such as `90s`, `30m`, `2h`, `3d`, `2w`, read as seconds."""


class When(Struct, frozen=True):
    """A guard: text, or a list of condition objects."""


class Anything(Struct, frozen=True):
    """Any JSON value, kept as it is."""


class Many(Struct, frozen=True):
    """A list, read as a tuple. With `single`, one value stands for a list of one; with `split`, a mapping stands for
    the list of its pairs.
    """

    of: Kind
    """The kind of its items."""
    single: bool = False
    split: bool = False


class Table(Struct, frozen=True):
    """A mapping from texts to values. With `is_written`, its values are expressions that a node or transition writes
    to fields, so a date of Python becomes a constant of the guard language. With `is_named`, parts of a flow stand for
    their names, as keys and as values.
    """

    of: Kind
    """The kind of its values."""
    is_written: bool = False
    is_named: bool = False


class Named(Struct, frozen=True):
    """A mapping from names to objects of a class of the model, read as a tuple, each with its name."""

    shape: str
    """The class of the flow model."""
    rule: NameRule = IDENTIFIER


class Object(Struct, frozen=True):
    """An object of a class of the model."""

    shape: str
    """The class of the flow model."""


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
    """Return in words which numbers a kind allows."""
    return f"a number from {kind.least:g} to {kind.most:g}"


def one_of(literal: Any) -> OneOf:
    """Return the kind of a `Literal` of texts."""
    return OneOf(get_args(literal))


def word_or_name(literal: Any, named: str) -> WordOrName:
    """Return the kind of a `Literal` of texts beside which the names of something may stand."""
    return WordOrName(get_args(literal), named)
