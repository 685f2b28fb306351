"""The port for the pieces of models' texts that processes over one store send each other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple, Protocol

from turnwise.runner.model_port import Delta


class Piece(NamedTuple):
    """A piece of generated text, with its conversation."""

    conversation: str
    """The name of the conversation."""
    delta: Delta
    """The piece of text."""


class SharedTexts(Protocol):
    """Sends pieces of generated texts to the other processes of a store, a little later, joined and in order.
    They are not stored and may be lost; the whole message is in the journal. A store that has this has an attribute
    `texts`.
    """

    def send(self, piece: Piece) -> None:
        """Send a piece to the other processes, without waiting."""
        ...

    def drop(self, conversation: str) -> None:
        """Drop the pieces of a conversation that wait to be sent, since their message is stored."""
        ...

    def received(self) -> AsyncIterator[Piece]:
        """Yield the pieces of other processes, from now on."""
        ...
