"""Questions about a conversation: transcript, trace, timeline, decisions, what-if, dry run, state."""

from __future__ import annotations

from msgspec import Struct

from turnwise.errors import UnknownTurn
from turnwise.server.flow_page import history_of
from turnwise.server.operation import Call, operation
from turnwise.server.summaries import summary_of
from turnwise.server.timeline import timeline_of
from turnwise.server.trace_data import erased_trace, turn_trace
from turnwise.server.transcript import transcript_of
from turnwise.server.wire.conversations import Transcript
from turnwise.server.wire.trace import EdgeHistory, Timeline, TurnTrace


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
    histories = await call.service.caches.histories(chat.machine.flow.name)
    return await turn_trace(runtime.store, runtime.machines, turn, chat.machine, histories)


@operation("GET", "/conversations/{id}/timeline", "debug:read", answer=Timeline, errors=(409,))
async def timeline(call: Call) -> Timeline:
    """Return the whole path of a conversation, with a mark for each decision, and where it was written."""
    chat = await call.chat()
    outline = await call.service.caches.outline(chat.machine.flow.name, chat.name)
    machine = await chat.runtime.machines.shown(outline.fingerprint) if outline.fingerprint else chat.machine
    return timeline_of(outline, machine)


@operation("GET", "/conversations/{id}/edges", "debug:read", answer=tuple[EdgeHistory, ...], errors=(409,))
async def edges(call: Call) -> tuple[EdgeHistory, ...]:
    """Return how often each transition was judged, held and taken in a conversation."""
    chat = await call.chat()
    outline = await call.service.caches.outline(chat.machine.flow.name, chat.name)
    return tuple([history_of(edge) for edge in outline.tally.edges()])


OPERATIONS = (transcript, trace, timeline, edges)
