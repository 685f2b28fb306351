"""The commands of `turnwise schedule`: when schedules are due, which input they have, and firing what is due."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path
from typing import Any, cast

from rich.table import Table

from turnwise.api.open import App, open_store
from turnwise.api.open import open as open_app
from turnwise.cli.inputs import code_of, existing_store, flow_of, machine_of
from turnwise.cli.show import counted_noun as counted
from turnwise.cli.show import plain_console, print_json, print_line, visible_line
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.recurrence.times import times_after
from turnwise.core.schedules.firing import what_it_does
from turnwise.core.zones import in_zone, is_zone, zone_hint, zone_or_utc
from turnwise.errors import WrongUsage
from turnwise.flow.durations import write_duration
from turnwise.runner.clocks import SystemClock
from turnwise.runner.schedules import inputs_set, known_schedule, schedule_of, set_input

_MOST_DUE = 10_000


def run_list(flow: Path, store: str, zone: str, count: int, as_json: bool) -> int:
    """Print the schedules of a flow with their next times; return the exit code."""
    machine = machine_of(flow, None)
    zone = zone or machine.rules.zone
    if not is_zone(zone):
        raise WrongUsage(f"'{zone}' is no time zone; {zone_hint(zone)}")
    now_ms, inputs = SystemClock().now_ms(), asyncio.run(_inputs(store, machine)) if store else {}
    rows = [_row(one, zone, now_ms, count, inputs.get(name, {})) for name, one in machine.schedules.items()]
    if as_json:
        print_json(rows)
        return 0
    console = plain_console()
    for row in rows:
        print_line(console, f"{row['schedule']}: {row['when']}, {row['does']}", "bold")
        for text in row["next"]:
            print_line(console, f"  {text}")
        for period, data in row["inputs"].items():
            mark = " (set in the store)" if period in row["set"] else ""
            print_line(console, f"  input of {period}: {json.dumps(data, ensure_ascii=False)}{mark}")
    if not rows:
        print_line(console, f"the flow {machine.flow.name} has no schedules")
    return 0


def _row(schedule: LinkedSchedule, zone: str, now_ms: int, count: int, given: dict[str, Any]) -> dict[str, Any]:
    times = islice(times_after(schedule.plan, zone_or_utc(zone), now_ms), count)
    return {
        "schedule": schedule.name,
        "when": _when(schedule),
        "does": what_it_does(schedule),
        "next": [in_zone(at_ms, zone) for at_ms in times],
        "inputs": {**schedule.schedule.input, **given},
        "set": sorted(given),
    }


def _when(schedule: LinkedSchedule) -> str:
    """Return when a schedule is due, in words."""
    of = schedule.schedule
    if of.cron:
        return f"cron {of.cron}"
    if of.idle_s is not None:
        return f"after {write_duration(of.idle_s)} without a message"
    at = " and ".join(f"{one:%H:%M}" for one in schedule.plan.times_of_day)
    return f"at {at}" if of.every_s is None else f"every {write_duration(of.every_s)} from {of.anchor} at {at}"


async def _inputs(store: str, machine: Any) -> dict[str, dict[str, Any]]:
    opened = open_store(existing_store(store))
    try:
        found = {name: await inputs_set(opened, machine, name) for name in machine.schedules}
        return {name: {one.period: one.input for one in given} for name, given in found.items()}
    finally:
        await opened.close()


def run_next(flow: Path, store: str, most: int, as_json: bool) -> int:
    """Print what fires next in the conversations of a store; return the exit code."""
    machine = machine_of(flow, None)

    async def work() -> list[dict[str, Any]]:
        opened = open_store(existing_store(store), may_only_read=True)
        try:
            due = await opened.due(machine.flow.name, 2**62, _MOST_DUE)
            found: list[dict[str, Any]] = []
            for one in due:
                schedule = schedule_of(one.timer)
                state = await opened.load(one.conversation) if schedule else None
                if state is not None and len(found) < most:
                    at = in_zone(one.timer.due_ms, state.time_zone)
                    waits = state.schedules.find(schedule) if state.schedules is not None else None
                    why = waits.waits if waits is not None else ""
                    found.append({"conversation": one.conversation, "schedule": schedule, "at": at, "waits": why})
            return found
        finally:
            await opened.close()

    found = asyncio.run(work())
    if as_json:
        print_json(found)
        return 0
    console = plain_console()
    table = Table("fires", "schedule", "conversation", "put off by", box=None)
    for row in found:
        table.add_row(*map(visible_line, (row["at"], row["schedule"], row["conversation"], row["waits"])))
    if found:
        console.print(table)
    print_line(console, f"{counted(len(found), 'firing')} to come" if found else "nothing is to come")
    return 0


def run_due(flow: Path, store: str, model: str, python: Path | None, as_json: bool) -> int:
    """Fire what is due now; return the exit code."""
    code, found = code_of(python), flow_of(flow)

    async def work(app: App) -> int:
        fired = 0
        while more := await app.tick():
            fired += more
        return fired

    tools = code.tools_of(found)
    app = open_app(found, store=existing_store(store), guards=code.guards, tools=tools, model=model or None)
    fired = asyncio.run(_closing(app, work))
    if as_json:
        print_json({"fired": fired})
    else:
        print_line(plain_console(), f"{counted(fired, 'turn')} fired")
    return 0


async def _closing(app: App, work: Callable[[App], Awaitable[int]]) -> int:
    try:
        return await work(app)
    finally:
        await app.close()


def run_set(flow: Path, schedule: str, period: str, given: str, store: str, by: str) -> int:
    """Set the input of a schedule for a period; return the exit code."""
    machine = machine_of(flow, None)
    known_schedule(machine, schedule)
    try:
        data: Any = json.loads(given)
    except ValueError as error:
        raise WrongUsage(f"the input is no JSON: {error}") from error
    if data is not None and not isinstance(data, dict):
        raise WrongUsage('the input is a JSON object, such as {"topic": "verbs"}, or null')

    async def work() -> None:
        opened = open_store(existing_store(store))
        try:
            await set_input(opened, SystemClock(), machine, schedule, period, cast("dict[str, Any] | None", data), by)
        finally:
            await opened.close()

    asyncio.run(work())
    what = "has no input any more that is set" if data is None else f"has the input {json.dumps(data)}"
    print_line(plain_console(), f"{schedule} {what} for {period}")
    return 0
