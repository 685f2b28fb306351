"""Folds events into a state: the only place that changes a state.

Folding needs no flow, so that a journal can be folded when its flow is long gone. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.fold import effects, fields, moves, turns


def fold(state: State | None, entry: e.Entry) -> State:
    """The state after one more event; the first is always `Started`, or a `Snapshot`."""
    if state is None:
        match entry.event:
            case e.Started() as event:
                return turns.started(entry, event)
            case e.Snapshot(state=state):
                pass
            case _:
                raise AssertionError("a journal begins with `Started`, or with a snapshot")
    change = CHANGES.get(type(entry.event))
    changed = change(state, entry, entry.event) if change is not None else state
    return replace(changed, seq=entry.seq, at_ms=entry.at_ms)


def fold_all(entries: Iterable[e.Entry], state: State | None = None) -> State | None:
    """The state after all these events; `None` where there are none. What is no longer kept is passed
    over up to the snapshot that stands for it.
    """
    for entry in entries:
        if state is not None or not isinstance(entry.event, e.Erased):
            state = fold(state, entry)
    return state


CHANGES = {**turns.CHANGES, **effects.CHANGES, **fields.CHANGES, **moves.CHANGES}
"""What each kind of event changes, without the position and the time, which every event changes."""
