"""Letting go of a model: some hold connections, most hold nothing."""

from __future__ import annotations


async def let_go(model: object) -> None:
    """Close what a model holds; it may be used again."""
    close = getattr(model, "close", None)
    if close is not None:
        await close()
