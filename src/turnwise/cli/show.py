"""Prints turns, decisions and states in the terminal. Marks and words carry the meaning; a colour never does alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from msgspec.json import encode
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import Progress as Bar
from rich.text import Text

from turnwise.api.open import Turn
from turnwise.api.output import put_data
from turnwise.archive.activity import QUESTIONS, activity_of
from turnwise.cli.cards import summary_card
from turnwise.cli.scope_lines import open_scope_lines, parts_of, scopes_data
from turnwise.core.explain.decision_lines import lines_of_decision
from turnwise.core.explain.now import why_waiting
from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.secrets import joined_values, redacted_call, redacted_result, secret_arguments, secret_values
from turnwise.core.state import Ended, Failed, State, ValueOrigin, Waiting
from turnwise.core.state.effects import Call, Understand
from turnwise.core.state.events import EffectAsked, ModelFailed, UnderstandingFailed, UserSaid
from turnwise.core.step.begin_buttons import begin_buttons
from turnwise.core.trace import Decision
from turnwise.core.values import REDACTED
from turnwise.core.values.items import item_as_text
from turnwise.runner.ports import Progress
from turnwise.testing.notation import EndedCall, calls_of
from turnwise.why.answer import Answer
from turnwise.why.kinds import FactKind

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
_LINE_BREAK = re.compile(r"(?<=\S)\n(?=\S)")
_CLOSING_QUESTION = re.compile(r"(?<=\S)\n(?=[^\s\-][^\n]*\?\s*\Z)")
"""The line break before the question that ends a text, which Markdown would join to a list before it."""
_NARROWEST = 20
_WORTH_A_BAR = 20


def plain_console() -> Console:
    """Return a console on standard output that prints texts unchanged."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def print_line(console: Console, text: Text | str, style: str = "") -> None:
    """Print a line of text. A terminal wraps a long line at its own margin."""
    line = text if isinstance(text, Text) else visible_line(text, style)
    if not console.is_terminal:
        console.print(line)
        return
    margin = len(line.plain) - len(line.plain.lstrip(" "))
    hang = margin + 2 if margin else 0
    parts = line[margin:].wrap(console, max(console.width - hang, _NARROWEST))
    for number, part in enumerate(parts):
        part.rstrip()
        console.print(Text(" " * (hang if number else margin)) + part)


def visible_line(text: str, style: str = "") -> Text:
    """Return a line without control characters, since texts come from flows, models and people."""
    return Text(_CONTROL.sub("", text), style=style)


def print_json(data: Any) -> None:
    """Print data as one JSON document."""
    put_data(encode(data).decode())


def counted_noun(number: int, what: str, several: str = "") -> str:
    """Return a number with its noun (`what`), in the plural (`several`) unless it is 1."""
    return f"{number} {what}" if number == 1 else f"{number} {several or what + 's'}"


@contextmanager
def progress(what: str, least: int = _WORTH_A_BAR) -> Generator[Progress]:
    """Return a context that shows a progress bar (labelled `what`) in a terminal for work of more
    than `least` steps.
    """
    console = Console(stderr=True, highlight=False)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None, visible=not least)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > least)


# turns -----------------------------------------------------------------------------------------------


def print_turn(console: Console, turn: Turn, *, debug: bool) -> None:
    """Print what a turn shows: texts, scopes, failures, buttons, and with `debug` the verdict lines."""
    for part in parts_of(turn):
        if part.is_about_scope:
            print_line(console, part.text, "magenta")
        elif part.text:
            _print_text(console, _CONTROL.sub("", part.text))
    for failure in failures_of(turn):
        print_line(console, f"  · {failure}", "yellow")
    labels = [f"[{number}] {button.label}" for number, button in enumerate(turn.buttons, 1)]
    line = "   ".join(labels)
    for label in [line] if line and len(line) <= console.width else labels:
        print_line(console, label, "cyan")
    _print_starts(console, turn)
    if debug:
        _print_debug(console, turn)
    for artefact in turn.artefacts:
        if artefact.kind == "HANDOFF":
            print_line(console, f"  → handed over to {artefact.data['to']}", "magenta")
    if turn.outcome:
        print_line(console, f"  (ended: {turn.outcome})", "dim")


def _print_text(console: Console, text: str) -> None:
    """Print a text. Markdown joins lines; two spaces before a line break keep it. A summary is a card everywhere."""
    card = summary_card(text)
    if card:
        for line in card:
            console.print(Text(line))
        return
    if not console.is_terminal:
        console.print(Text(text))
        return
    console.print(Markdown(_LINE_BREAK.sub("  \n", _CLOSING_QUESTION.sub("\n\n", text))))


def _print_starts(console: Console, turn: Turn) -> None:
    """Print which scopes the user may begin now, where these are others than before the turn."""
    before = begin_buttons(turn.machine, turn.before) if turn.before is not None else ()
    if turn.starts and turn.starts != before:
        print_line(console, f"  (to begin one, say: {', '.join(one.label for one in turn.starts)})", "dim")


def failures_of(turn: Turn) -> list[str]:
    """Return the reasons why models did not answer in a turn."""
    return [event.reason for event in turn.events if isinstance(event, ModelFailed | UnderstandingFailed)]


def turn_data(turn: Turn) -> dict[str, Any]:
    """Return a turn as JSON data.
    `failed` is why the turn failed; `failures` are those of models, also where the turn continued without them.
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
        "person": turn.person,
        "note": turn.note,
        "scopes": scopes_data(turn),
        "starts": turn.starts,
    }


def _print_debug(console: Console, turn: Turn) -> None:
    for call in calls_of(turn):
        print_line(console, f"  · called: {_call_line(call, turn)}", "dim")
    for text in _unset_without_decision(turn):
        print_line(console, f"  · {text}", "dim")
    for decision in turn.decisions:
        print_line(console, f"  · {decision.moment}: {decision.line}", "dim")
        for failure in decision.failures:
            if failure.at:
                print_line(console, f"    at {failure.at}", "dim")
    for warning in turn.warnings:
        print_line(console, f"  · warning {warning.code}: {warning.message}", "yellow")


# why -------------------------------------------------------------------------------------------------


def headings(last: Turn, decided: Turn | None) -> list[str]:
    """Return headings that say which turn is explained: the last one, or (`decided`) the last with a decision."""
    if decided is None or decided.entries[0].seq == last.entries[0].seq:
        return [last.about]
    if last.undone_to is not None:
        return [last.about, decided.about]
    return [f"{last.about}: nothing was decided in it; the last turn that decided something:", decided.about]


_TAKEN: tuple[FactKind, ...] = (
    *("not_understood", "value_refused", "command_refused", "message_not_interpreted", "button_stale"),
    *("form_stopped", "chooser_due", "correction_unclear", "item_unclear", "timer_late", "reminder_said", "migrated"),
)
"""What became of a message, or of what else began a turn, where no decision says it."""
_WHOLE: tuple[FactKind, ...] = ("timer_late", "migrated")
"""Events after which only their own turn is described: the last decision of an earlier turn is not related to them."""


def print_story(console: Console, last: Turn, decided: Turn | None, answer: Answer) -> None:
    """Explain the last turn; where it decided nothing, explain `decided`, the last turn that did.
    `answer` is the answer about the last turn: what became of the message is printed first, where no decision says it.
    """
    print_line(console, describe_status(last), "bold")
    own = next((one for one in answer.facts if one.kind in _WHOLE and one.turn == last.number), None)
    decided = decided if own is None else None
    if own is not None or answer.facts[0].kind in _TAKEN:
        print_line(console, own.text if own is not None else answer.line, "bold")
    for undone in answer.facts:
        if undone.kind == "turn_undone" and undone.turn > last.number:
            print_line(console, f"turn {undone.turn} undid this turn: {undone.text}", "yellow")
    if decided is not None:
        for line in headings(last, decided)[:-1]:
            print_line(console, line, "bold")
    print_why(console, decided if decided is not None else last)


def describe_status(turn: Turn) -> str:
    """Return a headline of what the conversation does at the end of a turn."""
    at_ms = turn.entries[-1].at_ms
    does = activity_of(turn.machine, turn.state, at_ms)
    status = turn.state.status
    more = " (/why question says why)" if does.kind in QUESTIONS else ""
    more = f" ({status.message})" if isinstance(status, Failed) and status.message else more
    return f"after turn {turn.entries[-1].turn}: {does.text}{more}"


def planned_moves(turn: Turn) -> list[str]:
    """Return a line for each move of a turn that an earlier turn planned; no decision of this turn explains those."""
    return [gone.text for gone in turn.left if gone.target and not gone.moment]


def print_why(console: Console, turn: Turn) -> None:
    """Print the story of a turn: what was understood, set and called, every decision, and why it waits for a person."""
    print_line(console, turn.about, "bold")
    for text in planned_moves(turn):
        print_line(console, text, "bold")
    # After a move the new node may understand the same again, so equal lines are printed once.
    understood = dict.fromkeys(line for event in turn.events if (line := _understood(event, turn.machine)))
    is_unread = any(isinstance(event, EffectAsked) and isinstance(event.effect, Understand) for event in turn.events)
    if not understood and is_unread and any(isinstance(event, UserSaid) for event in turn.events):
        understood = {"understood: nothing": None}
    for text in understood:
        print_line(console, text, "dim")
    for call in calls_of(turn):
        print_line(console, f"called: {_call_line(call, turn)}", "dim")
    for text in _unset_without_decision(turn):
        print_line(console, text, "yellow")
    for decision in turn.decisions:
        print_decision(console, decision)
    if not turn.decisions:
        print_line(console, turn.note or "nothing was decided in this turn")
    waits = why_waiting(turn.after) if turn.after is not None else ""
    if waits:
        print_line(console, waits, "magenta")


_ORIGINS: dict[ValueOrigin, str] = {
    "button": "answered",
    "direct": "answered",
    "understood": "understood",
    "command": "set by a command",
    "operator": "set by a person",
    "tool": "tool",
    "prefill": "prefilled",
    "default": "set by default",
    "derived": "computed",
}


def _understood(event: Any, machine: Machine) -> str:
    """Return the line about a command, a value that was set, or a message that was not understood; empty for others."""
    match event.__struct_config__.tag:
        case "field_set":
            field = machine.fields[event.field]
            value = REDACTED if field.secret else value_text(event.value, field)
            return f"{_ORIGINS.get(event.how, 'set')}: {event.field} = {value}"
        case "item_added" | "item_changed" | "item_removed" | "item_moved" as tag:
            return _item_line(event, tag, machine)
        case "understanding_failed":
            return f"understanding failed: {event.reason}"
        case "missed":
            return "understood: nothing that answers the question"
        case "command_applied" | "command_refused" as tag:
            reason = f", refused: {event.reason}" if tag == "command_refused" else ""
            return f"understood: {event.command} {event.field}".rstrip() + reason
        case _:
            return ""


def _item_line(event: Any, tag: str, machine: Machine) -> str:
    """Return the line about what became of an item of a list of records: `understood: order.items[i2].size = Large`."""
    head, is_secret = f"{_ORIGINS.get(event.how, 'set')}: {event.field}[{event.id}]", machine.fields[event.field].secret
    match tag:
        case "item_added":
            return f"{head} added: {REDACTED if is_secret else item_as_text(event.values)}".rstrip(": ")
        case "item_changed":
            value = REDACTED if is_secret else "nothing" if event.value is None else value_text(event.value)
            return f"{head}.{event.name} = {value}"
        case "item_moved":
            return f"{head} moved to position {event.to + 1}"
        case _:
            return f"{head} removed"


def _unset_without_decision(turn: Turn) -> list[str]:
    """Describe values that could not be set by a move that no decision explains, such as entering the first node."""
    explained = {id(event) for decision in turn.decisions for event in decision.nothing_set}
    return [event.text for event in turn.nothing_set if id(event) not in explained]


def _call_line(call: EndedCall, turn: Turn) -> str:
    """Describe a call and its result, without secret arguments and without secret values anywhere in it."""
    machine, arguments = turn.machine, call.arguments
    if arguments is not None:
        call = call._replace(arguments=redacted_call(machine, Call("", call.tool, arguments)).arguments)
    call = call.with_result(lambda result: redacted_result(machine, call.tool, result))
    states = [state for state in (turn.before, turn.after) if state is not None]
    hidden = joined_values(
        secret_arguments(machine, call.tool, arguments or {}), *(secret_values(machine, state) for state in states)
    )
    return call.without(hidden).line


def print_decision(console: Console, decision: Decision, transition: str = "") -> None:
    """Print a decision with its candidates, or only with one `transition`."""
    for line in lines_of_decision(decision, transition):
        print_line(console, visible_line(line.text, _STYLES.get(line.topic, "")) + visible_line(line.aside, "dim"))


# states ----------------------------------------------------------------------------------------------


def print_state(console: Console, machine: Machine, state: State) -> None:
    """Print the node and the status of a conversation, and its values."""
    print_line(console, f"node {state.node}, turn {state.turn}, {_status(state)}")
    for line in open_scope_lines(state):
        print_line(console, f"  {line}", "magenta")
    if state.frame.form is not None:
        print_line(console, f"form {state.frame.form.status}")
    for address, found in state.values.items():
        value = REDACTED if machine.fields[address].secret else value_text(found.value, machine.fields[address])
        print_line(console, f"  {address} = {value}   ({found.how}, turn {found.turn})")
    for address in state.shelved:
        print_line(console, f"  {address} is inactive", "dim")
    unset = {a: of for a, of in machine.fields.items() if a not in state.values and a not in state.shelved}
    defaults = {address: field for address, field in unset.items() if field.default is not None}
    for address, field in defaults.items():
        print_line(
            console,
            f"  {address} = {REDACTED if field.secret else value_text(field.default, field)}   (default)",
            "dim",
        )
    if not state.values and not defaults:
        print_line(console, "  no fields yet", "dim")
    if state.tools.counts:
        used = ", ".join(f"{tool} {count}" for tool, count in state.tools.counts.items())
        print_line(console, f"  tools used: {used}")


def _status(state: State) -> str:
    match state.status:
        case Waiting(what):
            return why_waiting(state) or f"waiting for a {what}"
        case Ended(outcome):
            return f"ended: {outcome}"
        case Failed(reason, message):
            return f"failed: {reason} {message}".rstrip()
