"""The locale of a conversation: language, time zone and clock, by which values are read and written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from turnwise.core.formatting import readable, refusal
from turnwise.core.guards import Env, Recorded
from turnwise.core.language.codes import code_or_default
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, State
from turnwise.core.values import Refused, Rules
from turnwise.flow.model import Field


def language_for(machine: Machine, values: Mapping[str, FieldValue]) -> str:
    """Return the code of the language of a conversation with these values by field (law 1.7)."""
    return code_or_default(language_named(machine, values))


def language_named(machine: Machine, values: Mapping[str, FieldValue]) -> str:
    """Return the language that these values by field name; the code if the flow has one fixed language."""
    return machine.language.code if machine.speaks is None else machine.speaks(Env(values, Recorded({})))


def rules_of(machine: Machine, state: State) -> Rules:
    """Return the rules for reading values in the current turn of a conversation."""
    return rules_at(machine.rules, state)


def rules_at(rules: Rules, state: State | None) -> Rules:
    """Return rules with the time of a turn and the time zone of its conversation; unchanged without a state."""
    return rules if state is None else replace(rules, zone=state.time_zone, at_ms=state.at_ms)


def written_for_user(machine: Machine, state: State, field: Field, value: Any) -> str:
    """Return a field's stored value as text for the user of a conversation."""
    return readable(machine.language, state.time_zone, field, value)


def refusal_for_user(machine: Machine, state: State, refused: Refused) -> str:
    """Return the text that explains to the user of a conversation why a value was refused."""
    return refusal(machine.language, state.time_zone, refused)
