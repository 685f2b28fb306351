"""Time: what a conversation does by the clock, and what it spent."""

from __future__ import annotations

from turnwise.server.operation import OperationCall, operation
from turnwise.server.views.timing import due_of, offers_of, spending_of
from turnwise.server.wire.timing import TimeView


@operation("GET", "/conversations/{id}/time", "chat", answer=TimeView, errors=(409,))
async def time(call: OperationCall) -> TimeView:
    """Return what a conversation does by itself next, and what its models spent.

    It needs the scope `debug:read` or `operator`. What has ended does nothing by itself.
    """
    call.need_inside("what a conversation does by the clock")
    chat = await call.chat()
    state = await chat.state()
    machine = await chat.runtime.machines.shown_of_state(state)
    redaction = await call.service.redaction(call.service.apps[state.flow], machine, chat.name, state)
    outline = await call.service.caches.outline(state.flow, chat.name)
    return TimeView(
        chat.name,
        call.service.clock.now_ms(),
        state.time_zone,
        due_of(machine, state),
        offers_of(machine, state, redaction),
        spending_of(outline.spending),
    )


OPERATIONS = (time,)
