"""Questions about a conversation: transcript, trace, timeline, decisions, what-if, dry run, state."""

from __future__ import annotations

from msgspec import Struct

from turnwise.errors import UnknownTurn
from turnwise.server.operation import Call, operation
from turnwise.server.summaries import summary_of
from turnwise.server.trace_data import erased_trace, turn_trace
from turnwise.server.transcript import transcript_of
from turnwise.server.wire.conversations import Transcript
from turnwise.server.wire.trace import TurnTrace


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


class TurnQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`turn`: its number, by default the last one."""

    turn: int | None = None


@operation("GET", "/conversations/{id}/trace", "debug:read", answer=TurnTrace, query=TurnQuery, errors=(409,))
async def trace(call: Call) -> TurnTrace:
    """Return everything that the debug panel shows of one turn."""
    chat, number = await call.chat(), call.query(TurnQuery).turn
    runtime = chat.runtime
    try:
        turn = await chat.turn(number)
    except UnknownTurn as unknown:
        if not unknown.is_erased or number is None:
            raise
        entries = await runtime.store.turn(chat.name, number)
        machine = await runtime.machines.shown((await chat.state()).fingerprint)
        return erased_trace(chat.name, entries, machine, chat.machine)
    return await turn_trace(runtime.store, runtime.machines, turn, chat.machine, {})


OPERATIONS = (transcript, trace)
