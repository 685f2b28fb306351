"""The transcript of each conversation that was active last, so that no turn reads it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnwise.core.events import Entry
from turnwise.core.machine import Machine
from turnwise.core.messages import Message
from turnwise.core.state import State
from turnwise.core.transcript import Line, is_part, lines, window
from turnwise.runner.cache import Cache
from turnwise.runner.ports import Store


class _Known(NamedTuple):
    """The last lines of a transcript: up to which position, and after which its frame began."""

    seq: int
    begin: int
    lines: tuple[Line, ...]


class Windows:
    """Gives the window of a transcript that a model is shown."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: Cache[_Known] = Cache()

    async def of(
        self, machine: Machine, conversation: str, state: State, recent: Sequence[Entry]
    ) -> tuple[Message, ...]:
        """The window in the middle of a turn, whose entries the store may not have yet."""
        earlier = await self._before(machine, conversation, state, recent[0].seq - 1)
        begin = state.frame.transcript_from
        here = [entry for entry in recent if entry.seq > begin]
        return window(lines(machine, state, here, earlier), machine.flow.limits.window)

    async def _before(self, machine: Machine, conversation: str, state: State, seq: int) -> tuple[Line, ...]:
        """What was said before a turn. Two entries make a message at the most, and one more shows where to begin."""
        begin = state.frame.transcript_from
        known = self._known.get(conversation)
        if known is not None and (known.seq, known.begin) == (seq, begin):
            return known.lines
        found = await self.store.window(conversation, begin, 2 * machine.flow.limits.window + 2)
        earlier = lines(machine, state, [entry for entry in found if entry.seq <= seq])
        self._known.put(conversation, _Known(seq, begin, earlier))
        return earlier

    def ended(self, machine: Machine, conversation: str, state: State, entries: Sequence[Entry]) -> None:
        """Add what was said in a turn, where its transcript is known."""
        known, begin = self._known.get(conversation), state.frame.transcript_from
        if known is None:
            return
        if (known.seq, known.begin) != (entries[0].seq - 1, begin):
            self._known.drop(conversation)
            return
        said = [entry for entry in entries if is_part(entry.event)]
        most = 2 * machine.flow.limits.window + 2
        self._known.put(conversation, _Known(state.seq, begin, lines(machine, state, said, known.lines)[-most:]))
