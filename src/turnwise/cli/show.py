"""Renders turns, decisions and states for the terminal: marks and words, never colour alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from turnwise.api.open import Turn
from turnwise.core.explain.text import Line, lines_of_decision
from turnwise.core.guards.types import shown
from turnwise.core.machine import Machine
from turnwise.core.secrets import secret_arguments, secret_values, together, told_call
from turnwise.core.state import Ended, Failed, How, State, Waiting
from turnwise.core.state.effects import Call, Understand
from turnwise.core.state.events import EffectAsked, ModelFailed, UnderstandingFailed, UserSaid
from turnwise.core.trace import Decision
from turnwise.core.values import REDACTED
from turnwise.testing.notation import CallSeen, calls_of

_STYLES = {
    "decision": "bold",
    "held": "green",
    "not_held": "red",
    "unknown": "yellow",
    "error": "bold red",
    "taken": "green",
    "blocked": "yellow",
    "false": "red",
    "missing": "yellow",
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NARROWEST = 20
_UNDERSTOOD = ("command_applied", "command_refused", "field_set", "missed")


def plain_console() -> Console:
    """A console on standard output that takes texts as they are."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def put(console: Console, text: Text | str, style: str = "") -> None:
    """Print a line, without what would steer the terminal. In a terminal a long one goes on at its own margin."""
    line = text if isinstance(text, Text) else line_of(text, style)
    if not console.is_terminal:
        console.print(line)
        return
    margin = len(line.plain) - len(line.plain.lstrip(" "))
    hang = margin + 2 if margin else 0
    parts = line[margin:].wrap(console, max(console.width - hang, _NARROWEST))
    for number, part in enumerate(parts):
        part.rstrip()
        console.print(Text(" " * (hang if number else margin)) + part)


def line_of(text: str, style: str = "") -> Text:
    """A line without what would steer the terminal: texts come from flows, models and people."""
    return Text(_CONTROL.sub("", text), style=style)


def print_turn(console: Console, turn: Turn, *, debug: bool) -> None:
    """What was said, why a model did not answer, the buttons as numbers, and with `debug` the verdict lines."""
    if turn.text:
        _print_said(console, turn.text)
    for failure in failures_of(turn):
        put(console, f"  · {failure}", "yellow")
    if turn.buttons:
        _print_buttons(console, [button.label for button in turn.buttons])
    if debug:
        _print_debug(console, turn)
    for artefact in turn.artefacts:
        if artefact.kind == "HANDOFF":
            put(console, f"  → handed over to {artefact.data['to']}", "magenta")
    if turn.outcome:
        put(console, f"  (ended: {turn.outcome})", "dim")


def failures_of(turn: Turn) -> list[str]:
    """Why a model did not answer: whoever sits at a terminal can do something about it."""
    return [event.reason for event in turn.events if isinstance(event, ModelFailed | UnderstandingFailed)]


def turn_data(turn: Turn) -> dict[str, Any]:
    """A turn as JSON data. `failed` says why the turn failed, `failures` why a model did not answer, also where the
    turn went on.
    """
    status = turn.after.status if turn.after is not None and turn.refused is None else None
    return {
        "turn": turn.number,
        "about": turn.about,
        "text": turn.text,
        "buttons": turn.buttons,
        "node": turn.node,
        "refused": turn.refused,
        "outcome": turn.outcome,
        "failed": {"reason": status.reason, "message": status.message} if isinstance(status, Failed) else None,
        "failures": failures_of(turn),
        "form": turn.form,
        "artefacts": [{"kind": artefact.kind, "data": artefact.data} for artefact in turn.artefacts],
        "warnings": [{"code": warning.code, "message": warning.message} for warning in turn.warnings],
        "decisions": turn.decisions,
    }


def _print_said(console: Console, text: str) -> None:
    """A text of the flow or a model: in a terminal as Markdown that keeps its lines."""
    cleaned = _CONTROL.sub("", text)
    console.print(Markdown(_BREAK.sub("  \n", cleaned)) if console.is_terminal else Text(cleaned))


_BREAK = re.compile(r"(?<=\S)\n(?=\S)")


def _print_buttons(console: Console, labels: list[str]) -> None:
    """The buttons in one line, or where that is too long in a line each."""
    numbered = [f"[{number}] {label}" for number, label in enumerate(labels, 1)]
    line = "   ".join(numbered)
    for text in [line] if len(line) <= console.width else numbered:
        put(console, text, "cyan")


def _print_debug(console: Console, turn: Turn) -> None:
    for call in calls_of(turn):
        put(console, f"  · called: {_called(call, turn)}", "dim")
    for text in _set_without_decision(turn):
        put(console, f"  · {text}", "dim")
    for decision in turn.decisions:
        put(console, f"  · {decision.moment}: {decision.line}", "dim")
        for failure in decision.failures:
            if failure.at:
                put(console, f"    at {failure.at}", "dim")
    for warning in turn.warnings:
        put(console, f"  · warning {warning.code}: {warning.message}", "yellow")


def _set_without_decision(turn: Turn) -> list[str]:
    """What was not set by a move that no decision of the turn explains: entering the first node, a move put off."""
    explained = {id(event) for decision in turn.decisions for event in decision.nothing_set}
    return [event.text for event in turn.nothing_set if id(event) not in explained]


def headings(last: Turn, told: Turn | None) -> list[str]:
    """Which turn is explained; where the last one decided nothing, also why it is an earlier one."""
    if told is None or told.entries[0].seq == last.entries[0].seq:
        return [last.about]
    if last.undone_to is not None:
        return [last.about, told.about]
    return [f"{last.about}: nothing was decided in it; the last turn that decided something:", told.about]


def print_story(console: Console, last: Turn, told: Turn | None) -> None:
    """Explain the last turn; where it decided nothing, also `told`, the last one that did: of an undo the turn that it
    went back to.
    """
    if told is not None:
        for line in headings(last, told)[:-1]:
            put(console, line, "bold")
    print_why(console, told if told is not None else last)


def planned_moves(turn: Turn) -> list[str]:
    """The moves of a turn that an earlier turn had planned, in words: no decision of this turn explains them."""
    return [gone.text for gone in turn.left if gone.target and not gone.moment]


def print_why(console: Console, turn: Turn) -> None:
    """Which turn it was, every decision of it, what was understood, set and called."""
    put(console, turn.about, "bold")
    for text in planned_moves(turn):
        put(console, text, "bold")
    tagged = [(str(event.__struct_config__.tag), event) for event in turn.events]
    understood = [_understood(name, event, turn.machine) for name, event in tagged if name in _UNDERSTOOD]
    for text in dict.fromkeys(understood):  # after a move the node that was entered may understand the same again
        put(console, text, "dim")
    if not understood and _understood_nothing(turn):
        put(console, "understood: nothing", "dim")
    for call in calls_of(turn):
        put(console, f"called: {_called(call, turn)}", "dim")
    for text in _set_without_decision(turn):
        put(console, text, "yellow")
    for decision in turn.decisions:
        print_decision(console, decision)
    if not turn.decisions:
        put(console, "nothing was decided in this turn")


_ORIGINS: dict[How, str] = {
    "button": "answered",
    "direct": "answered",
    "understood": "understood",
    "command": "set by a command",
    "tool": "tool",
    "prefill": "prefilled",
    "default": "set by default",
    "derived": "computed",
}
"""The heading of a value by its origin: what the user said, or who wrote it."""


def _understood(name: str, event: Any, machine: Machine) -> str:
    """What became of a part of a message, or what was written into a field, headed by where it came from."""
    if name == "field_set":
        field = machine.fields[event.field]
        value = REDACTED if field.secret else shown(event.value, field)
        return f"{_ORIGINS.get(event.how, 'set')}: {event.field} = {value}"
    if name == "missed":
        return "understood: nothing that answers the question"
    reason = f", refused: {event.reason}" if name == "command_refused" else ""
    return f"understood: {event.command} {event.field}".rstrip() + reason


def _understood_nothing(turn: Turn) -> bool:
    """True if there was a message, it was read for commands, and none was found."""
    asked = any(isinstance(event, EffectAsked) and isinstance(event.effect, Understand) for event in turn.events)
    return asked and any(isinstance(event, UserSaid) for event in turn.events)


def _called(call: CallSeen, turn: Turn) -> str:
    """A call and what became of it, without what is secret: by its place, and where its value is said again."""
    machine, given = turn.machine, call.arguments
    if given is not None:
        call = call._replace(arguments=told_call(machine, Call("", call.tool, given)).arguments)
    states = [state for state in (turn.before, turn.after) if state is not None]
    hidden = together(
        secret_arguments(machine, call.tool, given or {}), *(secret_values(machine, state) for state in states)
    )
    return call.without(hidden).line


def print_decision(console: Console, decision: Decision, transition: str = "") -> None:
    """A decision with its candidates, or one of them."""
    _print_lines(console, lines_of_decision(decision, transition))


def _print_lines(console: Console, lines: Iterable[Line]) -> None:
    for line in lines:
        put(console, line_of(line.text, _STYLES.get(line.topic, "")) + line_of(line.aside, "dim"))


def _status(state: State) -> str:
    """What a conversation waits for, or how it ended."""
    match state.status:
        case Waiting(what):
            return f"waiting for a {what}"
        case Ended(outcome):
            return f"ended: {outcome}"
        case Failed(reason, message):
            return f"failed: {reason} {message}".rstrip()


def print_state(console: Console, machine: Machine, state: State) -> None:
    """Where the conversation is, and what it knows."""
    put(console, f"node {state.node}, turn {state.turn}, {_status(state)}")
    if state.frame.form is not None:
        put(console, f"form {state.frame.form.status}")
    for address, found in state.values.items():
        value = REDACTED if machine.fields[address].secret else shown(found.value, machine.fields[address])
        put(console, f"  {address} = {value}   ({found.how}, turn {found.turn})")
    for address in state.shelved:
        put(console, f"  {address} is inactive", "dim")
    if not state.values:
        put(console, "  no fields yet", "dim")
    if state.tools.counts:
        used = ", ".join(f"{tool} {count}" for tool, count in state.tools.counts.items())
        put(console, f"  tools used: {used}")
