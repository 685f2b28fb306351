"""guards.py with two mistakes, for the demonstration: `turnwise demo` shows what the debug panel says about them.

`route` asks for an age of 40 where the rules beside it say 38, and `three_groups` fails while fewer are known.
"""

from __future__ import annotations

from typing import Any

from turnwise import guard


@guard(to=["ineligible", "profiler"])
def route(user: Any) -> str | None:
    """Who may go on, and who may not; None waits."""
    if user.gender == "male":
        return "ineligible"
    if user.age is None:  # not known is not too young
        return None
    if user.age < 40:
        return "ineligible"
    return "profiler" if user.name and user.tos_acknowledged else None


@guard
def three_groups(symptoms: Any) -> bool:
    """Three groups of symptoms are known."""
    return bool(symptoms.groups[2])
