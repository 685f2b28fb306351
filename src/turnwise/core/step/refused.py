"""Records an event that was refused and began no turn (law 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.forms.buttons import answers_secret
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.kinds import RefusalCode, TurnKind
from turnwise.core.turn import Refusal
from turnwise.core.values import REDACTED

Refused = e.EventRefused | e.GiveBackRefused
"""The events that record a refusal."""

MOST_REFUSED = 16
"""How many refused events are recorded between two turns, so that no client makes a journal grow without turns."""
ENTRIES_SEARCHED = 2 * MOST_REFUSED
"""How many of the latest entries tell whether a refused event is to be recorded."""
_LONGEST_TEXT = 300

UNRECORDED: frozenset[RefusalCode] = frozenset(
    {
        "flow_unavailable",  # no machine folds it
        "not_awaited",  # no event from outside
        "not_due",  # no client sent it
        "not_going_on",  # no client sent it
        "other_flow",  # the conversation belongs to another app
        "store_unavailable",  # nothing can be recorded
        "unknown_conversation",  # there is no journal
        "unknown_time_zone",  # there is no journal
    }
)
"""Refusals of which no journal keeps anything."""


def refused_event(event: e.OutsideEvent | None, refusal: Refusal) -> Refused | None:
    """Return the event that records a refusal; `None` if the refusal is not recorded, as that of a timer, which fires
    again later.
    """
    is_retried = isinstance(event, e.Continued) or _is_timed(event)
    if refusal.code in UNRECORDED or (is_retried and refusal.code == "busy"):
        return None
    if refusal.fact is not None:
        return refusal.fact
    kind, name, sender = _KINDS[type(event)]
    named = [getattr(event, one, None) for one in (name, sender)]
    texts = [_short(str(one)) if one is not None else "" for one in named]
    return e.EventRefused(kind, refusal.code, _short(refusal.text), *texts)


def _is_timed(event: e.OutsideEvent | None) -> bool:
    """Return whether the runner fires this again later."""
    is_schedule = isinstance(event, e.ScheduleDue) and event.at_ms is not None
    return is_schedule or (isinstance(event, e.TimerFired) and event.due_ms is not None)


_KINDS: dict[type, tuple[TurnKind, str, str]] = {
    type(None): ("started", "", ""),
    e.UserSaid: ("said", "", ""),
    e.UserChose: ("chose", "value", ""),
    e.Commands: ("commands", "", "by"),
    e.ToolUsed: ("tool", "tool", ""),
    e.TimerFired: ("timer", "timer", ""),
    e.ScheduleDue: ("schedule", "schedule", "by"),
    e.EventReceived: ("event", "name", "by"),
    e.Continued: ("continued", "", ""),
    e.CallsDecided: ("approval", "", "by"),
    e.UndoAsked: ("undo", "to", ""),
    e.TakenOver: ("taken_over", "", "operator"),
    e.OperatorSaid: ("operator", "", "operator"),
    e.GivenBack: ("given_back", "transition", "operator"),
}
"""The kind of turn that an event begins, and its attributes with what it names and with the person who sent it."""


def _short(text: str) -> str:
    """Return a text in one line of bounded length, which every store can keep."""
    line = " ".join(text[:_LONGEST_TEXT].split())
    return line.encode(errors="replace").decode()


def without_secret(machine: Machine, state: State, fact: Refused) -> Refused:
    """Return `fact`, the record of a refusal, without the pressed button if the button may answer a secret question.
    That may be the open question, or an earlier one whose button is pressed twice or late.
    """
    if isinstance(fact, e.GiveBackRefused) or fact.kind != "chose" or not machine.has_secrets:
        return fact
    field = machine.fields.get(state.frame.question.field) if state.frame.question is not None else None
    is_open = field is not None and field.secret
    if is_open or fact.code == "busy" or answers_secret(machine, fact.name):
        return replace(fact, name=REDACTED, text="")
    return fact


def should_record(latest: Sequence[e.Entry], fact: Refused) -> bool:
    """Return whether to record a refusal: not if it repeats one since the last turn, or too many were recorded.
    `latest` are the last entries of the journal, in order.
    """
    found: list[e.AnyEvent] = []
    for entry in reversed(latest):
        if not isinstance(entry.event, Refused | e.CallerLeft):
            break
        found.append(entry.event)
    known = [one for one in found if isinstance(one, Refused)]
    return fact not in known and len(known) < MOST_REFUSED and len(found) < ENTRIES_SEARCHED
