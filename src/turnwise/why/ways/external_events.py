"""The events of other systems that could come in a state, with the data that matters for the transitions on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from msgspec.json import encode

from turnwise.core.explain.witness import witnesses
from turnwise.core.external_events import data_shown
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.phrase import phrase
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.toolbox import LinkedTool
from turnwise.core.values import REDACTED
from turnwise.flow.guard import Expression
from turnwise.why.ways.act import Act

_MOST_VALUES = 3
"""How many values of one field are tried."""
_MOST_EVENTS = 12
"""How many data of one event are tried."""


def events_of_systems(machine: Machine, state: State, reads: Mapping[str, list[Expression]]) -> Iterator[Act]:
    """Yield the events for which the node in charge has a transition, each with data to try.
    `reads` are the conditions that read each name.
    """
    found = machine.candidates(state.node, "event").all
    names = dict.fromkeys(name for one in found for name in (one.events or machine.events))
    for name in names:
        if name in machine.events:
            declared = machine.events[name]
            for data in islice(_data(machine, state, declared, reads), _MOST_EVENTS):
                shown = data_shown(machine, name, data, REDACTED)
                written = encode(shown).decode() if shown else ""
                text = phrase("the event {event} comes[ with {data}]", event=name, data=written)
                yield Act("event", text, e.EventReceived(name, data))


def _data(
    machine: Machine, state: State, declared: LinkedTool, reads: Mapping[str, list[Expression]]
) -> Iterator[dict[str, Any]]:
    rules, tried = rules_of(machine, state), list[list[Any]]()
    for name, field in declared.args.items():
        conditions = reads.get(f"event.{name}", [])
        beside = [one.value for one in state.values.values()] if conditions else []
        values = [value for value in witnesses(field, conditions, beside, None, rules) if value is not None]
        tried.append(values[: _MOST_VALUES if conditions else 1] or [None])
    for values in product(*tried):
        yield {name: value for name, value in zip(declared.args, values, strict=True) if value is not None}
