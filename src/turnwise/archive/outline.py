"""The outline of a conversation without words or values: turns, decisions, moves, and counts of its transitions.

It is made in one pass over the journal, and extended by the entries that have come since.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast
from weakref import WeakValueDictionary

from msgspec.json import encode

from turnwise.archive.decision_words import VerdictWords, act_words
from turnwise.archive.frames import FrameLog
from turnwise.archive.spending import TurnSpending, add_spending
from turnwise.archive.timeline_events import OverlaySpan, TimelineEvent, add_overlays, timeline_event
from turnwise.core.explain.decision import explain
from turnwise.core.explain.headline import Happened, Headline, headline
from turnwise.core.explain.history import Tally
from turnwise.core.explain.now import MOMENTS
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RunTool
from turnwise.core.state.in_charge import visited_nodes
from turnwise.core.state.read_lists import with_lists
from turnwise.core.trace import Outcome
from turnwise.flow.model import Moment
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.stored import Folded, StoredConversation, unknown_conversation

Began = Literal[
    "started", "said", "chose", "commands", "tool", "timer", "schedule", "event", "continued", "undo", "person", ""
]
"""What began a turn: `said` is a message, `chose` a button, `tool` one that the host used itself, `continued` an
autonomous flow; it is empty where retention erased it.
"""


class TurnLine(NamedTuple):
    """A turn in the outline of a conversation."""

    turn: int
    """The number of the turn."""
    first_seq: int
    """The position of the turn's first entry in the journal."""
    last_seq: int
    """The position of the turn's last entry in the journal."""
    at_ms: int
    """When the turn began, in milliseconds since 1970."""
    began: Began
    """The kind of event that began the turn."""
    node: str
    """The node in which the turn ended."""
    frame: int = 0
    """The id of the frame in which the turn ended; 0 for the conversation itself."""
    depth: int = 0
    """How many frames are around the frame in which the turn ended."""


class DecisionLine(NamedTuple):
    """A decision in the outline of a conversation, or an act of a person, which judged nothing (moment `person`)."""

    seq: int
    """The position of the decision in the journal."""
    turn: int
    """The number of the decision's turn."""
    at_ms: int
    """When the decision was made, in milliseconds since 1970."""
    node: str
    """The node at which the decision was made."""
    moment: str
    """The moment that was judged, such as `before` or `after`; `person` for an act of a person."""
    mark: Outcome
    """The outcome that stands for the whole decision: of the candidate that was taken or blocked, else of one in error,
    else of the nearest one."""
    happened: Happened | Literal["acted"]
    """What the decision did; `acted` for an act of a person."""
    target: str
    """The node that was entered; empty if none was."""
    transition: str
    """The transition that was taken; empty if none was."""
    candidates: tuple[str, ...]
    """The names of the transitions that were judged, in order."""
    outcomes: str
    """The outcome of each candidate, as one letter each, in their order."""
    frame: int = 0
    """The id of the frame in which the decision was made; 0 for the conversation itself."""
    depth: int = 0
    """How many frames are around the frame of the decision."""
    act: Mapping[str, VerdictWords] = {}
    """What a person did, by the code of each language of the page; empty for a decision."""
    planned: str = ""
    """The node that is entered with the next message; empty if none is planned."""


class MoveLine(NamedTuple):
    """A move in the outline of a conversation from one node to another, also where a scope was opened or closed."""

    seq: int
    """The position of the move in the journal."""
    turn: int
    """The number of the move's turn."""
    source: str
    """The node that was left."""
    target: str
    """The node that was entered."""


class Outline:
    """The outline of one conversation, up to a position: its turns, decisions and moves."""

    def __init__(self, conversation: str) -> None:
        self.conversation = conversation
        self.seq = 0
        self.began_ms = 0
        self.is_cut = False
        self.first_kept = 1
        """The position of the first entry that retention has not erased."""
        self.turns: list[TurnLine] = []
        self.decisions: list[DecisionLine] = []
        self.moves: list[MoveLine] = []
        self.commits: list[int] = []
        self.frames = FrameLog()
        self.spending: list[TurnSpending] = []
        self.events: list[TimelineEvent] = []
        self.overlays: list[OverlaySpan] = []
        self.undone: set[int] = set()
        """The turns that a later undo took back."""
        self.visits: Counter[str] = Counter()
        self.tally = Tally()
        self.fingerprint = ""
        self._known: set[str] = set()

    def add(self, machine: Machine | None, folded: Folded, explained: dict[bytes, Headline]) -> None:
        """Add an entry with the states around it; `explained` caches headlines of decisions by their hash."""
        entry, state, after = folded
        event = entry.event
        self.seq = entry.seq
        if entry.seq == 1:
            self.began_ms = entry.at_ms
        self._turn(entry, state)
        self.frames.add(folded)
        add_spending(self.spending, entry)
        if (shown := timeline_event(entry)) is not None:
            self.events.append(shown)
            add_overlays(self.overlays, entry)
        match event:
            case e.Decided() if machine is not None and state is not None:
                self._decided(machine, entry, event, state, explained)
            case e.Moved() | e.ScopeOpened() | e.ScopeClosed() if state is not None and after is not None:
                self.moves.append(MoveLine(entry.seq, entry.turn, state.node, after.node))
            case e.Undone(to=to, state=then):
                self.undone.update(range(to + 1, entry.turn))
                self.moves.append(MoveLine(entry.seq, entry.turn, self.turns[-1].node, then.node))
            case e.EffectAsked(effect=CallModel() | RunTool()) | e.TurnRestarted():
                self.commits.append(entry.seq)
            case e.TurnEnded() | e.Forked():
                self.commits.append(entry.seq)
            case e.Erased():
                self.is_cut = True
                self.first_kept = entry.seq + 1
            case _:
                self._acted(entry, state)
        self.visits.update(visited_nodes(event))
        if after is not None and after.node != self.turns[-1].node:
            self.turns[-1] = self.turns[-1]._replace(node=after.node, frame=after.frame.id, depth=len(after.outer))

    def add_machine(self, machine: Machine) -> None:
        """Add every transition of a flow version, also those that were never judged."""
        if machine.fingerprint not in self._known:
            self._known.add(machine.fingerprint)
            self.tally.add_machine(machine, MOMENTS)

    def _turn(self, entry: e.Entry, state: State | None) -> None:
        last = self.turns[-1] if self.turns else None
        began = _BEGAN.get(type(entry.event), "")
        if last is None or last.turn != entry.turn:
            node = entry.event.node if isinstance(entry.event, e.Started) else state.node if state is not None else ""
            frame, depth = (state.frame.id, len(state.outer)) if state is not None else (0, 0)
            self.turns.append(TurnLine(entry.turn, entry.seq, entry.seq, entry.at_ms, began, node, frame, depth))
        else:
            self.turns[-1] = last._replace(last_seq=entry.seq, began=began or last.began)

    def _acted(self, entry: e.Entry, state: State | None) -> None:
        """Add an act of a person, if the entry is one, as a line of the moment `person` without candidates."""
        act = act_words(entry.event, entry.at_ms, state.person if state is not None else None, "")
        if not act:
            return
        about = entry.seq, entry.turn, entry.at_ms, self.turns[-1].node
        line = DecisionLine(*about, "person", "not_reached", "acted", "", "", (), "", act=act)
        self.decisions.append(_in_frame(line, state))

    def _decided(
        self, machine: Machine, entry: e.Entry, decided: e.Decided, state: State, explained: dict[bytes, Headline]
    ) -> None:
        candidates = machine.candidates(decided.node, cast("Moment", decided.moment)).all
        self.add_machine(machine)
        self.tally.add(machine, decided)
        found = _headline(machine, entry, decided, state, explained)
        self.decisions.append(
            DecisionLine(
                entry.seq,
                entry.turn,
                entry.at_ms,
                decided.node,
                decided.moment,
                found.mark,
                found.happened,
                found.target if found.happened == "moved" else "",
                found.transition,
                tuple([candidate.id for candidate in candidates]),
                decided.outcomes,
                state.frame.id,
                len(state.outer),
                planned=found.target if found.happened == "stayed" else "",
            )
        )


def _in_frame(line: DecisionLine, state: State | None) -> DecisionLine:
    return line._replace(frame=state.frame.id, depth=len(state.outer)) if state is not None else line


_BEGAN: dict[type, Began] = {
    e.Started: "started",
    e.UserSaid: "said",
    e.UserChose: "chose",
    e.Commands: "commands",
    e.ToolUsed: "tool",
    e.TimerFired: "timer",
    e.ScheduleDue: "schedule",
    e.EventReceived: "event",
    e.Continued: "continued",
    e.UndoAsked: "undo",
    e.TakenOver: "person",
    e.OperatorSaid: "person",
    e.GivenBack: "person",
}


def _headline(
    machine: Machine, entry: e.Entry, decided: e.Decided, state: State, explained: dict[bytes, Headline]
) -> Headline:
    """Return a decision in short; equal ones are explained once."""
    decided = with_lists(decided, state)
    parts: Any = (machine.fingerprint, decided.node, decided.moment, decided.outcomes, decided.taken, decided.reads)
    key = encode((*parts, decided.code))
    found = explained.get(key)
    if found is None:
        found = explained[key] = headline(explain(machine, entry, state=state))
    return found


# the cache ---------------------------------------------------------------------------------------


class Outlines:
    """The outlines of the last requested conversations; each is extended by the entries that came since."""

    def __init__(self, store: Store, machines: AnyMachines, most: int = 64) -> None:
        self.store = store
        self.machines = machines
        self.most = most
        self._kept: OrderedDict[str, Outline] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Held by one reader of a conversation at a time, so that two do not read the same entries."""

    async def outline(self, conversation: str) -> Outline:
        """Return the outline of a conversation up to its last entry. Raises `UnknownConversation`."""
        async with self._locks.setdefault(conversation, asyncio.Lock()):
            return await self._of(conversation)

    async def _of(self, conversation: str) -> Outline:
        outline = self._kept.pop(conversation, None)
        if outline is None or not await self._is_current(outline):
            outline = Outline(conversation)
        await self._extend(outline)
        if not outline.seq:
            raise await unknown_conversation(self.store, conversation)
        self._kept[conversation] = outline
        if len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return outline

    def drop(self, conversation: str) -> None:
        """Drop the outline of a conversation that was deleted."""
        self._kept.pop(conversation, None)

    async def _is_current(self, outline: Outline) -> bool:
        """Return whether the journal is still the one that an outline is of: not begun anew, and nothing was erased."""
        found = await self.store.at(outline.conversation, [1, outline.first_kept, outline.seq])
        if outline.seq not in found or 1 not in found or found[1].at_ms != outline.began_ms:
            return False
        kept = found.get(outline.first_kept)
        return kept is not None and not isinstance(kept.event, e.Erased)

    async def _extend(self, outline: Outline) -> None:
        explained: dict[bytes, Headline] = {}
        async for one in StoredConversation(self.store, outline.conversation).folded(outline.seq):
            known = one.after or one.before
            if known is not None:
                outline.fingerprint = known.fingerprint
            machine = await self.machines.for_display(outline.fingerprint) if known is not None else None
            outline.add(machine, one, explained)
