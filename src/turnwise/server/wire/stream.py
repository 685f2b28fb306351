"""The events of the multiplexed stream; the name of the server-sent event is the tag."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from turnwise.runner.transition_eval import TransitionEval
from turnwise.server.wire.conversations import ConversationSummary, Message, Seam
from turnwise.server.wire.flows import DiagnosticView
from turnwise.server.wire.requests import Problem
from turnwise.server.wire.trace import EventRow
from turnwise.server.wire.turns import TurnResult


class DeltaSent(Struct, frozen=True, tag="delta"):
    """A piece of a model's text, before the turn is stored. A `message` of the turn replaces all of its pieces."""

    conversation: str
    turn: int
    node: str
    """The node that speaks."""
    effect: str
    """The id of the model call that the text comes from."""
    text: str
    """The piece, or all of the text where `is_whole`."""
    is_whole: bool = False
    """True where `text` is everything so far: for a client that connects in the middle, and where earlier pieces are
    withdrawn; it replaces earlier pieces.
    """


class EntrySent(Struct, frozen=True, tag="entry"):
    """A durable entry of the journal; needs `debug:read`."""

    conversation: str
    entry: EventRow


class MessageSent(Struct, frozen=True, tag="message"):
    """A durable message of the transcript."""

    conversation: str
    message: Message


class SeamSent(Struct, frozen=True, tag="seam"):
    """A decision that was made; needs `debug:read`."""

    conversation: str
    seam: Seam


class EvaluationSent(Struct, frozen=True, tag="debug_transition_eval", tag_field="type"):
    """The payload of seed 000, with the conversation beside it."""

    conversation: str
    data: TransitionEval


class TurnSent(Struct, frozen=True, tag="turn"):
    """A turn has ended."""

    conversation: str
    turn: TurnResult


class SummarySent(Struct, frozen=True, tag="summary"):
    """A conversation of the list began or changed."""

    summary: ConversationSummary


class Forgotten(Struct, frozen=True, tag="forgotten"):
    """A conversation was deleted for good."""

    conversation: str


class Reset(Struct, frozen=True, tag="reset"):
    """The client has a position that the journal has not reached: the conversation was deleted and begun again under
    its name, or a backup was restored. Drop what you have of it; everything follows from the first entry.
    """

    conversation: str
    position: int
    """The position of the client."""
    last: int
    """The last position of the journal."""


class FlowChanged(Struct, frozen=True, tag="flow"):
    """The file of a flow changed on disk: it was reloaded, or its errors keep the old version."""

    flow: str
    fingerprint: str
    """The version that new conversations use now."""
    diagnostics: tuple[DiagnosticView, ...] = ()
    """The problems of its documents."""


class Ping(Struct, frozen=True, tag="ping"):
    """Nothing happened lately. The first event of each stream is one; its id is the cursor of the beginning."""

    at_ms: int
    """The time of the server."""


class Draining(Struct, frozen=True, tag="draining"):
    """The server stops soon: connect again with the cursor."""

    retry_ms: int
    """How long to wait before that."""


def _by_name(*shapes: type[Struct]) -> Mapping[str, type[Struct]]:
    return {str(shape.__struct_config__.tag): shape for shape in shapes}


TAB_EVENTS = _by_name(
    *(DeltaSent, EntrySent, MessageSent, SeamSent, EvaluationSent, TurnSent),
    *(SummarySent, Forgotten, Reset, FlowChanged, Ping, Draining),
)
"""The events of the stream of a tab, by name."""
TURN_EVENTS = {**_by_name(DeltaSent, EntrySent, MessageSent, SeamSent, EvaluationSent, TurnSent), "problem": Problem}
"""The events of the stream of one turn, by name."""
JOURNAL_EVENTS = {"entry": EventRow, **_by_name(Forgotten, Reset, Ping, Draining)}
"""The events of the stream of a journal, by name."""
