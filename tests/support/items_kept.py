"""What holds for the items of lists of records in every conversation: ids, bounds, drafts, migrations (law 1.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from strategies.machines import PART
from support.pure_guards import GUARDS
from support.random_runs import Run
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.migration.carry import carry_state
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.flow.model import Field, Flow, Node

Lists = dict[str, list[dict[str, Any]]]


def lists_of(state: State, machine: Machine) -> Lists:
    """Return the lists of records of a state, by address."""
    return {name: state.values[name].value for name in machine.item_lists if name in state.values}


def items_keep_their_ids(run: Run) -> None:
    """No list exceeds its bound or has an id twice, and no item that is added has an id that another one had."""
    used: set[str] = set()
    for entry in run.entries:
        if isinstance(entry.event, e.ItemAdded):
            assert entry.event.id not in used, entry
            used.add(entry.event.id)
    for state in run.states.values():
        for address, items in lists_of(state, run.machine).items():
            ids = [one["id"] for one in items]
            assert len(ids) == len(set(ids)), (address, ids)
            assert len(ids) <= 3, (address, ids)
            assert all(one.keys() <= {"id", *(field.name for field in PART.fields)} for one in items)


def forms_fill_what_they_ask(run: Run) -> None:
    """A form that fills an item has the list among its questions, and the item, where it is one of the list."""
    for state in run.states.values():
        for frame in state.frames:
            form, filling = frame.form, frame.form.filling if frame.form is not None else ""
            if form is None or not filling:
                continue
            linked = run.machine.nodes[frame.node].form
            assert linked is not None
            assert linked.by_address[filling].items
            if form.item:
                assert form.item in [one["id"] for one in lists_of(state, run.machine).get(filling, [])]


def a_migration_keeps_items(run: Run) -> None:
    """The same items, with the same ids, in the same version and in one whose items have a further field."""
    lists = lists_of(run.state, run.machine)
    for machine in (run.machine, link(_with_colour(run.flow), GUARDS)):
        found = carry_state(machine, run.state, old=run.machine)
        if not found.reasons:
            assert lists_of(found.state, machine) == lists


def _with_colour(flow: Flow) -> Flow:
    """The flow whose items have a further field."""
    part = replace(PART, fields=(*PART.fields, Field("colour")))

    def of_node(node: Node) -> Node:
        if node.scope is None:
            return node
        records = tuple([part if one.name == part.name else one for one in node.scope.records])
        return replace(node, scope=replace(node.scope, records=records, nodes=tuple(map(of_node, node.scope.nodes))))

    records = tuple([part if one.name == part.name else one for one in flow.records])
    return replace(flow, records=records, nodes=tuple(map(of_node, flow.nodes)))


def happened_to_items(run: Run) -> Iterator[str]:
    """What happened to the items of a conversation, and whether inside of a scope."""
    for entry in run.entries:
        if isinstance(entry.event, e.ItemAdded | e.ItemChanged | e.ItemRemoved | e.ItemMoved):
            yield f"{type(entry.event).__name__}{' inside' if entry.frame else ''}"
        if isinstance(entry.event, e.ScopeClosed) and entry.event.outcome == "completed":
            yield "completed"
        if isinstance(entry.event, e.Undone):
            yield "undone"
    for state in run.states.values():
        if state.frame.form is not None and state.frame.form.filling:
            yield f"filling{' inside' if state.frame.scope is not None else ''}"
