"""Hides the keys of providers in everything that comes from them: texts, arguments of calls, errors."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwise.core.secrets import HIDDEN_KEY
from turnwise.core.state.effects import Thought
from turnwise.core.values.json_data import as_object
from turnwise.core.values.nesting import TOO_DEEP, is_too_deep
from turnwise.models.names import PROVIDERS
from turnwise.runner.model_port import CallMade, ModelEvent, TextDelta

_SHORTEST = 8
"""The fewest characters of a key. Local servers accept any word as a key, and words are not hidden."""
_VALID_S = 1.0
"""How long the keys of the environment are cached: reading them for every result costs more than hiding them."""
_AWS_KEYS = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK")


def keys_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the API keys of all providers in an environment, the longest first."""
    variables = {key for provider in PROVIDERS.values() for key in provider.keys}.union(_AWS_KEYS)
    found = {environment.get(variable, "").strip() for variable in variables}
    return tuple(sorted((key for key in found if len(key) >= _SHORTEST), key=len, reverse=True))


class KnownKeys:
    """The API keys in the environment of this process, looked up again at most once a second."""

    def __init__(self) -> None:
        self._keys: tuple[str, ...] = ()
        self._until_s = 0.0

    def __call__(self) -> tuple[str, ...]:
        """Return the keys, the longest first."""
        now_s = time.monotonic()
        if now_s >= self._until_s:
            self._keys, self._until_s = keys_in(os.environ), now_s + _VALID_S
        return self._keys


def hide_keys(text: str, keys: Iterable[str]) -> str:
    """Return a text in which API keys are replaced."""
    for key in keys:
        text = text.replace(key, HIDDEN_KEY)
    return text


def hide_keys_in_data(data: Any, keys: tuple[str, ...]) -> Any:
    """Return JSON data in which API keys are replaced; for data that is nested too deeply, a text that says so."""
    return TOO_DEEP if is_too_deep(data) else _hidden_in(data, keys)


def _hidden_in(data: Any, keys: tuple[str, ...]) -> Any:
    if isinstance(data, str):
        return hide_keys(data, keys)
    if isinstance(data, list):
        return [_hidden_in(item, keys) for item in data]  # pyright: ignore[reportUnknownVariableType]
    inner = as_object(data)
    return data if inner is None else {hide_keys(key, keys): _hidden_in(value, keys) for key, value in inner.items()}


class KeyHider:
    """Hides API keys in a streamed answer. A text that ends with the beginning of a key waits for the next piece."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        self.keys = keys
        self.waiting = ""

    def hide(self, event: ModelEvent) -> Iterator[ModelEvent]:
        """Yield what can be shown after one more event of the answer; the rest is held back."""
        if isinstance(event, TextDelta):
            text = hide_keys(self.waiting + event.text, self.keys)
            size = max((_overlap(text, key) for key in self.keys), default=0)
            self.waiting = text[len(text) - size :]
            if size < len(text):
                yield TextDelta(text[: len(text) - size])
            return
        yield from self.flush()
        if isinstance(event, Thought) and any(key in f"{event.text}{event.details}" for key in self.keys):
            return  # its signature holds for the whole thought only
        if isinstance(event, CallMade):
            event = CallMade(hide_keys(event.tool, self.keys), hide_keys_in_data(event.arguments, self.keys))
        yield event

    def flush(self) -> Iterator[TextDelta]:
        """Yield the text that was held back, at the end of the answer."""
        text, self.waiting = self.waiting, ""
        if text:
            yield TextDelta(text)


def _overlap(text: str, key: str) -> int:
    """Return how many of the last characters of a text are the first ones of a key."""
    return next((size for size in range(min(len(text), len(key) - 1), 0, -1) if text.endswith(key[:size])), 0)
