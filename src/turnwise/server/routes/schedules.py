"""Schedules of a flow: when each is due, what it does, and its inputs by period, read and set."""

from __future__ import annotations

from turnwise.server.operation import OperationCall, operation
from turnwise.server.views.page_words import accepted_words
from turnwise.server.views.schedules import schedule_view
from turnwise.server.wire.schedules import ScheduleInput, ScheduleView


@operation("GET", "/flows/{flow}/schedules", "debug:read", answer=tuple[ScheduleView, ...], errors=(409,))
async def schedules(call: OperationCall) -> tuple[ScheduleView, ...]:
    """Return the schedules of a flow, with their inputs by period: those of the flow, and those set at run time."""
    app = call.service.app(call.identity, call.part("flow"))
    machine, words = app.machine, accepted_words(call.header(b"accept-language"))
    return tuple(
        [schedule_view(machine, one, await app.schedule_inputs(one.name), words) for one in machine.schedules.values()]
    )


@operation(
    "PUT",
    "/flows/{flow}/schedules/{name}/input/{period}",
    "admin",
    answer=ScheduleView,
    body=ScheduleInput,
    errors=(409,),
    examples={"November": {"input": {"topic": "the verbs"}}, "take it away": {"input": None}},
)
async def set_schedule_input(call: OperationCall) -> ScheduleView:
    """Set the input of a schedule for a period, in all conversations; `null` removes it, and the flow decides again.
    The period is a day (`2026-11-10`), an ISO week (`2026-W46`), a month, a year, or `default`.

    The store keeps who set what when, and each firing records the input that it used.
    """
    sent, app = await call.body(ScheduleInput), call.service.app(call.identity, call.part("flow"))
    flow, name, period = app.machine.flow.name, call.part("name"), call.part("period")
    await app.set_schedule_input(flow, name, period, sent.input, by=call.identity.owner)
    words = accepted_words(call.header(b"accept-language"))
    return schedule_view(app.machine, app.machine.schedules[name], await app.schedule_inputs(name), words)


OPERATIONS = (schedules, set_schedule_input)
"""The operations of this module, which the server serves."""
