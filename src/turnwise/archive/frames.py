"""The frames of a conversation: the conversation itself and each scope that was opened in it, also those that were
closed. They are collected in one pass over the journal, without words or values.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.archive.conversation_names import title_of_node
from turnwise.core.machine import Machine
from turnwise.core.prompts.tokens_saved import TokensSaved, tokens_saved
from turnwise.core.state import Frame, OpenedBy, OpenScope, State
from turnwise.core.state import events as e
from turnwise.core.state.retention import erasure_text
from turnwise.errors import UnknownFrame
from turnwise.flow.diagnostic import nearest
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.stored import Folded, StoredConversation, unknown_conversation

_MESSAGES = frozenset((e.UserSaid, e.UserChose, e.Said, e.OperatorSaid))
_FOLLOWED = frozenset(
    (
        *(e.ScopeOpened, e.ScopeClosed, e.TurnEnded, e.Moved, e.Undone),
        *(e.Migrated, e.Snapshot, e.Started, e.Erased),
    )
)


class FrameInfo(Struct, frozen=True):
    """One frame of a conversation: the conversation itself, or a scope that was opened in it."""

    id: int
    """The journal position at which the frame was opened; 0 for the conversation itself."""
    scope: str
    """The qualified name of the frame's scope; empty for the conversation itself, and where retention erased it."""
    title: str
    """The title of the scope for people."""
    depth: int
    """How many frames are around the frame; 0 for the conversation itself."""
    parent: int | None
    """The id of the frame around the frame; `None` for the conversation itself."""
    status: Literal["open", "closed", "undone"]
    """Whether the frame is open or closed; `undone` where an undo reversed its opening."""
    node: str
    """The node in charge in the frame; for a closed frame the node that was in charge last."""
    by: OpenedBy | Literal[""] = ""
    """What opened the frame: entering its `node`, a `call` of a transition, a `tool` that the model called, the `user`
    or the `program`; empty for the outermost conversation.
    """
    transition: str = ""
    """The transition that opened the frame, or led to the node that did; empty for none."""
    tool: str = ""
    """The name of the tool that opened the frame; empty if none did."""
    call: str = ""
    """The id of the tool call that opened the frame; empty if none did."""
    opened_turn: int = 1
    """The number of the turn in which the frame was opened."""
    opened_ms: int | None = None
    """When the frame was opened, in milliseconds since 1970; `None` where that is not stored."""
    closed_seq: int | None = None
    """The journal position at which the frame was closed; `None` while it is open."""
    closed_turn: int | None = None
    """The number of the turn in which the frame was closed; `None` while it is open."""
    closed_ms: int | None = None
    """When the frame was closed, in milliseconds since 1970; `None` while it is open."""
    outcome: str = ""
    """The outcome with which the frame was closed; empty while it is open."""
    turns: int = 0
    """How many turns the conversation spent inside the frame."""
    tokens: int = 0
    """How many tokens model calls inside the frame used."""
    max_turns: int | None = None
    """How many turns the frame may use; `None` for no limit."""
    max_tokens: int | None = None
    """How many tokens the frame may use; `None` for no limit."""
    idle_ms: int | None = None
    """After how many milliseconds without a message the frame is closed; `None` for never."""
    summary: str = ""
    """The summary that remains of a closed frame in the transcript of the frame around it; empty for none."""
    inherits: tuple[str, ...] = ()
    """The names of the records of the frame around it that the frame reads."""
    returns: str = ""
    """The name of the record that the frame fills; empty for none."""
    message: int = 0
    """The position of the message before the frame that the frame's models see; 0 without one."""
    messages: int = 0
    """How many messages of both sides the frame has, without those of frames inside it and undone ones."""
    tokens_saved: int | None = None
    """How many tokens the summary has saved in the requests to a model that the frame around it made after this one was
    closed; `None` for an open frame, or where retention erased what is counted."""
    later_requests: int = 0
    """How many requests to a model `tokens_saved` is the sum over."""
    is_estimate: bool = False
    """True where a part of `tokens_saved` was counted as characters ÷ 4."""
    keep_ms: int | None = None
    """For how many milliseconds the words of the closed frame are kept; `None` for as long as the conversation."""
    is_erased: bool = False
    """True where words of the frame were erased, by retention or after the time of its `keep`."""


class ErasedFrames:
    """Finds the frames whose words were erased, entry by entry."""

    def __init__(self) -> None:
        self.by_keep: dict[int, str] = {}
        """Those that were erased whole, after the time of their `keep`, each with when and by which rule."""
        self._by_retention: set[int] = set()

    def __contains__(self, frame: int) -> bool:
        return frame in self.by_keep or frame in self._by_retention

    def add(self, entry: e.Entry) -> None:
        """Add one journal entry. What was said in a scope inside is erased with the scope around it."""
        event = entry.event
        if isinstance(event, e.Erased):
            self._by_retention.update((entry.frame, *((entry.seq,) if event.kind == "scope_opened" else ())))
        elif isinstance(event, e.ScopeOpened) and event.erased is not None:
            self.by_keep[entry.seq] = erasure_text(event.erased, "the words inside")
        elif isinstance(event, e.ScopeOpened) and entry.frame in self.by_keep:
            self.by_keep[entry.seq] = self.by_keep[entry.frame]


class FrameLog:
    """Collects the frames of one conversation, entry by entry."""

    def __init__(self) -> None:
        self.found: dict[int, FrameInfo] = {}
        self._erased_frames = ErasedFrames()
        self._said: dict[int, list[int]] = {}
        """The turns of the messages of each frame."""
        self._reached: dict[str, str] = {}
        """The transition by which each node was entered last."""
        self._closings: dict[int, list[tuple[e.Entry, str]]] = {}
        """The closings of each frame, with their outcomes: an undo may open it again, and another go behind that."""

    def add(self, folded: Folded) -> None:
        """Add one journal entry, with the states before and after it."""
        entry, before, after = folded
        if type(entry.event) in _MESSAGES:
            self._said.setdefault(entry.frame, []).append(entry.turn)
        if type(entry.event) not in _FOLLOWED:
            return
        self._erased_frames.add(entry)
        match entry.event:
            case e.Moved(target=target, transition=transition):
                self._reached[target] = transition
            case e.ScopeClosed() as closed if before is not None:
                self._update(before)
                self._close(before.frame.id, entry, closed.outcome)
            case e.Undone(to=to, state=state):
                self._undo(to, state, entry)
            case e.Erased(kind=kind):
                self._erased(entry, kind)
            case e.Snapshot(state=state, by=by) if by is not None:
                self._close_others(state, entry)
            case _:
                pass
        if after is not None:
            self._update(after, entry)

    def _erased(self, entry: e.Entry, kind: str) -> None:
        """Follow an entry of which only its place is left: a frame has no name then, if it was closed."""
        if not self.found:
            self.found[0] = FrameInfo(0, "", "", 0, None, "open", "", opened_ms=entry.at_ms)
        around = self.found.get(entry.frame)
        if kind == "scope_opened" and around is not None:
            self.found[entry.seq] = FrameInfo(
                *(entry.seq, "", "", around.depth + 1, around.id, "open", ""),
                opened_turn=entry.turn,
                opened_ms=entry.at_ms,
            )
        elif kind == "scope_closed":
            inside = [one.id for one in self.found.values() if one.parent == entry.frame and one.status == "open"]
            if inside:
                self._close(inside[-1], entry, "")

    def _close_others(self, state: State, entry: e.Entry) -> None:
        """Close the frames that are not open in the first state that is stored: an undo before it closed them."""
        is_open = {frame.id for frame in state.frames}
        for number in [one.id for one in self.found.values() if one.status == "open" and one.id not in is_open]:
            self._close(number, entry, "")

    def _update(self, state: State, entry: e.Entry | None = None) -> None:
        """Take over what the open frames of a state are now; add those that are new."""
        parent: int | None = None
        for depth, frame in enumerate(state.frames):
            known = self.found.get(frame.id) or self._opened(frame, depth, parent, entry)
            again = {"closed_seq": None, "closed_turn": None, "closed_ms": None, "outcome": ""}
            self.found[frame.id] = replace(known, status="open", node=frame.node, **again, **_of_scope(frame.scope))
            parent = frame.id

    def _opened(self, frame: Frame, depth: int, parent: int | None, entry: e.Entry | None) -> FrameInfo:
        """Return a frame that was not known, with its place and the transition that opened it."""
        found = FrameInfo(frame.id, "", "", depth, parent, "open", frame.node)
        if entry is None or entry.seq != (frame.id or 1):
            return found
        transition = ""
        if isinstance(entry.event, e.ScopeOpened):
            reached = self._reached.get(entry.event.scope, "") if entry.event.by == "node" else ""
            transition = entry.event.transition or reached
        return replace(found, opened_ms=entry.at_ms, transition=transition)

    def _close(self, frame: int, entry: e.Entry, outcome: str) -> None:
        self._closings.setdefault(frame, []).append((entry, outcome))
        self.found[frame] = replace(
            self.found[frame],
            status="closed",
            closed_seq=entry.seq,
            closed_turn=entry.turn,
            closed_ms=entry.at_ms,
            outcome=outcome,
        )

    def _undo(self, to: int, state: State, entry: e.Entry) -> None:
        """Mark the frames that were opened after a turn; those that are open again are in the state that follows.

        A frame that an earlier undo opened again may have been closed by that turn.
        """
        for number, turns in self._said.items():
            self._said[number] = [turn for turn in turns if turn <= to]
        for frame in self.found.values():
            if frame.opened_turn > to and frame.status != "undone":
                self.found[frame.id] = replace(frame, status="undone", closed_seq=frame.closed_seq or entry.seq)
        is_open = {frame.id for frame in state.frames}
        for number in [one.id for one in self.found.values() if one.status == "open" and one.id not in is_open]:
            earlier = [closing for closing in self._closings.get(number, ()) if closing[0].turn <= to]
            self._close(number, *(earlier[-1] if earlier else (entry, "")))

    def frames(self, machine: Machine) -> list[FrameInfo]:
        """Return the frames in the order of opening, with the flow's declarations about them."""
        return [self._described(machine, frame) for frame in sorted(self.found.values(), key=lambda one: one.id)]

    def _described(self, machine: Machine, frame: FrameInfo) -> FrameInfo:
        is_erased = frame.id in self._erased_frames
        frame = replace(frame, is_erased=is_erased, messages=len(self._said.get(frame.id, ())))
        if not frame.scope:
            return replace(frame, title=machine.flow.title or machine.flow.name) if frame.parent is None else frame
        title, known = title_of_node(machine, frame.scope), machine.scopes.get(frame.scope)
        if known is None or known.scope is None:
            return replace(frame, title=title)
        limits = {
            "max_turns": known.turns,
            "max_tokens": known.tokens,
            "idle_ms": known.idle_ms,
            "keep_ms": known.keep_ms,
        }
        return replace(frame, title=title, inherits=known.scope.inherits, returns=known.scope.returns, **limits)


def _of_scope(scope: OpenScope | None) -> dict[str, Any]:
    """Return what a frame has of its scope, by attribute."""
    if scope is None:
        return {}
    return {
        "scope": scope.name,
        "by": scope.by,
        "tool": scope.tool,
        "call": scope.call,
        "opened_turn": scope.turn,
        "message": scope.message,
        "turns": scope.turns,
        "tokens": scope.tokens,
    }


async def frame_log_of(store: Store, conversation: str) -> FrameLog:
    """Return the frames of a conversation, read from its journal. Raises `UnknownConversation`."""
    log = FrameLog()
    async for one in StoredConversation(store, conversation).folded():
        log.add(one)
    if not log.found:
        raise await unknown_conversation(store, conversation)
    return log


async def frames_of(
    store: Store, machines: AnyMachines, conversation: str, log: FrameLog | None = None, *, is_brief: bool = False
) -> tuple[FrameInfo, ...]:
    """Return the frames of a conversation in the order of opening; `log` has them if the caller has read the journal.
    With `is_brief` they come without summaries and savings. Raises `UnknownConversation`.
    """
    log, state = log or await frame_log_of(store, conversation), await store.load(conversation)
    if state is None:
        raise await unknown_conversation(store, conversation)
    machine = await machines.shown_of_state(state)
    found = log.frames(machine)
    if is_brief or not any(one.outcome for one in found):
        return tuple(found)
    entries = await StoredConversation(store, conversation).all_entries()
    saved = {one.closed: one for one in tokens_saved(entries, machine.flow.limits.window)}
    summaries = {entry.seq: entry.event.summary for entry in entries if isinstance(entry.event, e.ScopeClosed)}
    erased = ErasedFrames()
    for entry in entries:  # words may have been erased since the log followed them
        erased.add(entry)
    return tuple([_closed(replace(one, is_erased=one.id in erased), summaries, saved) for one in found])


def _closed(frame: FrameInfo, summaries: dict[int, str], saved: dict[int, TokensSaved]) -> FrameInfo:
    """Return a frame with what stays of it and what that saved, if it was closed."""
    place = frame.closed_seq
    if place not in summaries:
        return frame
    frame, counted = replace(frame, summary=summaries[place]), saved.get(place)
    if counted is None:
        return frame
    about = {"later_requests": counted.requests, "is_estimate": counted.is_estimate}
    return replace(frame, tokens_saved=counted.tokens, **about)


def frame_named(frames: tuple[FrameInfo, ...], name: int | str, conversation: str) -> FrameInfo:
    """Return a frame by its id, or the last one by the name of its scope.
    Raises `UnknownFrame`, which names the `conversation`.
    """
    for frame in reversed(frames):
        if name in (frame.id, str(frame.id)) or (frame.scope and name == frame.scope):
            return frame
    hint = nearest(str(name), {frame.scope for frame in frames if frame.scope})
    raise UnknownFrame(conversation, name, hint)
