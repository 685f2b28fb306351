"""The counts of a store: how often conversations used nodes, transitions, tools, timers and fields of their flows."""

from __future__ import annotations

from typing import NamedTuple

ANY_VERSION = -1
"""Stands for a version number in counts over all versions of a flow."""


class Use(NamedTuple):
    """A thing of a flow whose uses are counted, in one version of the flow or in all."""

    kind: str
    """The kind of the thing: a node, a transition, a tool."""
    name: str
    """The name of the thing in the flow."""
    version: int
    """The number of the flow's version; `ANY_VERSION` for all versions together."""


class Uncounted(NamedTuple):
    """A conversation with entries whose uses are not counted yet."""

    conversation: str
    """The name of the conversation."""
    flow: str
    """The name of the conversation's flow."""
    after: int
    """The position of the last entry that is counted; 0 if none is."""
    until: int
    """The position of the last entry to count."""
    fingerprint: str = ""
    """The hash of the flow that applied at `after`; empty before the first entry."""
    version: int = 0
    """The version number of the flow that applied at `after`; 0 before the first entry."""


class Uses(NamedTuple):
    """The uses in the uncounted entries of a conversation, with the flow that applies after these entries."""

    uncounted: Uncounted
    """The conversation and the range of entries that were counted."""
    fingerprint: str
    """The hash of the flow that applies after the counted entries."""
    version: int
    """The version number of the flow that applies after the counted entries."""
    counts: dict[Use, int]
    """How often the entries use each thing, by the use."""
    replaces: bool = False
    """True if the conversation's earlier counts no longer count."""


class UseCount(NamedTuple):
    """How often a thing of a flow was used, and in how many conversations."""

    kind: str
    """The kind of the thing: a node, a transition, a tool."""
    name: str
    """The name of the thing in the flow."""
    version: int
    """The number of the flow's version; `ANY_VERSION` for all versions together."""
    times: int
    """How often the thing was used."""
    conversations: int
    """How many conversations used the thing."""
