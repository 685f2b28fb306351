"""The latest states of the conversations that were active last, so that a turn reads nothing."""

from __future__ import annotations

from collections import OrderedDict

from turnwise.core.state import State

MOST = 1024
"""How many states are kept; a parked conversation costs no memory."""


class States:
    """States by conversation; the one that was used least lately makes room. A state of the cache may be
    old where another process has served the conversation: its next commit finds out.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._states: OrderedDict[str, State] = OrderedDict()

    def get(self, conversation: str) -> State | None:
        """The state that was put last."""
        state = self._states.get(conversation)
        if state is not None:
            self._states.move_to_end(conversation)
        return state

    def put(self, conversation: str, state: State) -> None:
        """Remember a state."""
        self._states[conversation] = state
        self._states.move_to_end(conversation)
        if len(self._states) > self.most:
            self._states.popitem(last=False)

    def drop(self, conversation: str) -> None:
        """Forget a state."""
        self._states.pop(conversation, None)
