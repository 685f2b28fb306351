"""The part of the state that lasts for one turn, and its failures."""

from __future__ import annotations

from typing import Any, Literal, final

from msgspec import Struct, field

from turnwise.core.state.effects import AnyEffect, Call
from turnwise.core.state.frames import EventData
from turnwise.core.state.kinds import FaultKind, OutcomeKind, TurnKind


@final
class Fault(Struct, frozen=True, gc=False, array_like=True):
    """A failure: what `error.*` is bound to while an `error` transition is judged, and what explanations show.

    A secret is never among its values.
    """

    kind: FaultKind
    """What failed: a write, a tool, a model, a guard; or that a limit was reached, or a call refused."""
    message: str
    """The reason in words."""
    tool: str = ""
    """The tool that failed; empty if none did."""
    subject: str = ""
    """The field (`record.field`), the argument of `tool`, or the limit that the failure is about."""
    value: Any = None
    """The value that was refused."""
    bound: Any = None
    """What that value exceeds."""
    at: str = ""
    """The `file:line` in the user's own code or flow."""
    transition: str = ""
    """The transition whose guard or write failed."""


class CommandOutcome(Struct, frozen=True, gc=False, array_like=True):
    """What one command of this turn did."""

    kind: OutcomeKind
    """The command, if it was applied; else that it cleared, was refused or missed."""
    field: str = ""
    """The field that it is about."""
    text: str = ""
    """What is said about it."""
    iso: str = ""
    """The text for models, if it is another; else empty."""


class TurnState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The part of the state that lasts for one turn."""

    kind: TurnKind
    """What began the turn."""
    at_ms: int
    """When it began, in milliseconds since 1970."""
    seq: int
    """The position of the event that began it: of the message, if there is one."""
    start_node: str = ""
    """The node in charge when it began."""
    base: int = 0
    """The turn at whose end it began."""
    message: str | None = None
    """The text of the user, if a message began it."""
    button: str | None = None
    """The value of the button, if one began it."""
    is_used_up: bool = False
    """True if the message was answered or applied, so that a later node does not work on it."""
    moves: int = 0
    """How many moves were made in it."""
    entered: tuple[str, ...] = ()
    """The nodes that were entered in it."""
    understood_for: tuple[str, ...] = ()
    """The nodes for which its message was understood."""
    has_spoken: bool = False
    """True if something was said to the user in it."""
    closed: Literal["", "confirmed", "handed_off"] = ""
    """The status of a form that was confirmed or handed over in this turn; empty if none was."""
    outcomes: tuple[CommandOutcome, ...] = field(default=(), name="heard")
    """What its commands did."""
    fault: Fault | None = None
    """The last failure, while it is judged."""
    effects: int = 0
    """How many effects were requested; their ids count from it."""
    model_calls: int = 0
    """How many calls of models were made."""
    tool_calls: int = 0
    """How many calls of tools were made."""
    calls: tuple[Call, ...] = ()
    """The calls of a model that still wait, in order."""
    failures: dict[str, int] = {}
    """How many calls failed or were refused, by tool."""
    asked_to_choose: int = 0
    """How often a model was asked to choose a way out."""
    rearms: bool = False
    """True if the timers of the node are armed anew although no user event came."""
    awaited: AnyEffect | None = None
    """The effect whose result it waits for."""
    cut_off: int = 0
    """`State.cut_off` before this turn."""
    operator: str = ""
    """The person who made the last decision."""
    wants_out: bool = False
    """True if the message asks to stop, or for a person, where no form is open."""
    has_caught: bool = False
    """True if the last decision was made about a failure."""
    missed: tuple[int, ...] = ()
    """`State.missed` before this turn."""
    prompted: str = ""
    """The node for which a model was called last."""
    opened: int = 0
    """How many scopes were opened in this turn."""
    closed_scopes: tuple[str, ...] = ()
    """The scopes that were closed in this turn, which do not open again in it."""
    scope_outcome: str = ""
    """The outcome of the scope that was closed last in this turn."""
    has_declined: bool = False
    """True if the user declined an offer in this turn."""
    event: EventData | None = None
    """The event of another system that this turn judges."""
