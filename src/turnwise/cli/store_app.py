"""The commands of `turnwise store` and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from turnwise.cli.data_option import json_option

store_app = typer.Typer(name="store", help="Look after a file of conversations.", no_args_is_help=True)

File = Annotated[str, typer.Argument(metavar="FILE", help="The file of the store, or its address (sqlite:///…).")]
Json = Annotated[bool, json_option("Print one JSON document.")]


@store_app.command()
def info(file: File, as_json: Json = False) -> None:
    """Print how many conversations there are, and what takes how much room."""
    from turnwise.cli.store import run_info

    raise typer.Exit(run_info(file, as_json=as_json))


@store_app.command()
def conversations(file: File, as_json: Json = False) -> None:
    """List the conversations, in the order in which they began."""
    from turnwise.cli.store import run_conversations

    raise typer.Exit(run_conversations(file, as_json=as_json))


@store_app.command()
def retain(
    file: File,
    events: Annotated[
        float | None, typer.Option(metavar="DAYS", min=0, help="Erase the words of events that are older.")
    ] = None,
    decisions: Annotated[
        float | None, typer.Option(metavar="DAYS", min=0, help="Drop what decisions read that are older.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Erase what is older; turns go on meanwhile. `vacuum` then removes the traces."""
    if events is None and decisions is None:
        raise typer.BadParameter("say --events DAYS, --decisions DAYS, or both")
    from turnwise.cli.store import run_retain

    raise typer.Exit(run_retain(file, events, decisions, as_json=as_json))


@store_app.command()
def forget(
    file: File,
    conversation: Annotated[str, typer.Argument(metavar="CONVERSATION", help="Its name.")],
    as_json: Json = False,
) -> None:
    """Delete all that is kept of a conversation. `vacuum` then removes the traces."""
    from turnwise.cli.store import run_forget

    raise typer.Exit(run_forget(file, conversation, as_json=as_json))


@store_app.command()
def vacuum(file: File, as_json: Json = False) -> None:
    """Write the file anew without anything that was erased or forgotten. Turns wait meanwhile."""
    from turnwise.cli.store import run_vacuum

    raise typer.Exit(run_vacuum(file, as_json=as_json))
