"""The commands for deliveries: `turnwise deliveries …`, and the options of `turnwise serve` for their receiver."""

from __future__ import annotations

from typing import Annotated

import typer

from turnwise.cli.options import JsonList, Store, argument, flag, option, runs_function

DeliverUrl = Annotated[
    str, option("--deliver", "URL", "Post what the machine says by itself to this webhook.", envvar="TURNWISE_DELIVER")
]
_SECRETS = "An environment variable with a secret that signs deliveries (whsec_…). Repeatable, to replace one."
DeliverSecrets = Annotated[list[str] | None, option("--deliver-secret-env", "NAME", _SECRETS)]
"""The option `--deliver-secret-env`: the environment variables with the secrets that sign deliveries."""
DeliverPrivate = Annotated[bool, flag("--deliver-private", "Allow a webhook at a private or loopback address.")]
DeliverHttp = Annotated[bool, flag("--deliver-http", "Allow a webhook without TLS: http://.")]

deliveries_app = typer.Typer(
    name="deliveries", help="List what was delivered, or was not, and send it again.", no_args_is_help=True
)
"""The command `turnwise deliveries`."""


@deliveries_app.command("list")
@runs_function("deliveries:run_list")
def deliveries_list(
    store: Store,
    conversation: Annotated[str, option("--conversation", "NAME", "Only this conversation.")] = "",
    status: Annotated[str, option("--status", "STATUS", "waiting, sending, delivered or failed.")] = "",
    most: Annotated[int, option("--most", "N", "How many.", min=1, max=100_000)] = 1000,
    as_json: JsonList = False,
) -> None:
    """List the deliveries of a store, the oldest first, with their attempts and last errors."""


@deliveries_app.command()
@runs_function("deliveries:run_resend")
def resend(
    store: Store,
    ids: Annotated[list[str], argument("ID", "The id of a delivery, as the list shows it; 'failed' for all failed.")],
    confirm: Annotated[bool, flag("--confirm", "Also those that a turn has reported to its caller.")] = False,
) -> None:
    """Send deliveries again: a process that serves the flow does it, now or when it starts."""
