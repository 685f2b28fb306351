"""Reads two other configuration formats as flows: orchestration steps, and gates.

Each is rewritten, as a tree with its places, into a flow document; the reader of flows does the rest.
Nothing is dropped in silence: a key is used, or a diagnostic names it.
"""

from __future__ import annotations

from difflib import get_close_matches

from turnwise.authoring.seeds import gates, steps
from turnwise.authoring.seeds.rewriting import Rewriting
from turnwise.flow.located import Located, Pairs, Scalar

__all__ = ["rewrite"]

_MARKS = ("orchestration", "steps", "gates", "gate_order")
"""The keys by which a configuration is known."""
_OF_FLOWS = {"flow", "start", "nodes", *_MARKS}
_ALIKE = 0.8


def rewrite(tree: Located, file: str) -> Rewriting | None:
    """Return the flow document that says the same as a configuration, `None` where the tree is none."""
    if steps.are_steps(tree):
        return steps.rewrite_steps(tree, file)
    if gates.are_gates(tree):
        return gates.rewrite_gates(tree, file)
    return _rewrite_misspelt(tree, file) if isinstance(tree, Pairs) else None


def _rewrite_misspelt(tree: Pairs, file: str) -> Rewriting | None:
    """Return a configuration that would be one but for a slip in the key by which it is known; the slip is reported."""
    if any(key.text.casefold() in _OF_FLOWS for key, _ in tree.pairs):
        return None
    for number, (key, value) in enumerate(tree.pairs):
        for meant in get_close_matches(key.text.casefold(), _MARKS, n=1, cutoff=_ALIKE):
            spelt = Scalar(meant, key.line, key.column)
            pairs = [*tree.pairs[:number], (spelt, value), *tree.pairs[number + 1 :]]
            found = rewrite(Pairs(pairs, tree.line, tree.column, inline=tree.inline), file)
            if found is not None:
                found.unknown(key, "a configuration", [meant])
            return found
    return None
