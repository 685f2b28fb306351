"""What a few tokens mean by themselves: a number, a day, a length, an address, an option.

It holds the meaning and its place, and never says which field it is for.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from msgspec import Struct

Kind = Literal[
    "number",
    "rating",
    "nth",
    "place",
    "date",
    "time",
    "moment",
    "duration",
    "email",
    "phone",
    "option",
    "text",
    "odd",
]


class Day(Struct, frozen=True):
    """A day; for one said without a year also the latest that has been. A relative one is counted from today."""

    upcoming: date
    latest: date | None = None
    is_relative: bool = False


class Length(Struct, frozen=True):
    """A length of time in seconds; for one with a single unit also how many of which."""

    seconds: float
    count: float | None = None
    unit: str = ""


class Moment(Struct, frozen=True):
    """A day with the times of day (HH:MM) that the words allow."""

    day: Day
    times: tuple[str, ...]


class Reading(Struct, frozen=True):
    """A meaning of the tokens from `first` up to `stop`.

    `value` is by kind: a number, a number of how many, an ordinal (-1 is the last), a `Day`, times of day,
    a `Moment`, a `Length`, a text, options by field address, or nothing for what looks like a value and is none.
    `others` are other meanings of the same tokens.
    """

    kind: Kind
    value: Any
    first: int
    stop: int
    confidence: float = 1.0
    others: tuple[Reading, ...] = ()
