"""States and transcripts of the conversations that were active last, so that a turn reads nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from turnwise.core.machine import Machine
from turnwise.core.prompts.transcript import Line, Telling, lines, window
from turnwise.core.secrets import message_without, secret_values
from turnwise.core.state import State
from turnwise.core.state.effects import Message
from turnwise.core.state.events import Entry
from turnwise.runner.ports import Store

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


class _Known(NamedTuple):
    """The last lines of a transcript: up to which position, and after which its frame began."""

    seq: int
    begin: int
    lines: tuple[Line, ...]


class _UnderWay:
    """What was told of the turn that is under way, and of how many of its entries."""

    __slots__ = ("begin", "entries", "telling", "told")

    def __init__(self, entries: Sequence[Entry], begin: int, telling: Telling) -> None:
        self.entries = entries
        self.begin = begin
        self.telling = telling
        self.told = 0

    def lines(self) -> tuple[Line, ...]:
        """The transcript with all entries that there are by now."""
        new = self.entries[self.told :]
        if new and new[0].seq <= self.begin:
            new = [entry for entry in new if entry.seq > self.begin]
        self.telling.add(new, {})
        self.told = len(self.entries)
        return self.telling.lines()

    def is_of(self, entries: Sequence[Entry], begin: int) -> bool:
        """Whether it is of a turn with these entries, whose frame began there."""
        return self.begin == begin and self.entries[0] is entries[0] and self.entries[-1] is entries[-1]


class Windows:
    """Gives the window of a transcript that a model is shown."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: Cache[_Known] = Cache()
        self._under_way: Cache[_UnderWay] = Cache()

    async def of(
        self, machine: Machine, conversation: str, state: State, recent: Sequence[Entry]
    ) -> tuple[Message, ...]:
        """The window in the middle of a turn, whose entries the store may not have yet: `recent`. As long as the same
        list grows, each is told once.
        """
        if machine.has_secrets:
            return await self._anew(machine, conversation, state, recent)
        begin = state.frame.transcript_from
        turn = self._under_way.get(conversation)
        if turn is None or turn.entries is not recent or turn.begin != begin:
            earlier = await self._before(machine, conversation, state, recent[0].seq - 1)
            turn = _UnderWay(recent, begin, Telling(machine, earlier))
            self._under_way.put(conversation, turn)
        return window(turn.lines(), machine.flow.limits.window)

    async def _anew(
        self, machine: Machine, conversation: str, state: State, recent: Sequence[Entry]
    ) -> tuple[Message, ...]:
        """The window where there are secrets: all is told anew, for any word may turn out to be one. A third entry
        for each message says where they stand.
        """
        begin, most = state.frame.transcript_from, machine.flow.limits.window
        found = await self.store.window(conversation, begin, 3 * most + 2)
        entries = [entry for entry in found if entry.seq < recent[0].seq]
        entries += [entry for entry in recent if entry.seq > begin]
        values = secret_values(machine, state)
        told = window(lines(machine, state, entries), most)
        return tuple([message_without(message, values) for message in told]) if values else told

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

    def drop(self, conversation: str) -> None:
        """Know nothing of a conversation: what was added is not so."""
        self._known.drop(conversation)
        self._under_way.drop(conversation)

    def ended(self, machine: Machine, conversation: str, state: State, entries: Sequence[Entry]) -> None:
        """Add what was said in a turn, where its transcript is known."""
        known, begin = self._known.get(conversation), state.frame.transcript_from
        turn = self._under_way.get(conversation)
        self._under_way.drop(conversation)
        if known is None:
            return
        if (known.seq, known.begin) != (entries[0].seq - 1, begin):
            self._known.drop(conversation)
            return
        if turn is None or not turn.is_of(entries, begin):
            turn = _UnderWay(entries, begin, Telling(machine, known.lines))
        said = turn.lines()
        self._known.put(conversation, _Known(state.seq, begin, said[-2 * machine.flow.limits.window - 2 :]))
