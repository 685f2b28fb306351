"""Configurations of other designs, read as flows: steps that tools open, and gates that ask in order.

Each is rewritten, as a tree with its places, into a flow document; the reader of flows does the rest.
Nothing is dropped in silence: a key is used, or a diagnostic names it.
"""

from __future__ import annotations

from turnwise.authoring.seeds import gates, steps
from turnwise.authoring.seeds.rewriting import Rewriting
from turnwise.flow.located import Located

__all__ = ["rewrite"]


def rewrite(tree: Located, file: str) -> Rewriting | None:
    """The flow document that says the same as a configuration, `None` where the tree is none."""
    if steps.are_steps(tree):
        return steps.rewrite_steps(tree, file)
    if gates.are_gates(tree):
        return gates.rewrite_gates(tree, file)
    return None
