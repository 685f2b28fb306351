"""How turns, decisions and states look in a terminal: marks and words, colour never alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from turnwise.core.guards.types import shown
from turnwise.core.machine import Machine
from turnwise.core.state import Broken, Over, State, Waiting
from turnwise.core.trace import Considered, Decision, Group, Operand, Verdict
from turnwise.core.values import REDACTED
from turnwise.open import Turn

MARKS = {"held": "✓", "not_held": "✗", "unknown": "?", "error": "!"}
_STYLES = {"held": "green", "not_held": "red", "unknown": "yellow", "error": "bold red"}
_OUTCOMES = {"taken": "green", "blocked": "yellow", "error": "bold red", "unknown": "yellow", "false": "red"}
_GROUPS = {"all": "all of", "any": "any of", "not": "not", "if": "if, then, else"}
_HEARD = ("command_applied", "command_refused", "field_set", "missed")


def print_turn(console: Console, turn: Turn, *, debug: bool) -> None:
    """What was said, the buttons as numbers, and with `debug` the verdict lines."""
    if turn.text:
        console.print(Markdown(turn.text) if console.is_terminal else Text(turn.text))
    if turn.buttons:
        console.print(Text("   ".join(f"[{n}] {b.label}" for n, b in enumerate(turn.buttons, 1)), style="cyan"))
    if debug:
        _print_debug(console, turn)
    for artefact in turn.artefacts:
        if artefact.kind == "HANDOFF":
            console.print(Text(f"  → handed over to {artefact.data['to']}", style="magenta"))
    if turn.outcome:
        console.print(Text(f"  (ended: {turn.outcome})", style="dim"))


def _print_debug(console: Console, turn: Turn) -> None:
    for decision in turn.decisions:
        console.print(Text(f"  · {decision.moment}: {decision.line}", style="dim"))
    for warning in turn.warnings:
        console.print(Text(f"  · warning {warning.code}: {warning.message}", style="yellow"))


def print_why(console: Console, turn: Turn) -> None:
    """Every decision of a turn, and what became of what was heard."""
    for event in turn.events:
        name = str(event.__struct_config__.tag)
        if name in _HEARD:
            console.print(Text(f"heard: {_heard(name, event, turn.machine)}", style="dim"))
    for decision in turn.decisions:
        print_decision(console, decision)
    if not turn.decisions:
        console.print(Text("nothing was decided in this turn"))


def _heard(name: str, event: Any, machine: Machine) -> str:
    if name == "field_set":
        field = machine.fields[event.field]
        value = REDACTED if field.secret else shown(event.value, field)
        return f"{event.field} = {value} ({event.how})"
    if name == "missed":
        return "nothing that answers the question"
    reason = f", refused: {event.reason}" if name == "command_refused" else ""
    return f"{event.command} {event.field}".rstrip() + reason


def print_decision(console: Console, decision: Decision, transition: str = "") -> None:
    """A decision with its candidates, or one of them."""
    console.print(Text(f"{decision.moment}: {decision.line}", style="bold"))
    for candidate in decision.candidates:
        if not transition or candidate.id == transition:
            for line in candidate_lines(candidate):
                console.print(line)
    if decision.mirror_disagrees is not None:
        both = decision.mirror_disagrees
        console.print(Text(f"  ! the rules say {both.rules}, the code chose {both.code}", style="yellow"))


def candidate_lines(candidate: Considered) -> Iterator[Text]:
    """A candidate: its outcome, its tree, what is missing, and what would make it hold."""
    target = f" → {candidate.target}" if candidate.target else f" ({candidate.action})"
    by = f", {candidate.by}" if candidate.by else ""
    because = f" “{candidate.because}”" if candidate.because else ""
    head = f"  {candidate.id}{target}{because}: {candidate.outcome}{by}"
    yield Text(head, style=_OUTCOMES.get(candidate.outcome, ""))
    if candidate.verdict is not None:
        yield from _tree(candidate.verdict, 4)
    if candidate.missing:
        yield Text(f"    missing: {', '.join(candidate.missing)}", style="yellow")
    for needed in candidate.needs:
        changes = ", ".join(f"{need.field} = {_value(need.value)}" for need in needed)
        yield Text(f"    would hold with: {changes}")
    for words in candidate.in_words:
        yield Text(f"    would need: {words}")
    if candidate.code is not None:
        yield from _code(candidate)


def _value(value: Any) -> str:
    return "(nothing)" if value is None else shown(value)


def _tree(verdict: Verdict, margin: int) -> Iterator[Text]:
    pad = " " * margin
    mark = f"{pad}{MARKS[verdict.verdict]} "
    if isinstance(verdict, Group):
        yield Text(f"{mark}{_GROUPS[verdict.op]}", style=_STYLES[verdict.verdict])
        for part in verdict.parts:
            yield from _tree(part, margin + 2)
        return
    operands = ", ".join(_operand(operand) for operand in verdict.operands)
    error = f" — {verdict.error}" if verdict.error else ""
    yield Text(f"{mark}{verdict.text}{error}", style=_STYLES[verdict.verdict]) + Text(f"   {operands}", style="dim")


def _operand(operand: Operand) -> str:
    if operand.how == "missing":
        return f"{operand.name} is missing"
    origin = f" ({operand.how}, turn {operand.turn})" if operand.turn else ""
    return f"{operand.name} is {shown(operand.value)}{origin}"


def _code(candidate: Considered) -> Iterator[Text]:
    code = candidate.code
    if code is None:
        return
    reads = ", ".join(f"{name} = {_value(value)}" for name, value in code.reads.items())
    result = code.error or f"gave {code.returned!r}"
    yield Text(f"    {code.name}: {result}" + (f"; read {reads}" if reads else ""))


def print_state(console: Console, machine: Machine, state: State) -> None:
    """Where the conversation is, and what it knows."""
    match state.status:
        case Waiting(what):
            status = f"waiting for a {what}"
        case Over(outcome):
            status = f"ended: {outcome}"
        case Broken(reason, message):
            status = f"failed: {reason} {message}".rstrip()
    console.print(Text(f"node {state.node}, turn {state.turn}, {status}"))
    if state.frame.form is not None:
        console.print(Text(f"form {state.frame.form.status}"))
    for address, found in state.values.items():
        value = REDACTED if machine.fields[address].secret else shown(found.value, machine.fields[address])
        console.print(Text(f"  {address} = {value}   ({found.how}, turn {found.turn})"))
    for address in state.shelved:
        console.print(Text(f"  {address} is inactive", style="dim"))
    if not state.values:
        console.print(Text("  no fields yet", style="dim"))
