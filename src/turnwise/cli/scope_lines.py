"""How the terminal shows that scopes are opened and closed, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from turnwise.api.open import Turn
from turnwise.core.state import OpenedBy, State
from turnwise.core.state.events import Said, ScopeClosed, ScopeOpened


class Part(NamedTuple):
    """A part of the text that a turn shows."""

    text: str
    """The text of the part."""
    is_about_scope: bool
    """True for the line about a scope that was opened or closed; false for replies."""


def opening_words(by: OpenedBy, transition: str = "", tool: str = "") -> str:
    """Return in words what opened a scope: `called by asks`, `opened by the tool open_quiz`.
    `transition` or `tool` is the one that opened it.
    """
    match by:
        case "node":
            return f"entered by {transition}" if transition else "entered"
        case "call":
            return f"called by {transition}"
        case "tool":
            return f"opened by the tool {tool}"
        case "user" | "program":
            return f"opened by the {by}"
        case "offer":
            return "offered to the user"
        case "schedule":
            return "opened by a schedule"


def parts_of(turn: Turn) -> list[Part]:
    """Return the parts of what a turn shows, in order: replies, and lines about opened and closed scopes."""
    if turn.refused:
        return [Part(turn.text, is_about_scope=False)]
    shown = [one for one in turn.events if isinstance(one, Said | ScopeOpened | ScopeClosed)]
    found: list[Part] = []
    for is_reply, group in groupby(shown, lambda event: isinstance(event, Said)):
        texts = [_text(event) for event in group]
        found += [Part("\n\n".join(texts), False)] if is_reply else [Part(text, True) for text in texts]
    return found


def _text(event: Said | ScopeOpened | ScopeClosed) -> str:
    match event:
        case Said(text=text):
            return text
        case ScopeOpened():
            return f"  → into {event.scope}, {opening_words(event.by, event.transition, event.tool)}"
        case ScopeClosed():
            return f"  ← out of {event.scope}: {event.outcome}"


def scopes_data(turn: Turn) -> list[dict[str, Any]]:
    """Return the scopes that a turn opened and closed, as JSON data."""
    found: list[dict[str, Any]] = []
    for event in turn.events:
        if isinstance(event, ScopeOpened):
            found.append({"opened": event.scope, "by": event.by, "transition": event.transition, "tool": event.tool})
        elif isinstance(event, ScopeClosed):
            found.append({"closed": event.scope, "outcome": event.outcome, "summary": event.summary})
    return found


def open_scope_lines(state: State) -> Iterator[str]:
    """Yield a line for each scope that is open, the outermost first."""
    for frame in state.frames:
        if frame.scope is not None:
            who = opening_words(frame.scope.by, "", frame.scope.tool).removesuffix(" by ")
            used = f"{frame.scope.turns} turns and {frame.scope.tokens} tokens in it"
            yield f"in {frame.scope.name}, {who} in turn {frame.scope.turn}; {used}"
