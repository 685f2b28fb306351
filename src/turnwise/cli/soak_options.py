"""The command `turnwise soak` with its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from turnwise.cli.options import Json, argument, flag, option, runs_function

_RECEIVE = "Listen here for deliveries, and compare them: the deployment is served with --deliver to this address."
_KEY = "The environment variable with a key of the server: scopes chat and debug:read."
_LEDGER = "The file of what was acknowledged; it must not exist yet. Default: soak-TIME.ledger."
_AGAIN = "For how many seconds a request that is not answered is sent again, to another replica."


@runs_function("soak:run_soak")
def soak(  # noqa: PLR0913, PLR0917  its options
    addresses: Annotated[
        list[str] | None, argument("URL", "The replicas of a deployment, such as https://a.example, or one balancer.")
    ] = None,
    messages: Annotated[int, option("--messages", "N", "How many messages are sent.", min=1)] = 3000,
    clients: Annotated[int, option("--clients", "N", "How many clients send at once.", min=1, max=500)] = 10,
    conversations: Annotated[int, option("--conversations", "N", "To how many.", min=1, max=1000)] = 100,
    flow: Annotated[str, option("--flow", "NAME", "The flow: 'soak', or another one that takes any text.")] = "soak",
    key: Annotated[str, option("--key-env", "NAME", _KEY)] = "",
    receive: Annotated[str, option("--receive", "HOST:PORT", _RECEIVE)] = "",
    ledger: Annotated[Path | None, option("--ledger", "FILE", _LEDGER)] = None,
    patience: Annotated[float, option("--patience", "SECONDS", _AGAIN, min=1)] = 60.0,
    pause: Annotated[float, option("--pause", "SECONDS", "How long a client waits after each answer.", min=0)] = 0.0,
    seed: Annotated[int, option("--seed", "N", "What is sent to whom is chosen by this number.")] = 1,
    prints_flow: Annotated[bool, flag("--print-flow", "Print the flow 'soak', which is to be served.")] = False,
    as_json: Json = False,
) -> None:
    """Test a deployment over HTTP: send messages to its replicas, and compare what was acknowledged with what it holds.
    You kill, stop and deploy them meanwhile. Exit 1 if anything was lost, doubled or out of order.
    """
