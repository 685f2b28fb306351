"""Asking a store later: why, what if, how often; conversations as files, branches, and other versions.

It needs no flow document, for stores keep the flows; it takes no turns.
"""

from turnwise.archive.archive import Archive

__all__ = ["Archive"]
