"""The option `--json`, which prints data and nothing else on standard output."""

from __future__ import annotations

from typing import Any

import typer

from turnwise.api.output import data_alone


def _alone(context: typer.Context, wanted: bool) -> bool:
    if wanted:
        context.with_resource(data_alone())
    return wanted


def json_option(about: str) -> Any:
    """`--json`: until the command is done, whatever the code of a flow prints goes to standard error."""
    return typer.Option("--json", metavar="", help=about, callback=_alone)
