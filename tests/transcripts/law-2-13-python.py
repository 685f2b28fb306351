"""Guards for the transcripts of law 2.13."""

from __future__ import annotations

from typing import Any

from turnwise import guard

calls: list[int] = []


@guard(to=("junior", "senior"))
def by_age(user: Any) -> str | None:
    """Where somebody of this age belongs."""
    if user.age is None:
        return None
    if user.age == 13:
        raise ValueError("thirteen")
    return "senior" if user.age >= 65 else "junior"


@guard
def is_known(user: Any, tools: Any, message: Any, visits: Any, turns: int, errors: int, error: Any, now: Any) -> bool:
    """Everything that may be asked for, by name."""
    return (
        tools.used("look")
        and message.text == "let me in"
        and visits("desk") == 1
        and turns == 2
        and errors == 0
        and error.kind is None
        and now.year == 2026
        and user.name == "Ada"
    )
