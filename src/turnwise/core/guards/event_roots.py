"""The root `event` of guards and texts: the name and the data of the event of another system that the turn judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from turnwise.core.guards.scope import Read, Root
from turnwise.core.guards.types import CONVERTERS, LIST_PREFIX, type_of
from turnwise.core.state import State
from turnwise.flow.model import Record

EVENT: Final = "event"
"""The root of a guard that has the data of an external event."""
EVENT_NAME: Final = "event.name"
"""The root that is the name of an external event."""


def event_roots(events: Iterable[Record]) -> Mapping[str, Root]:
    """Return the roots, by name, that guards can read of some events: the event's name, and each field of its data. A
    field that has different types in two events may have any value.
    """
    found: dict[str, Root] = {}
    for event in events:
        found.setdefault(EVENT_NAME, Root("string", _name))
        for field in event.fields:
            key, kind = f"{EVENT}.{field.name}", type_of(field)
            known = found.get(key)
            kind = kind if known is None or known.type == kind else "dyn"
            is_secret = field.secret or (known is not None and known.is_secret)
            found[key] = Root(
                kind, _value(field.name, is_list=kind.startswith(LIST_PREFIX)), CONVERTERS.get(kind), is_secret
            )
    return found


def _name(state: State) -> str | None:
    event = state.doing.event if state.doing is not None else None
    return event.name if event is not None else None


def _value(name: str, *, is_list: bool) -> Read:
    def read(state: State) -> object:
        event = state.doing.event if state.doing is not None else None
        return event.data.get(name, [] if is_list else None) if event is not None else None

    return read
