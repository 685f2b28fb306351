"""Which comparison of a test is about a turn, and what there is to say about it."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.runner.result import Turn
from turnwise.testing.asserting import why_not_in, why_not_taken


def explained(turns: Iterable[Turn], op: str, left: str, right: object) -> list[str] | None:
    """Why the latest turn that a failed comparison can mean came out so; `None` where it means none."""
    for turn in reversed(list(turns)):
        if op == "==" and isinstance(right, str) and turn.node is not None:
            here, other = turn.node, right if left == turn.node else left
            if here in (left, right) and other in turn.machine.nodes:
                return [f"{left!r} == {right!r}", *why_not_in(turn, other)]
        if op == "in" and isinstance(right, tuple) and right == turn.taken:
            return [f"{left!r} in {right!r}", *why_not_taken(turn, left)]
    return None
