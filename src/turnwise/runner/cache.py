"""What is known of the conversations that were active last, so that a turn reads nothing."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

MOST = 1024
"""How many conversations are known; a parked conversation costs no memory."""

Known = TypeVar("Known")


class Cache(Generic[Known]):
    """What is known by conversation; the one that was used least lately makes room. It may be old where another
    process has served the conversation: the next commit finds out.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._known: OrderedDict[str, Known] = OrderedDict()

    def get(self, conversation: str) -> Known | None:
        """What was put last."""
        found = self._known.get(conversation)
        if found is not None:
            self._known.move_to_end(conversation)
        return found

    def put(self, conversation: str, known: Known) -> None:
        """Remember something."""
        self._known[conversation] = known
        self._known.move_to_end(conversation)
        if len(self._known) > self.most:
            self._known.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()

    def drop(self, conversation: str) -> None:
        """Forget it."""
        self._known.pop(conversation, None)
