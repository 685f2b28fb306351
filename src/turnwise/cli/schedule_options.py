"""The commands for the schedules of a flow: `turnwise schedule …`."""

from __future__ import annotations

from typing import Annotated

import typer

from turnwise.cli.options import FlowPath, FormOfInput, Json, Model, Python, Store, argument, option, runs_function

schedule_app = typer.Typer(name="schedule", help="List and fire schedules, and set their inputs.", no_args_is_help=True)
"""The command `turnwise schedule`."""

_OptionalStore = Annotated[
    str, option("--store", "STORE", "Also show the inputs that are set in this store.", envvar="TURNWISE_STORE")
]
_Zone = Annotated[str, option("--zone", "ZONE", "The time zone of the times. Default: that of the flow.")]
_By = Annotated[str, option("--by", "NAME", "Who sets it; the store keeps that.", envvar="USER")]


@schedule_app.command("list")
@runs_function("schedules:run_list")
def schedule_list(
    flow: FlowPath,
    store: _OptionalStore = "",
    zone: _Zone = "",
    count: Annotated[int, option("--count", "N", "How many of the next times.", min=1, max=100)] = 3,
    as_json: Json = False,
    form_of_input: FormOfInput = "",
) -> None:
    """List the schedules of a flow, with their next times and the input of each."""


@schedule_app.command("next")
@runs_function("schedules:run_next")
def schedule_next(
    flow: FlowPath,
    store: Store,
    most: Annotated[int, option("--most", "N", "How many.", min=1, max=10_000)] = 20,
    as_json: Json = False,
    form_of_input: FormOfInput = "",
) -> None:
    """List what fires next in the conversations of a store, the earliest first."""


@schedule_app.command("run")
@runs_function("schedules:run_due")
def schedule_run(
    flow: FlowPath,
    store: Store,
    model: Model = "",
    python: Python = None,
    as_json: Json = False,
    form_of_input: FormOfInput = "",
) -> None:
    """Fire the schedules and timers that are due now, wait for their turns, and end: for a job of cron."""


@schedule_app.command("set")
@runs_function("schedules:run_set")
def schedule_set(
    flow: FlowPath,
    schedule: Annotated[str, argument("SCHEDULE", "A schedule of the flow.")],
    period: Annotated[str, argument("PERIOD", "2026-11-10, 2026-W46, 2026-11, 2026, or default.")],
    given: Annotated[str, argument("INPUT", "The input of its scope as JSON; null takes it away.")],
    store: Store,
    by: _By = "",
    form_of_input: FormOfInput = "",
) -> None:
    """Set the input of a schedule for a period, in all conversations of a store."""
