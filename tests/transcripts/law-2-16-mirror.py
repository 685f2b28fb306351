"""A guard for the transcript of law 2.16."""

from __future__ import annotations

from typing import Any

from turnwise import guard


@guard(to="adult")
def decides(user: Any) -> str | None:
    """Adults go on."""
    return "adult" if user.age is not None and user.age >= 18 else None
