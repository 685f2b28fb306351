"""The counts of a store: how often conversations used nodes, transitions, tools, timers and fields of their flows."""

from __future__ import annotations

from typing import NamedTuple

ANY_VERSION = -1
"""In place of a version: counted over all versions of a flow."""


class Use(NamedTuple):
    """Something that is counted, in one version of its flow or in all."""

    kind: str
    """What kind of thing it is: a node, a transition, a tool."""
    name: str
    """What the thing is called in the flow."""
    version: int
    """The version of the flow, `ANY_VERSION` for all."""


class Uncounted(NamedTuple):
    """A conversation with entries that are not counted yet."""

    conversation: str
    flow: str
    after: int
    """The position of the last entry that is counted; 0 if none is."""
    until: int
    """The position of the last entry to count."""
    fingerprint: str = ""
    """The hash of the flow that applied at `after`; empty before the first entry."""
    version: int = 0
    """The version number of that flow; 0 before the first entry."""


class Uses(NamedTuple):
    """What the uncounted entries of a conversation use, and the flow that applies after them."""

    uncounted: Uncounted
    """The entries that were counted."""
    fingerprint: str
    """The hash of the flow that applies after them."""
    version: int
    """The version number of that flow."""
    counts: dict[Use, int]
    """How often each was used."""
    replaces: bool = False
    """True if what was counted of the conversation before no longer counts."""


class UseCount(NamedTuple):
    """How often something was used, and in how many conversations."""

    kind: str
    """What kind of thing it is: a node, a transition, a tool."""
    name: str
    """What the thing is called in the flow."""
    version: int
    """The version of the flow, `ANY_VERSION` for all."""
    times: int
    """How often it was used."""
    conversations: int
    """In how many conversations."""
