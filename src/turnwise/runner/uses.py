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
    version: int
    """The version of the flow, `ANY_VERSION` for all."""


class Uncounted(NamedTuple):
    """A conversation with entries from `after` to `until` that are not counted yet. At `after` the flow with this
    fingerprint and version applied; there is none before the first entry.
    """

    conversation: str
    flow: str
    after: int
    until: int
    fingerprint: str = ""
    version: int = 0


class Uses(NamedTuple):
    """What the uncounted entries of a conversation use, how often, and the flow that applies after them. If it
    `replaces`, what was counted of the conversation before no longer counts.
    """

    uncounted: Uncounted
    fingerprint: str
    version: int
    counts: dict[Use, int]
    """How often each was used."""
    replaces: bool = False


class UseCount(NamedTuple):
    """How often something was used, and in how many conversations."""

    kind: str
    """What kind of thing it is: a node, a transition, a tool."""
    name: str
    version: int
    """The version of the flow, `ANY_VERSION` for all."""
    times: int
    """How often it was used."""
    conversations: int
    """In how many conversations."""
