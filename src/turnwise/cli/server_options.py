"""The commands of the server with their options: `serve`, and `keys` for those who may use it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.options import JsonList, Model, Python, argument, flag, option, runs

_FILE = option("--file", "FILE", "The file of keys.", envvar="TURNWISE_KEYS")
KeysFile = Annotated[Path, _FILE]


@runs("serve:run_serve")
def serve(  # noqa: PLR0913  each option is an argument
    *,
    flows: Annotated[list[Path], argument("FLOW", "Flows: YAML, JSON, or Python (intake.py, intake.py:flow).")],
    store: Annotated[
        str, option("--store", "STORE", "The store: sqlite:///file.db.", envvar="TURNWISE_STORE")
    ] = "memory://",
    host: Annotated[str, option("--host", "HOST", "The address to listen on. Other than loopback it needs keys.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, option("--port", "PORT", "The port; 0 takes a free one.", min=0, max=65535)] = 8765,
    keys: Annotated[
        Path | None, option("--keys", "FILE", "The file of keys; see `turnwise keys`.", envvar="TURNWISE_KEYS")
    ] = None,
    reloads: Annotated[bool, flag("--reload", "Reload the flows when their files change, for development.")] = False,
    model: Model = "",
    python: Python = None,
    hosts: Annotated[
        list[str] | None, option("--allow-host", "NAME", "A name of this server, for requests by name. Repeatable.")
    ] = None,
    origins: Annotated[
        list[str] | None, option("--allow-origin", "ORIGIN", "A web page that may use the API. Repeatable.")
    ] = None,
    limits: Annotated[
        list[str] | None, option("--limit", "NAME=NUMBER", "Another value of a limit, as errors name it. Repeatable.")
    ] = None,
    visitors: Annotated[
        list[str] | None, option("--visitors", "FLOW", "Let visitors of web pages use this flow. Repeatable.")
    ] = None,
) -> None:
    """Serve flows over HTTP, with the studio in the browser."""


keys_app = typer.Typer(name="keys", help="Manage the keys of a server.", no_args_is_help=True)


@keys_app.command()
@runs("serve:run_keys_add")
def add(
    owner: Annotated[str, argument("OWNER", "Whose key it is: conversations belong to their owner.")],
    file: KeysFile = Path("turnwise-keys.json"),
    scopes: Annotated[
        list[str] | None,
        option("--scope", "SCOPE", "chat, debug:read, operator or admin. Repeatable. Default: chat."),
    ] = None,
    note: Annotated[str, option("--note", "TEXT", "A note for the list.")] = "",
) -> None:
    """Add a key, and print it: it is shown only now."""


@keys_app.command("list")
@runs("serve:run_keys_list")
def list_(file: KeysFile = Path("turnwise-keys.json"), as_json: JsonList = False) -> None:
    """List the keys, without their secrets."""


@keys_app.command()
@runs("serve:run_keys_remove")
def remove(
    number: Annotated[str, argument("ID", "The id of the key, as the list shows it.")],
    file: KeysFile = Path("turnwise-keys.json"),
) -> None:
    """Remove a key: from now on it opens nothing."""
