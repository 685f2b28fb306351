"""Whole messages that are a command: exact phrases of the language, where the command is exposed."""

from __future__ import annotations

from turnwise.core import commands as c
from turnwise.core.expose import exposed
from turnwise.core.language import normal
from turnwise.core.machine import Machine
from turnwise.core.state import State

_COMMANDS: dict[str, c.AnyCommand] = {
    "change": c.Edit(confidence=1.0),
    "skip": c.Skip(confidence=1.0),
    "help": c.Help(confidence=1.0),
    "repeat": c.Repeat(confidence=1.0),
    "wait": c.Wait(confidence=1.0),
    "cancel": c.Cancel(confidence=1.0),
    "restart": c.Restart(confidence=1.0),
    "undo": c.Undo(confidence=1.0),
    "hand_over": c.HandOver(confidence=1.0),
}


def command_phrase(machine: Machine, state: State, text: str) -> c.AnyCommand | None:
    """The command that the whole message is a phrase for, if it is exposed now."""
    said, phrases = normal(text), machine.language.phrases
    found = [command for kind, command in _COMMANDS.items() if said in phrases[kind]]
    shown = exposed(machine, state).commands if found else ()
    return next((command for command in found if c.name_of(command) in shown), None)
