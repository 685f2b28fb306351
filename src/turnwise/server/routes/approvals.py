"""Approvals: the calls of a conversation that wait, and what a user or an operator decides about each (law 4.5)."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.state.events import CallDecision
from turnwise.errors import UnknownConversation
from turnwise.server.operation import IDEMPOTENCY_HEADER, OperationCall, operation
from turnwise.server.problems import turn_response
from turnwise.server.responses import Reply
from turnwise.server.views.approvals import waiting_calls
from turnwise.server.wire.approvals import CallChoice, Decide, DecideAsOperator, WaitingCall
from turnwise.server.wire.turns import TurnResult


@operation("GET", "/conversations/{id}/approvals", "chat", answer=tuple[WaitingCall, ...], errors=(409,))
async def approvals(call: OperationCall) -> tuple[WaitingCall, ...]:
    """Return the tool calls of a conversation that wait for approval, in the order of the calls."""
    chat = await call.chat()
    state = await chat.runtime.store.load(chat.name)
    if state is None:
        raise UnknownConversation(chat.name)
    machine = await chat.runtime.machines.of_state(state)
    app = call.service.apps[state.flow]
    return waiting_calls(machine, state, await call.service.redaction(app, machine, chat.name, state))


_EXAMPLE = {
    "decisions": [{"call": "5-1-2", "approve": True}, {"call": "5-1-3", "approve": False, "reason": "too dear"}]
}


@operation(
    "POST",
    "/conversations/{id}/approvals",
    "chat",
    answer=TurnResult,
    body=Decide,
    errors=(409, 422),
    headers=IDEMPOTENCY_HEADER,
    examples={"one of two": _EXAMPLE},
)
async def decide(call: OperationCall) -> Reply:
    """Approve or decline tool calls that the user decides, each by itself, and return the turn.

    A decision that comes after another one, or after the deadline, is refused: `unknown_call`. A call that an operator
    decides is refused: `approver`.
    """
    sent = await call.body(Decide)
    chat = await call.chat()
    turn = await chat.decide(_decisions(sent.decisions), by=call.identity.owner, key=call.idempotency_key)
    return turn_response(turn, sent)


@operation(
    "POST",
    "/conversations/{id}/person/approvals",
    "operator",
    answer=TurnResult,
    body=DecideAsOperator,
    errors=(409, 422),
    headers=IDEMPOTENCY_HEADER,
    examples={"one of two": {**_EXAMPLE, "operator": "Lena"}},
)
async def decide_as_operator(call: OperationCall) -> Reply:
    """Approve or decline tool calls that an operator decides (`approver: operator`), and return the turn.
    An operator may also decline what the user decides.

    With keys the owner of the key is recorded as the operator.
    """
    sent = await call.body(DecideAsOperator)
    chat = await call.chat()
    name = call.identity.owner or sent.operator
    turn = await chat.decide(_decisions(sent.decisions), operator=name, key=call.idempotency_key)
    return turn_response(turn, sent)


def _decisions(sent: Iterable[CallChoice]) -> tuple[CallDecision, ...]:
    return tuple([CallDecision(one.call, one.approve, one.arguments, one.reason) for one in sent])


OPERATIONS = (approvals, decide, decide_as_operator)
"""The operations of this module, which the server serves."""
