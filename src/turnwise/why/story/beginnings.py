"""What began a turn, and how a message was understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.story.telling import Telling, of

_BY = {"rules": "the rules", "model": "the model", "function": "the program's own function"}


def began(telling: Telling) -> Fact | None:
    """Return what began the turn, as told so far."""
    return telling.first(
        "message_received",
        "button_pressed",
        "commands_received",
        "tool_used_by_host",
        "timer_fired",
        "flow_continued",
        "person_gave_back",
        "conversation_started",
    )


def _turn(telling: Telling) -> Subject:
    return Subject("turn", str(telling.entry.turn))


def _message(telling: Telling) -> Subject:
    return Subject("message", str(telling.entry.turn))


def _started(telling: Telling, event: e.Started) -> Iterator[Fact]:
    about = (Subject("conversation"), _turn(telling), Subject("node", event.node))
    yield telling.fact("conversation_started", *about, node=event.node, version=event.version, flow=event.flow)


def _said(telling: Telling, event: e.UserSaid) -> Iterator[Fact]:
    yield telling.fact("message_received", _turn(telling), _message(telling), said=event.text)
    yield from _not_interpreted(telling)


def _chose(telling: Telling, event: e.UserChose) -> Iterator[Fact]:
    yield telling.fact("button_pressed", _turn(telling), _message(telling), said=event.value, position=event.position)
    yield from _not_interpreted(telling)


def _not_interpreted(telling: Telling) -> Iterator[Fact]:
    """Tell why a message is not interpreted: a person is in charge, or awaited."""
    before = telling.turn.before
    if before is None or before.person is None:
        return
    person = before.person
    who = f"{person.operator} is in charge" if person.operator else f"a person of the queue {person.queue} is awaited"
    about, operator = (_message(telling), Subject("person")), person.operator
    yield telling.fact("message_not_interpreted", *about, person=who, operator=operator)


def _commands(telling: Telling, event: e.Commands) -> Iterator[Fact]:
    about = (_turn(telling), *_fields(event.commands))
    by = event.by or "the program"
    yield telling.fact("commands_received", *about, by=by, commands=commands_text(telling, event.commands))


def _used(telling: Telling, event: e.ToolUsed) -> Iterator[Fact]:
    yield telling.fact("tool_used_by_host", _turn(telling), Subject("tool", event.tool), tool=event.tool)


def _fired(telling: Telling, event: e.TimerFired) -> Iterator[Fact]:
    armed = telling.state.timers if telling.state is not None else ()
    due_ms = event.due_ms or next((one.due_ms for one in armed if one.transition == event.timer), None)
    late_s = (telling.entry.at_ms - due_ms) // 1000 if due_ms is not None else 0
    about = (_turn(telling), Subject("timer", event.timer), *of("transition", event.timer))
    values: dict[str, Any] = {
        "due": telling.time(due_ms) if due_ms is not None else "",
        "late": f"{late_s} s" if late_s > 0 else "",
    }
    yield telling.fact("timer_fired", *about, timer=event.timer, **values)


def _continued(telling: Telling, _event: e.Continued) -> Iterator[Fact]:
    yield telling.fact("flow_continued", _turn(telling))


def _undo(telling: Telling, event: e.UndoAsked) -> Iterator[Fact]:
    yield telling.fact("undo_asked", _turn(telling), to=event.to)


def _understood(telling: Telling, event: e.Understood) -> Iterator[Fact]:
    by, model, causes = _BY[event.by], event.model, (began(telling),)
    about = (_message(telling), *((Subject("model"),) if event.by == "model" else ()), *_fields(event.commands))
    if event.commands:
        text = commands_text(telling, event.commands)
        yield telling.fact("understood", *about, causes=causes, by=by, model=model, commands=text)
    else:
        yield telling.fact("understood_nothing", *about, causes=causes, by=by, node=telling.node)


def _not_read(telling: Telling, event: e.UnderstandingFailed) -> Iterator[Fact]:
    causes = (began(telling),)
    yield telling.fact("understanding_failed", _message(telling), causes=causes, reason=event.reason, at=event.at)


def _fields(commands: tuple[c.AnyCommand, ...]) -> tuple[Subject, ...]:
    names = dict.fromkeys(str(getattr(command, "field", "")) for command in commands)
    return tuple([Subject("field", name) for name in names if name])


def commands_text(telling: Telling, commands: tuple[c.AnyCommand, ...]) -> str:
    """Return commands in one line, without the values of secret fields: `set user.age = 45, affirm`."""
    return ", ".join(_command(telling, command) for command in commands) or "nothing"


def _command(telling: Telling, command: c.AnyCommand) -> str:
    name = c.name_of(command)
    match command:
        case c.Set(field=field, value=value):
            return f"{name} {field or '(the field that is corrected)'} = {telling.value(field, value)}"
        case c.Add(field=field, item=value) | c.Remove(field=field, item=value):
            return f"{name} {field}: {telling.value(field, value)}"
        case c.Clear(field=field) | c.Edit(field=field) | c.Help(field=field) | c.Why(field=field):
            return f"{name} {field}".rstrip()
        case _:
            return name


TELLERS: dict[type, Callable[[Telling, Any], Iterator[Fact]]] = {
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
