"""How models are reached: the environment with their keys, permission, patience, retries, and closing."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import dataclass

from turnwise.errors import TurnwiseError
from turnwise.models.names import are_forbidden


async def let_go(model: object) -> None:
    """Close what a model holds; it may be used again."""
    close = getattr(model, "close", None)
    if close is not None:
        await close()


@dataclass(frozen=True, slots=True)
class Reach:
    """How models are reached. The environment is not shown: it holds keys."""

    environment: Mapping[str, str]
    may_call: bool
    patience: Patience

    def __repr__(self) -> str:
        return f"Reach(may_call={self.may_call}, patience={self.patience})"


def reach_of(
    environment: Mapping[str, str] | None = None, *, may_call: bool | None = None, patience: Patience | None = None
) -> Reach:
    """How models are reached: as the environment says where nothing else is said. Raises `TurnwiseError` for a
    variable that is no number.
    """
    found = os.environ if environment is None else environment
    calls = not are_forbidden(found) if may_call is None else may_call
    return Reach(found, calls, patience or patience_of(found))


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
