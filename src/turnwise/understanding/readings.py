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
"""The kinds of meanings that tokens can have."""
_PADDING = ("",) * 8


class Text(Struct, frozen=True):
    """A message as tokens, with the vocabulary and the date by which their meaning is read."""

    message: str
    """The message as it was typed."""
    tokens: tuple[Token, ...]
    """The tokens of the message, in order."""
    words: tuple[str, ...]
    """The folded words of the tokens, then eight empty ones, so that a reader may look beyond the last token."""
    vocabulary: Vocabulary
    """The vocabulary of the conversation's language."""
    today: date
    """The current date in the zone of the conversation."""

    def kind(self, at: int) -> str:
        """Return the kind of the token with index `at`; empty outside the message."""
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else ""

    def words_between(self, first: int, stop: int) -> tuple[str, ...]:
        """Return the folded words of the tokens `first` to `stop` (exclusive), without punctuation."""
        return tuple(token.word for token in self.tokens[first:stop] if token.kind != "mark")

    def span(self, first: int, stop: int) -> tuple[int, int]:
        """Return the offset of token `first` in the message and the offset behind token `stop - 1`, in characters."""
        return self.tokens[first].start, self.tokens[stop - 1].end

    def as_typed(self, first: int, stop: int) -> str:
        """Return the text of the tokens `first` to `stop` (exclusive), as the user typed it."""
        return self.message[self.tokens[first].start : self.tokens[stop - 1].end]

    def is_joined_to_next(self, left: int) -> bool:
        """Return whether no space stands between the token with index `left` and the next one."""
        tokens = self.tokens
        return 0 <= left < len(tokens) - 1 and tokens[left].end == tokens[left + 1].start


def text_of(message: str, vocabulary: Vocabulary, today: date) -> Text:
    """Return a message split into tokens."""
    tokens = tokens_of(message)
    return Text(message, tokens, (*(token.word for token in tokens), *_PADDING), vocabulary, today)


class Day(Struct, frozen=True):
    """A day; if its year is open, also its latest past date."""

    upcoming: date
    """The date; the next such date if the year is open."""
    latest: date | None = None
    """The latest past date if the year is open, else `None`."""
    is_relative: bool = False
    """True if the date was counted from today (`tomorrow`)."""
    other: Day | None = None
    """A second day that the same words may mean, or the last day of a span; `None` if there is neither."""
    is_span: bool = False
    """True if `other` is the last day of a span that begins with this day."""


class Length(Struct, frozen=True):
    """A length of time; with its number and unit if it has a single unit."""

    seconds: float
    """The length in seconds."""
    count: float | None = None
    """The number of units; `None` unless there is a single unit."""
    unit: str = ""
    """The unit as it is named in the vocabulary; empty if there are several."""


class Moment(Struct, frozen=True):
    """A day with the times of day (HH:MM) that the words allow."""

    day: Day
    """The day of the moment."""
    times: tuple[str, ...]
    """The times of day that the words allow, as HH:MM."""


class Reading(Struct, frozen=True):
    """A value that some tokens mean."""

    kind: Kind
    """What kind of value the tokens mean; `odd` for what looks like a value and is none."""
    value: Any
    """The value, depending on `kind`: a number, a `Day`, a `Moment`, a text, options by field address, and so on."""
    first: int
    """The index of the first token in the message, from 0."""
    stop: int
    """The index of the token after the last one."""
    confidence: float = 1.0
    """How certain the meaning is, from 0 to 1."""
    others: tuple[Reading, ...] = ()
    """Other values that the same tokens may mean."""
