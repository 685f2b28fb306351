"""Assertions about turns. One that fails tells why: the tree of the guard, the values that it read, what would have
made it hold.
"""

from __future__ import annotations

from turnwise.runner.result import Turn
from turnwise.testing.explaining import why_not_in, why_not_taken, why_taken


def assert_taken(turn: Turn, transition: str) -> None:
    """Fail unless a transition was taken in the turn."""
    __tracebackhide__ = True
    if transition not in turn.taken:
        raise AssertionError("\n".join(why_not_taken(turn, transition)))


def assert_not_taken(turn: Turn, transition: str) -> None:
    """Fail if a transition was taken in the turn, or if none has the name."""
    __tracebackhide__ = True
    if transition in turn.taken:
        raise AssertionError("\n".join(why_taken(turn, transition)))
    if transition not in turn.machine.transitions():
        raise AssertionError("\n".join(why_not_taken(turn, transition)))


def assert_in(turn: Turn, node: str) -> None:
    """Fail unless the conversation is in a node after the turn."""
    __tracebackhide__ = True
    if turn.node != node:
        raise AssertionError("\n".join(why_not_in(turn, node)))
