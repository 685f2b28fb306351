"""Settings for calls of models: permission, keys and addresses from the environment, timeouts, and retries."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from msgspec import Struct

from turnwise.errors import TurnwiseError
from turnwise.models.names import PROVIDERS, RealName
from turnwise.models.redaction import hide_keys

NO_MODELS_VARIABLE = "TURNWISE_NO_MODELS"
"""The environment variable that forbids models over the network."""
_MOST_SHOWN = 400
"""The most characters of a failure that are shown; a provider may send a page."""
_NUMBERS = {
    "connect_s": "TURNWISE_MODEL_CONNECT_S",
    "silence_s": "TURNWISE_MODEL_SILENCE_S",
    "retries": "TURNWISE_MODEL_RETRIES",
}


class AttemptFailed(Exception):
    """One attempt to get an answer from a model failed.
    `may_pass` is true where another may succeed; `wait_s` is the number of seconds that the server asked to wait;
    `is_too_long` is true where a shorter request may succeed, `is_refused` where the server accepts no such request.
    """

    def __init__(
        self,
        text: str,
        *,
        may_pass: bool,
        wait_s: float | None = None,
        is_too_long: bool = False,
        is_refused: bool = False,
    ) -> None:
        super().__init__(text)
        self.text = text
        self.may_pass = may_pass
        self.wait_s = wait_s
        self.is_too_long = is_too_long
        self.is_refused = is_refused

    def message(self, keys: tuple[str, ...]) -> str:
        """Return the text of the failure without keys, shortened to a readable length."""
        text = hide_keys(self.text, keys)
        return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]} …"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a model, in seconds, and how often a request is sent again."""

    connect_s: float = 10
    """How long connecting may take, in seconds."""
    silence_s: float = 120
    """How long each silence in an answer may be, in seconds."""
    retries: int = 2
    """How many further attempts are made after a failure."""
    pause_s: float = 0.5
    """The pause before the first further attempt, in seconds; each next one is twice as long."""
    longest_pause_s: float = 30
    """The longest pause, in seconds; a server that asks to wait longer is not asked again."""

    def pause(self, attempt: int, asked_s: float | None) -> float | None:
        """Return the seconds to wait after failed attempt number `attempt`, from 1; `None` after the last one, and
        where the server asked to wait (`asked_s`) for longer than is allowed.
        """
        if attempt > self.retries or (asked_s is not None and asked_s > self.longest_pause_s):
            return None
        from random import uniform

        own_s = min(self.pause_s * 2 ** (attempt - 1), self.longest_pause_s)
        return max(asked_s or 0, own_s * uniform(0.5, 1))  # noqa: S311  it spreads attempts, and is no secret


class CallSettings(Struct, frozen=True):
    """Settings for calls of models. `repr` omits the environment, which holds keys."""

    environment: Mapping[str, str]
    """The environment variables by name, which hold keys."""
    may_call: bool
    """False where no model may be reached, as in tests."""
    patience: Patience
    """How long to wait for a model, and how often to try."""

    def __repr__(self) -> str:
        return f"CallSettings(may_call={self.may_call}, patience={self.patience})"


def call_settings(
    environment: Mapping[str, str] | None = None, *, may_call: bool | None = None, patience: Patience | None = None
) -> CallSettings:
    """Return the settings for calls of models, from the environment unless `may_call` (models over the network) or
    `patience` overrides it. Raises `TurnwiseError` for a variable that should be a number and is not.
    """
    found = os.environ if environment is None else environment
    calls = not are_forbidden(found) if may_call is None else may_call
    return CallSettings(found, calls, patience or _patience_of(found))


def are_forbidden(environment: Mapping[str, str]) -> bool:
    """Return whether the environment variables forbid models over the network."""
    return environment.get(NO_MODELS_VARIABLE, "").strip().casefold() not in ("", "0", "false", "no")


def _patience_of(environment: Mapping[str, str]) -> Patience:
    found: dict[str, float] = {}
    for name, variable in _NUMBERS.items():
        written = environment.get(variable, "").strip()
        if not written:
            continue
        is_whole = name == "retries"
        try:
            number = int(written) if is_whole else float(written)
        except ValueError:
            number = -1
        if not (0 <= number < 1e9) or (number == 0 and not is_whole):
            kind = "a whole number, 0 or more" if is_whole else "a number of seconds above 0"
            raise TurnwiseError(f"{variable} must be {kind}, not {written!r}")
        found[name] = number
    return Patience(**found)  # pyright: ignore[reportArgumentType]  `retries` is whole


def key_of(name: RealName, environment: Mapping[str, str]) -> str:
    """Return the key of a model's provider from the environment, its only source; empty where there is none."""
    return next((found for key in PROVIDERS[name.provider].keys if (found := environment.get(key, "").strip())), "")


def address_of(name: RealName, environment: Mapping[str, str]) -> str:
    """Return the URL of the server of a model; empty for the provider's own."""
    provider = PROVIDERS[name.provider]
    return name.address or environment.get(provider.address_variable, "").strip() or provider.address


def check_connectable(name: RealName, environment: Mapping[str, str]) -> None:
    """Raise `TurnwiseError` with what to do if the package or the key of a model is missing."""
    provider = PROVIDERS[name.provider]
    if not (_is_installed("pydantic_ai") and _is_installed(provider.package)):
        raise TurnwiseError(f"{name} needs packages that are not installed: pip install 'turnwise[{provider.extra}]'")
    if provider.needs_key and not key_of(name, environment):
        raise TurnwiseError(f"{name} needs a key: set {' or '.join(provider.keys)} in the environment")


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


async def close_model(model: object) -> None:
    """Close the connections of a model, if it has any; it may be used again."""
    close = getattr(model, "close", None)
    if close is not None:
        await close()
