"""The offer that is the open question after a turn, as programs read it."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.forms.buttons import suggestion_buttons
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.events import Button
from turnwise.core.state.proposals import open_offer


class OpenOffer(NamedTuple):
    """The offer that is the open question."""

    scope: str
    """The scope that is offered."""
    title: str
    """What people call the scope."""
    opener: str
    """The question that proposes it."""
    by: str
    """`node`, or the name of the schedule that made it."""
    buttons: tuple[Button, ...]
    """The buttons of the question."""
    position: int
    """To be sent along when a button is pressed."""


def offer_of(machine: Machine, state: State | None) -> OpenOffer | None:
    """Return the offer that is open in a state; `None` if there is none."""
    found = open_offer(state) if state is not None else None
    if found is None or state is None or state.frame.question is None:
        return None
    shown, position = suggestion_buttons(machine.language), state.frame.question.last
    return OpenOffer(found.scope, machine.node_title(found.scope), found.opener, found.by, shown, position)
