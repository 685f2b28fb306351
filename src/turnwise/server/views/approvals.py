"""The calls of a conversation that wait for approval, as clients receive them: without secret values."""

from __future__ import annotations

from typing import Any

from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import ApprovalRequest, State
from turnwise.core.tools import repeats
from turnwise.core.tools.consent import authored_question
from turnwise.core.values import REDACTED
from turnwise.flow.model import Field
from turnwise.server.views.item_tables import item_texts
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.approvals import WaitingArgument, WaitingCall, WaitingQuestionPart


def waiting_calls(machine: Machine, state: State, redaction: Redaction) -> tuple[WaitingCall, ...]:
    """Return the tool calls that wait for approval in a state, as clients receive them, in the order of the calls."""
    return tuple([_call(machine, state, one, redaction) for one in state.waiting_calls if one.tool in machine.tools])


def _call(machine: Machine, state: State, request: ApprovalRequest, redaction: Redaction) -> WaitingCall:
    tool, given = machine.tools[request.tool], request.arguments
    before = repeats.repeated_by(machine, state, request)
    return WaitingCall(
        request.name,
        request.tool,
        tool_in_words(tool.tool),
        tuple([_argument(machine, state, field, given.get(name), redaction) for name, field in tool.args.items()]),
        request.approver,
        request.since_ms,
        request.due_ms,
        request is state.awaiting_approval,
        tuple([call.tool for call in request.behind]),
        _question(machine, state, request, redaction),
        redaction.text(repeats.note_of(machine, state, tool, before)) if before is not None else "",
    )


def _question(
    machine: Machine, state: State, request: ApprovalRequest, redaction: Redaction
) -> tuple[WaitingQuestionPart, ...]:
    ask = machine.tools[request.tool].ask
    parts = authored_question(machine, state, ask, request.arguments) if ask is not None else []
    return tuple([WaitingQuestionPart(redaction.text(text), of.reads, of.is_value) for text, of in parts])


def _argument(machine: Machine, state: State, field: Field, value: Any, redaction: Redaction) -> WaitingArgument:
    known = value is not None
    text = redaction.text(written_for_user(machine, state, field, value)) if known else ""
    return WaitingArgument(
        field.name,
        field.about or field.name.replace("_", " "),
        f"list of {field.of}" if field.type == "list" and field.of else field.type,
        REDACTED if field.secret and known else redaction.data(value),
        REDACTED if field.secret and known else text,
        tuple([option.value for option in field.options]),
        field.secret,
        field.optional or field.default is not None,
        None if field.secret else item_texts(machine, state, field, value, redaction.text),
    )
