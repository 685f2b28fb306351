"""Coverage: what a run has seen of its flows, counted from the journals of its turns.

It changes nothing of the run, and judges nothing that was not judged.
"""

from turnwise.testing.coverage.counting import Coverage as Coverage
from turnwise.testing.coverage.missing import Missing as Missing
from turnwise.testing.coverage.missing import Score as Score
from turnwise.testing.coverage.missing import missing as missing
from turnwise.testing.coverage.missing import score as score
from turnwise.testing.coverage.missing import total as total
from turnwise.testing.coverage.seen import FlowSeen as FlowSeen
from turnwise.testing.coverage.seen import LeafSeen as LeafSeen
from turnwise.testing.coverage.seen import NodeSeen as NodeSeen
from turnwise.testing.coverage.seen import WaySeen as WaySeen

__all__ = ["Coverage", "FlowSeen", "LeafSeen", "Missing", "NodeSeen", "Score", "WaySeen", "missing", "score", "total"]
