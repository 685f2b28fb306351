"""Python guards for tests: written in a file, as users write them, so that their source can be shown."""

from __future__ import annotations

from functools import partial, wraps
from typing import Any

import turnwise as tw


@tw.guard(to=["ineligible", "profiler"])
def route(user: Any) -> str | None:
    """Who may go on."""
    # a man is not asked further
    if user.gender == "male" or (user.age is not None and user.age < 38):
        return "ineligible"
    if user.name and user.tos_acknowledged and user.age is not None:
        return "profiler"
    return None


@tw.guard
def grown_up(user: Any) -> bool:
    return user.age is not None and user.age >= 18


def undecorated(user: Any) -> bool:
    """No decorator at all."""
    return user.name == "Ada"


def _shouting(function: Any) -> Any:
    @wraps(function)
    def shouted(*args: Any, **more: Any) -> Any:
        return function(*args, **more)

    return shouted


@tw.guard(to="profiler")
@_shouting
def decorated(user: Any) -> str | None:
    return "profiler" if user.name else None


@tw.guard(to="profiler", name="renamed")
def original(user: Any) -> str | None:
    return "profiler" if user.name else None


class Rules:
    """Guards as methods, and an object that is called."""

    limit = 18

    def method(self, user: Any) -> bool:
        """As old as the limit."""
        return bool(user.age and user.age >= self.limit)

    @staticmethod
    def static(user: Any) -> bool:
        return bool(user.name)

    def __call__(self, user: Any) -> bool:
        return bool(user.name)


def nested() -> Any:
    """A function made inside another."""

    def inner(user: Any) -> bool:
        # indented in its file
        return bool(user.name)

    return inner


def at_least(limit: int, user: Any) -> bool:
    return bool(user.age and user.age >= limit)


of_age = partial(at_least, 18)


def by_position(user: Any, /) -> bool:
    return bool(user.name)


def by_keyword(*, user: Any) -> bool:
    return bool(user.name)


async def waiting(user: Any) -> bool:
    return bool(user.name)


class Waiting:
    """An object whose call is async."""

    async def __call__(self, user: Any) -> bool:
        return bool(user.name)


def hidden_wait(user: Any) -> Any:
    """Nothing says that this gives something to await."""
    return waiting(user)
