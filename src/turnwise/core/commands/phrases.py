"""Finds the command that a whole message is a fixed phrase for, without any understanding."""

from __future__ import annotations

from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.language import normalized
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import commands as c
from turnwise.core.state.proposals import startable_offers

_COMMANDS: dict[str, c.AnyCommand] = {
    "change": c.Edit(confidence=1.0),
    "skip": c.Skip(confidence=1.0),
    "back": c.Back(confidence=1.0),
    "help": c.Help(confidence=1.0),
    "why": c.Why(confidence=1.0),
    "repeat": c.Repeat(confidence=1.0),
    "wait": c.Wait(confidence=1.0),
    "cancel": c.Cancel(confidence=1.0),
    "restart": c.Restart(confidence=1.0),
    "undo": c.Undo(confidence=1.0),
    "hand_over": c.HandOver(confidence=1.0),
}


def command_phrase(machine: Machine, state: State, text: str) -> c.AnyCommand | None:
    """Return the allowed command for which the whole message is a fixed phrase, such as `undo`; else `None`."""
    said, phrases = normalized(text), machine.language.phrases
    offered = [machine.start_phrases(one.scope) for one in startable_offers(state)] if state.offers else []
    for begin in (*machine.starts.values(), *offered):
        if said in begin.titles or said in begin.fixed:
            return c.Start(target=begin.scope, confidence=1.0)
    found = [command for kind, command in _COMMANDS.items() if said in phrases[kind]]
    if not found and "why" in machine.flow.commands.names and machine.language.asks_why(text):
        found = [_COMMANDS["why"]]
    shown = allowed_input(machine, state).commands if found else ()
    return next((command for command in found if c.name_of(command) in shown), None)
