"""The offline provider: understanding and replies by rules alone.

It reaches no model and no network.
"""

from __future__ import annotations

from turnwise.providers.offline.understanding import understand

__all__ = ["understand", "understand_by_rules"]

understand_by_rules = understand
"""The name under which programs call the rules: `tw.understand_by_rules(message, exposed)`."""
