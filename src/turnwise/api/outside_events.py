"""Makes the events that a `Chat` sends, from the arguments of its methods, and checks these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast, get_args

from turnwise.archive.arguments import check_number, check_text, is_instance
from turnwise.core.state import State, Timer
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand
from turnwise.core.values.json_data import NotJson, to_json_data
from turnwise.errors import WrongArgument
from turnwise.runner.schedules import KnownInputs, due_event, event_now, schedule_of

if TYPE_CHECKING:
    from turnwise.api.runtime import Runtime

_COMMANDS = get_args(AnyCommand)


def button_press(button: str | e.Button, position: int | None) -> e.UserChose:
    """Return the event of a pressed button, named by its value or label, or as the turn returned it.
    `position` is that of the turn that offered the button; `None` if the caller does not know it.
    """
    if isinstance(button, e.Button):
        button = button.value
    if not is_instance(button, str):
        raise WrongArgument("button", button, "a Button, or its value or label as a str")
    return e.UserChose(button, check_number("position", position))


async def timer_event(runtime: Runtime, timer: str | Timer, visit: int | None) -> e.TimerFired | e.ScheduleDue:
    """Return the event that fires a timer now.
    A `str` names the transition of a timer, else a schedule, which fires before its time; a `Timer` is one of
    `state.due_timers`. With `visit`, the number of a visit of its node, the timer only fires in that visit.
    """
    machine, now_ms = runtime.machine, runtime.clock.now_ms()
    inputs = KnownInputs(runtime.store, machine.flow.name)
    if isinstance(timer, Timer):
        if schedule_of(timer):
            return await due_event(inputs, timer, now_ms)
        return e.TimerFired(timer.transition, timer.visit, timer.due_ms)
    name = check_text("timer", timer)
    if name in machine.schedules and name not in machine.transitions("timer"):
        return await event_now(inputs, name, now_ms, "the program")
    return e.TimerFired(name, visit)


def as_outside_event(
    event: str | e.Button | e.GivenBack | Iterable[AnyCommand], position: int | None
) -> e.OutsideEvent:
    """Return the event of a message (text), a button, commands, or a person's giving back; `position` is that of the
    question which the caller saw.
    """
    if isinstance(event, e.GivenBack):
        return event
    if is_instance(event, str):
        return e.UserSaid(check_text("event", cast("str", event)), position is not None)
    return button_press(event, position) if isinstance(event, e.Button) else commands_event(cast("Any", event))


def commands_event(commands: Iterable[AnyCommand], by: str = "") -> e.Commands:
    """Return the event of commands that a program sends; `by` is who sent them. Raises `WrongArgument`."""
    if not is_instance(commands, Iterable) or is_instance(commands, str | bytes | Mapping):
        raise WrongArgument("commands", commands, "a list of commands, such as [tw.commands.Set(…)]")
    found = tuple(commands)
    for place, command in enumerate(found):
        if not is_instance(command, _COMMANDS):
            raise WrongArgument(f"commands[{place}]", command, "a command, such as tw.commands.Set(…)")
    return e.Commands(found, by)


def tool_use(tool: str, arguments: Mapping[str, Any] | None, result: Any) -> e.ToolUsed:
    """Return the event of a tool use by the host's own code; arguments and result become JSON data."""
    if arguments is not None and not is_instance(arguments, Mapping):
        raise WrongArgument("arguments", arguments, "a mapping from names to values")
    data = {
        check_text("a name in arguments", name): json_data(f"arguments[{name!r}]", value)
        for name, value in (arguments or {}).items()
    }
    return e.ToolUsed(check_text("tool", tool), data, json_data("result", result))


def external_event(name: str, data: Mapping[str, Any] | None, by: str) -> e.EventReceived:
    """Return the event of something that happened in another system; `data` becomes JSON data, `by` is who sent it."""
    if data is not None and not is_instance(data, Mapping):
        raise WrongArgument("data", data, "a mapping from names to values")
    given = {
        check_text("a name in data", key): json_data(f"data[{key!r}]", value) for key, value in (data or {}).items()
    }
    return e.EventReceived(check_text("name", name), given, check_text("by", by))


def entries_of(given: Mapping[str, Any] | None) -> Iterable[tuple[str, Any]]:
    """Return the items of a mapping that a caller passed; an empty tuple for `None`."""
    if given is not None and not is_instance(given, Mapping):
        raise WrongArgument("set", given, "a mapping from fields to values")
    return () if given is None else given.items()


def json_data(argument: str, value: Any) -> Any:
    """Return a value that a caller passed, as JSON data. Raises `WrongArgument` with the name of the `argument`."""
    try:
        found = to_json_data(value)
    except NotJson as error:
        raise WrongArgument(argument, value, f"JSON data ({error})") from None
    if found.replaced:
        raise WrongArgument(argument, value, "JSON data of whole letters")
    return found.data


def decisions_of(
    state: State | None, calls: tuple[str, ...], *, approve: bool, operator: bool, more: Mapping[str, Any]
) -> tuple[e.CallDecision, ...]:
    """Return decisions that `approve` or decline waiting tool calls, by the ids in `calls`.
    Without ids they are about all calls in `state` that the user decides, or with `operator` those that an operator
    decides. `more` are further attributes of each decision.
    """
    names = tuple([check_text("call", call) for call in calls])
    if not names and state is not None:
        approver = "operator" if operator else "user"
        names = tuple([one.name for one in state.waiting_calls if one.approver == approver])
    return tuple([e.CallDecision(name, approve, **more) for name in names])
