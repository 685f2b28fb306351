"""Stores: where journals, states and receipts are kept, behind one protocol."""

from __future__ import annotations

RETRY_S = 5.0
"""For how long a store that is locked, full or away is tried again before a turn is refused."""
