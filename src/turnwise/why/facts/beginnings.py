"""Facts about what began a turn, and about how its message was understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.forms.buttons import label_of
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.flow.model import Field
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.dropped import facts_of_dropped

_BY = {"rules": Phrase("the rules"), "model": Phrase("the model"), "function": Phrase("the program's own function")}


def beginning_of_turn(builder: FactBuilder) -> Fact | None:
    """Return the fact about the event that began the turn; `None` if it is not known."""
    return builder.first(
        "message_received",
        "button_pressed",
        "commands_received",
        "calls_decided",
        "tool_used_by_host",
        "timer_fired",
        "schedule_due",
        "schedule_fired",
        "event_received",
        "flow_continued",
        "person_gave_back",
        "conversation_started",
    )


def _turn(builder: FactBuilder) -> Subject:
    return Subject("turn", str(builder.entry.turn))


def _message(builder: FactBuilder) -> Subject:
    return Subject("message", str(builder.entry.turn))


def _started(builder: FactBuilder, event: e.Started) -> Iterator[Fact]:
    about = (Subject("conversation"), _turn(builder), Subject("node", event.node))
    yield builder.fact("conversation_started", *about, node=event.node, version=event.version, flow=event.flow)


def _said(builder: FactBuilder, event: e.UserSaid) -> Iterator[Fact]:
    yield builder.fact("message_received", _turn(builder), _message(builder), said=event.text)
    yield from _not_interpreted(builder, event.text)


def _chose(builder: FactBuilder, event: e.UserChose) -> Iterator[Fact]:
    yield builder.fact(
        "button_pressed",
        _turn(builder),
        _message(builder),
        said=_pressed(builder, event.value),
        position=event.position,
    )
    yield from _not_interpreted(builder, event.value)


def _pressed(builder: FactBuilder, value: str) -> str:
    """Return what the pressed button shows, if the form offered it; else its value."""
    before = builder.turn.before
    if before is None or builder.hide(value) != value:
        return value
    return label_of(builder.machine, before, value)


def _not_interpreted(builder: FactBuilder, said: str) -> Iterator[Fact]:
    """Yield why a message is not interpreted: a person is in charge, or awaited."""
    before = builder.turn.before
    if before is None or before.person is None:
        return
    person = before.person
    who = (
        phrase("{operator} is in charge", operator=person.operator)
        if person.operator
        else phrase("a person of the queue {queue} is awaited", queue=person.queue)
    )
    about, operator = (_message(builder), Subject("person")), person.operator
    yield builder.fact("message_not_interpreted", *about, said=said, person=who, operator=operator)


def _commands(builder: FactBuilder, event: e.Commands) -> Iterator[Fact]:
    about = (_turn(builder), *_fields(event.commands))
    by = event.by or Phrase("the program")
    yield builder.fact("commands_received", *about, by=by, commands=commands_text(builder, event.commands))


def _used(builder: FactBuilder, event: e.ToolUsed) -> Iterator[Fact]:
    yield builder.fact("tool_used_by_host", _turn(builder), Subject("tool", event.tool), tool=event.tool)


def _fired(builder: FactBuilder, event: e.TimerFired) -> Iterator[Fact]:
    state = builder.state
    assert state is not None, "a conversation has begun before a timer of it comes due"
    armed = state.timers
    due_ms = event.due_ms or next((one.due_ms for one in armed if one.transition == event.timer), None)
    late_s = (builder.entry.at_ms - due_ms) // 1000 if due_ms is not None else 0
    about = (_turn(builder), Subject("timer", event.timer), *subjects_named("transition", event.timer))
    values: dict[str, Any] = {
        "due": builder.time(due_ms) if due_ms is not None else "",
        "at": builder.time(builder.entry.at_ms),
        "late": phrase("{late_s} s", late_s=late_s) if late_s > 0 else "",
        "node": state.node,
    }
    is_own = any(one.transition == event.timer and one.visit == state.frame.visit for one in armed)
    since = state.frame.entered_turn if is_own else 0
    yield builder.fact("timer_fired", *about, timer=event.timer, since=since, **values)


def _continued(builder: FactBuilder, _event: e.Continued) -> Iterator[Fact]:
    yield builder.fact("flow_continued", _turn(builder))


def _undo(builder: FactBuilder, event: e.UndoAsked) -> Iterator[Fact]:
    yield builder.fact("undo_asked", _turn(builder), to=event.to)


def _understood(builder: FactBuilder, event: e.Understood) -> Iterator[Fact]:
    by, model, causes = _BY[event.by], event.model, (beginning_of_turn(builder),)
    about = (_message(builder), *((Subject("model"),) if event.by == "model" else ()), *_fields(event.commands))
    if event.commands:
        text = commands_text(builder, event.commands)
        found = builder.fact("understood", *about, causes=causes, by=by, model=model, commands=text)
    else:
        fields = _open_fields(builder)
        found = builder.fact("understood_nothing", *about, causes=causes, by=by, node=builder.node, open=fields)
    yield found
    yield from facts_of_dropped(builder, found)


def _open_fields(builder: FactBuilder) -> str:
    """Return the fields that a message could set, each with its options or its type; empty where a question was open,
    whose answer has a fact of its own.
    """
    assert builder.state is not None, "a conversation has begun before a message is understood"
    found = allowed_input(builder.machine, builder.state)
    fields = found.fields if not found.question else ()
    return joined(
        (phrase("{field} ({options})", field=one.address, options=_options(one.field)) for one in fields), ", "
    )


def _options(field: Field) -> str:
    return joined((one.value for one in field.options), ", ") or str(field.of or field.type)


def _not_read(builder: FactBuilder, event: e.UnderstandingFailed) -> Iterator[Fact]:
    causes = (beginning_of_turn(builder),)
    yield builder.fact("understanding_failed", _message(builder), causes=causes, reason=event.reason, at=event.at)


def _fields(commands: tuple[c.AnyCommand, ...]) -> tuple[Subject, ...]:
    names = dict.fromkeys(str(getattr(command, "field", "")) for command in commands)
    return tuple([Subject("field", name) for name in names if name])


def commands_text(builder: FactBuilder, commands: tuple[c.AnyCommand, ...]) -> str:
    """Return commands in one line, without the values of secret fields: `set user.age = 45, affirm`."""
    return joined((_command(builder, command) for command in commands), ", ") or Phrase("nothing")


def _command(builder: FactBuilder, command: c.AnyCommand) -> str:
    name = c.name_of(command)
    match command:
        case c.Set(field=field, value=value):
            given = builder.value(field, value) if value is not None else Phrase("nothing")
            corrected = field or Phrase("(the field that is corrected)")
            return phrase("{command} {field} = {given}", command=name, field=corrected, given=given)
        case c.Add(field=field, item=value) | c.Remove(field=field, item=value):
            return phrase("{command} {field}: {value}", command=name, field=field, value=builder.value(field, value))
        case c.Change(field=field, item=item, name=part, value=value):
            given = builder.value(field, value) if value is not None else Phrase("nothing")
            return phrase(
                "{command} {part} of {item} in {field} to {given}",
                command=name,
                part=part,
                item=_item(builder, field, item),
                field=field,
                given=given,
            )
        case c.Move(field=field, item=item, to=to):
            return phrase(
                "{command} {item} of {field} to position {to}",
                command=name,
                item=_item(builder, field, item),
                field=field,
                to=to,
            )
        case c.Copy(field=field, item=item, count=count):
            times = count if count > 1 else None
            item = _item(builder, field, item)
            return phrase(
                "{command} {item} of {field}[ {count} times]", command=name, item=item, field=field, count=times
            )
        case c.Clear(field=field) | c.Edit(field=field) | c.Help(field=field) | c.Why(field=field):
            return phrase("{command}[ {field}]", command=name, field=field)
        case _:
            return name


def _item(builder: FactBuilder, field: str, ref: c.ItemRef) -> str:
    """Return in words which item of a list of records a command names."""
    return (
        phrase("item {value}", value=builder.value(field, ref))
        if not isinstance(ref, dict)
        else phrase("the item {value}", value=builder.value(field, ref))
    )


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.Started: _started,
    e.UserSaid: _said,
    e.UserChose: _chose,
    e.Commands: _commands,
    e.ToolUsed: _used,
    e.TimerFired: _fired,
    e.Continued: _continued,
    e.UndoAsked: _undo,
    e.Understood: _understood,
    e.UnderstandingFailed: _not_read,
}
"""The functions that yield the facts of an event, by the class of the event."""
