"""The part of the state that lasts for one turn, and its failures."""

from __future__ import annotations

from typing import Any, Literal, final

from msgspec import Struct, field

from turnwise.core.state.effects import AnyEffect, Call
from turnwise.core.state.frames import EventData
from turnwise.core.state.kinds import FaultKind, OutcomeKind, TurnKind


@final
class Fault(Struct, frozen=True, gc=False, array_like=True):
    """A failure, which `error.*` in guards reads while an `error` transition is judged.

    A secret is never among its values.
    """

    kind: FaultKind
    """What failed: a write, a tool, a model, a guard; a limit that was reached, or a call that was refused."""
    message: str
    """The reason of the failure in words."""
    tool: str = ""
    """The tool that failed; empty if none did."""
    subject: str = ""
    """The field (`record.field`), tool argument or limit that the failure is about; empty if none."""
    value: Any = None
    """The value that was refused; `None` if the failure is not about a value."""
    bound: Any = None
    """The bound that `value` exceeds; `None` if there is none."""
    at: str = ""
    """The `file:line` in the user's own code or flow where the failure arose; empty if none."""
    transition: str = ""
    """The transition whose guard or write failed; empty if none did."""


class CommandOutcome(Struct, frozen=True, gc=False, array_like=True):
    """The outcome of one command of this turn."""

    kind: OutcomeKind
    """The name of the command if it was applied, or how it ended: `cleared`, `refused`, `missed` and so on."""
    field: str = ""
    """The address of the field that the command was about; empty if none."""
    text: str = ""
    """What the command did or why it was refused, in words."""
    iso: str = ""
    """`text` with dates and numbers in ISO form, for models; empty if that is the same."""


class TurnState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The part of the state that lasts for one turn: what began it, and what has happened in it."""

    kind: TurnKind
    """What kind of event began the turn, such as a message (`said`)."""
    at_ms: int
    """When the turn began, in milliseconds since 1970."""
    seq: int
    """The journal position of the event that began the turn."""
    start_node: str = ""
    """The node in charge when the turn began."""
    base: int = 0
    """The number of the turn after whose end this turn began."""
    message: str | None = None
    """The text of the user's message that began the turn; `None` if none did."""
    button: str | None = None
    """The value of the button that began the turn; `None` if none did."""
    is_used_up: bool = False
    """True if the message was answered or applied, so that later nodes of the turn do not process it."""
    moves: int = 0
    """How many moves between nodes were made in the turn."""
    entered: tuple[str, ...] = ()
    """The nodes that were entered in the turn, in order."""
    understood_for: tuple[str, ...] = ()
    """The nodes for which the turn's message was interpreted."""
    has_spoken: bool = False
    """True if the machine has sent a text to the user in the turn."""
    closed: Literal["", "confirmed", "handed_off"] = ""
    """The status of a form that was confirmed or handed over in the turn; empty if none was."""
    outcomes: tuple[CommandOutcome, ...] = field(default=(), name="heard")
    """The outcomes of the turn's commands, in order."""
    fault: Fault | None = None
    """The failure for which `error` transitions are judged now; `None` if there is none."""
    effects: int = 0
    """How many effects were requested in the turn; the next effect's id is numbered by this."""
    model_calls: int = 0
    """How many calls of models were made in the turn."""
    tool_calls: int = 0
    """How many calls of tools were made in the turn."""
    calls: tuple[Call, ...] = ()
    """The calls of a model's reply that were not made yet, in order."""
    failures: dict[str, int] = {}
    """How many calls failed or were refused in the turn, by tool."""
    asked_to_choose: int = 0
    """How often a model was asked to choose a transition, since the node was entered in the turn."""
    rearms: bool = False
    """True if the timers of the node are armed anew although the user did nothing."""
    awaited: AnyEffect | None = None
    """The effect for whose result the turn waits; `None` if it waits for none."""
    cut_off: int = 0
    """The value of `State.cut_off` before this turn."""
    operator: str = ""
    """The operator who made the last decision of the turn; empty if the machine did."""
    wants_out: bool = False
    """True if the message asks to stop or for a person while no form is open."""
    has_caught: bool = False
    """True if the last decision of the turn judged `error` transitions."""
    missed: tuple[int, ...] = ()
    """The value of `State.missed` before this turn."""
    prompted: str = ""
    """The node for which a model was called last in the turn; empty if none was."""
    opened: int = 0
    """How many scopes were opened in the turn."""
    closed_scopes: tuple[str, ...] = ()
    """The scopes that were closed in the turn; they do not open again in it."""
    scope_outcome: str = ""
    """The outcome of the scope that was closed last in the turn; empty if none was."""
    has_declined: bool = False
    """True if the user declined an offer in the turn."""
    event: EventData | None = None
    """The event of another system that the turn judges; `None` if there is none."""
