"""How turns, decisions and states look in a terminal: marks and words, colour never alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from turnwise.api.open import Turn
from turnwise.core.events import ModelFailed, UnderstandingFailed
from turnwise.core.explain.words import Line, lines_of_decision
from turnwise.core.guards.types import shown
from turnwise.core.machine import Machine
from turnwise.core.messages import Call
from turnwise.core.secrets import secret_arguments, secret_values, together, told_call
from turnwise.core.state import Broken, Over, State, Waiting
from turnwise.core.trace import Decision
from turnwise.core.values import REDACTED
from turnwise.testing.calls import CallSeen, calls_of

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
_HEARD = ("command_applied", "command_refused", "field_set", "missed")


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


def print_why(console: Console, turn: Turn) -> None:
    """Which turn it was, every decision of it, what became of what was heard, and every call of a tool."""
    put(console, turn.about, "bold")
    tagged = [(str(event.__struct_config__.tag), event) for event in turn.events]
    understood = [_heard(name, event, turn.machine) for name, event in tagged if name in _HEARD]
    for text in dict.fromkeys(understood):  # after a move the node that was entered may understand the same again
        put(console, f"heard: {text}", "dim")
    for call in calls_of(turn):
        put(console, f"called: {_called(call, turn)}", "dim")
    for text in _set_without_decision(turn):
        put(console, text, "yellow")
    for decision in turn.decisions:
        print_decision(console, decision)
    if not turn.decisions:
        put(console, "nothing was decided in this turn")


def _heard(name: str, event: Any, machine: Machine) -> str:
    if name == "field_set":
        field = machine.fields[event.field]
        value = REDACTED if field.secret else shown(event.value, field)
        return f"{event.field} = {value} ({event.how})"
    if name == "missed":
        return "nothing that answers the question"
    reason = f", refused: {event.reason}" if name == "command_refused" else ""
    return f"{event.command} {event.field}".rstrip() + reason


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
        put(console, line_of(line.text, _STYLES.get(line.about, "")) + line_of(line.aside, "dim"))


def _status(state: State) -> str:
    """What a conversation waits for, or how it ended."""
    match state.status:
        case Waiting(what):
            return f"waiting for a {what}"
        case Over(outcome):
            return f"ended: {outcome}"
        case Broken(reason, message):
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
