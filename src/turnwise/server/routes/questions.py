"""Questions about a conversation: transcript, trace, timeline, decisions, what-if, dry run, state."""

from __future__ import annotations

from msgspec import Struct

from turnwise.server.operation import Call, operation
from turnwise.server.summaries import summary_of
from turnwise.server.transcript import transcript_of
from turnwise.server.wire.conversations import Transcript


class TranscriptQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: the position after which messages are wanted. Those of the whole turn there are sent."""

    after: int = 0


@operation("GET", "/conversations/{id}/transcript", "chat", answer=Transcript, query=TranscriptQuery, errors=(409,))
async def transcript(call: Call) -> Transcript:
    """Return what the chat shows. Seams, tools and timers need the scope `debug:read`."""
    chat, after = await call.chat(), max(0, call.query(TranscriptQuery).after)
    runtime = chat.runtime
    found = await transcript_of(runtime.store, runtime.machines, chat.name, after, is_debug=call.may("debug:read"))
    state = await chat.state()
    machine = await runtime.machines.shown(state.fingerprint)
    summary = summary_of(chat.name, state, machine, chat.machine)
    return Transcript(summary, tuple(found.messages), tuple(found.seams), found.is_cut)


OPERATIONS = (transcript,)
