"""Texts in English that can be written again in another language: a template, and the values in it.

In a template `{name}` is a value. A value that is missing leaves its text out together with the brackets around it:
`{node}[ by {transition}]`. Values may be phrases themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from turnwise.core.guards.types import value_text
from turnwise.core.zones import time_text
from turnwise.flow.late_pattern import late_pattern

_OPTIONAL = late_pattern(r"\[([^\[\]]*)\]")
_NAME = late_pattern(r"\{(\w+)\}")
_Part = tuple[str, tuple[tuple[str, str], ...]]
"""A part of a text: a fixed text, then the name of a value and the fixed text after it, for each value."""
_MISSING: tuple[Any, ...] = (None, "", ())
"""Values that leave out their part of a text."""


class Phrase(str):  # noqa: SLOT000  its attributes have defaults
    """An English text that keeps its template and values, so that it can be translated. `Phrase("a text")` has no
    values.
    """

    template: str = ""
    """The template with `{names}`; empty if the text is its own template."""
    values: Mapping[str, Any] = MappingProxyType({})
    """The values in the template, by name."""

    def with_values(self, **values: Any) -> Phrase:
        """Return the phrase with these values added or replaced."""
        return phrase(self.template or str(self), **{**self.values, **values})

    def mapped(self, change: Callable[[Any], Any]) -> Phrase:
        """Return the phrase with each value changed by a function."""
        values = {name: mapped(value, change) for name, value in self.values.items()}
        return phrase(self.template, **values) if values else self

    def __add__(self, other: str) -> Listing:
        return joined((self, other), "")

    def __radd__(self, other: str) -> Listing:
        return joined((other, self), "")


class Listing(str):
    """An English enumeration that keeps its parts, so that it can be translated: `a, b and c`."""

    __slots__ = ("joint", "last", "parts")
    parts: tuple[Any, ...]
    """The parts that are listed, such as names or phrases."""
    joint: str
    """The text between two parts."""
    last: str
    """The text before the last part, such as ` and `."""

    def mapped(self, change: Callable[[Any], Any]) -> Listing:
        """Return the enumeration with each part changed by a function."""
        return listed([mapped(part, change) for part in self.parts], self.joint, self.last)

    def __add__(self, other: str) -> Listing:
        return joined((self, other), "")

    def __radd__(self, other: str) -> Listing:
        return joined((other, self), "")


def phrase(template: str, **values: Any) -> Phrase:
    """Return the phrase of a template with values. `tests/why/test_german.py` finds untranslated templates."""
    texts: list[str] = []
    for is_optional, (first, named) in _parts(template):
        part = [first]
        for name, text in named:
            value = values.get(name)
            if is_optional and value in _MISSING:
                break
            if not isinstance(value, str):
                part += (str(value) if type(value) is int else _written("en", value), text)
            else:
                part += (value, text)
        else:
            texts += part
    found = Phrase("".join(texts))
    found.template, found.values = template, values
    return found


def listed(parts: Iterable[Any], joint: str = ", ", last: str = " and ") -> Listing:
    """Return an enumeration of names or sentence parts: `a, b and c`; `last` stands before the last part, `joint`
    between the others.
    """
    all_ = tuple(parts)
    found = Listing(_joined([part if isinstance(part, str) else _written("en", part) for part in all_], joint, last))
    found.parts, found.joint, found.last = all_, joint, last
    return found


def joined(parts: Iterable[Any], joint: str) -> Listing:
    """Return an enumeration with the text `joint` between any two parts."""
    return listed(parts, joint, joint)


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value changed by the function `change`; of a phrase or an enumeration the values in it are changed."""
    return value.mapped(change) if isinstance(value, Phrase | Listing) else change(value)


def without_stop(text: str) -> str:
    """Return a text without a full stop at its end, for use inside a sentence."""
    if not text.endswith("."):
        return text
    return text.mapped(_without_stop) if isinstance(text, Phrase | Listing) else text.rstrip(".")


def _without_stop(value: Any) -> Any:
    return value.rstrip(".") if isinstance(value, str) else value


def read_phrase(template: str, text: str) -> Phrase | None:
    """Return the phrase that `text` is, if it was made from a template, with its values as texts; else `None`."""
    found = _pattern(template).fullmatch(text)
    return phrase(template, **found.groupdict()) if found is not None else None


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = _NAME.split(template)
    return re.compile("".join(f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts)))


class Writer(NamedTuple):
    """Translates phrases into a language."""

    language: str
    """The code of the language."""
    texts: Mapping[str, str]
    """The templates of the language, by the English templates; a missing one stays English."""
    title: Callable[[str, Any, Mapping[str, Any]], str | None] = lambda _name, _value, _beside: None
    """Returns the text for a value by its name in the phrase, such as a node's title; `None` to write the value
    unchanged. The third argument has the values of the same phrase."""

    def text(self, value: Any, name: str = "", beside: Mapping[str, Any] = MappingProxyType({})) -> str:
        """Return a value as text: a phrase in the language, a name by its title. `name` is the name of the value in a
        phrase, `beside` are the other values of that phrase.
        """
        if isinstance(value, Phrase):
            template, values = value.template or str(value), value.values
            found = {one: of if of in _MISSING else self.text(of, one, values) for one, of in values.items()}
            return str(phrase(self.texts.get(template, template), **found))
        if isinstance(value, Listing):
            joint, last = (self.texts.get(one, one) for one in (value.joint, value.last))
            return _joined([self.text(part, name, beside) for part in value.parts], joint, last)
        title = self.title(name, value, beside)
        return title if title is not None else _written(self.language, value)

    def data(self, value: Any, name: str = "") -> Any:
        """Return JSON-like data in which each phrase is replaced by its text in the language. `name` is the key under
        which the data stands, if any.
        """
        match value:
            case Phrase() | Listing():
                return self.text(value, name)
            case list():
                return [self.data(one, name) for one in cast("list[Any]", value)]
            case tuple():
                return tuple([self.data(one, name) for one in cast("tuple[Any, ...]", value)])
            case datetime():
                return time_text(value)
            case dict():
                return {key: self.data(one, key) for key, one in cast("dict[str, Any]", value).items()}
            case _:
                return value


def _joined(parts: list[str], joint: str, last: str) -> str:
    *first, end = parts or [""]
    return f"{joint.join(first)}{last}{end}" if first else str(end)


def _written(language: str, value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, datetime):
        return time_text(value)
    if not isinstance(value, timedelta):
        return value_text(value)
    from turnwise.core.formatting import FormatLocale, localized

    return localized("duration", value, FormatLocale(language, "UTC"))


@cache
def _parts(template: str) -> tuple[tuple[bool, _Part], ...]:
    """Return the parts of a template, each with whether it is optional."""
    found: list[tuple[bool, _Part]] = []
    for at, part in enumerate(_OPTIONAL.split(template)):
        first, *rest = _NAME.split(part)
        found.append((bool(at % 2), (first, tuple(zip(rest[::2], rest[1::2], strict=True)))))
    return tuple(found)
