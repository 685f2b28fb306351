"""The commands of the terminal with their options. `runs` names the function that runs each of them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Annotated

import typer
from typer.models import CommandInfo

from turnwise.cli.conversation_options import stored_app
from turnwise.cli.delivery_options import deliveries_app
from turnwise.cli.options import (
    Debug,
    FlowPath,
    Force,
    FormOfInput,
    JsonLines,
    JsonList,
    Model,
    Python,
    QuestionModel,
    Record,
    argument,
    flag,
    option,
    runs_function,
)
from turnwise.cli.schedule_options import schedule_app
from turnwise.cli.server_options import keys_app, serve
from turnwise.cli.soak_options import soak
from turnwise.cli.store_options import store_app

app = typer.Typer(
    name="turnwise",
    help="Structured conversations for LLM agents that can always say why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
"""The command `turnwise`, to which modules add its subcommands."""


def commands_for(arguments: Sequence[str]) -> typer.Typer:
    """Return the typer app with the one command that a command line calls; with all commands if it calls none.
    To build all takes a tenth of the time of a short command.
    """
    called = copy(app)
    called.registered_commands = [one for one in app.registered_commands if _name_of(one) in arguments[:1]]
    called.registered_groups = [
        one
        for one in app.registered_groups
        if one.typer_instance is not None and one.typer_instance.info.name in arguments[:1]
    ]
    return called if called.registered_commands or called.registered_groups else app


def _name_of(command: CommandInfo) -> str:
    return command.name or (command.callback.__name__ if command.callback is not None else "")


def _print_version(wanted: bool) -> None:
    if wanted:
        from turnwise import __version__

        typer.echo(f"turnwise {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", metavar="", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Structured conversations for LLM agents that can always say why."""


# flows ---------------------------------------------------------------------------------------------


@app.command()
@runs_function("demo:run_demo")
def demo(  # noqa: PLR0913, PLR0917  the options of a command
    name: Annotated[str, argument("NAME", "An example, such as eligibility or language_buddy. Default: all.")] = "",
    terminal: Annotated[bool, flag("--terminal", "Talk in the terminal instead of the page.")] = False,
    play: Annotated[bool, flag("--play", "Play a prepared conversation in the terminal.")] = False,
    browser: Annotated[
        bool | None,
        typer.Option(
            "--browser/--no-browser",
            help="Open a browser, or only print the address. With either the page is served without a terminal too.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int | None, option("--port", "N", "The port of the page. Default: 8765, or a free one.", min=0, max=65535)
    ] = None,
    store: Annotated[str, option("--store", "ADDRESS", "Keep the conversations of the page: sqlite:///demo.db.")] = "",
    debug: Debug = False,
    model: Model = "",
    python: Python = None,
) -> None:
    """Open a page with the example flows and prepared conversations: offline, no key, no account."""


@app.command()
@runs_function("chat:run_chat")
def chat(  # noqa: PLR0913, PLR0917  its options
    flow: Annotated[Path, argument("FLOW", "A flow: DyGram, YAML, JSON, or Python (intake.py, intake.py:flow).")],
    debug: Debug = False,
    python: Python = None,
    as_json: JsonLines = False,
    store: Annotated[
        str, option("--store", "ADDRESS", "Store the conversation, or continue a stored one: sqlite:///talks.db.")
    ] = "memory://",
    conversation: Annotated[
        str, option("--conversation", "NAME", "The name of the conversation in the store.")
    ] = "main",
    model: Model = "",
    question_model: QuestionModel = "",
    record: Record = None,
) -> None:
    """Talk with a flow in the terminal. Buttons are numbers; /help lists the commands."""


@app.command()
@runs_function("check:run_check")
def check(
    flows: Annotated[
        list[Path] | None,
        argument("FLOW", "Flows: DyGram, YAML, JSON, or Python (intake.py:flow); '-' reads standard input."),
    ] = None,
    listed: Annotated[bool, flag("--list", "List every code that a problem can have.")] = False,
    strict: Annotated[bool, flag("--strict", "Count warnings as errors.")] = False,
    python: Python = None,
    as_json: JsonList = False,
    form_of_input: FormOfInput = "",
) -> None:
    """Report every problem of flow documents at once. Exit 1 if there is an error."""


@app.command()
@runs_function("draw:run_draw")
def draw(  # noqa: PLR0913, PLR0917  the options of a command
    flow: Annotated[
        Path | None, argument("[FLOW]", "A flow; '-' reads standard input. Optional with --conversation.")
    ] = None,
    form: Annotated[str, option("--format", "FORM", "mermaid (the default), dot, or svg, which needs Graphviz.")] = "",
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="The file to write. Default: standard output.")
    ] = None,
    conversation: Annotated[
        str, option("--conversation", "NAME", "Draw the path of this stored conversation over the flow.")
    ] = "",
    store: Annotated[
        str, option("--store", "STORE", "The store of the conversation: sqlite:///file.db.", envvar="TURNWISE_STORE")
    ] = "",
    guards: Annotated[bool, typer.Option("--guards/--no-guards", help="Show the text of guards.")] = True,
    scope: Annotated[
        str, option("--scope", "NAME", "Draw only this scope, such as survey/detail; '.' is what is outside of all.")
    ] = "",
    python: Python = None,
    form_of_input: FormOfInput = "",
) -> None:
    """Draw a flow: Mermaid, DOT or SVG."""


@app.command()
@runs_function("convert:run_convert")
def convert(
    flow: FlowPath,
    to: Annotated[
        str,
        option("--to", "FORM", "The form to write: yaml, json, dygram, python. Default: by the name of the output."),
    ] = "",
    out: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The file to write. Default: standard output.")
    ] = None,
    force: Force = False,
    form_of_input: FormOfInput = "",
) -> None:
    """Write a flow in another form: YAML, JSON, DyGram or Python. Report the code that this form can only name."""


@app.command("format")
@runs_function("format:run_format")
def format_(
    files: Annotated[
        list[Path],
        argument(
            "FILE",
            "Documents: DyGram, YAML, JSON; '-' formats standard input to standard output.",
        ),
    ],
    check: Annotated[bool, flag("--check", "Change nothing; exit 1 if a document would change.")] = False,
    form_of_input: FormOfInput = "",
) -> None:
    """Write documents in their canonical layout. Comments and order stay."""


@app.command("mcp-tools")
@runs_function("convert:run_mcp_tools")
def mcp_tools(
    server: Annotated[
        list[str], argument("URL | -- COMMAND...", "The address of the server, or the command that starts it.")
    ],
    name: Annotated[str, option("--name", "NAME", "The name of the server in the flow.")] = "server",
    env: Annotated[
        list[str] | None, option("--env", "VARIABLE", "An environment variable to pass on to the command.")
    ] = None,
    token: Annotated[str, option("--token", "VARIABLE", "The environment variable with the bearer token.")] = "",
) -> None:
    """Print the tools of an MCP server as YAML to paste into a flow."""


@app.command()
@runs_function("test:run_test")
def test(
    paths: Annotated[list[Path], argument("PATH", "Scenario files, or folders with *.scenario files.")],
    rewrite: Annotated[bool, flag("--rewrite", "Write the actual results into the files, for review.")] = False,
    coverage: Annotated[
        bool, flag("--coverage", "Report the nodes, transitions and conditions that were not covered.")
    ] = False,
    html: Annotated[
        Path | None, option("--html", "DIR", "Write the coverage as HTML into this folder, one page per flow.")
    ] = None,
    fail_under: Annotated[
        float | None, option("--fail-under", "PERCENT", "Exit 1 if the coverage is lower than this.", min=0, max=100)
    ] = None,
    as_json: JsonList = False,
    model: Model = "",
    python: Python = None,
) -> None:
    """Play scenario files. Exit 1 if a result differs from what they expect."""


@app.command()
@runs_function("lsp:run_lsp")
def lsp(
    store: Annotated[
        str, option("--store", "STORE", "Show the counts of this store where the cursor rests: sqlite:///file.db.")
    ] = "",
    python: Python = None,
    stdio: Annotated[bool, flag("--stdio", "Standard input and output, which is the only way.")] = False,
) -> None:
    """Answer an editor as a language server: diagnostics, completion, rename. Needs the extra 'editor'."""


app.command()(serve)
app.command()(soak)
for group in (keys_app, store_app, schedule_app, deliveries_app):
    app.add_typer(group)
app.registered_commands += stored_app.registered_commands
