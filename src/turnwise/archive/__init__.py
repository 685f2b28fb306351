"""Queries on stored conversations: why, what if, how often; export, import, forks, migration.

It needs no flow document, for stores keep the flows; it takes no turns.
"""

from turnwise.archive.archive import Archive

__all__ = ["Archive"]
