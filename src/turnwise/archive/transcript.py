"""The transcript of a conversation as its user saw it, or of one of its frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.archive.frames import ErasedFrames, frame_named, frames_of
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import in_charge
from turnwise.core.state.kinds import ERASED
from turnwise.core.state.retention import erasure_text
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.stored import StoredConversation, unknown_conversation

Speaker = Literal["user", "button", "model", "text", "person", "summary", "erased"]
"""Who said a line; `summary` is what stays of a scope, `erased` stands for words that were erased."""
_BY_MODEL = frozenset(("reply", "cut"))
_SAID = {"user_said": "user", "user_chose": "button", "said": "text", "operator_said": "person"}
"""Who spoke in the events that retention erased, by their kind."""
_ERASED = "erased by retention"


class TranscriptLine(Struct, frozen=True):
    """A line of a transcript: a message of the user, the machine or a person, or the summary of a closed scope.
    `by` is the kind of speaker: the user, a pressed button, a model, a fixed text, a person, or the `summary` that
    stays of a scope in the frame around it; `erased` stands for words that were erased, and `speaker` is then the kind
    of who said them.

    `speaker` is the node, or the name of the person. `frame` is the id of the frame to which the line belongs. A later
    undo took back the lines with `is_undone`.
    """

    seq: int
    """The position of the line's entry in the journal."""
    turn: int
    """The number of the line's turn."""
    at_ms: int
    """When the message was sent, in milliseconds since 1970."""
    by: Speaker
    """The kind of speaker; `summary` for the summary of a scope, `erased` for words that were erased."""
    text: str
    """The text of the line, or a remark that it was erased."""
    speaker: str = ""
    """The name of the speaking node or person; for erased words the kind of speaker; empty for the user."""
    frame: int = 0
    """The id of the frame to which the line belongs; 0 for the conversation itself."""
    is_undone: bool = False
    """True where a later undo reversed the line's turn."""


async def transcript_of(
    store: Store, machines: AnyMachines, conversation: str, frame: int | str | None = None
) -> tuple[TranscriptLine, ...]:
    """Return the transcript as the user saw it, or the lines of one frame, by its id or the name of its scope.
    Raises `UnknownConversation` and `UnknownFrame`.
    """
    only = None
    if frame is not None:
        only = frame_named(await frames_of(store, machines, conversation, is_brief=True), frame, conversation).id
    elif await store.load(conversation) is None:
        raise await unknown_conversation(store, conversation)
    lines = _Lines(only)
    async for page in StoredConversation(store, conversation).pages():
        lines.add(page)
    return tuple(lines.found)


class _Lines:
    """The lines of a transcript, of all frames or only of one, collected entry by entry."""

    def __init__(self, frame: int | None) -> None:
        self.frame = frame
        self.found: list[TranscriptLine] = []
        self._erased = ErasedFrames()
        self._nodes: tuple[str, ...] = ()

    def add(self, entries: Iterable[e.Entry]) -> None:
        """Add the lines of some entries."""
        for entry in entries:
            self._erased.add(entry)
            if isinstance(entry.event, e.Undone):
                self._undo(entry.event.to)
            elif self.frame in (None, entry.frame):
                self._line(entry)
            if isinstance(entry.event, e.Erased | e.Snapshot) and entry.event.by is not None:
                self._explain(_ERASED + erasure_text(entry.event.by))
            self._nodes = in_charge(self._nodes, entry.event)

    def _line(self, entry: e.Entry) -> None:
        match entry.event:
            case e.UserSaid(text=text):
                self._put(entry, "user", text)
            case e.UserChose(value=value):
                self._put(entry, "button", value)
            case e.Said(text=text, kind=kind):
                by = "model" if kind in _BY_MODEL else "text"
                self._put(entry, by, text, self._nodes[-1] if self._nodes else "")
            case e.OperatorSaid(text=text, operator=operator, display=display):
                self._put(entry, "person", text, display or operator)
            case e.ScopeClosed(scope=scope, summary=summary) if self.frame is not None:
                self._put(entry, "summary", summary, scope)
            case e.Erased(kind=kind) if kind in _SAID:
                self._put(entry, "erased", _ERASED, _SAID[kind])
            case _:
                pass

    def _put(self, entry: e.Entry, by: Speaker, text: str, speaker: str = "") -> None:
        erasure = self._erased.by_keep.get(entry.frame)
        if erasure is not None and text == ERASED:
            by, text, speaker = "erased", f"erased{erasure}", by
        self.found.append(TranscriptLine(entry.seq, entry.turn, entry.at_ms, by, text, speaker, entry.frame))

    def _explain(self, text: str) -> None:
        """Say of the last lines when they were erased, which the last entry of their turn has."""
        for place in reversed(range(len(self.found))):
            if self.found[place].text != _ERASED:
                break
            self.found[place] = replace(self.found[place], text=text)

    def _undo(self, to: int) -> None:
        """Mark the lines after a turn; turn numbers never decrease."""
        for place in reversed(range(len(self.found))):
            if self.found[place].turn <= to:
                break
            self.found[place] = replace(self.found[place], is_undone=True)
