"""The offer that is the open question after a turn, as programs read it."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.forms.buttons import suggestion_buttons
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.events import Button
from turnwise.core.state.proposals import open_offer


class OpenOffer(NamedTuple):
    """An offer to begin a scope that is the open question of a conversation."""

    scope: str
    """The scope that is offered."""
    title: str
    """The name of the scope for users."""
    opener: str
    """The question that proposes the scope."""
    by: str
    """What made the offer: `node`, or the name of a schedule."""
    buttons: tuple[Button, ...]
    """The buttons of the question."""
    position: int
    """The journal position of the question, to be sent along when one of its buttons is pressed."""


def offer_of(machine: Machine, state: State | None) -> OpenOffer | None:
    """Return the offer that is open in a state; `None` if there is none."""
    found = open_offer(state) if state is not None else None
    if found is None or state is None or state.frame.question is None:
        return None
    shown, position = suggestion_buttons(machine.language), state.frame.question.last
    return OpenOffer(found.scope, machine.node_title(found.scope), found.opener, found.by, shown, position)
