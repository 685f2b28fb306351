"""Caches states and transcripts of the most recently active conversations, so that a turn need not read the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from operator import attrgetter
from typing import Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.prompts.transcript import Line, TranscriptBuilder, lines, opening_message
from turnwise.core.prompts.window import (
    holds_window,
    is_shown,
    last_of_user,
    open_calls,
    transcript_setting,
    turns_of,
    window,
    without_undone,
)
from turnwise.core.secrets import (
    Values,
    former_secrets,
    gives_secret,
    joined_values,
    message_without_values,
    secret_values,
)
from turnwise.core.state import State
from turnwise.core.state.effects import Message
from turnwise.core.state.events import Entry, ModelReplied, ScopeClosed, ScopeOpened, UserChose, UserSaid

MOST_CONVERSATIONS = 1024
"""How many conversations a cache holds; a conversation that rests needs no memory."""

_PARTS_OF_TURN = 4
"""How many entries a turn has in a transcript, as a rule: a message, a call, its result, a reply. More are read where
turns have more.
"""

_CUT_TOGETHER = 8
"""The lines of so many turns leave a transcript at once: to look for them takes as long for one turn as for all."""

_OF_FRAMES = (ScopeOpened, ScopeClosed)

Value = TypeVar("Value")
"""The type of the cached values."""


class Cache(Generic[Value]):
    """An LRU cache with one value per conversation, which may be outdated if another process has written it.
    The next commit detects that.
    """

    def __init__(self, most: int = MOST_CONVERSATIONS) -> None:
        self.most = most
        self._values: OrderedDict[str, Value] = OrderedDict()

    def get(self, conversation: str) -> Value | None:
        """Return the cached value of a conversation; `None` if there is none."""
        found = self._values.get(conversation)
        if found is not None:
            self._values.move_to_end(conversation)
        return found

    def put(self, conversation: str, value: Value) -> None:
        """Store the value of a conversation."""
        self._values[conversation] = value
        self._values.move_to_end(conversation)
        if len(self._values) > self.most:
            self._values.popitem(last=False)

    def clear(self) -> None:
        """Drop all values."""
        self._values.clear()

    def drop(self, conversation: str) -> None:
        """Drop the cached value of a conversation."""
        self._values.pop(conversation, None)


class _Beginning(Struct, frozen=True, gc=False):
    """What decides which lines a window may show: the frame, the position after which it began, the turns that an undo
    took back, and the message outside that the frame knows.
    """

    frame: int
    after: int
    undone: tuple[tuple[int, int], ...]
    message: int


class _CachedLines(Struct, frozen=True, gc=False):
    """The last lines of a transcript up to a position, how the transcript begins, and the turn in which lines left it
    last.
    """

    seq: int
    begin: _Beginning
    lines: tuple[Line, ...]
    cut: int = 0


class _SecretEntries(Struct, frozen=True, gc=False):
    """The entries that gave secret fields a value, up to a last entry."""

    last: Entry
    entries: tuple[Entry, ...]


class _OpenTranscript:
    """The transcript during a turn; `entries` of the turn may grow."""

    __slots__ = ("_builder", "_count", "begin", "entries")

    def __init__(self, entries: Sequence[Entry], begin: _Beginning, builder: TranscriptBuilder) -> None:
        self.entries = entries
        self.begin = begin
        self._builder = builder
        self._count = 0

    def lines(self) -> tuple[Line, ...]:
        """Return the transcript with all entries so far."""
        new = self.entries[self._count :]
        if new and new[0].seq <= self.begin.after:
            new = [entry for entry in new if entry.seq > self.begin.after]
        self._builder.add(new, {})
        self._count = len(self.entries)
        return self._builder.lines()

    def is_of(self, entries: Sequence[Entry], begin: _Beginning) -> bool:
        """Return whether it is the transcript of a turn with these entries and this start of the frame."""
        return self.begin == begin and self.entries[0] is entries[0] and self.entries[-1] is entries[-1]


class SaidEntries(Protocol):
    """The source that transcripts are read from: a store, or a store as it was at an earlier position."""

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[Entry, ...]:
        """Return the last `limit` entries with a message or reply after position `after`, of one frame or of all."""
        ...

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries after position `after` up to and including `until` (`None`: up to the last), in order."""
        ...


class GivenSecrets:
    """Finds the entries that gave a value to secret fields: a later text may repeat a former value."""

    def __init__(self, store: SaidEntries) -> None:
        self.store = store
        self._given: Cache[_SecretEntries] = Cache()

    async def entries_before(self, machine: Machine, conversation: str, seq: int) -> tuple[Entry, ...]:
        """Return the entries before position `seq` that gave a value to a secret field. The entry at which the last
        reading ended is read again: the conversation may have been deleted and begun again under its name.
        """
        known = self._given.get(conversation)
        if known is not None and known.last.seq == seq - 1:
            return known.entries
        read = await self.store.entries(conversation, known.last.seq - 1 if known is not None else 0, seq - 1)
        if known is not None and read[:1] != (known.last,):
            known, read = None, await self.store.entries(conversation, 0, seq - 1)
        new = read[1:] if known is not None else read
        found = (known.entries if known is not None else ()) + tuple([one for one in new if gives_secret(machine, one)])
        if read:
            self._given.put(conversation, _SecretEntries(read[-1], found))
        return found

    def add(self, machine: Machine, conversation: str, entries: Sequence[Entry]) -> None:
        """Add the entries of a turn, if those before it are cached; then `entries_before` need not read them."""
        known = self._given.get(conversation) if entries[0].seq > 1 else None
        if entries[0].seq == (known.last.seq + 1 if known is not None else 1):
            new = tuple([one for one in entries if gives_secret(machine, one)])
            self._given.put(
                conversation, _SecretEntries(entries[-1], (known.entries if known is not None else ()) + new)
            )

    def drop(self, conversation: str) -> None:
        """Drop the cached entries of a conversation."""
        self._given.drop(conversation)


class TranscriptWindows:
    """Returns the part of a transcript that a model is shown, and caches transcripts."""

    def __init__(self, store: SaidEntries) -> None:
        self.store = store
        self._known: Cache[_CachedLines] = Cache()
        self._around: Cache[dict[int, _CachedLines]] = Cache()
        """Of each conversation the lines of the frames around the one in charge, by their ids."""
        self._under_way: Cache[_OpenTranscript] = Cache()
        self._secrets = GivenSecrets(store)

    async def messages(
        self, machine: Machine, conversation: str, state: State, recent: Sequence[Entry]
    ) -> tuple[Message, ...]:
        """Return the messages of the window in the middle of a turn; `recent` are the turn's entries so far.
        The store may not have these yet; as long as the same list grows, each entry is read once.
        """
        return tuple(map(_message_of, await self.lines(machine, conversation, state, recent)))

    async def lines(
        self, machine: Machine, conversation: str, state: State, recent: Sequence[Entry]
    ) -> tuple[Line, ...]:
        """Return the part of the transcript that a model is shown, as lines; `recent`: this turn's entries so far."""
        calls = open_calls(state, recent)
        if machine.has_secrets:
            return await self._without_secrets(machine, conversation, state, recent, calls)
        begin = _beginning(state)
        turn = self._under_way.get(conversation)
        if turn is None or turn.entries is not recent or turn.begin != begin:
            earlier = await self._before(machine, conversation, state, recent[0].seq - 1, calls)
            turn = _OpenTranscript(recent, begin, TranscriptBuilder(machine, earlier, begin.frame, begin.message))
            self._under_way.put(conversation, turn)
        return window(turn.lines(), machine.flow.limits.window, state, calls, transcript_setting(machine, state))

    async def _without_secrets(
        self, machine: Machine, conversation: str, state: State, recent: Sequence[Entry], calls: frozenset[str]
    ) -> tuple[Line, ...]:
        """Return the window without secrets. It is not cached, for any word may turn out to be a secret."""
        found = await self._entries(machine, conversation, state, recent[0].seq - 1, calls)
        entries = [*found, *[entry for entry in recent if entry.seq > state.frame.transcript_from]]
        values = await self.secrets(machine, conversation, state, recent)
        most, all_lines = machine.flow.limits.window, lines(machine, state, entries)
        shown = window(all_lines, most, state, calls, transcript_setting(machine, state))
        return tuple([replace(line, message=message_without_values(line.message, values)) for line in shown])

    async def secrets(self, machine: Machine, conversation: str, state: State, recent: Sequence[Entry]) -> Values:
        """Return present and former values of secret fields, also those from the entries of this turn (`recent`)."""
        if not machine.has_secrets:
            return ()
        given = await self._secrets.entries_before(machine, conversation, recent[0].seq)
        return joined_values(secret_values(machine, state), former_secrets(machine, [*given, *recent]))

    async def _before(
        self, machine: Machine, conversation: str, state: State, seq: int, calls: frozenset[str]
    ) -> tuple[Line, ...]:
        """Return the last lines of the transcript before a turn."""
        begin, known = _beginning(state), self._known.get(conversation)
        if known is not None and (known.seq, known.begin) == (seq, begin):
            return known.lines
        if begin.after >= seq and not 0 < begin.message <= seq:
            earlier = tuple[Line, ...]()  # the frame was opened in this turn
        else:
            earlier = await self._again(machine, conversation, state, seq, calls)
            if earlier is None:
                earlier = lines(machine, state, await self._entries(machine, conversation, state, seq, calls))
        if known is not None and known.begin.frame != begin.frame:
            self._around.put(conversation, {**(self._around.get(conversation) or {}), known.begin.frame: known})
        self._known.put(conversation, _CachedLines(seq, begin, earlier))
        return earlier

    async def _again(
        self, machine: Machine, conversation: str, state: State, seq: int, calls: frozenset[str]
    ) -> tuple[Line, ...] | None:
        """Return the lines of a frame around a scope that was closed in this turn: those known from before it was
        opened, and what was added since; `None` if they are not known.
        """
        begin = _beginning(state)
        around = (self._around.get(conversation) or {}).get(begin.frame)
        if around is None or around.begin != begin or calls:
            return None
        if around.seq == seq:
            return around.lines
        limit = _PARTS_OF_TURN * (machine.flow.limits.window + 2)
        read = await self.store.window(conversation, around.seq, limit, begin.frame)
        if len(read) >= limit:
            return None
        return lines(machine, state, [entry for entry in read if entry.seq <= seq], around.lines)

    def _keep_around(
        self,
        machine: Machine,
        conversation: str,
        state: State,
        known: _CachedLines,
        entries: Sequence[Entry],
        around: dict[int, _CachedLines],
    ) -> _CachedLines:
        """Add a whole turn to the lines of the frames around the one in charge, and drop those of closed frames. Return
        the lines that are known of the frame in charge: where no model spoke in a scope, those from before it.
        """
        begin = _beginning(state)
        if known.begin.frame != begin.frame:
            around = {**around, known.begin.frame: known}
            known = around.get(begin.frame, known)
        changes = any(type(one.event) in _OF_FRAMES for one in entries)
        kept: dict[int, _CachedLines] = {}
        for frame in state.frames[:-1]:
            one = around.get(frame.id)
            if one is not None and one.seq == entries[0].seq - 1 and one.begin.undone == begin.undone:
                found = _with_turn(machine, one, entries) if changes else one.lines  # a turn inside adds nothing to it
                kept[frame.id] = replace(one, seq=entries[-1].seq, lines=found)
        if kept:
            self._around.put(conversation, kept)
        else:
            self._around.drop(conversation)
        return known

    async def _entries(
        self, machine: Machine, conversation: str, state: State, seq: int, calls: frozenset[str]
    ) -> list[Entry]:
        """Return as many of the last entries up to a position as a window needs that shows the turns of some calls."""
        begin, most = _beginning(state), machine.flow.limits.window
        limit = _PARTS_OF_TURN * (most + 2)
        while True:
            read = await self.store.window(conversation, begin.after, limit, begin.frame)
            found = [entry for entry in read if entry.seq <= seq]
            said = [entry.turn for entry in found if isinstance(entry.event, UserSaid | UserChose)]
            said = [turn for turn in said if is_shown(state, turn)]
            is_held = _has_replies(calls, found) and holds_window(
                (one.turn for one in found), max(said, default=0), most, state
            )
            if len(read) < limit or is_held:
                return [*await self._message(conversation, state, read, limit, seq), *found]
            limit *= 2

    async def _message(
        self, conversation: str, state: State, read: Sequence[Entry], limit: int, seq: int
    ) -> tuple[Entry, ...]:
        """Return the message that opened the scope in charge, if it knows that, its beginning is read, and the message
        stands up to a position: that of the present turn is among the turn's entries.
        """
        place = opening_message(state)
        is_before = 0 < place <= seq and len(read) < limit and not any(entry.seq == place for entry in read)
        return await self.store.entries(conversation, place - 1, place) if is_before else ()

    def drop(self, conversation: str) -> None:
        """Drop the cached transcript of a conversation, which contains entries that are not stored."""
        self._known.drop(conversation)
        self._around.drop(conversation)
        self._under_way.drop(conversation)
        self._secrets.drop(conversation)

    def add_turn(self, machine: Machine, conversation: str, state: State, entries: Sequence[Entry]) -> None:
        """Add the entries of a whole turn, if the transcript of its conversation is cached."""
        if machine.has_secrets:
            self._secrets.add(machine, conversation, entries)
        known = self._known.get(conversation)
        if known is None:
            return
        turn, begin = self._under_way.get(conversation), _beginning(state)
        self._under_way.drop(conversation)
        if machine.has_scopes:
            around = self._around.get(conversation)
            if around is not None or known.begin.frame != begin.frame:
                known = self._keep_around(machine, conversation, state, known, entries, around or {})
        if (known.seq, known.begin) != (entries[0].seq - 1, begin):
            self._known.drop(conversation)
            return
        if turn is None or not turn.is_of(entries, begin):
            turn = _OpenTranscript(entries, begin, TranscriptBuilder(machine, known.lines, begin.frame, begin.message))
        found, cut = turn.lines(), known.cut
        if state.turn >= cut + _CUT_TOGETHER and found[:1] and found[0].turn <= state.turn - machine.flow.limits.window:
            found, cut = _last(found, machine.flow.limits.window, state), state.turn
        self._known.put(conversation, _CachedLines(state.seq, begin, found, cut))


_message_of = attrgetter("message")


def _with_turn(machine: Machine, known: _CachedLines, entries: Sequence[Entry]) -> tuple[Line, ...]:
    """Return the lines of a frame with those that a turn added to it: one that opens a scope has some of both."""
    builder = TranscriptBuilder(machine, known.lines, known.begin.frame, known.begin.message)
    builder.add(entries, {})
    return builder.lines()


def _has_replies(calls: frozenset[str], found: Sequence[Entry]) -> bool:
    """Return whether entries have the replies that made some calls before the last turn, with their whole turns."""
    if not calls:
        return True
    made = {call.id: one.turn for one in found if isinstance(one.event, ModelReplied) for call in one.event.calls}
    first = found[0].turn if found else 0
    return all(made.get(call, first) > first for call in calls)


def _beginning(state: State) -> _Beginning:
    return _Beginning(state.frame.id, state.frame.transcript_from, state.undone, opening_message(state))


def _last(found: tuple[Line, ...], most: int, state: State) -> tuple[Line, ...]:
    """Return the lines that windows of later turns may show."""
    shown = without_undone(found, state) if state.undone else found
    begin = min(sorted({line.turn for line in shown})[-most - 1 :], default=0)
    calls = open_calls(state, ())
    kept = turns_of(calls, shown) if calls else frozenset[int]()
    said = last_of_user(shown)
    return tuple([line for line in shown if line.turn >= begin or line.turn in kept or line is said])
