"""Whether what is claimed to be needed is: applied to a state, it makes a guard hold, and no part of it is idle."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.candidates import Guard
from turnwise.core.commands import holds as asked
from turnwise.core.commands import refusal_by_validators
from turnwise.core.guards import GuardFault, env_of
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, State
from turnwise.core.trace import Considered
from turnwise.core.values import REDACTED, read_value


def needs_are_sound(machine: Machine, guard: Guard, considered: Considered, state: State) -> int:
    """Check each set of needs of a candidate; return how many there were."""
    known = [{need.field: need.value for need in needs} for needs in considered.needs]
    shown = [changes for changes in known if REDACTED not in changes.values()]
    for changes in shown:
        assert holds(machine, guard, state, changes), f"{considered.id}: {changes}"
        for name in changes:
            fewer = {other: value for other, value in changes.items() if other != name}
            assert not holds(machine, guard, state, fewer), f"{considered.id}: {name} is not needed in {changes}"
        for name, value in changes.items():
            if value is not None:
                assert read_value(machine.fields[name], value, machine.rules) == value
    return len(shown)


def _with_active_answers(machine: Machine, state: State) -> State:
    """Shelve and revive answers of the form in charge until nothing changes (law 5.7)."""
    form = machine.nodes[state.node].form
    questions = form.questions if form is not None else ()
    for question in questions * len(questions):
        name, both = question.address, {**state.shelved, **state.values}
        if name not in both:
            continue
        is_active = asked(question.ask_when, env_of(state))
        is_active = is_active and refusal_by_validators(machine, state, name, both[name].value, question) is None
        values = {other: value for other, value in state.values.items() if other != name}
        shelved = {other: value for other, value in state.shelved.items() if other != name}
        (values if is_active else shelved)[name] = both[name]
        state = replace(state, values=values, shelved=shelved)
    return state


def holds(machine: Machine, guard: Guard, state: State, changes: dict[str, Any]) -> bool:
    """Whether a guard holds on a state in which some fields were changed, and answers became inactive or active by it."""
    values = {name: value for name, value in state.values.items() if name not in changes}
    values |= {name: FieldValue(value, "command", 1, 0) for name, value in changes.items() if value is not None}
    shelved = {name: value for name, value in state.shelved.items() if name not in changes}
    changed = _with_active_answers(machine, replace(state, values=values, shelved=shelved))
    try:
        return guard.test(env_of(changed)) is True
    except GuardFault:
        return False
