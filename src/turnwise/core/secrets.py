"""Removes secret values from what models, logs and explanations see: where a secret field stands, and wherever the
text of its value occurs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call, Message
from turnwise.core.values import REDACTED
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.addresses import record_of
from turnwise.flow.model import Field

Values = tuple[str, ...]
"""Texts that are shown nowhere, the longest first."""
HIDDEN_KEY = "[key]"
"""What stands in place of a provider's key in texts."""
SHORTEST_SECRET = 4
"""How many characters a secret must have to be hidden: shorter texts occur in too many other words."""
_WORD = re.compile(r"\w+")
_MOST_NAMING = 3
"""A longer question or `about` describes a field rather than names it, in words."""


def secret_places(machine: Machine, state: State, entries: Iterable[e.Entry] = ()) -> dict[int, list[tuple[int, int]]]:
    """Return where secret words stand in messages: start and end (exclusive) of each, by the message's position. Of
    each message the last place comes first. Secret are the words of the present values of secret fields, and those that
    some entries hid.
    """
    if not machine.has_secrets:
        return {}
    places = [value.place for name, value in state.values.items() if machine.fields[name].secret]
    places += [entry.event.place for entry in entries if isinstance(entry.event, e.WordsHidden)]
    found: dict[int, list[tuple[int, int]]] = {}
    for seq, start, end in sorted((place for place in places if place is not None), reverse=True):
        behind = found.setdefault(seq, [])
        if behind and behind[-1][0] < end:
            behind[-1] = (start, max(end, behind[-1][1]))
        else:
            behind.append((start, end))
    return found


def secret_values(machine: Machine, state: State) -> Values:
    """Return the current values of secret fields, as texts."""
    if not machine.has_secrets:
        return ()
    kept = [(name, found.value) for name, found in (*state.values.items(), *state.shelved.items())]
    kept += [one for offer in state.offers for one in offer.given.items()]
    happened = [one for frame in state.frames for one in frame.held_events]
    happened += [state.doing.event] if state.doing is not None and state.doing.event is not None else []
    texts = [text for event in happened for text in _texts_of_event(machine, event.name, event.data)]
    return _sorted((*texts, *[text for name, value in kept for text in _texts(machine.fields[name], value)]))


def former_secrets(machine: Machine, entries: Iterable[e.Entry]) -> Values:
    """Return all values that secret fields got in some entries, as texts: former ones stay secret."""
    entries = tuple(entries)
    given = [entry.event for entry in entries if gives_secret(machine, entry)]
    known = [(machine.fields[event.field], _written(event)) for event in given if isinstance(event, _WRITTEN)]
    happened = [one.event for one in entries if isinstance(one.event, _HAPPENED)]
    found = [text for event in happened for text in _texts_of_event(machine, event.name, event.data)]
    return _sorted((*found, *[text for field, value in known for text in _texts(field, value)]))


_HAPPENED = e.EventReceived | e.EventHeld
_WRITTEN = e.FieldSet | e.ItemAdded | e.ItemChanged


def _written(event: e.FieldSet | e.ItemAdded | e.ItemChanged) -> Any:
    """Return the value, or the values of an item, that an event writes."""
    return event.values if isinstance(event, e.ItemAdded) else event.value


def _texts_of_event(machine: Machine, name: str, data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the secret values in the data of an event of another system."""
    declared = machine.events.get(name)
    for field, value in data.items() if declared is not None else ():
        if declared is not None and field in declared.args:
            yield from _texts(declared.args[field], value)


def gives_secret(machine: Machine, entry: e.Entry) -> bool:
    """Return whether an entry sets a secret field, or has secret data of another system."""
    event = entry.event
    if isinstance(event, _HAPPENED):
        return any(True for _ in _texts_of_event(machine, event.name, event.data))
    return isinstance(event, _WRITTEN) and event.field in machine.fields and machine.fields[event.field].secret


def names_secret(field: Field, title: str, message: str) -> bool:
    """Return whether a message names a secret field: all words of its name, or of its short question (`title`) or
    `about`.
    """
    said = set(_WORD.findall(message.casefold()))
    own = _WORD.findall(field.name.replace("_", " ").casefold())
    shown = (_WORD.findall(text.casefold()) for text in (title, field.about))
    return any(said.issuperset(words) for words in (own, *shown) if 0 < len(words) <= _MOST_NAMING)


def secret_arguments(machine: Machine, tool: str, arguments: Mapping[str, Any]) -> Values:
    """Return the secret arguments of a tool call, as texts."""
    declared = machine.tools.get(tool)
    if declared is None:
        return ()
    args = declared.args
    return _sorted(text for name, value in arguments.items() if name in args for text in _texts(args[name], value))


def joined_values(*found: Values) -> Values:
    """Return several collections of texts as one."""
    return _sorted(text for values in found for text in values)


def _texts(field: Field, value: Any) -> Iterator[str]:
    """Yield a secret value as texts. Options are left out: hiding such a common word would reveal which one it is."""
    if not field.secret or field.options:
        return
    for one in _flat(value):
        text = str(one) if isinstance(one, str | int | float) and not isinstance(one, bool) else ""
        if len(text) >= SHORTEST_SECRET:
            yield text


def _flat(value: Any) -> Iterator[Any]:
    """Yield a value, or what lists and items in it hold."""
    parts = as_object(value)
    inner = as_list(value) if parts is None else list(parts.values())
    for one in [value] if inner is None else inner:
        yield from [one] if inner is None or not isinstance(one, dict | list) else _flat(one)


def _sorted(found: Iterable[str]) -> Values:
    return tuple(sorted(set(found), key=lambda text: (-len(text), text)))


def without_values(data: Any, values: Values, hidden: str = REDACTED) -> Any:
    """Return JSON data in which some values are replaced by `hidden` wherever they occur, ignoring case."""
    if not values:
        return data
    return _without(data, re.compile("|".join(map(re.escape, values)), re.IGNORECASE), hidden)


def _without(data: Any, values: re.Pattern[str], hidden: str) -> Any:
    if isinstance(data, str):
        return values.sub(hidden, data)
    if isinstance(data, int | float) and not isinstance(data, bool):
        return hidden if values.fullmatch(str(data)) else data
    items = as_list(data)
    if items is not None:
        return [_without(item, values, hidden) for item in items]
    inner = as_object(data)
    if inner is None:
        return data
    return {values.sub(hidden, key): _without(value, values, hidden) for key, value in inner.items()}


def message_without_values(message: Message, values: Values) -> Message:
    """Return a transcript message in which some values are replaced."""
    calls = tuple([replace(call, arguments=without_values(call.arguments, values)) for call in message.calls])
    return replace(
        message, text=without_values(message.text, values), calls=calls, result=without_values(message.result, values)
    )


def redacted_call(machine: Machine, call: Call) -> Call:
    """Return a tool call with the secret values in its arguments replaced by a placeholder."""
    tool = machine.tools.get(call.tool)
    if tool is not None:
        secret = {name for name, arg in tool.args.items() if arg.secret}
        return replace(call, arguments=_redacted(call.arguments, secret)) if secret else call
    begin = call.tool.partition("_")[2] + "."
    secret = {name[len(begin) :] for name, field in machine.fields.items() if field.secret and name.startswith(begin)}
    if not secret:
        return call
    given = _redacted(call.arguments, secret)
    inner = {key: (value, as_object(value)) for key, value in given.items()}
    return replace(call, arguments={k: v if o is None else _redacted(o, secret) for k, (v, o) in inner.items()})


def redacted_result(machine: Machine, tool: str, result: Any) -> Any:
    """Return the result of a tool without the parts for secret fields, whether or not they were stored."""
    secret = machine.secret_results.get(tool) if machine.has_secrets else None
    if not secret or result is None:
        return result
    parts = as_object(result)
    return REDACTED if "" in secret else result if parts is None else _redacted(parts, {*secret})


def _redacted(values: dict[str, Any], secret: set[str]) -> dict[str, Any]:
    return {key: REDACTED if key in secret else value for key, value in values.items()}


def takes_secret(machine: Machine, tools: Iterable[str]) -> bool:
    """Return whether a call of one of these tools may set a secret field, or has a secret argument."""
    if not machine.has_secrets:
        return False
    secret = {name for name, field in machine.fields.items() if field.secret}
    for name in tools:
        declared = machine.tools.get(name)
        if declared is not None and any(arg.secret for arg in declared.args.values()):
            return True
        record = name.removeprefix("write_")
        if declared is None and record != name and any(record_of(address) == record for address in secret):
            return True
    return False


class StreamRedactor:
    """Removes secret values from a text that arrives in pieces.
    The end of a piece that may begin a value waits for the next.
    """

    def __init__(self, values: Values, hidden: str = REDACTED) -> None:
        self._values = values
        self._hidden = hidden
        self._pattern = re.compile("|".join(map(re.escape, values)), re.IGNORECASE) if values else None
        self._rest = ""

    def add(self, piece: str) -> str:
        """Return the text that can be shown after adding a piece."""
        if self._pattern is None:
            return piece
        text = self._rest + piece
        cut = self._begin_of_value(text)
        for match in self._pattern.finditer(text):
            if match.start() < cut < match.end():
                cut = match.start()
        self._rest = text[cut:]
        return self._pattern.sub(self._hidden, text[:cut])

    def end(self) -> str:
        """Return the rest of the text that was withheld, when no more pieces come."""
        rest, self._rest = self._rest, ""
        return self._pattern.sub(self._hidden, rest) if self._pattern is not None else rest

    def _begin_of_value(self, text: str) -> int:
        """Return where the longest suffix that may begin a value starts; the length of the text if there is none."""
        longest = max(map(len, self._values)) - 1
        for begin in range(max(0, len(text) - longest), len(text)):
            tail = text[begin:].casefold()
            if any(len(value) > len(text) - begin and value.casefold().startswith(tail) for value in self._values):
                return begin
        return len(text)
