"""What a field would refuse beside its type and bounds: a change that its validators do not allow is no need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from turnwise.core.guards import Env, GuardFault
from turnwise.core.guards.scope import CLOCK_ROOTS, root_shown
from turnwise.core.machine import Guard, Machine
from turnwise.core.state import State
from turnwise.flow.guard import Expression


class Limits:
    """The validators of some fields, those of the form of a node among them, and the fields that nobody writes."""

    def __init__(self, machine: Machine, node: str, names: Iterable[str]) -> None:
        form = machine.nodes[node].form
        self.derived = frozenset(one.address for one in machine.derived)
        self.guards: dict[str, tuple[Guard, ...]] = {}
        for name in names:
            question = form.by_address.get(name) if form is not None else None
            pairs = (*machine.validators.get(name, ()), *(question.validators if question is not None else ()))
            if pairs:
                self.guards[name] = tuple([guard for guard, _ in pairs])

    def allow(self, name: str, changed: Env, state: State | None) -> bool:
        """True if a field takes the value that it has in `changed` (law 5.3); `state` has all other values."""
        if name in self.derived:
            return False
        if name not in changed.fields or name not in self.guards:
            return True
        env = changed if state is None else Env({**state.values, **changed.fields}, state)
        return all(_passes(guard, env) for guard in self.guards[name])

    def expressions(self, name: str) -> list[Expression]:
        """The conditions of a field's validators: what they mention is worth trying."""
        return [guard.expression for guard in self.guards.get(name, ())]

    def values(self, name: str, state: State | None) -> Iterator[Any]:
        """The other values that the validators of a field read: fields, the day, the moment."""
        if state is None:
            return
        for ref in (ref for guard in self.guards.get(name, ()) for ref in guard.refs):
            if ref.address in state.values and ref.address != name and not (ref.field and ref.field.secret):
                yield state.values[ref.address].value
            elif ref.key in CLOCK_ROOTS and ref.read is not None:
                yield root_shown(ref.key, ref.read(state))


def _passes(guard: Guard, env: Env) -> bool:
    """One that cannot tell refuses nothing; one in error refuses."""
    try:
        return guard.test(env) is not False
    except GuardFault:
        return False
