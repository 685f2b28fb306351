"""The port for the pieces of models' texts that processes over one store send each other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple, Protocol

from turnwise.runner.model_port import Delta


class Piece(NamedTuple):
    """A piece of text of a turn of a conversation."""

    conversation: str
    delta: Delta
    """The piece of text."""


class SharedTexts(Protocol):
    """Sends pieces of texts to the other processes of a store, a little later, joined and in order. They are not stored
    and may be lost; the whole message is in the journal. A store that has this has an attribute `texts`.
    """

    def send(self, piece: Piece) -> None:
        """Send a piece, without waiting."""
        ...

    def drop(self, conversation: str) -> None:
        """Drop pieces that wait: their message is stored."""
        ...

    def received(self) -> AsyncIterator[Piece]:
        """Yield the pieces of other processes, from now on."""
        ...
