"""The ways out of the health intake, as code: it decides, whatever the rules beside it say.

Supply them with `turnwise chat … --python guards.py`, or in a program:
`tw.open("with_code.flow.yaml", guards=[route, three_groups])`.
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
    if user.age < 38:
        return "ineligible"
    return "profiler" if user.name and user.tos_acknowledged else None


@guard
def three_groups(symptoms: Any) -> bool:
    """Three groups of symptoms are known; a list that is not there yet has none."""
    return len(symptoms.groups or []) >= 3
