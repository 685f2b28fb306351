"""The commands of the server with their options: `serve`, and `keys` for the people who may use the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.delivery_options import DeliverHttp, DeliverPrivate, DeliverSecrets, DeliverUrl
from turnwise.cli.options import JsonList, Model, Python, QuestionModel, Store, argument, flag, option, runs_function

KEYS = "turnwise-keys.json"
"""The default name of the file of keys."""
KeysFile = Annotated[
    Path, option("--keys", "FILE", "The file of keys, as `turnwise serve --keys` takes it.", envvar="TURNWISE_KEYS")
]
_KEYS = "Only who has a key of this file may use the server; make one with `turnwise keys add`."
ServerKeys = Annotated[Path | None, option("--keys", "FILE", _KEYS, envvar="TURNWISE_KEYS")]
"""The option `--keys` of the server: the file of keys."""
_HOST = "The address to listen on; 0.0.0.0 for all. Other than loopback it needs --keys."
Host = Annotated[str, option("--host", "HOST", _HOST)]
"""The option `--host`: the address at which the server listens."""
Port = Annotated[int, option("--port", "PORT", "The port; 0 takes a free one.", min=0, max=65535)]
Reload = Annotated[bool, flag("--reload", "Reload the flows when their files change, for development.")]
_EDIT = (
    "Let the studio edit the documents of the flows and save them; includes --reload. Without keys every program of "
    "this computer may; with --keys a key needs the scope edit."
)
Edit = Annotated[bool, flag("--edit", _EDIT)]
"""The option `--edit`: whether the page may change documents of flows."""
_HOSTS = "A host name of this server, such as talks.example; requests to others are refused. Repeatable."
Hosts = Annotated[list[str] | None, option("--allow-host", "NAME", _HOSTS)]
"""The option `--allow-host`: the host names by which clients may reach the server."""
_ORIGINS = "Another site whose pages may use the API, such as https://shop.example. Repeatable."
Origins = Annotated[list[str] | None, option("--allow-origin", "ORIGIN", _ORIGINS)]
"""The option `--allow-origin`: the origins of pages whose scripts may call the server."""
_LIMITS = "Change a limit, such as requests_per_minute=600 (0: none). Repeatable."
LimitOption = Annotated[list[str] | None, option("--limit", "NAME=NUMBER", _LIMITS)]
"""The option `--limit NAME=NUMBER`: a limit of the server."""
_VISITORS = "The name of a flow that anyone may use without a key, through the chat widget. Repeatable."
OpenFlows = Annotated[list[str] | None, option("--visitors", "FLOW", _VISITORS)]
"""The option `--visitors`: the flows that visitors of a website may use without a key."""
_PROXIES = "How many proxies stand in front and append the address of their client to --address-header; 0: none."
TrustedProxies = Annotated[int, option("--trusted-proxies", "NUMBER", _PROXIES, min=0, max=16)]
"""The option `--trusted-proxies`: how many proxies stand before the server."""
_ADDRESS = "The header in which the trusted proxies name addresses: x-forwarded-for, or forwarded."
AddressHeader = Annotated[str, option("--address-header", "NAME", _ADDRESS)]
"""The option `--address-header`: the header in which a proxy names the client's address."""


@runs_function("serve:run_serve")
def serve(  # noqa: PLR0913  each option is an argument
    *,
    flows: Annotated[list[Path], argument("FLOW", "Flows: DyGram, YAML, JSON, or Python (intake.py, intake.py:flow).")],
    store: Store = "memory://",
    host: Host = "127.0.0.1",
    port: Port = 8765,
    keys: ServerKeys = None,
    reloads: Reload = False,
    edits: Edit = False,
    model: Model = "",
    question_model: QuestionModel = "",
    python: Python = None,
    hosts: Hosts = None,
    origins: Origins = None,
    limits: LimitOption = None,
    visitors: OpenFlows = None,
    trusted_proxies: TrustedProxies = 0,
    address_header: AddressHeader = "x-forwarded-for",
    deliver: DeliverUrl = "",
    deliver_secrets: DeliverSecrets = None,
    deliver_private: DeliverPrivate = False,
    deliver_http: DeliverHttp = False,
) -> None:
    """Serve flows over HTTP, with the studio in the browser.

    Without --keys it listens only to programs of this computer, which may do everything.
    """


keys_app = typer.Typer(
    name="keys", help="Manage who may use a server: the keys that clients send to it.", no_args_is_help=True
)
"""The command `turnwise keys`."""


_SCOPES = (
    "chat: own conversations; debug:read: also why; operator: help in those of all; events: send "
    "events of other systems; edit: change the flows, where serve --edit allows it; metrics: read /api/metrics; "
    "admin: everything. Repeatable. "
    "Default: chat."
)


@keys_app.command()
@runs_function("serve:run_keys_add")
def add(
    owner: Annotated[
        str, argument("OWNER", "Whose key it is, such as ada: a key sees the conversations of its owner.")
    ],
    file: KeysFile = Path(KEYS),
    scopes: Annotated[
        list[str] | None,
        option("--scope", "SCOPE", _SCOPES),
    ] = None,
    note: Annotated[str, option("--note", "TEXT", "What the key is for; `turnwise keys list` shows it.")] = "",
) -> None:
    """Add a key, and print it; it is shown only now. A missing file is made."""


@keys_app.command("list")
@runs_function("serve:run_keys_list")
def list_(file: KeysFile = Path(KEYS), as_json: JsonList = False) -> None:
    """List the keys, without their secrets."""


@keys_app.command()
@runs_function("serve:run_keys_remove")
def remove(
    number: Annotated[str, argument("ID", "The id of the key, as the list shows it.")],
    file: KeysFile = Path(KEYS),
) -> None:
    """Remove a key. A running server refuses it at once."""
