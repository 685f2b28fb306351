"""The buttons by which a user begins a scope, where the flow allows it (`commands: [{start: […]}]`)."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.forms.buttons import find
from turnwise.core.machine import Machine
from turnwise.core.scopes import obstacle
from turnwise.core.state import Ended, State
from turnwise.core.state.commands import Start
from turnwise.core.state.events import Button


def begin_buttons(machine: Machine, state: State) -> tuple[Button, ...]:
    """Return a button for each scope that the user may begin now, with its title as label and as value."""
    if not machine.flow.commands.start or isinstance(state.status, Ended):
        return ()
    names = [name for name in machine.starts if obstacle(machine, state, name) is None]
    return tuple([Button(title, title) for title in map(machine.start_title, names)])


def begun_by(machine: Machine, state: State, value: str, offered: Iterable[Button]) -> Start | None:
    """Return the command of a button that begins a scope, by its value; `None` for any other. A button that the open
    question has `offered` is the answer to that question.
    """
    shown = begin_buttons(machine, state)
    button = find(shown, value) if shown and find(offered, value) is None else None
    if button is None:
        return None
    return next(
        Start(target=name, confidence=1.0) for name in machine.starts if machine.start_title(name) == button.value
    )
