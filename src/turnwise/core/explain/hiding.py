"""Hides secrets in explanations: the words of messages that were secret, and the values of secret fields.

A decision is explained with the real values; they are hidden only in what is shown of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.secrets import SHORTEST_SECRET, former_secrets, joined_values, secret_places, secret_values
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.kinds import ERASED
from turnwise.core.values import REDACTED

Hide = Callable[[Any], Any]
"""A function that replaces the secrets in a value."""

_OF_THE_FLOW = frozenset(
    (
        *("id", "node", "target", "name", "field", "text", "rule", "source", "because", "file", "by", "in_words"),
        *("missing", "description", "fields", "raw_code", "evaluated_rules", "crew_name", "conversation", "outcome"),
        *("action", "at"),
    )
)
"""Parts of an explanation that come from the flow and its code: hiding a word in them would reveal which it is."""


_VALUES = ("value", "now", "before")
"""Parts of an explanation that are values of fields."""


def hide_nothing(data: Any) -> Any:
    """Return the data unchanged: the function that hides secrets in a flow without secrets."""
    return data


def hiding(
    machine: Machine,
    states: Iterable[State | None],
    entries: Iterable[e.Entry],
    messages: Mapping[int, str],
    supposed: Collection[str] = (),
) -> Hide:
    """Return a function that hides the secrets of some states and messages (by position) in any data. Values of
    `supposed` fields come from the caller and are shown: hiding them would reveal that they equal a secret.
    """
    if not machine.has_secrets:
        return hide_nothing
    known, entries = [state for state in states if state is not None], tuple(entries)
    places: dict[int, set[tuple[int, int]]] = {}
    for state in known:
        for seq, spans in secret_places(machine, state, entries).items():
            places.setdefault(seq, set()).update(spans)
    whole: dict[str, str] = {}
    words: set[str] = set()
    for seq, spans in places.items():
        text = messages.get(seq)
        if text is not None and text != ERASED:
            words.update(text[start:end] for start, end in spans)
            whole[text] = _cut(text, spans)
    options = {option.value.casefold() for field in machine.fields.values() for option in field.options}
    long = (word for word in (*words, *whole) if len(word) >= SHORTEST_SECRET and word.casefold() not in options)
    given = former_secrets(machine, entries)
    values = joined_values(tuple(long), given, *(secret_values(machine, state) for state in known))
    return _hider(whole, values, frozenset(supposed))


def hiding_values(values: Iterable[str]) -> Hide:
    """Return a function that hides some values wherever they occur in data."""
    return _hider({}, values)


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a message without the words between some positions, which may overlap."""
    shown, last = "", 0
    for start, end in sorted(spans):
        if start >= last:
            shown += text[last:start] + REDACTED
        last = max(last, end)
    return shown + text[last:]


def _hider(whole: Mapping[str, str], values: Iterable[str], supposed: frozenset[str] = frozenset()) -> Hide:
    """Return the function that replaces whole messages by what is left of them, and hides values and words anywhere."""
    parts = [re.escape(value) for value in values if value not in whole]
    messages = [re.escape(text) for text in sorted(whole, key=len, reverse=True) if len(text) >= SHORTEST_SECRET]
    pattern = re.compile("|".join(messages + parts), re.IGNORECASE) if messages or parts else None

    def hide(data: Any) -> Any:
        match data:
            case str():
                text = whole.get(data, data)
                return pattern.sub(lambda found: whole.get(found[0], REDACTED), text) if pattern is not None else text
            case bool() | None:
                return data
            case int() | float():
                return REDACTED if pattern is not None and pattern.fullmatch(str(data)) else data
            case list() | tuple():
                return type(data)([hide(item) for item in cast("Iterable[Any]", data)])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            case dict():
                return {key: hide(value) for key, value in cast("dict[str, Any]", data).items()}
            case Struct():
                is_supposed = not supposed.isdisjoint((getattr(data, "name", ""), getattr(data, "field", "")))
                return _hidden(data, hide, is_supposed=is_supposed)
            case _:
                return data

    return hide


def _hidden(data: Struct, hide: Hide, *, is_supposed: bool) -> Struct:
    """Return a part of an explanation with hidden values, except in the fields that come from the flow, and the value
    of a field that is supposed.
    """
    found: dict[str, Any] = {}
    for name in data.__struct_fields__:
        value = getattr(data, name)
        is_value = name in _VALUES
        is_kept = name in _OF_THE_FLOW or (is_supposed and is_value)
        is_number = isinstance(value, int | float) and not is_value
        if not is_kept and not is_number and (shown := hide(value)) != value:
            found[name] = shown
    return replace(data, **found) if found else data
