"""The messages of one turn, made in one pass and with as little folding as possible."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold
from turnwise.runner.result import Turn
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.transcript import SHOWN_EVENTS, ChatTranscript
from turnwise.server.wire.conversations import Message

_QUIET = frozenset({e.Decided, e.WorkDone, e.Warned, e.TurnEnded})
"""Events that change neither the node in charge, nor its form, nor any value."""

_NEEDS_STATE = (e.Said, e.ItemAdded, e.ItemChanged, e.ItemMoved)
"""Events of which a message shows the state after them."""


class TurnMessages(NamedTuple):
    """The messages of a turn: each as it was when its entry came, and all as they are at the end of the turn."""

    sent: tuple[tuple[int, Message], ...]
    """The messages as they were when their entry was written, each with the position of that entry."""
    final: tuple[Message, ...]
    """All messages of the turn, as they are at its end."""
    redaction: Redaction
    """The object that hides the secrets of the turn."""


def turn_messages(turn: Turn) -> TurnMessages:
    """Return the messages of a turn as the chat shows them."""
    has_secrets, named = turn.machine.has_secrets, turn.earlier_entries
    known = (*named.values(), *turn.entries) if has_secrets else ()
    redaction = Redaction(turn.machine, (turn.before, turn.after), known)
    builder = ChatTranscript(redaction, is_debug=False)
    builder.know(named.values())
    states, sent = _States(turn), list[tuple[int, Message]]()
    for index, entry in enumerate(turn.entries):
        if type(entry.event) not in SHOWN_EVENTS:
            continue
        count = len(builder.messages)
        before = turn.before if isinstance(entry.event, e.UserChose) else None
        if isinstance(entry.event, e.ItemRemoved):
            before = states.after(index - 1)
        after = states.after(index) if isinstance(entry.event, _NEEDS_STATE) else None
        builder.add(turn.machine, entry, before, after)
        sent += [(entry.seq, message) for message in builder.messages[count:]]
    return TurnMessages(tuple(sent), tuple(builder.messages), redaction)


class _States:
    """The states after entries of a turn. After the last event that changes what clients see of a form, the state is
    taken from the end of the turn; before, entries are folded.
    """

    def __init__(self, turn: Turn) -> None:
        self.entries = turn.entries
        self.end = turn.after
        self.quiet_from = len(turn.entries)
        """The index from which on only quiet events follow."""
        while self.quiet_from and type(turn.entries[self.quiet_from - 1].event) in _QUIET:
            self.quiet_from -= 1
        self._state = turn.before
        self._folded = 0

    def after(self, index: int) -> State | None:
        """Return the state after an entry; indexes must not decrease."""
        if index + 1 >= self.quiet_from:
            return self.end
        for entry in self.entries[self._folded : index + 1]:
            self._state = fold(self._state, entry)
        self._folded = index + 1
        return self._state
