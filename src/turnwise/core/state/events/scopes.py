"""The events of scopes: opened, and closed (laws 6.1 to 6.3)."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.state.events.base import Erasure, Event
from turnwise.core.state.frames import OpenedBy


class KeptWords(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """How long the words of a closed scope are kept."""

    frame: int
    """The id of the frame of the scope."""
    ms: int
    """How long they are kept, from the closing, in milliseconds."""
    by: Erasure | None = None
    """How they were erased; `None` if they were not."""
    mean_chars: int = 0
    """The mean number of characters of a text among them."""
    scope: str = ""
    """The name of the scope, where an undo took back its opening, which closes it, too; else empty."""


class ScopeOpened(Event, frozen=True, tag="scope_opened"):
    """A scope was opened at its first node, and the conversation goes on inside."""

    scope: str
    node: str
    """The first node inside."""
    by: OpenedBy
    """Who opened it."""
    transition: str = ""
    """The transition that opened it."""
    message: int = 0
    """The position of the message that it knows; 0 without one."""
    call: str = ""
    """The id of the model's call that opened it; empty if none did."""
    tool: str = ""
    """The tool that opened it; empty if none did."""
    note: str = ""
    """What was handed over to the model inside."""
    erased: Erasure | None = None
    """How the words inside were erased."""


class ScopeClosed(Event, frozen=True, tag="scope_closed"):
    """A scope was closed with an outcome. What was said inside leaves the transcript, and the summary stays in it; what
    it returned is set next.
    """

    scope: str
    outcome: str
    """The name of the outcome."""
    summary: str
    """What the transcript has in the place of the words inside."""
    by: OpenedBy
    """Who had opened it."""
    call: str = ""
    """The id of the model's call that opened it and gets the summary as its result; empty if none did."""
    tool: str = ""
    """The tool that opened it; empty if none did."""
    is_by_model: bool = False
    """True where a model wrote the summary."""
    keep: KeptWords | None = None
    """How long the words inside are kept; `None` where they are kept as the conversation is."""
