"""The vocabulary in which the shape of a document is described; `shapes.py` says the shape itself.

One description serves the reader, the writer, the JSON Schema and the reference. It reads nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.located import Located


class Text(Struct, frozen=True):
    """A text. `plain` data is written as it is."""


class NameRule(Struct, frozen=True):
    """Which texts are names of some kind; `hint` says it in words."""

    pattern: re.Pattern[str]
    hint: str

    def allows(self, text: str) -> bool:
        """True if a text is such a name."""
        return self.pattern.fullmatch(text) is not None


IDENTIFIER = NameRule(late_pattern(r"[A-Za-z_][A-Za-z0-9_]*"), "letters, digits and _ only")
"""Names that guards and texts read: of records, fields and nodes."""
TOOL_NAME = NameRule(late_pattern(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}"), "letters, digits, _, -, . and / only")
"""Names of tools and of their servers, as the Model Context Protocol allows them."""
ARGUMENT_NAME = NameRule(
    late_pattern(r"[A-Za-z0-9_$@][A-Za-z0-9_$@./-]{0,127}"), "letters, digits, _, -, ., /, $ and @ only"
)
"""Names of the arguments of tools, as schemas of servers have them."""


class Name(Struct, frozen=True):
    """A name, an identifier unless the rule allows more."""

    rule: NameRule = IDENTIFIER


class Integer(Struct, frozen=True):
    """A whole number, at least `least`."""

    least: int = 0


class Bound(Struct, frozen=True):
    """A number, or a date, time or duration as text."""


class Flag(Struct, frozen=True):
    """True or false."""


class OneOf(Struct, frozen=True):
    """One of some words."""

    words: tuple[str, ...]


class Duration(Struct, frozen=True):
    """A time span such as `90s`, `30m`, `2h`, `3d`, `2w`, read as seconds."""


class When(Struct, frozen=True):
    """A guard: text, or a list of condition objects."""


class Anything(Struct, frozen=True):
    """Any JSON value, kept as it is."""


class Many(Struct, frozen=True):
    """A list, read as a tuple. A single value stands for a list of one where `single`; a mapping
    stands for the list of its pairs where `split`.
    """

    of: Kind
    single: bool = False
    split: bool = False


class Table(Struct, frozen=True):
    """A mapping from texts to values."""

    of: Kind


class Named(Struct, frozen=True):
    """A mapping from names to objects of the named shape, read as a tuple, each with its name."""

    shape: str
    rule: NameRule = IDENTIFIER


class Part(Struct, frozen=True):
    """An object of the named shape."""

    shape: str


Kind = Text | Name | Integer | Bound | Flag | OneOf | Duration | When | Anything | Many | Table | Named | Part


class Key(Struct, frozen=True):
    """A key of a document: its kind, the attribute that it fills, and one line about it."""

    name: str
    kind: Kind
    about: str
    attr: str = ""
    required: bool = False

    @property
    def attribute(self) -> str:
        """The attribute of the class that holds the value."""
        return self.attr or self.name


class Shape(Struct, frozen=True):
    """The keys of one class of the flow model.

    `widen` turns a short form into the long one before reading, `narrow` the long form into the
    documented one after writing, `short` is the JSON Schema of the short forms. `word` is what a
    message calls such an object. `written` is what the writer goes through: key, attribute, kind,
    and the default that is left out.
    """

    title: str
    of: type[Any]
    keys: tuple[Key, ...]
    widen: Callable[[Located], Located] | None = None
    narrow: Callable[[dict[str, Any]], Any] | None = None
    short: Mapping[str, Any] | None = None
    word: str = ""
    by_name: dict[str, Key] = {}
    written: tuple[tuple[str, str, Kind, Any], ...] = ()
    has_span: bool = False

    def __post_init__(self) -> None:
        known = fields(self.of)
        defaults = {f.name: f.default for f in known if f.default is not MISSING}
        defaults |= {f.name: f.default_factory() for f in known if f.default_factory is not MISSING}
        written = tuple((k.name, k.attribute, k.kind, defaults.get(k.attribute, MISSING)) for k in self.keys)
        force_setattr(self, "word", _word(self.of.__name__))
        force_setattr(self, "by_name", {key.name: key for key in self.keys})
        force_setattr(self, "has_span", any(f.name == "span" for f in known))
        force_setattr(self, "written", written)


_KEYS = {
    "Collect": "collect",
    "Commands": "commands",
    "Confirm": "confirm",
    "Keep": "keep",
    "Limits": "limits",
    "Retry": "retry",
    "ScopeLimits": "limits",
    "Stop": "stop",
    "ToolPolicy": "tools",
    "ToolWork": "tool",
}
"""Classes that authors know by the key under which they stand."""


def _word(name: str) -> str:
    """The name of a class in words, with its article, or the key under which it stands."""
    if name in _KEYS:
        return f"'{_KEYS[name]}'"
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return f"an {words}" if words[0] in "aeio" else f"a {words}"
