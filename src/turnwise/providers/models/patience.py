"""How long a model is waited for, and how often it is asked again."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from turnwise.errors import TurnwiseError


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds for connecting, seconds of silence in an answer, how many times more a request is sent, and the pause
    before: it doubles each time, up to the longest. Who asks to wait longer than that is not asked again.
    """

    connect_s: float = 10
    silence_s: float = 120
    retries: int = 2
    pause_s: float = 0.5
    longest_pause_s: float = 30

    def pause(self, attempt: int, asked_s: float | None) -> float | None:
        """Seconds to wait after a failed attempt, counted from 1; `None` where it was the last."""
        if attempt > self.retries or (asked_s is not None and asked_s > self.longest_pause_s):
            return None
        own_s = min(self.pause_s * 2 ** (attempt - 1), self.longest_pause_s)
        return max(asked_s or 0, own_s * random.uniform(0.5, 1))  # noqa: S311  spreads the attempts, hides nothing


_NUMBERS = {
    "connect_s": "TURNWISE_MODEL_CONNECT_S",
    "silence_s": "TURNWISE_MODEL_SILENCE_S",
    "retries": "TURNWISE_MODEL_RETRIES",
}


def patience_of(environment: Mapping[str, str]) -> Patience:
    """The patience that the environment asks for. Raises `TurnwiseError` for what is no such number."""
    found: dict[str, float] = {}
    for name, variable in _NUMBERS.items():
        written = environment.get(variable, "").strip()
        if written:
            found[name] = _number(variable, written, whole=name == "retries")
    return Patience(**found)  # pyright: ignore[reportArgumentType]  `retries` is whole


def _number(variable: str, written: str, *, whole: bool) -> float:
    kind = "a whole number, 0 or more" if whole else "a number of seconds above 0"
    try:
        number = int(written) if whole else float(written)
    except ValueError:
        number = -1
    if not (0 <= number < 1e9) or (number == 0 and not whole):
        raise TurnwiseError(f"{variable} must be {kind}, not {written!r}")
    return number
