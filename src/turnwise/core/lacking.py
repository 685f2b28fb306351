"""What a node collects and still lacks: what it asks for when nothing else is to be said."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.accept import holds
from turnwise.core.guards.env import Env, live
from turnwise.core.guards.python import call_guard
from turnwise.core.machine import Guard, Machine
from turnwise.core.state import FieldValue, State


def lacking(machine: Machine, state: State) -> tuple[str, ...]:
    """The collected fields without a value; where all have one and nothing moves, those that say no
    where a yes would open a way out (a consent that was refused), and lists that may be too short for one.
    """
    collects = machine.nodes[state.node].collects
    if not collects:
        return ()
    missing = tuple(address for address in collects if address not in state.values)
    return missing or tuple(_insufficient(machine, state, collects))


def _insufficient(machine: Machine, state: State, collects: tuple[str, ...]) -> Iterator[str]:
    denied = [address for address in collects if state.values[address].value is False]
    lists = [address for address in collects if machine.fields[address].type == "list"]
    if not denied and not lists:
        return
    env = live(state)
    guards = list(_ways_out(machine, state.node))
    if any(holds(guard, env) for guard in guards):
        return
    supposed = FieldValue(value=True, how="set", turn=state.turn, at_ms=state.at_ms)
    for address in denied:
        if any(holds(guard, Env({**state.values, address: supposed}, state)) for guard in guards):
            yield address
    if lists:
        read = {ref.address for guard in guards for ref in guard.refs} | _read_by_code(machine, state)
        yield from (address for address in lists if address in read)


def _read_by_code(machine: Machine, state: State) -> set[str]:
    """What the Python guards of ways out read, where none of them holds now."""
    found: set[str] = set()
    for moment in ("before", "after"):
        for candidate in machine.docket(state.node, moment).candidates:
            if candidate.code is not None and candidate.target:
                run = call_guard(candidate.code, machine.names, state)
                if run.returned in (True, candidate.target):
                    return set()
                found.update(run.reads)
    return found


def _ways_out(machine: Machine, node: str) -> Iterator[Guard]:
    for moment in ("before", "after"):
        for candidate in machine.docket(node, moment).candidates:
            if candidate.guard is not None and candidate.target:
                yield candidate.guard
