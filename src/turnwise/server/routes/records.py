"""Records of a conversation, read and edited; its artefacts and timers."""

from __future__ import annotations

from turnwise.api.chat import Chat
from turnwise.core.spending_report import SpendingReport
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.runner.result import Turn
from turnwise.runner.stored import StoredConversation
from turnwise.server.faults import place_of_field
from turnwise.server.operation import IDEMPOTENCY_HEADER, OperationCall, operation
from turnwise.server.problems import RequestFailed, problem_of_refusal
from turnwise.server.views.states import state_view
from turnwise.server.views.summaries import timers_of
from turnwise.server.views.trace_data import redaction_of, texts_of, turn_with_state
from turnwise.server.views.turn_results import result_of
from turnwise.server.wire.conversations import TimerView
from turnwise.server.wire.records import Artefact, Records, RecordsEdit, RecordsEdited
from turnwise.server.wire.requests import Fault, Problem


@operation("GET", "/conversations/{id}/records", "chat", answer=Records, errors=(409,))
async def records(call: OperationCall) -> Records:
    """Return every field with its value and where it came from; secrets are redacted.

    It needs the scope `debug:read` or `operator`.
    """
    call.need_inside("every value of a conversation")
    chat = await call.chat()
    return await _records(chat, await turn_with_state(chat, None))


@operation(
    "PATCH",
    "/conversations/{id}/records",
    "operator",
    answer=RecordsEdited,
    body=RecordsEdit,
    errors=(409,),
    headers=IDEMPOTENCY_HEADER,
    examples={
        "correct": {"set": {"user.age": 48}, "clear": ["user.name"]},
        "items": {
            "items": [{"type": "change", "field": "order.items", "item": "i2", "name": "size", "value": "Large"}]
        },
    },
)
async def edit(call: OperationCall) -> RecordsEdited | Problem:
    """Set and clear fields, and change items of lists of records; values are checked as answers are.

    All of it or nothing: one value that is refused refuses the edit. The edit is a turn with commands, so it is in the
    journal, transitions are judged, and a model may speak. Operators edit only while they are in charge.
    """
    asked, chat = await call.body(RecordsEdit), await call.chat()
    if not call.may("admin"):
        await _check_in_charge(call, chat)
    commands = [
        *[c.Set(field=field, value=value) for field, value in asked.set.items()],
        *[c.Clear(field=field) for field in asked.clear],
        *asked.items,
    ]
    if not commands:
        fault = Fault("/set", "name fields under 'set' or 'clear', or changes under 'items'")
        raise RequestFailed("invalid", fault.message, errors=[fault])
    key = call.idempotency_key
    if key is None or await chat.runtime.store.receipt(chat.name, key) is None:
        tried = await chat.dry_run(commands)
        faults = [_fault(one, asked) for one in tried.turn.events if isinstance(one, e.CommandRefused)]
        if faults:
            raise RequestFailed("invalid", "; ".join(f"{one.at}: {one.message}" for one in faults), errors=faults)
    turn = await chat.commands(commands, by=call.identity.sender, key=key)
    if turn.refused is not None:
        return problem_of_refusal(turn, asked)
    return RecordsEdited(result_of(turn), await _records(chat, turn))


async def _check_in_charge(call: OperationCall, chat: Chat) -> None:
    """Raise `RequestFailed` unless the caller is the person in charge."""
    person = (await chat.state()).person
    if person is None or person.operator != call.identity.owner:
        call.need("admin", "editing the records of a conversation in which you are not in charge")


def _fault(event: e.CommandRefused, asked: RecordsEdit) -> Fault:
    place = _place_of_item(event, asked) or place_of_field(event.field, asked)
    return Fault(place, event.text or f"refused: {event.reason}")


def _place_of_item(event: e.CommandRefused, asked: RecordsEdit) -> str:
    """Return the place of the change of an item that was refused: that of the item and the value, if it names them."""
    own = [
        (place, one)
        for place, one in enumerate(asked.items)
        if one.field == event.field and c.name_of(one) == event.command
    ]
    exact = [at for at, one in own if getattr(one, "item", "") == event.item and getattr(one, "name", "") == event.name]
    places = [*exact, *[at for at, _ in own]]
    return f"/items/{places[0]}" if places else ""


async def _records(chat: Chat, turn: Turn) -> Records:
    texts = await texts_of(chat.runtime.store, turn)
    view = state_view(turn.machine, turn.state, turn.before, redaction_of(turn), texts)
    return Records(chat.name, turn.state.turn, turn.state.seq, view.values)


@operation("GET", "/conversations/{id}/artefacts", "chat", answer=tuple[Artefact, ...], errors=(409,))
async def artefacts(call: OperationCall) -> tuple[Artefact, ...]:
    """Return the artefacts that forms made for the host in a conversation, in order."""
    chat = await call.chat()
    state = await chat.state()
    machine = await chat.runtime.machines.shown_of_state(state)
    redaction = await call.service.redaction(call.service.apps[state.flow], machine, chat.name, state)
    found, undone = list[Artefact](), set[int]()
    async for page in StoredConversation(chat.runtime.store, chat.name).pages():
        for entry in page:
            if isinstance(entry.event, e.ArtefactMade):
                data = redaction.data(entry.event.data)
                found.append(Artefact(entry.seq, entry.turn, entry.at_ms, entry.event.kind, data))
            elif isinstance(entry.event, e.Undone):
                undone.update(range(entry.event.to + 1, entry.turn))
    return tuple([Artefact(a.seq, a.turn, a.at_ms, a.kind, a.data, a.turn in undone) for a in found])


@operation("GET", "/conversations/{id}/timers", "chat", answer=tuple[TimerView, ...], errors=(409,))
async def timers(call: OperationCall) -> tuple[TimerView, ...]:
    """Return the armed timers of a conversation, the next one first. It needs the scope `debug:read` or `operator`."""
    call.need_inside("the timers of a conversation")
    chat = await call.chat()
    state = await chat.state()
    return timers_of(state, await chat.runtime.machines.shown_of_state(state))


@operation("GET", "/conversations/{id}/spending", "chat", answer=SpendingReport, errors=(409,))
async def spending(call: OperationCall) -> SpendingReport:
    """Return what model calls of a conversation have used, and what its budgets leave.
    It needs the scope `debug:read` or `operator`.
    """
    call.need_inside("what a conversation has cost")
    chat = await call.chat()
    return await chat.spending()


OPERATIONS = (records, edit, artefacts, timers, spending)
"""The operations of this module, which the server serves."""
