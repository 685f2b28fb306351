"""The commands for the files of stores: `turnwise store …`."""

from __future__ import annotations

from typing import Annotated

import typer

from turnwise.cli.options import Json, StoreFile, argument, option, runs_function

store_app = typer.Typer(name="store", help="Inspect, clean up and copy a store.", no_args_is_help=True)
"""The command `turnwise store`."""


@store_app.command()
@runs_function("store:run_info")
def info(file: StoreFile, as_json: Json = False) -> None:
    """Print the number of conversations, and the size of each kind of data."""


@store_app.command()
@runs_function("store:run_conversations")
def conversations(file: StoreFile, as_json: Json = False) -> None:
    """List the conversations, in the order in which they began."""


@store_app.command()
@runs_function("store:run_retain")
def retain(
    file: StoreFile,
    events: Annotated[
        float | None, option("--events", "DAYS", "Erase the words of events older than this.", min=0)
    ] = None,
    decisions: Annotated[
        float | None, option("--decisions", "DAYS", "Drop the values that decisions older than this read.", min=0)
    ] = None,
    as_json: Json = False,
) -> None:
    """Erase old events and decisions, at the latest as `keep` of their flow says; turns can run meanwhile.
    `vacuum` then removes the traces.
    """


@store_app.command()
@runs_function("store:run_forget")
def forget(
    file: StoreFile,
    conversation: Annotated[str, argument("CONVERSATION", "The name of the conversation.")],
    as_json: Json = False,
) -> None:
    """Delete all data of a conversation. `vacuum` then removes the traces."""


@store_app.command()
@runs_function("store:run_vacuum")
def vacuum(file: StoreFile, as_json: Json = False) -> None:
    """Rewrite the file without erased or forgotten data. Turns wait meanwhile."""


@store_app.command()
@runs_function("store:run_copy")
def copy(
    source: Annotated[str, argument("FROM", "The store to copy: a file, or its address.")],
    target: Annotated[str, argument("TO", "Where to: sqlite:///file.db, postgresql://user@host/database.")],
    as_json: Json = False,
) -> None:
    """Copy all of a store to another: conversations, keys, timers, settings, deliveries and flows.
    A second run goes on where the first was broken off.
    """
