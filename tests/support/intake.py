"""The three ways out of seed 000's introduction: written anew from its conditions, as an oracle for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

Fields = dict[str, Any]

NAMES = (None, None, "", "   ", "Ada", "0", "Grace Hopper")
AGES = (None, None, 0, 17, 36, 37, 38, 38, 39, 45, 120, "37", "38")
GENDERS = (None, None, None, None, "female", "woman", "other", "male", "MAN", "m")
TERMS = (None, True, True, True, False, "yes", "no")


def expected(fields: Fields) -> str:
    """Where it goes: a man is ineligible; so is who is known to be under 38; without name, age or
    terms it waits; who is 38 or more goes on.
    """
    gender, age = fields["gender"], fields["age"]
    if gender in ("male", "MAN", "m"):
        return "ineligible"
    years = None if age is None else int(age)
    if years is not None and years < 38:
        return "ineligible"
    has_name = fields["name"] is not None and fields["name"].strip() != ""
    has_agreed = fields["tos_acknowledged"] in (True, "yes")
    if not has_name or years is None or not has_agreed:
        return "introduction"
    return "profiler"


def random_fields(count: int, seed: int) -> Iterator[Fields]:
    """Field sets in which every case is frequent."""
    chance = random.Random(seed)
    for _ in range(count):
        yield {
            "name": chance.choice(NAMES),
            "age": chance.choice(AGES),
            "gender": chance.choice(GENDERS),
            "tos_acknowledged": chance.choice(TERMS),
        }
