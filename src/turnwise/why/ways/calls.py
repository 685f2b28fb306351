"""The calls of a model that the search for ways supposes, at nodes with transitions at `calls`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.explain.witness import witnesses
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.phrase import phrase
from turnwise.core.state import State
from turnwise.core.state.effects import Call, ToolSpec


def possible_calls(
    machine: Machine, state: State, offered: tuple[ToolSpec, ...], effect: str
) -> Iterator[tuple[Call, str]]:
    """Yield a call of each declared tool that the model is offered, with the assumption in words.
    `effect` is the id of the model call that makes it.
    """
    if not machine.candidates(state.node, "calls").all:
        return
    for spec in offered:
        arguments = _arguments(machine, state, spec.name)
        if arguments is not None:
            yield Call(f"{effect}-1", spec.name, arguments), phrase("the model calls {name}", name=spec.name)


def _arguments(machine: Machine, state: State, name: str) -> dict[str, Any] | None:
    """Return a value for each argument that a call needs; `None` where the tool is not declared, or one has none."""
    linked = machine.tools.get(name)
    if linked is None:
        return None
    found: dict[str, Any] = {}
    for argument, field in linked.args.items():
        if field.optional or field.default is not None:
            continue
        value = next((one for one in witnesses(field, [], [], None, rules_of(machine, state)) if one is not None), None)
        if value is None:
            return None
        found[argument] = value
    return found
