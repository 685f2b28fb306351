"""Finds the buttons by which a user may begin a scope now: for scopes that the flow declares so (`commands: [{start:
[…]}]`), and for those whose offer was passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from turnwise.core.forms.buttons import button_with
from turnwise.core.machine import Machine
from turnwise.core.scopes import why_not_opened
from turnwise.core.state import Ended, State
from turnwise.core.state.commands import Start
from turnwise.core.state.events import Button
from turnwise.core.state.proposals import startable_offers


def begin_buttons(machine: Machine, state: State) -> tuple[Button, ...]:
    """Return a button for each scope that the user may begin now, with its title as label.
    The title is also the value; where several have the same title, the value is the name.
    """
    if not machine.flow.commands.start and not state.offers:
        return ()
    return tuple([button for _, button in _offered(machine, state)])


def begun_by(machine: Machine, state: State, value: str, offered: Iterable[Button]) -> Start | None:
    """Return the command of a button that begins a scope, by the button's value; `None` for any other button.
    A button that the open question has `offered` is the answer to that question.
    """
    shown = _offered(machine, state)
    button = button_with([one for _, one in shown], value) if shown and button_with(offered, value) is None else None
    return next((Start(target=name, confidence=1.0) for name, one in shown if one is button), None)


def _offered(machine: Machine, state: State) -> list[tuple[str, Button]]:
    """Return the scopes that the user may begin now, each with its button."""
    passed = [one.scope for one in startable_offers(state) if one.status == "passed"] if state.offers else []
    if not (machine.flow.commands.start or passed) or isinstance(state.status, Ended):
        return []
    names = dict.fromkeys([*filter(machine.begins_by_title, machine.starts), *passed])
    titles = Counter(map(machine.node_title, names))
    found: list[tuple[str, Button]] = []
    for name in names:
        if why_not_opened(machine, state, name) is None:
            title = machine.node_title(name)
            found.append((name, Button(title, title if titles[title] == 1 else name)))
    return found
