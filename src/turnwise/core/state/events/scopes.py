"""The events of scopes: opened, and closed (laws 6.1 to 6.3)."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.state.events.base import Erasure, Event
from turnwise.core.state.frames import OpenedBy


class KeptWords(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """How long the words of a closed scope are kept before they are erased."""

    frame: int
    """The id of the scope's frame."""
    ms: int
    """How long the words are kept after the scope was closed, in milliseconds."""
    by: Erasure | None = None
    """When and by which rule the words were erased; `None` if they are still there."""
    mean_chars: int = 0
    """The mean number of characters of the texts inside."""
    scope: str = ""
    """The name of the scope if an undo took back its opening, which closes it; else empty."""


class ScopeOpened(Event, frozen=True, tag="scope_opened"):
    """A scope was opened, and the conversation continues inside at its first node."""

    scope: str
    """The address of the scope."""
    node: str
    """The first node inside the scope."""
    by: OpenedBy
    """Who opened the scope: a transition, the model, the user, a schedule and so on."""
    transition: str = ""
    """The transition that opened the scope; empty if none did."""
    message: int = 0
    """The journal position of the user's message that is passed into the scope; 0 without one."""
    call: str = ""
    """The id of the model's call that opened the scope; empty if none did."""
    tool: str = ""
    """The tool that opened the scope; empty if none did."""
    note: str = ""
    """The text that is passed to the model inside; empty if none."""
    erased: Erasure | None = None
    """When and by which rule the words inside were erased; `None` if they were not."""


class ScopeClosed(Event, frozen=True, tag="scope_closed"):
    """A scope was closed with an outcome; in the transcript its summary replaces what was said inside."""

    scope: str
    """The address of the scope."""
    outcome: str
    """The name of the outcome."""
    summary: str
    """The text that replaces the words inside in the transcript."""
    by: OpenedBy
    """Who had opened the scope."""
    call: str = ""
    """The id of the model's call that opened the scope and gets the summary as its result; empty if none did."""
    tool: str = ""
    """The tool that opened the scope; empty if none did."""
    is_by_model: bool = False
    """True where a model wrote the summary."""
    keep: KeptWords | None = None
    """How long the words inside are kept; `None` if as long as the conversation."""
