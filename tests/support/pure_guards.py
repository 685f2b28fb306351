"""Python guards for random machines: sensible, raising, and giving back what they must not."""

from __future__ import annotations

from typing import Any

from turnwise import guard

NODES = ("a", "b", "c", "d", "e", "f", "g")
"""The names of the nodes of random machines; each has at least the first two."""


@guard
def of_age(user: Any) -> bool:
    """True from 18 on."""
    return user.age is not None and user.age >= 18


@guard
def has_talked(visits: Any, turns: Any, tools: Any, errors: Any) -> bool:
    """True after some turns."""
    return turns > 1 or visits("a") > 2 or tools.count("think") > 1 or errors > 2


@guard
def reads_all(user: Any, visit: Any, message: Any, now: Any) -> bool:
    """True if a text was said, or nearly all is known."""
    known = [visit.day, visit.at, visit.clock, visit.wait, visit.tags, visit.ints, user.score, user.member]
    return message.text is not None and now is not None and sum(value is not None for value in known) > 3


@guard
def unwary(user: Any) -> bool:
    """It forgets that an age may be missing, so it raises."""
    return user.age > 30


@guard
def mistaken(error: Any) -> bool:
    """It raises while nothing failed."""
    return len(error.kind) > 4


@guard
def talkative(user: Any) -> Any:
    """It gives back what is no answer."""
    return f"yes, {user.name}" if user.name else False


@guard(to=["a", "b"])
def picks(user: Any, turns: Any) -> str | None:
    """One of two nodes, or none."""
    if user.name:
        return "a" if turns % 2 else "b"
    return None


@guard(to="b")
def only(user: Any) -> bool:
    """True means its only target."""
    return bool(user.member)


@guard(to=["a", "b"])
def strays(user: Any) -> str | None:
    """It names a node that it does not declare."""
    return "nowhere" if user.plan == "gold" else "a" if user.plan else None


GUARDS = (of_age, has_talked, reads_all, unwary, mistaken, talkative, picks, only, strays)
