"""Keys are hidden in every text that comes from a provider: its words, its arguments, its errors."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwise.core.secrets import HIDDEN_KEY
from turnwise.core.values.json_data import as_object
from turnwise.models.names import PROVIDERS
from turnwise.runner.ports import CallMade, ModelEvent, TextDelta

_SHORTEST = 8
"""What is shorter is no key: servers of one's own take any word for one."""
_LASTS_S = 1.0
"""How long an environment is taken for unchanged: reading it anew for every result costs more than hiding in it."""
_OTHERS = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK")


def keys_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Every key that the environment holds, of whatever provider; the longest first."""
    variables = {key for provider in PROVIDERS.values() for key in provider.keys}.union(_OTHERS)
    found = {environment.get(variable, "").strip() for variable in variables}
    return tuple(sorted((key for key in found if len(key) >= _SHORTEST), key=len, reverse=True))


class KnownKeys:
    """Every key that this process was given, as its environment had them at most a second ago."""

    def __init__(self) -> None:
        self._found: tuple[str, ...] = ()
        self._until_s = 0.0

    def __call__(self) -> tuple[str, ...]:
        """The keys, the longest first."""
        now_s = time.monotonic()
        if now_s >= self._until_s:
            self._found, self._until_s = keys_in(os.environ), now_s + _LASTS_S
        return self._found


def hidden(text: str, keys: Iterable[str]) -> str:
    """A text without the keys in it."""
    for key in keys:
        text = text.replace(key, HIDDEN_KEY)
    return text


def hidden_in(data: Any, keys: tuple[str, ...]) -> Any:
    """JSON data without the keys in it."""
    if isinstance(data, str):
        return hidden(data, keys)
    if isinstance(data, list):
        return [hidden_in(item, keys) for item in data]  # pyright: ignore[reportUnknownVariableType]
    inner = as_object(data)
    return data if inner is None else {hidden(key, keys): hidden_in(value, keys) for key, value in inner.items()}


class Hiding:
    """Hides keys in an answer that comes in pieces: what may be the beginning of one waits for the next piece."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        self.keys = keys
        self.waiting = ""

    def told(self, event: ModelEvent) -> Iterator[ModelEvent]:
        """What can be told now."""
        if isinstance(event, TextDelta):
            text = hidden(self.waiting + event.text, self.keys)
            kept = max((_overlap(text, key) for key in self.keys), default=0)
            self.waiting = text[len(text) - kept :]
            yield from _text(text[: len(text) - kept])
            return
        yield from self.rest()
        if isinstance(event, CallMade):
            yield CallMade(hidden(event.tool, self.keys), hidden_in(event.arguments, self.keys))
        else:
            yield event

    def rest(self) -> Iterator[TextDelta]:
        """What waited, at the end."""
        text, self.waiting = self.waiting, ""
        yield from _text(text)


def _text(text: str) -> Iterator[TextDelta]:
    if text:
        yield TextDelta(text)


def _overlap(text: str, key: str) -> int:
    """How many of the last letters of a text are the first ones of a key."""
    return next((size for size in range(min(len(text), len(key) - 1), 0, -1) if text.endswith(key[:size])), 0)
