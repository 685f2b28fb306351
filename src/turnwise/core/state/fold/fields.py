"""Folds events of fields and commands: values set, cleared, shelved and restored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import (
    FieldValue,
    Heard,
    State,
)
from turnwise.core.state import events as e
from turnwise.core.state.fold.turns import doing_of, without


def _field_set(state: State, entry: e.Entry, event: e.FieldSet) -> State:
    doing = doing_of(state)
    place = event.place
    if place is None and event.words is not None:
        place = (doing.seq, *event.words)
    value = FieldValue(event.value, event.how, entry.turn, entry.at_ms, event.confidence, place)
    if event.how == "derived":
        return replace(state, values={**state.values, event.field: value})
    is_used_up = doing.is_used_up or event.how in ("button", "direct")
    heard = (*doing.heard, Heard("set", event.field))
    return replace(
        state,
        values={**state.values, event.field: value},
        shelved=without(state.shelved, event.field),
        last_field=event.field if event.how != "set" else state.last_field,
        doing=replace(doing, is_used_up=is_used_up, heard=heard),
    )


def _field_cleared(state: State, _entry: e.Entry, event: e.FieldCleared) -> State:
    if event.how == "derived":
        return replace(state, values=without(state.values, event.field))
    doing = doing_of(state)
    is_used_up = doing.is_used_up or event.how in ("button", "direct")
    heard = (*doing.heard, Heard("cleared", event.field))
    return replace(
        state,
        values=without(state.values, event.field),
        shelved=without(state.shelved, event.field),
        doing=replace(doing, is_used_up=is_used_up, heard=heard),
    )


def _field_shelved(state: State, _entry: e.Entry, event: e.FieldShelved) -> State:
    shelved = {**state.shelved, event.field: state.values[event.field]}
    return replace(state, values=without(state.values, event.field), shelved=shelved)


def _field_revived(state: State, _entry: e.Entry, event: e.FieldRevived) -> State:
    values = {**state.values, event.field: state.shelved[event.field]}
    return replace(state, values=values, shelved=without(state.shelved, event.field))


_USING_UP = ("affirm", "deny", "start", "cancel", "skip", "edit", "restart", "hand_over", "undo")
"""Commands that use a message up; help, repeat, wait and questions are answered by whichever node speaks."""


def _command_applied(state: State, _entry: e.Entry, event: e.CommandApplied) -> State:
    doing = doing_of(state)
    heard = (*doing.heard, Heard(event.command, event.field, event.text))
    is_of_message = all(item.kind != "missed" for item in doing.heard)  # else a ladder did it (law 5.8)
    is_used_up = doing.is_used_up or (event.command in _USING_UP and is_of_message)
    return replace(state, doing=replace(doing, heard=heard, is_used_up=is_used_up))


def _command_refused(state: State, _entry: e.Entry, event: e.CommandRefused) -> State:
    doing = doing_of(state)
    heard = (*doing.heard, Heard("refused", event.field, event.text, event.iso))
    return replace(state, doing=replace(doing, heard=heard))


def _missed(state: State, _entry: e.Entry, event: e.Missed) -> State:
    doing = doing_of(state)
    return replace(state, doing=replace(doing, heard=(*doing.heard, Heard("missed", event.field))))


CHANGES: dict[type, Callable[[State, e.Entry, Any], State]] = {
    e.FieldSet: _field_set,
    e.FieldCleared: _field_cleared,
    e.FieldShelved: _field_shelved,
    e.FieldRevived: _field_revived,
    e.CommandApplied: _command_applied,
    e.CommandRefused: _command_refused,
    e.Missed: _missed,
}
