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
    """A stream event: a piece of a model's text, before the turn is stored.
    A `message` of the turn replaces all of its pieces.
    """

    conversation: str
    """The name of the conversation."""
    turn: int
    """The number of the turn."""
    node: str
    """The node whose model call generates the text."""
    effect: str
    """The id of the model call that the text comes from."""
    text: str
    """The piece of text, or the whole text so far where `is_whole`."""
    is_whole: bool = False
    """True where `text` is everything so far, and replaces earlier pieces.
    So it is for a client that connects in the middle, and where earlier pieces are withdrawn."""


class EntrySent(Struct, frozen=True, tag="entry"):
    """A stream event: a durable entry of the journal; needs `debug:read`."""

    conversation: str
    """The name of the conversation."""
    entry: EventRow
    """The entry of the journal."""


class MessageSent(Struct, frozen=True, tag="message"):
    """A stream event: a durable message of the transcript."""

    conversation: str
    """The name of the conversation."""
    message: Message
    """The message."""


class SeamSent(Struct, frozen=True, tag="seam"):
    """A stream event: a decision that was made; needs `debug:read`."""

    conversation: str
    """The name of the conversation."""
    seam: Seam
    """The decision as a line between messages."""


class EvaluationSent(Struct, frozen=True, tag="debug_transition_eval", tag_field="type"):
    """A stream event: the evaluation of a decision in the format of seed 000; needs `debug:read`."""

    conversation: str
    """The name of the conversation."""
    data: TransitionEval
    """The evaluation of the decision."""


class TurnSent(Struct, frozen=True, tag="turn"):
    """A stream event: a turn has ended."""

    conversation: str
    """The name of the conversation."""
    turn: TurnResult
    """The result of the turn."""


class SummarySent(Struct, frozen=True, tag="summary"):
    """A stream event: a conversation of the list began or changed."""

    summary: ConversationSummary
    """The conversation in short, as lists show it."""


class Forgotten(Struct, frozen=True, tag="forgotten"):
    """A stream event: a conversation was deleted."""

    conversation: str
    """The name of the conversation."""


class Reset(Struct, frozen=True, tag="reset"):
    """A stream event: the client's position is beyond the journal's end, so it must load the conversation again.
    The conversation was deleted and begun again under its name, or a backup was restored. Drop what you have of it;
    everything follows from the first entry.
    """

    conversation: str
    """The name of the conversation."""
    position: int
    """The journal position up to which the client said that it has the events."""
    last: int
    """The last position of the journal."""


class FlowChanged(Struct, frozen=True, tag="flow"):
    """A stream event: the file of a flow changed on disk, and was reloaded, or its errors keep the old version."""

    flow: str
    """The name of the flow."""
    fingerprint: str
    """The hash of the flow version that new conversations use now."""
    diagnostics: tuple[DiagnosticView, ...] = ()
    """The problems of the flow's documents."""


class Ping(Struct, frozen=True, tag="ping"):
    """A stream event: nothing happened lately. The first event of a stream is one, with the first cursor as its id."""

    at_ms: int
    """The time of the server, in milliseconds since 1970."""


class Draining(Struct, frozen=True, tag="draining"):
    """A stream event: the server stops soon, so reconnect with the cursor."""

    retry_ms: int
    """How many milliseconds to wait before reconnecting."""


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
