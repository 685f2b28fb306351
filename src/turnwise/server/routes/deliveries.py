"""Deliveries: which messages of a conversation, or of all, are on their way to the user, and sending them again."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwise.api.chat import Chat
from turnwise.errors import UnknownDelivery
from turnwise.runner.outbox_port import HasOutbox, StoredDelivery
from turnwise.server.operation import OperationCall, operation
from turnwise.server.views.page_words import page_language
from turnwise.server.views.signs import text_of_sign
from turnwise.server.wire.deliveries import MOST_DELIVERIES, DeliveriesQuery, DeliveryPage, DeliveryView, SendAgainQuery

_ALL = 1000
NO_MESSAGES: Mapping[int, str] = MappingProxyType({})
"""No indexes of messages, for a delivery without messages that can be shown."""


@operation("GET", "/conversations/{id}/deliveries", "chat", answer=tuple[DeliveryView, ...], errors=(409,))
async def deliveries(call: OperationCall) -> tuple[DeliveryView, ...]:
    """Return the deliveries of a conversation, the oldest first; only the last ones, if they are many.
    It needs the scope `debug:read` or `operator`.
    """
    call.need_inside("the deliveries of a conversation")
    chat = await call.chat()
    if not isinstance(chat.runtime.store, HasOutbox):
        return ()
    flow = (await chat.state()).flow
    found = await call.service.apps[flow].deliveries(conversation=chat.name, limit=_ALL)
    about = await _about_turns(call, chat)
    return tuple([_view(one, about) for one in found[-MOST_DELIVERIES:]])


@operation("GET", "/deliveries", "operator", answer=DeliveryPage, query=DeliveriesQuery, errors=(409,))
async def all_deliveries(call: OperationCall) -> DeliveryPage:
    """Return the deliveries of all conversations that the caller may see, the oldest first.
    `status=failed` selects those that failed.
    """
    asked, service = call.query(DeliveriesQuery), call.service
    found: list[StoredDelivery] = []
    if isinstance(service.store, HasOutbox):
        for app in service.apps.values():
            found += await app.deliveries(status=asked.status, after=asked.after, limit=asked.limit)
    page = sorted(found, key=lambda one: one.number)[: asked.limit]
    seen = [one for one in page if call.identity.sees(one.conversation, one.flow)]
    more = page[-1].number if len(page) == asked.limit else None
    return DeliveryPage(tuple([_view(one) for one in seen]), more)


@operation(
    "POST",
    "/conversations/{id}/deliveries/{delivery}/send-again",
    "operator",
    answer=DeliveryView,
    query=SendAgainQuery,
    errors=(409,),
)
async def send_again(call: OperationCall) -> DeliveryView:
    """Send a delivery again that failed or was delivered; one that waits is due now.

    The receiver gets it with the same id. Those of its conversation that are open go on in order. One that failed, and
    that a turn has reported to its caller, is refused without `confirm`: the user may have seen it.
    """
    chat, delivery, asked = await call.chat(), call.part("delivery"), call.query(SendAgainQuery)
    flow = (await chat.state()).flow
    store = chat.runtime.store
    known = await store.outbox.get(delivery) if isinstance(store, HasOutbox) else None
    if known is None or known.conversation != chat.name:
        raise UnknownDelivery(delivery)
    about = await _about_turns(call, chat)
    return _view(await call.service.apps[flow].send_again(delivery, confirm=asked.confirm), about)


def _view(row: StoredDelivery, about: Mapping[int, str] = NO_MESSAGES) -> DeliveryView:
    return DeliveryView(
        row.id,
        row.number,
        row.conversation,
        row.turn,
        row.at_ms,
        about.get(row.turn, ""),
        row.status,
        row.attempts,
        row.due_ms,
        row.done_ms,
        row.error,
        row.reported_in,
    )


async def _about_turns(call: OperationCall, chat: Chat) -> dict[int, str]:
    """Return what began each turn, in words: `The timer nudge fired`."""
    outline = await call.service.caches.outline(chat.machine.flow.name, chat.name)
    machine = await chat.runtime.machines.for_display(outline.fingerprint) if outline.fingerprint else chat.machine
    language = page_language(call.header(b"accept-language"))
    signs = {one.turn: text_of_sign(one, machine, language) for one in reversed(outline.events)}
    return {one.turn: one.began for one in outline.turns} | signs


OPERATIONS = (deliveries, all_deliveries, send_again)
"""The operations of this module, which the server serves."""
