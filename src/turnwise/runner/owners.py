"""Which chat is at work on a conversation, where several chats of a process share one store object.

A store knows its own claims from those of other processes, and not whose of its chats they are.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from turnwise.runner.ports import Store


class Owners:
    """Conversations and who is at work on each. Chats in several threads may ask at once."""

    def __init__(self) -> None:
        self._owners: dict[str, object] = {}

    def take(self, conversation: str, owner: object) -> bool:
        """Make a conversation one's own; false where it is another's."""
        return self._owners.setdefault(conversation, owner) is owner

    def give_back(self, conversation: str) -> None:
        """Let others have it."""
        self._owners.pop(conversation, None)

    def has(self, conversation: str) -> bool:
        """True if somebody is at work on it."""
        return conversation in self._owners


_KNOWN: WeakKeyDictionary[Store, Owners] = WeakKeyDictionary()


def owners_of(store: Store) -> Owners:
    """What all chats over a store object have in common; a store that nobody can refer to weakly is one chat's."""
    try:
        return _KNOWN.setdefault(store, Owners())
    except TypeError:
        return Owners()
