"""Explanations without secrets: the words of messages that were secret, and the values of secret fields.

A decision is judged again with what was really said; only what is shown of it is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import fields, replace

from turnwise.core.machine import Machine
from turnwise.core.secrets import SHORTEST, secret_places, secret_values, together
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.values import REDACTED

Shown = TypeVar("Shown")
Hide = Callable[[Any], Any]

_OF_THE_FLOW = frozenset(
    (
        *("id", "node", "target", "name", "field", "text", "rule", "source", "because", "file", "by", "in_words"),
        *("missing", "description", "fields", "raw_code", "evaluated_rules", "crew_name", "conversation", "outcome"),
        *("action", "at"),
    )
)
"""Parts of an explanation that come from the flow and its code: hiding a word in them would tell which it is."""


def as_it_is(data: Any) -> Any:
    """Hide nothing: the flow has no secrets."""
    return data


def hiding(
    machine: Machine, states: Iterable[State | None], entries: Iterable[e.Entry], messages: Mapping[int, str]
) -> Hide:
    """The function that hides in explanations what is secret in some states and in the messages that they read."""
    if not machine.has_secrets:
        return as_it_is
    known, told = [state for state in states if state is not None], tuple(entries)
    places: dict[int, set[tuple[int, int]]] = {}
    for state in known:
        for seq, spans in secret_places(machine, state, told).items():
            places.setdefault(seq, set()).update(spans)
    whole: dict[str, str] = {}
    words: set[str] = set()
    for seq, spans in places.items():
        text = messages.get(seq)
        if text is not None:
            words.update(text[start:end] for start, end in spans)
            whole[text] = _cut(text, spans)
    options = {option.value.casefold() for field in machine.fields.values() for option in field.options}
    long = (word for word in (*words, *whole) if len(word) >= SHORTEST and word.casefold() not in options)
    values = together(tuple(long), *(secret_values(machine, state) for state in known))
    return _hider(whole, values)


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A message without the words that stand at some places, which may overlap."""
    shown, last = "", 0
    for start, end in sorted(spans):
        if start >= last:
            shown += text[last:start] + REDACTED
        last = max(last, end)
    return shown + text[last:]


def _hider(whole: Mapping[str, str], values: Iterable[str]) -> Hide:
    """Messages are shown by what is left of them; values and words are hidden wherever they stand."""
    parts = [re.escape(value) for value in values if value not in whole]
    messages = [re.escape(text) for text in sorted(whole, key=len, reverse=True) if len(text) >= SHORTEST]
    pattern = re.compile("|".join(messages + parts), re.IGNORECASE) if messages or parts else None

    def of_text(text: str) -> str:
        if text in whole:
            text = whole[text]
        return pattern.sub(lambda found: whole.get(found[0], REDACTED), text) if pattern is not None else text

    def hide(data: Any) -> Any:
        match data:
            case str():
                return of_text(data)
            case bool() | None:
                return data
            case int() | float():
                return REDACTED if pattern is not None and pattern.fullmatch(str(data)) else data
            case list() | tuple():
                items = cast("Iterable[Any]", data)
                return type(data)([hide(item) for item in items])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            case dict():
                found = cast("dict[str, Any]", data)
                return {key: hide(value) for key, value in found.items()}
            case Struct():
                return _hidden(data, hide)
            case _:
                return data

    return hide


def _hidden(data: Struct, hide: Hide) -> Struct:
    """A part of an explanation, with what did not come from the flow hidden."""
    found: dict[str, Any] = {}
    for one in fields(data):
        value = getattr(data, one.name)
        if one.name in _OF_THE_FLOW or (
            isinstance(value, int | float | bool) and one.name not in ("value", "now", "before")
        ):
            continue
        shown = hide(value)
        if shown != value:
            found[one.name] = shown
    return replace(data, **found) if found else data
