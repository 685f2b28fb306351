"""Makes the events of a stream from the entries of a journal. The same entries always make the same events.

Each event belongs to an entry: a row, a message or a seam to the entry itself, the result of a turn to its `TurnEnded`.
A decision in full belongs to the next request for work, so that it is sent before a model speaks, or to the end of the
turn: until then a failure may undo it. In a flow with secrets everything waits for the end of the turn: only then it is
known which words are secret.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any

from msgspec import Raw

from turnwise.api.app import App
from turnwise.core.machine import Machine
from turnwise.core.secrets import gives_secret
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold_stored
from turnwise.errors import FlowUnavailable
from turnwise.runner.result import Turn
from turnwise.runner.stored import StoredConversation, folded, messages_quoted_by
from turnwise.server.streams.items import AFTER_ENTRY, BEFORE_FIRST, Item, Mode, Position, encode_json, make_item
from turnwise.server.views.event_rows import event_row
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.transcript import ChatTranscript
from turnwise.server.views.turn_messages import turn_messages
from turnwise.server.views.turn_results import result_of
from turnwise.server.wire.stream import EntrySent, EvaluationSent, MessageSent, SeamSent, TurnSent

VERSION_EVENTS = frozenset({e.Started, e.Migrated, e.Snapshot, e.Undone})
"""Events after which the flow's version is looked up."""
_FOLDED = VERSION_EVENTS - {e.Snapshot}
"""Events whose stream items need more than the state at the end of a turn."""
_DECIDED = frozenset({e.EffectAsked, e.TurnEnded})
"""Entries before which every decision so far is final."""
_MESSAGES = frozenset({e.UserSaid, e.UserChose})
PAGE_SIZES = (20, 100, 500)
"""How many entries are read at once where a client catches up: first a few, for one that is cut often."""
MOST_KEPT_MESSAGES = 16
"""How many messages are kept before those that no answer came from are dropped."""


class Derivation:
    """Makes the stream events of one conversation from its entries, in one mode; `state` follows the last entry."""

    def __init__(self, app: App, conversation: str, mode: Mode) -> None:
        self.app = app
        self.conversation = conversation
        self.mode: Mode = mode
        self.stored = StoredConversation(app.runtime.store, conversation)
        self.machine: Machine = app.machine
        self.state: State | None = None
        self._before: State | None = None
        """The state before the current turn."""
        self._turn: list[e.Entry] = []
        """The entries of the current turn so far."""
        self._since: tuple[int, State | None] = (0, None)
        """How many entries of the current turn have their decisions sent, and the state after them."""
        self._builder: ChatTranscript | None = None
        """Builds the messages of the current turn."""
        self._held: list[e.Entry] = []
        """Entries that wait for the end of the turn, since they may hold secrets."""
        self._known: dict[int, e.Entry] = {}
        """The messages that the answers of a form may come from, and the entries that gave secret fields a value."""
        self._stored = 0
        """The last entry that was stored at the beginning: words may have become secret after they were said."""
        self._after = BEFORE_FIRST

    async def begin(self, seq: int, after: Position = BEFORE_FIRST) -> None:
        """Start after the entry at position `seq`, the last entry of a turn; leave out events up to `after`."""
        self._after = after
        stored = await self.app.runtime.store.load(self.conversation) if self.app.machine.has_secrets else None
        self._stored = stored.seq if stored is not None else 0
        self.state = self._before = await self.stored.state_at(seq)
        await self._load_machine()

    @property
    def settled(self) -> Position:
        """The stream position after the last entry whose events are made."""
        if self._held:
            return Position(self._held[0].seq - 1, AFTER_ENTRY)
        return Position(
            self._turn[-1].seq if self._turn else (self.state.seq if self.state is not None else 0), AFTER_ENTRY
        )

    def needs_store(self, entries: Sequence[e.Entry]) -> bool:
        """Return whether `derive` may read the store for these entries."""
        kinds = {type(entry.event) for entry in entries}
        return not kinds.isdisjoint(VERSION_EVENTS) or (self.mode == "debug" and not kinds.isdisjoint(_DECIDED))

    async def derive(self, entries: Iterable[e.Entry]) -> list[Item]:
        """Return the stream events of the next entries."""
        found: list[Item] = []
        for entry in entries:
            own = self._next(entry)
            found += own
            if isinstance(entry.event, e.Started | e.Migrated | e.Undone | e.Snapshot):
                await self._load_machine()
            if isinstance(entry.event, e.TurnEnded):
                found += await self._end(entry, len(own))
            elif isinstance(entry.event, e.EffectAsked) and self.mode == "debug" and not self._held:
                found += await self._evaluations(entry, 1)
        return found

    def derive_now(self, entries: Iterable[e.Entry]) -> list[Item]:
        """Return the stream events of the next entries, for which `needs_store` is false."""
        found: list[Item] = []
        for entry in entries:
            found += self._next(entry)
            if isinstance(entry.event, e.TurnEnded):
                found += self._result(entry, 0)
        return found

    def is_turn(self, entries: Sequence[e.Entry], after: State | None) -> bool:
        """Return whether entries are a whole turn for `derive_turn`; `after` is the state at its end, if known."""
        return (
            self.mode != "debug"
            and after is not None
            and self.state is not None
            and self.state.turn != entries[0].turn
            and after.fingerprint == self.machine.fingerprint
            and not self.machine.has_secrets
            and type(entries[-_has_snapshot(entries) - 1].event) is e.TurnEnded
            and _FOLDED.isdisjoint([type(entry.event) for entry in entries])
        )

    def derive_turn(self, entries: Sequence[e.Entry], after: State) -> tuple[list[Item], bytes | None]:
        """Return the stream events of a whole turn, the same as `derive`; with messages also its result as JSON.
        The snapshot that may follow the end of a turn makes no event but its row, so for a turn with a snapshot the
        result is `None`: the answer of the turn names the position of the snapshot.
        """
        self._turn, self._before, self._builder = list(entries), self.state, None
        self.state = after
        if self.mode == "entries":
            plain = Redaction(self.machine, (), ())  # a flow with secrets does not come here
            return [make_item("entry", event_row(one, plain), Position(one.seq, 1)) for one in entries], None
        has_snapshot = _has_snapshot(entries)
        entries = tuple(entries[:-1] if has_snapshot else entries)
        self._known.update([(one.seq, one) for one in entries if type(one.event) in _MESSAGES])
        turn = Turn(self.conversation, self.machine.for_conversation(after), after, entries, self._before, self._known)
        messages, sent, found, nth = turn_messages(turn), list[Item](), 0, 0
        for seq, message in messages.sent:
            nth = nth + 1 if seq == found else 1
            found = seq
            sent.append(make_item("message", MessageSent(self.conversation, message), Position(seq, nth)))
        result = encode_json(result_of(turn, messages))
        raw: Any = Raw(result)
        sent.append(make_item("turn", TurnSent(self.conversation, raw), Position(entries[-1].seq, 1)))
        self._prune()
        return sent, None if has_snapshot else result

    def _next(self, entry: e.Entry) -> list[Item]:
        """Follow one entry; return its own events."""
        if not self._turn or self._turn[0].turn != entry.turn:
            self._turn, self._before, self._since = [], self.state, (0, self.state)
            self._builder = None
        self._turn.append(entry)
        before = self.state
        self.state = fold_stored(before, entry)
        if type(entry.event) in _MESSAGES or gives_secret(self.machine, entry):
            self._known[entry.seq] = entry
        if self.machine.has_secrets:
            self._held.append(entry)
            return []
        if self._builder is None:
            self._builder = self._new_builder()
        return self._own(entry, before, self.state, self._builder)

    def _new_builder(self) -> ChatTranscript:
        """Return a builder of the messages of a turn; without what is secret in the states before and now."""
        known = {**self._known, **{entry.seq: entry for entry in self._turn}}.values()
        redaction = Redaction(self.machine, (self._before, self.state), tuple(known))
        builder = ChatTranscript(redaction, is_debug=self.mode == "debug")
        builder.know(self._known.values())
        return builder

    def _own(self, entry: e.Entry, before: State | None, after: State | None, builder: ChatTranscript) -> list[Item]:
        """Return the events of an entry itself."""
        is_known = (entry.seq, AFTER_ENTRY) <= self._after
        if self.mode == "entries":
            return [] if is_known else [make_item("entry", event_row(entry, builder.redaction), Position(entry.seq, 1))]
        name, found = self.conversation, list[tuple[str, Any]]()
        messages, seams = len(builder.messages), len(builder.seams)
        last = builder.seams[-1] if builder.seams else None
        builder.add(self.machine.for_conversation(after), entry, before, after)
        if is_known:
            return []
        if self.mode == "debug":
            found.append(("entry", EntrySent(name, event_row(entry, builder.redaction))))
        found += [("message", MessageSent(name, one)) for one in builder.messages[messages:]]
        is_changed = last is not None and builder.seams[seams - 1] is not last
        found += [("seam", SeamSent(name, one)) for one in builder.seams[seams - is_changed :]]
        return [make_item(kind, data, Position(entry.seq, nth)) for nth, (kind, data) in enumerate(found, 1)]

    async def _end(self, entry: e.Entry, sent: int) -> list[Item]:
        """Return the events of the end of a turn, after so many of its entry itself."""
        if (entry.seq, AFTER_ENTRY) <= self._after:
            self._held = []
            return []
        if self.mode != "debug":
            return self._result(entry, 0)
        first = self._released() if self._held else []
        index = sum(one.position is not None and one.position.seq == entry.seq for one in first) or sent or 1
        found = await self._evaluations(entry, index)
        return [*first, *found, *self._result(entry, index + len(found))]

    async def _evaluations(self, entry: e.Entry, index: int) -> list[Item]:
        """Return the decisions in full since the last ones, as events of an entry after so many others."""
        begin, before = self._since
        own = self._turn[begin:]
        self._since = (len(self._turn), self.state)
        is_known = (entry.seq, AFTER_ENTRY) <= self._after
        if is_known or self.state is None or any(isinstance(one.event, e.Erased) for one in own):
            return []
        if not any(isinstance(one.event, e.Decided) for one in own):
            return []
        turns = self.app.runtime.turns
        try:
            turn = await turns.of_entries(self.conversation, own, before, self.state, self._known)
        except FlowUnavailable:
            return []
        found: list[Item] = []
        for evaluation in turn.evaluations:
            data: Any = EvaluationSent(self.conversation, evaluation)
            found.append(make_item("debug_transition_eval", data, Position(entry.seq, index + len(found) + 1)))
        return found

    def _result(self, entry: e.Entry, index: int) -> list[Item]:
        """Return the held events of a turn, and its result."""
        held = self._released() if self._held else []
        if self.mode == "entries":
            return held
        own = max(index, sum(one.position is not None and one.position.seq == entry.seq for one in held))
        assert self.state is not None
        self._prune()
        turn = Turn(
            self.conversation,
            self.machine.for_conversation(self.state),
            self.state,
            tuple(self._turn),
            self._before,
            dict(self._known),
        )
        result = TurnSent(self.conversation, result_of(turn))
        return [*held, make_item("turn", result, Position(entry.seq, own + 1))]

    def _released(self) -> list[Item]:
        """Return the events of the entries that waited for the end of a turn, without what is secret in them."""
        builder, held, self._held = self._new_builder(), self._held, []
        return [item for one in folded(held, self._before) for item in self._own(*one, builder)]

    def _prune(self) -> None:
        """Drop messages that no answer came from."""
        if len(self._known) > MOST_KEPT_MESSAGES and self.state is not None:
            named = messages_quoted_by(self.state)
            kept = [one for one in self._known.values() if one.seq in named or gives_secret(self.machine, one)]
            self._known = {one.seq: one for one in kept}

    async def _load_machine(self) -> None:
        """Find the version of the flow that the conversation goes on with, and the messages that its state names."""
        if self.state is None:
            return
        self.machine = await self.app.runtime.machines.shown_of_state(self.state)
        missing = sorted(messages_quoted_by(self.state) - self._known.keys())
        if missing:
            self._known.update(await self.app.runtime.store.at(self.conversation, missing))
        if self.machine.has_secrets:
            until = max(self.state.seq, self._stored) + 1
            given = await self.app.runtime.turns.secrets.entries_before(self.machine, self.conversation, until)
            self._known.update((entry.seq, entry) for entry in given)


def _has_snapshot(entries: Sequence[e.Entry]) -> bool:
    """Return whether a snapshot follows the end of a turn."""
    return len(entries) > 1 and type(entries[-1].event) is e.Snapshot


async def past_events(app: App, conversation: str, mode: Mode, after: Position) -> AsyncGenerator[list[Item]]:
    """Yield the stored events of a conversation for streams in a `mode` (which kinds they receive) after a position, a
    page at a time.
    """
    derivation = Derivation(app, conversation, mode)
    begin = await derivation.stored.begin_of_turn(after.seq) or 0
    await derivation.begin(begin, after)
    async for entries in derivation.stored.pages(begin, sizes=PAGE_SIZES):
        found = await derivation.derive(entries)
        yield [one for one in found if one.position is not None and one.position > after]
