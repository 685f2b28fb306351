"""Coverage: which nodes, transitions and conditions of its flows a test run has reached.

It changes nothing of the run, and judges nothing that was not judged.
"""

from turnwise.testing.coverage.report import Missing, Score, missing_parts, score, total
from turnwise.testing.coverage.seen import Coverage, FlowSeen, LeafSeen, NodeSeen, WaySeen

__all__ = [
    "Coverage",
    "FlowSeen",
    "LeafSeen",
    "Missing",
    "NodeSeen",
    "Score",
    "WaySeen",
    "missing_parts",
    "score",
    "total",
]
