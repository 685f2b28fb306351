"""The state of a conversation as data: every field with its value, its origin, and what a turn changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.json import decode, encode
from msgspec.structs import replace

from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.state import ApprovalRequest, FieldValue, State
from turnwise.core.state.kinds import ERASED
from turnwise.core.values import REDACTED
from turnwise.flow.guard import text_of
from turnwise.flow.model import Field
from turnwise.server.views.approvals import waiting_calls
from turnwise.server.views.forms import form_view
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.summaries import person_view, timers_of
from turnwise.server.wire.trace import StateView
from turnwise.server.wire.values import ItemField, Origin, ValueView

Texts = Mapping[int, str]
"""Messages by position."""


def state_view(machine: Machine, state: State, before: State | None, redaction: Redaction, texts: Texts) -> StateView:
    """Return a state as clients receive it, compared with the state `before` the turn; `texts` are the messages that
    values came from, by position.
    """
    words = {
        value.place: texts[value.place[0]][value.place[1] : value.place[2]]
        for value in (*state.values.values(), *state.shelved.values())
        if value.place is not None
        and texts.get(value.place[0], ERASED) != ERASED
        and origin_of(value, redaction, texts).start is not None
    }
    values = tuple([_value(machine, name, state, before, redaction, texts) for name in machine.fields])
    question = state.question
    request = state.awaiting_approval or next(iter(state.approvals), None)
    return StateView(
        state.turn,
        state.seq,
        state.node,
        redaction.data(decode(encode(state.status))),
        values,
        timers_of(state, machine),
        form_view(machine, state, words, redaction.text),
        f"{question.kind} {question.field}".rstrip() if question is not None else "",
        f"{state.pending.transition} → {state.pending.target}" if state.pending is not None else "",
        _request(request, redaction),
        state.visits,
        state.tools.counts,
        state.tools.last,
        state.errors,
        tuple([frame.node for frame in state.frames]),
        tuple([frame.id for frame in state.frames]),
        person=person_view(machine, state),
        approvals=waiting_calls(machine, state, redaction),
        time_zone=state.time_zone,
        language=state.language,
    )


def _request(request: ApprovalRequest | None, redaction: Redaction) -> dict[str, Any] | None:
    """Return a call that waits as it is stored, without secrets and without the calls behind it."""
    if request is None:
        return None
    return redaction.data(redaction.by_field(decode(encode(replace(request, behind=())))))


def origin_of(value: FieldValue, redaction: Redaction, texts: Texts) -> Origin:
    """Return where a value came from, as clients receive it; without a position where its words are hidden.
    `texts` are messages by position.
    """
    span = None
    if value.place is not None:
        seq, start, end = value.place
        is_known = not redaction.is_needed or seq in texts
        span = redaction.span(seq, texts.get(seq, ""), start, end) if is_known else None
    start, end = span if span is not None else (None, None)
    seq = value.place[0] if value.place is not None and span is not None else None
    return Origin(value.how, value.turn, value.at_ms, value.confidence, seq, start, end)


def _value(
    machine: Machine, name: str, state: State, before: State | None, redaction: Redaction, texts: Texts
) -> ValueView:
    field, active = machine.fields[name], state.values.get(name)
    found = active or state.shelved.get(name)
    was = before.values.get(name) if before is not None else None
    is_default = found is None and field.default is not None
    value: Any = found.value if found is not None else field.default
    is_changed = before is not None and _plain(was) != _plain(active)
    return ValueView(
        name,
        machine.short_title(name),
        _type(field),
        redaction.value(name, value),
        "" if value is None else REDACTED if field.secret else redaction.text(value_text(value, field)),
        active is not None,
        field.secret,
        is_default,
        name not in state.shelved,
        origin_of(found, redaction, texts) if found is not None and not field.secret else None,
        _reason(machine, name, state, was if is_changed else None),
        redaction.value(name, _plain(was)) if is_changed else None,
        is_changed,
        tuple([_item_field(part) for part in field.parts]),
        int(field.max) if field.parts and isinstance(field.max, int | float) else None,
    )


def _item_field(part: Field) -> ItemField:
    options = tuple([option.value for option in part.options])
    return ItemField(part.name, part.about or part.name.replace("_", " "), _type(part), options)


def _plain(found: FieldValue | None) -> Any:
    return found.value if found is not None else None


def _type(field: Field) -> str:
    return f"list of {field.of}" if field.type == "list" and field.of else field.type


def _reason(machine: Machine, name: str, state: State, was: FieldValue | None) -> str:
    """Return why a field is inactive, or lost its value in the turn; empty otherwise."""
    if name in state.shelved:
        forms = [node.form for node in machine.nodes.values() if node.form is not None]
        questions = [form.by_address[name] for form in forms if name in form.by_address]
        guard = next((question.ask_when for question in questions if question.ask_when is not None), None)
        return (
            f"{text_of(guard.expression)} does not hold; the answer is kept"
            if guard is not None
            else "the answer is kept"
        )
    return "its value was removed in this turn" if was is not None and name not in state.values else ""
