"""Readings: the meanings of tokens without context, such as a number, a day, a duration, an address, an option.

A reading never says which field it is for.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from msgspec import Struct

from turnwise.understanding.tokens import Token, tokens_of
from turnwise.understanding.vocabulary.shape import Vocabulary

Kind = Literal[
    "number", "rating", "nth", "place", "date", "time", "moment", "duration", "email", "phone", "option", "text", "odd"
]
"""What tokens may mean."""
_PADDING = ("",) * 8


class Text(Struct, frozen=True):
    """A message as tokens, with what their meaning depends on."""

    message: str
    """The message as it was typed."""
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    """The words of the tokens, with empty words behind the last one. So a reader looks at the neighbours of a token
    without asking whether there are any.
    """
    vocabulary: Vocabulary
    today: date
    """The date in the zone of the conversation."""

    def kind(self, at: int) -> str:
        """The kind of a token, empty outside the message."""
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else ""

    def words_between(self, first: int, stop: int) -> tuple[str, ...]:
        """The words of some tokens, marks left out."""
        return tuple(token.word for token in self.tokens[first:stop] if token.kind != "mark")

    def span(self, first: int, stop: int) -> tuple[int, int]:
        """The characters of some tokens."""
        return self.tokens[first].start, self.tokens[stop - 1].end

    def as_typed(self, first: int, stop: int) -> str:
        """Some tokens as the user typed them."""
        return self.message[self.tokens[first].start : self.tokens[stop - 1].end]

    def is_joined_to_next(self, left: int) -> bool:
        """True if a token and the next one stand together without a space."""
        tokens = self.tokens
        return 0 <= left < len(tokens) - 1 and tokens[left].end == tokens[left + 1].start


def text_of(message: str, vocabulary: Vocabulary, today: date) -> Text:
    """Split a message into tokens."""
    tokens = tokens_of(message)
    return Text(message, tokens, (*(token.word for token in tokens), *_PADDING), vocabulary, today)


class Day(Struct, frozen=True):
    """A day; for one without a year also its latest past date."""

    upcoming: date
    """The day, or the next one where the year is open."""
    latest: date | None = None
    """The latest one that is past, where the year is open."""
    is_relative: bool = False
    """True where it depends on today."""
    other: Day | None = None
    """A second day that the same words may mean; of a span, its last day."""
    is_span: bool = False
    """True where `other` is the last day of a span."""


class Length(Struct, frozen=True):
    """A length of time in seconds; for one with a single unit also the number and the unit."""

    seconds: float
    """The whole length."""
    count: float | None = None
    """The number, where there is one unit."""
    unit: str = ""
    """The unit; empty where there are several."""


class Moment(Struct, frozen=True):
    """A day with the times of day (HH:MM) that the words allow."""

    day: Day
    times: tuple[str, ...]
    """The times of day that the words allow, as HH:MM."""


class Reading(Struct, frozen=True):
    """A meaning of some tokens."""

    kind: Kind
    """What kind of value it is."""
    value: Any
    """By kind: a number, a number of how many, an ordinal (-1 is the last), a `Day`, times of day, a `Moment`, a
    `Length`, a text, options by field address, or nothing for what looks like a value and is none (`odd`).
    """
    first: int
    """Its first token."""
    stop: int
    """The token behind its last."""
    confidence: float = 1.0
    """From 0 to 1."""
    others: tuple[Reading, ...] = ()
    """Other meanings of the same tokens."""
