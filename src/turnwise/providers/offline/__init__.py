"""The offline provider: understanding and replies by rules alone.

It reaches no model and no network.
"""

from __future__ import annotations

from turnwise.providers.offline.understanding import understand, understand_beside_model

__all__ = ["understand", "understand_beside_model"]
