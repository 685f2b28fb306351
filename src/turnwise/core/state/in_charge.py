"""Follows over a journal which nodes are in charge: one in each frame, that of the root first."""

from __future__ import annotations

from turnwise.core.state.events import (
    AnyEvent,
    Migrated,
    Moved,
    ScopeClosed,
    ScopeOpened,
    Snapshot,
    Started,
    Undone,
)


def entered_node(event: AnyEvent) -> str:
    """Return the node that an event enters; empty if it enters none."""
    match event:
        case Started(node=node, is_entered=True) | Moved(target=node) | ScopeOpened(node=node):
            return node
        case _:
            return ""


def visited_nodes(event: AnyEvent) -> tuple[str, ...]:
    """Return the nodes that an event visits: one that it enters, or a scope that is not its node's own work."""
    node = entered_node(event)
    if isinstance(event, ScopeOpened) and event.by != "node":
        return (event.scope, node)
    return (node,) if node else ()


def in_charge(nodes: tuple[str, ...], event: AnyEvent) -> tuple[str, ...]:
    """Return the nodes in charge after an event, one per frame; `nodes` are those before it."""
    match event:
        case Started(node=node):
            return (node,)
        case Moved(target=node):
            return (*nodes[:-1], node)
        case ScopeOpened(node=node):
            return (*nodes, node)
        case ScopeClosed():
            return nodes[:-1]
        case Undone(state=state) | Snapshot(state=state) | Migrated(state=state):
            return tuple([frame.node for frame in state.frames])
        case _:
            return nodes
