"""Events of other systems: which ones a flow takes, and that one has come (law 2.17)."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.state.events import EventHeld
from turnwise.server.operation import IDEMPOTENCY_HEADER, OperationCall, operation
from turnwise.server.problems import problem_of_refusal
from turnwise.server.responses import Reply, reply
from turnwise.server.wire.external_events import EventTaken, EventType, NewEvent


@operation("GET", "/flows/{flow}/events", "events", answer=tuple[EventType, ...], errors=(404,))
async def event_types(call: OperationCall) -> tuple[EventType, ...]:
    """Return the external events that a flow accepts, each with the JSON Schema of its data."""
    machine = call.service.app(call.identity, call.part("flow")).machine
    return tuple([EventType(name, one.spec.parameters) for name, one in machine.events.items()])


@operation(
    "POST",
    "/conversations/{id}/events/{name}",
    "events",
    answer=EventTaken,
    body=NewEvent,
    errors=(404, 409, 413, 415, 422),
    headers=IDEMPOTENCY_HEADER,
    examples={"payment": {"data": {"amount": 20, "currency": "EUR"}}},
)
async def send_event(call: OperationCall) -> Reply:
    """Pass an event of another system to a conversation; return whether a transition was taken.

    An event with the same `Idempotency-Key` counts once. With keys the owner of the key is recorded as the sender. The
    answer has nothing of what was said: the sender is not the user.
    """
    sent = await call.body(NewEvent)
    chat = await call.chat()
    turn = await chat.event(call.part("name"), sent.data, by=call.identity.owner, key=call.idempotency_key)
    if turn.refused:
        return reply(replace(problem_of_refusal(turn, sent), turn=None))
    taken = next((one.taken for one in turn.decisions if one.moment == "event"), "")
    waits = any(isinstance(event, EventHeld) for event in turn.events)
    return reply(EventTaken(turn.number, taken, waits, turn.is_duplicate))


OPERATIONS = (event_types, send_event)
"""The operations of this module, which the server serves."""
