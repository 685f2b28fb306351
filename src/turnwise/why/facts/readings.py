"""What the offline rules read in a message for one field alone: as its answer, or beside all else that is said."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from turnwise.core.commands.exposure import Exposed, ExposedField
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import commands as c
from turnwise.core.values import is_free_text
from turnwise.flow.model import Field

_MOST_CHARS = 1000


class ValueSaid(NamedTuple):
    """A value of a field in a message: the words, where they stand, and the value."""

    words: str
    span: tuple[int, int]
    value: Any


def values_named(machine: Machine, state: State, address: str, field: Field, text: str) -> list[ValueSaid]:
    """Return every value that a text names for a field whose question is open, each once."""
    from turnwise.understanding.clauses import parse
    from turnwise.understanding.field_values import fit
    from turnwise.understanding.readings import text_of
    from turnwise.understanding.situation import situation_of

    alone = _alone(machine, state, address, field, asked=address)
    situation = situation_of(alone)
    if situation is None or len(text) > _MOST_CHARS:
        return []
    message, found = parse(text_of(text, situation.vocabulary, situation.today), situation), dict[str, ValueSaid]()
    for reading in message.readings:
        value, (start, stop) = fit(situation, alone.fields[0], reading), message.span(reading)
        if value is not None:
            found.setdefault(repr(value), ValueSaid(text[start:stop], (start, stop), value))
    return list(found.values())


def value_said(
    machine: Machine, state: State, address: str, text: str, beside: Exposed | None = None
) -> ValueSaid | None:
    """Return the value that the rules would propose for a field, if it were the only one that the text may set, or one
    more `beside` others.
    """
    from turnwise.understanding import understand

    if len(text) > _MOST_CHARS:
        return None
    alone = _alone(machine, state, address, machine.fields[address])
    if beside is not None:
        commands = tuple(dict.fromkeys((*beside.commands, *alone.commands)))
        alone = replace(beside, fields=(*beside.fields, *alone.fields), commands=commands)
    for command in understand(text, alone):
        if isinstance(command, c.Set | c.Add) and command.field == address and command.words is not None:
            start, stop = command.words
            value = command.value if isinstance(command, c.Set) else command.item
            return ValueSaid(text[start:stop], command.words, value)
    return None


def _alone(machine: Machine, state: State, address: str, field: Field, asked: str = "") -> Exposed:
    return Exposed(
        language=machine.language.code,
        zone=state.time_zone,
        now_ms=state.at_ms,
        fields=(ExposedField(address, field, machine.title(address), is_free_text=is_free_text(field)),),
        commands=("set", "add"),
        asked=asked,
        question="field" if asked else "",
        phrases=machine.language.own,
    )
