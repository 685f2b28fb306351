"""Checks the command that begins a scope, and reads the input that the words of the user fill."""

from __future__ import annotations

from typing import Any, NamedTuple

from turnwise.core.machine import Machine
from turnwise.core.scopes import Opening, lacking_input, refusal_code, why_not_opened
from turnwise.core.state import State
from turnwise.core.state import commands as c
from turnwise.core.state.kinds import CommandRefusal
from turnwise.core.state.proposals import startable_offers
from turnwise.core.values import Refused, read_value


class StartRefused(NamedTuple):
    """Why a scope cannot be begun: the code, and the input field or value that is wrong."""

    code: CommandRefusal
    """The code of why the scope is not begun."""
    field: str = ""
    """The input field that the reason is about; empty if none."""
    value: Refused | None = None
    """Why the value of the field is refused; `None` if the reason is another."""


def input_of_start(
    machine: Machine, state: State, command: c.Start, *, by_program: bool
) -> dict[str, Any] | StartRefused:
    """Return the input, by address, with which a scope is begun; or why it may not be begun now or with that input. A
    command `by_program` may begin any scope, one of a user only those that users may begin now.
    """
    target = command.target
    offered = {one.scope: one.given for one in startable_offers(state)}
    is_known = bool(target) and target in machine.scopes
    if not is_known or not (by_program or target in machine.flow.commands.start or target in offered):
        return StartRefused("nothing_to_start")
    why = why_not_opened(machine, state, target)
    if why is not None:
        return StartRefused(refusal_code(why))
    given = _read(machine, command)
    if isinstance(given, StartRefused):
        return given
    lacking = lacking_input(machine, Opening(target, "user", {**offered.get(target, {}), **given}))
    waits = any(outcome.kind == "start" for outcome in state.current.outcomes)  # then its time is yet to come
    return StartRefused("cannot_open", lacking.subject) if lacking is not None and not waits else given


def _read(machine: Machine, command: c.Start) -> dict[str, Any] | StartRefused:
    """Return the values that a command gives the input of its scope."""
    known = {field.name: (address, field) for address, field in machine.scopes[command.target].input.items()}
    given = dict[str, Any]()
    for name, raw in command.input.items():
        if name not in known or known[name][1].secret:  # a secret is asked for inside
            return StartRefused("unknown_field", name)
        address, field = known[name]
        value = read_value(field, raw, machine.rules)
        if isinstance(value, Refused):
            return StartRefused(value.reason, address, value)
        given[address] = value
    return given
