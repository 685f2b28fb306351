"""Filters of the text of a reply: each passes on what can be shown, and holds back what may become something else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol


class TextFilter(Protocol):
    """Removes what is not shown from the text of one reply, which arrives in pieces.
    It decides when a piece comes, or at the end: an empty piece changes nothing.
    """

    def add(self, piece: str) -> str:
        """Return the text that can be shown after one more piece; the rest is held back."""
        ...

    def end(self) -> str:
        """Return the text that was held back, at the end of the reply."""
        ...


class HoldingFilter(ABC):
    """Base of filters that hold text back, and judge all of it anew with each piece."""

    def __init__(self) -> None:
        self._held = ""

    def add(self, piece: str) -> str:
        """Return the text that can be shown after one more piece; the rest is held back."""
        self._held += piece
        return self._advance(is_end=False)

    def end(self) -> str:
        """Return the text that was held back, at the end of the reply."""
        return self._advance(is_end=True)

    @abstractmethod
    def _advance(self, *, is_end: bool) -> str:
        """Return what can be shown of the text that waits, and keep the rest; with `is_end` nothing more comes."""


class Chain:
    """A filter that applies several filters, each to the text that the one before returns."""

    def __init__(self, *filters: TextFilter) -> None:
        self._filters = filters

    def add(self, piece: str) -> str:
        """Return the text that can be shown after one more piece; the rest is held back."""
        for one in self._filters:
            if not piece:
                break
            piece = one.add(piece)
        return piece

    def end(self) -> str:
        """Return the text that was held back, at the end of the reply."""
        waiting = ""
        for one in self._filters:
            waiting = one.add(waiting) + one.end() if waiting else one.end()
        return waiting
