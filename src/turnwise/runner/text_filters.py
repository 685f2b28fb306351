"""Filters of the text of a reply: each passes on what can be shown, and holds back what may become something else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol


class TextFilter(Protocol):
    """Passes on the text of one reply, without what is not shown. It decides when a piece comes, or at the end: an
    empty piece changes nothing.
    """

    def add(self, piece: str) -> str:
        """Return the text that can be shown now."""
        ...

    def end(self) -> str:
        """Return the text that waits, when nothing more comes."""
        ...


class HoldingFilter(ABC):
    """A filter that looks again at the text that waits whenever a piece comes."""

    def __init__(self) -> None:
        self._held = ""

    def add(self, piece: str) -> str:
        """Return the text that can be shown now."""
        self._held += piece
        return self._advance(is_end=False)

    def end(self) -> str:
        """Return the text that waits, when nothing more comes."""
        return self._advance(is_end=True)

    @abstractmethod
    def _advance(self, *, is_end: bool) -> str:
        """Return what can be shown of the text that waits, and keep the rest; with `is_end` nothing more comes."""


class Chain:
    """Filters one after the other: each gets what the one before passes on."""

    def __init__(self, *filters: TextFilter) -> None:
        self._filters = filters

    def add(self, piece: str) -> str:
        """Return the text that can be shown now."""
        for one in self._filters:
            if not piece:
                break
            piece = one.add(piece)
        return piece

    def end(self) -> str:
        """Return the text that waits, when nothing more comes."""
        waiting = ""
        for one in self._filters:
            waiting = one.add(waiting) + one.end() if waiting else one.end()
        return waiting
