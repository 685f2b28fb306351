"""Redacts the secrets of a conversation in everything that clients see: messages, values, events, states.

The words of a message that were secret are cut out by their positions, and secret values are hidden wherever they stand
in a text. Only an exported file has secrets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, cast

from msgspec.json import decode, encode

from turnwise.archive.answer_words import LANGUAGES, AnswerWords
from turnwise.core.external_events import data_shown
from turnwise.core.machine import Machine
from turnwise.core.phrase import Writer
from turnwise.core.secrets import (
    former_secrets,
    joined_values,
    redacted_result,
    secret_places,
    secret_values,
    without_values,
)
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.values import REDACTED
from turnwise.core.values.json_data import as_list, as_object

Spans = list[tuple[int, int]]
"""Parts of a text: start and end (exclusive) of each, in characters from 0."""


class Redaction:
    """Redacts the secrets that some states and entries of one conversation contain."""

    def __init__(self, machine: Machine, states: Iterable[State | None], entries: Sequence[e.Entry]) -> None:
        self.machine = machine
        self.is_needed = machine.has_secrets
        self._places: dict[int, Spans] = {}
        self._values: tuple[str, ...] = ()
        self.fields: frozenset[str] = frozenset()
        if not self.is_needed:
            return
        self.fields = frozenset(name for name, field in machine.fields.items() if field.secret)
        known = [state for state in states if state is not None]
        for state in known:
            for seq, spans in secret_places(machine, state, entries).items():
                self._places[seq] = _merged([*self._places.get(seq, ()), *spans])
        self._values = joined_values(
            former_secrets(machine, entries), *(secret_values(machine, state) for state in known)
        )

    @cached_property
    def writers(self) -> dict[str, Writer]:
        """The writers of lines about events with titles, by language."""
        return {language: AnswerWords(language, has_titles=True).writer(self.machine) for language in LANGUAGES}

    def _hidden(self, seq: int, text: str) -> Spans:
        """Return the spans of a message that are hidden."""
        found = list(self._places.get(seq, ()))
        if self._values:
            pattern = re.compile("|".join(map(re.escape, self._values)), re.IGNORECASE)
            found += [match.span() for match in pattern.finditer(text)]
        return _merged(found)

    def message(self, seq: int, text: str) -> str:
        """Return the text of the message at a position without its secrets."""
        if not self.is_needed:
            return text
        shown, last = "", 0
        for start, end in self._hidden(seq, text):
            shown += text[last:start] + REDACTED
            last = end
        return shown + text[last:]

    def span(self, seq: int, text: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the offsets in the redacted message, at position `seq` and with this text, of the words from `start`
        to before `end`; `None` if hidden.
        """
        if not self.is_needed:
            return start, end
        shift = 0
        for hidden_start, hidden_end in self._hidden(seq, text):
            if hidden_start < end and start < hidden_end:
                return None
            if hidden_end <= start:
                shift += len(REDACTED) - (hidden_end - hidden_start)
        return start + shift, end + shift

    def text(self, text: str) -> str:
        """Return a text without secret values."""
        return without_values(text, self._values) if self.is_needed else text

    def data(self, data: Any) -> Any:
        """Return JSON data without secret values."""
        return without_values(data, self._values) if self.is_needed else data

    def event_data(self, name: str, data: dict[str, Any]) -> dict[str, Any]:
        """Return the data of an external event by field, without the values of its secret fields."""
        return data_shown(self.machine, name, data, REDACTED) if self.is_needed else data

    def result(self, tool: str, data: Any) -> Any:
        """Return the result of a tool without secret values, and without values that go into secret fields."""
        return self.data(redacted_result(self.machine, tool, data))

    def value(self, field: str, value: Any) -> Any:
        """Return a value of a field, redacted if the field is secret."""
        return REDACTED if self.is_needed and value is not None and field in self.fields else self.data(value)

    def event(self, entry: e.Entry) -> e.AnyEvent:
        """Return the event of an entry for clients; one with secrets as its redacted JSON data."""
        event = entry.event
        if not self.is_needed:
            return event
        data: Any = decode(encode(event))
        if isinstance(event, e.UserSaid):
            data["text"] = self.message(entry.seq, event.text)
        elif isinstance(event, e.UserChose):
            data["value"] = self.message(entry.seq, event.value)
        elif isinstance(event, e.EventReceived | e.EventHeld):
            data["data"] = self.event_data(event.name, event.data)
        elif isinstance(event, e.Decided):
            data["reads"] = self._reads(event)
        return cast("e.AnyEvent", self.data(self.by_field(data)))

    def _reads(self, decided: e.Decided) -> list[Any]:
        moment: Any = decided.moment
        if decided.node not in self.machine.nodes:
            return []
        keys = self.machine.candidates(decided.node, moment).keys
        read = zip(keys, decode(encode(decided.reads)), strict=False)
        roots = self.machine.names.roots
        secret = {*self.fields, *[key for key in keys if key in roots and roots[key].is_secret]}
        return [_hidden_value(value) if key in secret else value for key, value in read]

    def by_field(self, data: Any) -> Any:
        """Return JSON data in which values beside or under the name of a secret field are hidden."""
        items = as_list(data)
        if items is not None:
            return [self.by_field(item) for item in items]
        found = as_object(data)
        if found is None:
            return data
        is_secret = found.get("field") in self.fields
        secret_args = self._secret_arguments(found.get("tool"))
        return {
            key: _hidden_value(value)
            if key in self.fields or (is_secret and key in ("value", "item", "text", "correction", "held"))
            else _without_keys(value, secret_args)
            if key == "arguments" and secret_args
            else redacted_result(self.machine, str(found.get("tool")), value)
            if key == "result"
            else self.by_field(value)
            for key, value in found.items()
        }

    def _secret_arguments(self, tool: Any) -> frozenset[str]:
        """Return the arguments of a tool that are secret, with the fields of a tool that writes a record."""
        declared = self.machine.tools.get(tool) if isinstance(tool, str) else None
        if declared is not None:
            return frozenset(name for name, field in declared.args.items() if field.secret)
        if not isinstance(tool, str) or "_" not in tool:
            return frozenset()
        record = tool.partition("_")[2] + "."
        return frozenset(name.removeprefix(record) for name in self.fields if name.startswith(record))


def _hidden_value(value: Any) -> Any:
    """Return a value redacted; of a stored field value (a list) only the value itself, and where its words stand."""
    items = as_list(value)
    if value is None:
        return None
    if items is not None and len(items) >= 4 and isinstance(items[1], str):
        return [REDACTED, *items[1:5], *([None] if len(items) > 5 else [])]
    return REDACTED


def _without_keys(value: Any, secret: frozenset[str]) -> Any:
    found = as_object(value)
    if found is None:
        return value
    return {key: REDACTED if key in secret else _without_keys(inner, secret) for key, inner in found.items()}


def _merged(spans: Iterable[tuple[int, int]]) -> Spans:
    """Return spans in order, with those joined that overlap."""
    found: Spans = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
