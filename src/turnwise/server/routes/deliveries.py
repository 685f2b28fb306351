"""Deliveries: what of a conversation, or of all, is on its way to the user, and sending it again."""

from __future__ import annotations

from turnwise.archive.outline import Outline
from turnwise.errors import UnknownDelivery
from turnwise.runner.outbox_port import HasOutbox, StoredDelivery
from turnwise.server.operation import OperationCall, operation
from turnwise.server.wire.deliveries import MOST_DELIVERIES, DeliveriesQuery, DeliveryPage, DeliveryView, SendAgainQuery

_ALL = 1000


@operation("GET", "/conversations/{id}/deliveries", "chat", answer=tuple[DeliveryView, ...], errors=(409,))
async def deliveries(call: OperationCall) -> tuple[DeliveryView, ...]:
    """Return the deliveries of a conversation, the oldest first; the last ones, if they are many. It needs the scope
    `debug:read` or `operator`.
    """
    call.need_inside("the deliveries of a conversation")
    chat = await call.chat()
    if not isinstance(chat.runtime.store, HasOutbox):
        return ()
    flow = (await chat.state()).flow
    found = await call.service.apps[flow].deliveries(conversation=chat.name, limit=_ALL)
    outline = await call.service.caches.outline(flow, chat.name)
    return tuple([_view(one, outline) for one in found[-MOST_DELIVERIES:]])


@operation("GET", "/deliveries", "operator", answer=DeliveryPage, query=DeliveriesQuery, errors=(409,))
async def all_deliveries(call: OperationCall) -> DeliveryPage:
    """Return the deliveries of all conversations that the caller may see, the oldest first: those that failed, with
    `status=failed`.
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
    """Send a delivery that failed once more, or again one that was delivered; one that waits is due now.

    The receiver gets it with the same id. Those of its conversation that are open go on in order. One that failed, and
    that a turn has reported to its caller, is refused without `confirm`: the user may have seen it.
    """
    chat, delivery, asked = await call.chat(), call.part("delivery"), call.query(SendAgainQuery)
    flow = (await chat.state()).flow
    store = chat.runtime.store
    known = await store.outbox.get(delivery) if isinstance(store, HasOutbox) else None
    if known is None or known.conversation != chat.name:
        raise UnknownDelivery(delivery)
    outline = await call.service.caches.outline(flow, chat.name)
    return _view(await call.service.apps[flow].send_again(delivery, confirm=asked.confirm), outline)


def _view(row: StoredDelivery, outline: Outline | None = None) -> DeliveryView:
    return DeliveryView(
        row.id,
        row.number,
        row.conversation,
        row.turn,
        row.at_ms,
        _about(row.turn, outline) if outline is not None else "",
        row.status,
        row.attempts,
        row.due_ms,
        row.done_ms,
        row.error,
        row.reported_in,
    )


def _about(turn: int, outline: Outline) -> str:
    """Return what began a turn, in words: `schedule reminder called`."""
    began = next((one.text for one in outline.events if one.turn == turn), "")
    return began or next((one.began for one in outline.turns if one.turn == turn), "")


OPERATIONS = (deliveries, all_deliveries, send_again)
