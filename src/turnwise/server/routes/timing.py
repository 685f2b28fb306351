"""Operations about time and cost: what is due in a conversation, which overlays are active, and what was spent."""

from __future__ import annotations

from turnwise.server.operation import OperationCall, operation
from turnwise.server.views.page_words import accepted_words
from turnwise.server.views.timing import due_of, offers_of, overlay_view, spending_of
from turnwise.server.wire.timing import OverlaySwitch, OverlayView, TimeView


@operation("GET", "/conversations/{id}/time", "chat", answer=TimeView, errors=(409,))
async def time(call: OperationCall) -> TimeView:
    """Return what a conversation does by itself next, its offers, the status of its overlays, and its spending.

    It needs the scope `debug:read` or `operator`. What has ended does nothing by itself. Texts about what is due are in
    the language of `Accept-Language`, if the page has it.
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
        due_of(machine, state, accepted_words(call.header(b"accept-language"))),
        offers_of(machine, state, redaction),
        tuple([overlay_view(machine, one) for one in await chat.overlays() if one.name in machine.overlays]),
        spending_of(machine, state, outline.spending),
    )


@operation(
    "PUT",
    "/conversations/{id}/overlays/{name}",
    "operator",
    answer=OverlayView,
    body=OverlaySwitch,
    errors=(409,),
    examples={"on": {"on": True}, "by its dates": {"on": None}},
)
async def force_overlay(call: OperationCall) -> OverlayView:
    """Force an overlay on or off in a conversation from its next turn on. With `null` the forcing for all conversations
    decides, else the overlay's dates.
    """
    sent, chat = await call.body(OverlaySwitch), await call.chat()
    standing = await chat.force_overlay(call.part("name"), sent.on, by=call.identity.owner)
    return overlay_view(await chat.runtime.machines.of_state(await chat.state()), standing)


@operation(
    "PUT",
    "/flows/{flow}/overlays/{name}",
    "admin",
    body=OverlaySwitch,
    status=204,
    errors=(409,),
    examples={"off": {"on": False}},
)
async def force_overlay_for_all(call: OperationCall) -> None:
    """Force an overlay on or off for all conversations of a flow from their next turns on. With `null` its dates decide
    again. A forcing in one conversation takes precedence.
    """
    sent, app = await call.body(OverlaySwitch), call.service.app(call.identity, call.part("flow"))
    await app.force_overlay(call.part("name"), sent.on, by=call.identity.owner)


OPERATIONS = (time, force_overlay, force_overlay_for_all)
"""The operations of this module, which the server serves."""
