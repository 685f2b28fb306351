"""What a step did to the frames of a conversation, in the notation of expectations: scopes that are open, that were
opened or closed, the transcript of each.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.api.chat import Chat
from turnwise.api.open import Turn
from turnwise.core.addresses import scope_of
from turnwise.core.candidates import End
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.events import ScopeClosed, ScopeOpened
from turnwise.errors import UnknownFrame
from turnwise.testing.key_checks import Check, known_name, whole_number
from turnwise.testing.notation import NONE

OUTERMOST_FRAME = "."
"""The conversation outside of all scopes, where a line names a scope."""
NOT_OPENED = "not opened"
"""What stands for the transcript of a scope that was not opened."""
_OUTCOMES = ("completed", "stopped", "handed_off", "cancelled", "limit", "timeout", "failed")
_BY = ("node", "call", "tool", "user", "program", "offer", "schedule")


def scope_names(machine: Machine) -> list[str]:
    """Return the addresses of the scopes of a flow."""
    return [scope for scope in machine.scopes if scope]


def outcomes_of(machine: Machine) -> list[str]:
    """Return all outcomes with which a scope of a flow may close."""
    ends = [one.action.outcome for one in machine.all_candidates() if isinstance(one.action, End)]
    return [*_OUTCOMES, *ends, *[node.node.end for node in machine.nodes.values() if node.node.end]]


check_openings: Check = known_name(
    "opening",
    NONE,
    of=lambda machine: [f"{scope} by {who}" for scope in scope_names(machine) for who in _BY],
    separator=",",
)
"""Checks the expectation `opened`: scopes and who opened each, as in `survey by user`."""


def check_request(value: str, machine: Machine) -> str | None:
    """Return what is wrong with the name of a model request (a number, or a scope); `None` if nothing is."""
    if value.isdecimal() or not value:
        return whole_number("number of a call of the model, counted from 1", least=1)(value, machine)
    return known_name("scope", OUTERMOST_FRAME, of=scope_names)(value, machine)


def request_of(requests: tuple[ModelRequest, ...], subject: str) -> ModelRequest | None:
    """Return the request that a line names by number or scope (`subject`), the last one if that is empty; `None` if
    there is none.
    """
    if subject.isdecimal():
        place = int(subject) - 1
        return requests[place] if 0 <= place < len(requests) else None
    scope = subject if subject != OUTERMOST_FRAME else ""
    found = [one for one in requests if not subject or scope_of(one.node) == scope]
    return found[-1] if found else None


def open_scopes(turn: Turn) -> list[str]:
    """Return the scopes that are open after a turn, the outermost first."""
    frames = turn.after.frames if turn.after is not None else ()
    return [frame.scope.name for frame in frames if frame.scope is not None]


def opened_text(turn: Turn) -> str:
    """Return the scopes that a turn opened, and who opened each: `survey by user`."""
    opened = [event for event in turn.events if isinstance(event, ScopeOpened)]
    return ", ".join(f"{one.scope} by {one.by}" for one in opened) or NONE


check_offers: Check = known_name(
    "offer",
    NONE,
    of=lambda machine: [f"{scope} {how}" for scope in scope_names(machine) for how in ("open", "waiting", "passed")],
    separator=",",
)
"""Checks the expectation `offers`: scopes and the status of each offer, as in `survey open`."""


def offers_text(turn: Turn) -> str:
    """Return the scopes that are offered after a turn, with the status of each: `survey open, quiz waiting`."""
    offers = turn.after.offers if turn.after is not None else ()
    return ", ".join(f"{one.scope} {one.status}" for one in offers) or NONE


def closed_in(turn: Turn, scope: str) -> ScopeClosed | None:
    """Return the event by which a turn closed a scope, the last one if `scope` is empty; `None` if it did not."""
    closed = [event for event in turn.events if isinstance(event, ScopeClosed) and scope in ("", event.scope)]
    return closed[-1] if closed else None


async def transcripts(chat: Chat, subjects: Iterable[str]) -> dict[str, str]:
    """Return the transcripts that lines name, as text keyed by the name.
    Of a scope, of what is outside of all, or the one that the user saw. Lines that an undo took back are left out.
    """
    return {subject: await _transcript(chat, subject) for subject in dict.fromkeys(subjects)}


async def _transcript(chat: Chat, subject: str) -> str:
    frame = 0 if subject == OUTERMOST_FRAME else subject or None
    try:
        lines = await chat.transcript(frame=frame)
    except UnknownFrame:
        return NOT_OPENED
    return "\n".join(line.text for line in lines if not line.is_undone)
