"""Kills around the opening and closing of scopes, and what must hold of scopes in a store, whenever a process died."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from support.durable.places import Fate
from turnwise.api.app import App
from turnwise.core.machine import Machine
from turnwise.core.scopes import WITHOUT_RESULT
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import in_charge
from turnwise.stores.sqlite import SqliteStore

SCOPE_PLACES = tuple(f"{when} {what}" for what in ("an opening", "a closing") for when in ("before", "in", "after"))
_EXPECTED = {"result.mood": "fine", "result.note": "done", "score.points": 3}
"""What the scopes of the script return, in the end."""


class ScopeFate(Fate):
    """Kills this process before, in or after the transaction that stores the opening or closing of a scope."""

    stored = ""
    """What the commit stores that is under way."""

    def reach(self, place: str) -> None:
        """Count the places of scopes only."""
        if place == "in a transaction" and self.stored:
            place = f"in {self.stored}"
        if place == self.place:
            self.die()

    def watch(self, app: App, store: SqliteStore) -> None:
        """Reach the places of a store, and those around its commits."""
        super().watch(app, store)
        commit = store.commit

        async def watched(conversation: str, what: Any) -> Any:
            stored = _stored(what.entries)
            if stored:
                self.reach(f"before {stored}")
            self.stored = stored or self.stored
            done = await commit(conversation, what)
            if stored:
                self.reach(f"after {stored}")
                self.stored = ""
            return done

        store.commit = watched  # type: ignore[method-assign]


def _stored(entries: Sequence[e.Entry]) -> str:
    kinds = {type(entry.event) for entry in entries}
    return "a closing" if e.ScopeClosed in kinds else "an opening" if e.ScopeOpened in kinds else ""


def faults(machine: Machine, entries: Sequence[e.Entry], state: State, *, is_over: bool) -> Iterable[str]:
    """A scope is never half open or half closed, and what it returned is there."""
    nodes: tuple[str, ...] = ()
    for number, entry in enumerate(entries):
        nodes = in_charge(nodes, entry.event)
        rest = entries[number + 1 :]
        match entry.event:
            case e.ScopeOpened(scope=name) if not rest or rest[0].turn != entry.turn:
                yield f"the scope {name} is half open at {entry.seq}"
            case e.ScopeClosed(scope=name, outcome=outcome):
                yield from _of_closing(machine, entry, rest, name, outcome)
            case _:
                pass
    if nodes != tuple([frame.node for frame in state.frames]):
        yield f"the frames are {[frame.node for frame in state.frames]}, and the journal has {nodes}"
    opened = {frame.scope.name for frame in state.frames if frame.scope is not None}
    left = {key for key in state.values if "/" in key and key.rpartition("/")[0] not in opened}
    if left:
        yield f"values of closed scopes are left: {left}"
    asked = {
        call.id
        for one in entries
        if isinstance(one.event, e.ModelReplied)
        for call in one.event.calls
        if call.tool.startswith("open_")
    }
    if is_over and not asked <= {one.event.call for one in entries if isinstance(one.event, e.ScopeClosed)}:
        yield "a call that opened a scope has no result"
    if is_over and "quiz" in machine.scopes:
        found = {key: state.values[key].value for key in _EXPECTED if key in state.values}
        if found != _EXPECTED:
            yield f"the results are {found}"


def _of_closing(machine: Machine, entry: e.Entry, rest: Sequence[e.Entry], name: str, outcome: str) -> Iterable[str]:
    same = [one.event for one in rest if one.turn == entry.turn]
    if not same:
        yield f"the scope {name} is half closed at {entry.seq}"
    if outcome in WITHOUT_RESULT:
        return
    expected = {one.outside for one in machine.scopes[name].returned}
    known = {one.field for one in same if isinstance(one, e.FieldSet | e.FieldCleared)}
    if name != "quiz/rest" and not expected <= known:
        yield f"what {name} returned at {entry.seq} is lost: {expected - known}"
