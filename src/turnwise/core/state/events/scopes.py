"""The events of scopes: opened, and closed (laws 6.1 to 6.3)."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.state.events.base import Erasure, Event
from turnwise.core.state.frames import OpenedBy


class KeptWords(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """How long the words of a closed scope are kept: its frame, and the time from its closing in milliseconds. `by` is
    how they were erased, `mean_chars` the mean number of characters of a text among them. `scope` is its name where an
    undo took back its opening, which closes it, too.
    """

    frame: int
    """The id of the frame of the scope."""
    ms: int
    """How long they are kept, from the closing."""
    by: Erasure | None = None
    mean_chars: int = 0
    scope: str = ""


class ScopeOpened(Event, frozen=True, tag="scope_opened"):
    """A scope was opened at its first node, and the conversation goes on inside. `message` is the position of the
    message that it knows; `tool` is the tool that opened it, `call` the model's call of that tool. `note` was handed
    over to the model inside.
    """

    scope: str
    node: str
    """The first node inside."""
    by: OpenedBy
    """Who opened it."""
    transition: str = ""
    """The transition that opened it."""
    message: int = 0
    call: str = ""
    tool: str = ""
    note: str = ""
    erased: Erasure | None = None
    """How the words inside were erased."""


class ScopeClosed(Event, frozen=True, tag="scope_closed"):
    """A scope was closed with an outcome. What was said inside leaves the transcript, and the summary stays in it; what
    it returned is set next. `tool` is the tool that opened it, `call` the model's call which that result answers.
    `is_by_model` is true where a model wrote the summary.
    """

    scope: str
    outcome: str
    summary: str
    by: OpenedBy
    """Who had opened it."""
    call: str = ""
    tool: str = ""
    is_by_model: bool = False
    keep: KeptWords | None = None
    """How long the words inside are kept; `None` where they are kept as the conversation is."""
