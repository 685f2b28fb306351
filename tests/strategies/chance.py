"""Choices by a seeded generator: the same seed makes the same choices, in every process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance(Random):
    """A generator with the few ways of choosing that random machines need."""

    def is_lucky(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability

    def weighed(self, weights: Mapping[T, float]) -> T:
        """One of the keys, by weight."""
        return self.choices(list(weights), list(weights.values()))[0]

    def some(self, known: Sequence[T], least: int, most: int) -> list[T]:
        """A few different ones, in their own order."""
        count = min(self.randint(least, most), len(known))
        chosen = sorted(self.sample(range(len(known)), count))
        return [known[place] for place in chosen]
