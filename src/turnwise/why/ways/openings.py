"""How a user, a program or a model may open and close scopes next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.phrase import joined, phrase
from turnwise.core.scopes import why_not_opened
from turnwise.core.secrets import redacted_call
from turnwise.core.state import State
from turnwise.core.state import commands as c
from turnwise.core.state.effects import Call
from turnwise.core.state.proposals import startable_offers
from turnwise.core.values.schema import is_needed
from turnwise.flow.addresses import field_of
from turnwise.flow.model import Field


class Values(Protocol):
    """What the search for ways has to say of fields: which of them decide whether a way leads to its target, and which
    values a tool may give them. Calls that open a scope try these values as its input.
    """

    machine: Machine
    """The flow as the machine runs it."""
    matters: frozenset[str]
    """The addresses of the fields that decide on the way."""

    def values_of_results(self, state: State, address: str) -> list[Any]:
        """Return values that tool results may give the field at an address."""
        ...


def commands_of_scopes(machine: Machine, state: State) -> Iterator[tuple[str, c.AnyCommand]]:
    """Yield the commands that open a scope, or close the one in charge, each with words for it."""
    is_open = {frame.scope.name for frame in state.frames if frame.scope is not None}
    offered = [one.scope for one in startable_offers(state) if one.status == "passed"]
    for name in dict.fromkeys((*machine.flow.commands.start, *offered)):
        if name in machine.scopes and name not in is_open:
            yield phrase("begin {name}", name=name), c.Start(target=name)
    if state.frame.scope is not None:
        yield "cancel", c.Cancel()


def is_limited(machine: Machine, state: State) -> bool:
    """Return whether the scope in charge closes after some turns, whatever the user says."""
    opened = state.frame.scope
    return opened is not None and machine.scopes[opened.name].turns is not None


def answers_of_scopes(acts: Values, state: State, effect: str) -> Iterator[tuple[Call, str]]:
    """Yield the model calls that open a scope, or close the one in charge, each with words for it.
    `effect` is the id of the call that requests the reply.
    """
    box, machine = acts.machine.nodes[state.node].toolbox, acts.machine
    for tool, name in box.opens.items():
        if why_not_opened(machine, state, name) is None:
            fields = machine.scopes[name].input.items()
            needed = {address: field for address, field in fields if is_needed(field) or address in acts.matters}
            yield from _calls(acts, state, tool, needed, effect)
    opened = state.frame.scope
    if box.finish and opened is not None:
        returned = [one.inside for one in machine.scopes[opened.name].returned]
        fields = {address: machine.fields[address] for address in returned if address in acts.matters}
        yield from _calls(acts, state, box.finish, fields, effect)


def _calls(acts: Values, state: State, tool: str, fields: dict[str, Field], effect: str) -> Iterator[tuple[Call, str]]:
    """Yield a call with the likeliest value of each argument, then one with every other value of one argument."""
    values = {address: acts.values_of_results(state, address) for address in fields}
    likely = {address: found[0] for address, found in values.items() if found}
    for given in (likely, *_others(likely, values)):
        call = Call(f"{effect}.1", tool, {field_of(address): value for address, value in given.items()})
        hidden = redacted_call(acts.machine, call).arguments
        named = {field_of(address): field for address, field in fields.items()}
        known = {name: field for name, field in named.items() if name in call.arguments}
        said = joined(
            (
                phrase("{name} = {value}", name=name, value=_in_words(call.arguments[name], hidden[name], field))
                for name, field in known.items()
            ),
            ", ",
        )
        yield call, phrase("the model calls {tool}[ with {said}]", tool=tool, said=said)


def _in_words(value: Any, hidden: Any, field: Field) -> str:
    """Return an argument in words, hidden if it is secret."""
    return str(hidden) if hidden != value else value_text(value, field) or "[]"


def _others(likely: dict[str, Any], values: dict[str, list[Any]]) -> Iterable[dict[str, Any]]:
    return [{**likely, address: other} for address, found in values.items() for other in found[1:]]
