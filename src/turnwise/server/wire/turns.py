"""What a turn did, or an event would do, as clients receive it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.state.events import Button
from turnwise.core.state.kinds import WarningCode
from turnwise.server.wire.conversations import ConversationSummary, FormView, Message


class TurnWarning(Struct, frozen=True):
    """A warning about a turn for operators, only by its code.
    What happened is in the trace, which needs `debug:read`: the words may name guards, providers and operators.
    """

    code: WarningCode
    """The code of the problem."""


class TurnResult(Struct, frozen=True):
    """The result of a turn, or the refusal of an event."""

    conversation: str
    """The name of the conversation."""
    number: int
    """The number of the turn, from 1; 0 for a refused event."""
    text: str
    """The reply, or the reason of the refusal."""
    buttons: tuple[Button, ...]
    """The buttons of the last reply."""
    status: Literal["waiting", "ended", "failed", ""]
    """Whether the conversation waits for the user, has ended or failed; empty for a refusal."""
    node: str = ""
    """The node in charge after the turn."""
    outcome: str = ""
    """The outcome with which the conversation ended; empty if it has not ended."""
    position: int | None = None
    """The journal position to send with a button, so that a stale button is recognised; `None` without buttons."""
    seq: int = 0
    """The position of the last entry of the turn in the journal."""
    refused: str = ""
    """The code of the refusal; empty where the event was accepted."""
    is_duplicate: bool = False
    """True where an event with the same idempotency key was received before: this is its first result."""
    messages: tuple[Message, ...] = ()
    """The messages of the turn, the user's among them."""
    form: FormView | None = None
    """The form of the last reply that shows one; `None` where none does."""
    artefacts: tuple[dict[str, Any], ...] = ()
    """The artefacts that forms made for the host (problem statement, plan, handover), as JSON data of `Artefact`."""
    warnings: tuple[TurnWarning, ...] = ()
    """Problems of the turn that operators should see."""
    recovered: tuple[TurnResult, ...] = ()
    """Earlier turns that were cut off or not delivered, and are delivered with this one."""
    unprompted: tuple[TurnResult, ...] = ()
    """Turns since the last one that no message began (timers, schedules), and that are delivered with this one."""
    operator: str = ""
    """The person in charge after the turn, by the name that the user sees; empty while the machine is in charge."""
    starts: tuple[Button, ...] = ()
    """The buttons by which the user may begin an inner conversation now."""


class BegunConversation(Struct, frozen=True):
    """A conversation that began, with its first turn."""

    conversation: ConversationSummary
    """The conversation in short, as lists show it."""
    turn: TurnResult
    """The first turn."""


class DryRun(Struct, frozen=True):
    """The result of trying an event without effects. Without `debug:read` there are no `moves`, `values` and `why`."""

    is_known: bool
    """False where only a model, a tool or the host's understanding could decide what follows."""
    decided_by: Literal["", "model", "tool", "understanding"] = ""
    """What would have to be called to know the outcome: a model, a tool, the understanding; empty if it is known."""
    refused: str = ""
    """The code of the refusal; empty where the event would be accepted."""
    text: str = ""
    """The reply that would follow, or the reason of the refusal."""
    moves: tuple[str, ...] = ()
    """The transitions that would be taken, in order."""
    node: str = ""
    """The node in charge after the turn."""
    values: dict[str, Any] = {}
    """The values that would change, by field."""
    why: str = ""
    """Why the outcome is not known, in words."""
