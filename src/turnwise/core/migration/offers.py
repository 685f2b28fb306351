"""Carries what is proposed to the user over to another version of the flow: offers whose scope is gone are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from turnwise.core.linked_scope import LinkedScope
from turnwise.core.machine import Machine
from turnwise.core.migration import Renaming
from turnwise.core.scopes import Opening, lacking_input
from turnwise.core.state import Frame, Proposal, Question, State
from turnwise.core.values import Refused, read_value


def carried_offers(machine: Machine, state: State, renaming: Renaming) -> tuple[Proposal, ...]:
    """Return the offers of a state under new names, without those whose scope could no longer be opened: it no longer
    exists, or takes another input.
    """
    return tuple(_carried(machine, state, renaming))


def _carried(machine: Machine, state: State, renaming: Renaming) -> Iterator[Proposal]:
    for offer in state.offers:
        name = renaming.node(offer.scope)
        scope = machine.scopes.get(name) if name else None
        given = _given(machine, scope, offer) if scope is not None else None
        if given is None or lacking_input(machine, Opening(name, "offer", given)) is not None:
            continue
        yield replace(offer, scope=name, node=renaming.node(offer.node) if offer.node else "", given=given)


def _given(machine: Machine, scope: LinkedScope, offer: Proposal) -> dict[str, Any] | None:
    """Return the input of an offer at its new addresses; `None` where the scope does not take it."""
    found: dict[str, Any] = {}
    for address, value in offer.given.items():
        place = f"{scope.name}{address[len(offer.scope) :]}"
        kept = read_value(scope.input[place], value, machine.rules) if place in scope.input else None
        if kept is None or isinstance(kept, Refused):
            return None
        found[place] = kept
    return found


def carried_question(question: Question, frame: Frame, carried: State, renaming: Renaming) -> Question | None:
    """Return the question of an open offer in a frame under its new name; `None` if the offer was dropped from the
    state `carried`.
    """
    name = renaming.node(question.field)
    is_open = any(one.scope == name and one.frame == frame.id and one.status == "open" for one in carried.offers)
    return replace(question, field=name) if is_open else None
