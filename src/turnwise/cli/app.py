"""The commands and their options. Each command's module does the work and is imported when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.data_option import json_option
from turnwise.cli.later import add_to
from turnwise.cli.store_app import store_app

app = typer.Typer(
    name="turnwise",
    help="Structured conversations for LLM agents that can always say why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(store_app)

JsonLines = Annotated[bool, json_option("Read messages from standard input, print a JSON object per turn.")]
JsonList = Annotated[bool, json_option("Print one JSON list.")]
Python = Annotated[
    Path | None,
    typer.Option(
        "--python", metavar="FILE", help="A Python file that supplies the guards and tools which the flow names."
    ),
]
FlowPath = Annotated[
    Path, typer.Argument(metavar="FLOW", help="A flow document (YAML or JSON), or Python: intake.py, intake.py:flow.")
]


def _named(context: typer.Context, name: str) -> str:
    """A name that is given is no empty one, as of a variable that is not set."""
    source = context.get_parameter_source("model")
    if source is not None and source.name != "DEFAULT" and not name.strip():
        raise typer.BadParameter("it is empty; name a model, such as openai:gpt-5-mini or offline, or leave it out")
    return name


Named = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="Who speaks: openai:gpt-5-mini, ollama:llama3, offline, cassette:talk.json.",
        callback=_named,
    ),
]
FlowToRead = Annotated[
    Path,
    typer.Argument(metavar="FLOW", help="A flow: YAML, JSON, or Python (intake.py:flow); '-' reads standard input."),
]
Debug = Annotated[bool, typer.Option("--debug", metavar="", help="Print the verdict line of every decision.")]


def _version(wanted: bool) -> None:
    if wanted:
        from turnwise import __version__

        typer.echo(f"turnwise {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Structured conversations for LLM agents that can always say why."""


@app.command()
def demo(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="eligibility, health_intake, thinking_partner or context_machine; or you choose.",
        ),
    ] = "",
    play: Annotated[
        bool, typer.Option("--play", metavar="", help="Play a prepared conversation instead of talking.")
    ] = False,
    debug: Debug = False,
    model: Named = "",
    python: Python = None,
) -> None:
    """Talk with an example flow in the terminal: offline, no key, no account."""
    from turnwise.cli.demo import run_demo

    raise typer.Exit(run_demo(name, model, python, play=play, debug=debug))


@app.command()
def chat(
    flow: FlowPath,
    debug: Debug = False,
    python: Python = None,
    as_json: JsonLines = False,
    store: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Keep the conversation, and go on with it: sqlite:///talks.db.")
    ] = "memory://",
    conversation: Annotated[str, typer.Option(metavar="NAME", help="Which conversation of the store.")] = "main",
    model: Named = "",
) -> None:
    """Talk with a flow in the terminal. Buttons are numbers; /help lists what else you can ask."""
    from turnwise.cli.chat import run_chat

    raise typer.Exit(run_chat(flow, python, store, conversation, model, debug=debug, as_json=as_json))


@app.command()
def check(
    flows: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FLOW", help="Flows: YAML, JSON, or Python (intake.py:flow); '-' reads standard input."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", metavar="", help="List every code that a problem can have.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", metavar="", help="Count warnings as errors.")] = False,
    python: Python = None,
    as_json: JsonList = False,
) -> None:
    """Report every problem of flow documents at once. Exit 1 if there is an error."""
    from turnwise.cli.check import run_check, run_list

    if listed:
        raise typer.Exit(run_list(as_json=as_json))
    if not flows:
        raise typer.BadParameter("name a flow document, or --list", param_hint="FLOW")
    raise typer.Exit(run_check(flows, python, strict=strict, as_json=as_json))


@app.command()
def draw(
    flow: Annotated[
        Path | None,
        typer.Argument(metavar="[FLOW]", help="A flow; '-' reads standard input; may be left out with --conversation."),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORM", help="mermaid (the default), dot, or svg, which needs Graphviz.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Standard output where none is named.")
    ] = None,
    conversation: Annotated[
        str, typer.Option(metavar="NAME", help="Lay the path of a stored conversation over it.")
    ] = "",
    store: Annotated[
        str, typer.Option(metavar="STORE", envvar="TURNWISE_STORE", help="The store that has the conversation.")
    ] = "",
    guards: Annotated[bool, typer.Option("--guards/--no-guards", help="Show the text of guards.")] = True,
    python: Python = None,
) -> None:
    """Draw a flow: Mermaid, DOT or SVG."""
    from turnwise.cli.draw import run_draw

    raise typer.Exit(run_draw(flow, python, form, out, conversation, store, with_tests=guards))


@app.command()
def convert(
    flow: FlowToRead,
    to: Annotated[str, typer.Option("--to", metavar="FORM", help="yaml, json or python.")] = "",
    out: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write there; its name may say the form.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace a file that is there.")] = False,
) -> None:
    """Write a flow in another form: YAML, JSON or Python. What a form can only name is told."""
    from turnwise.cli.convert import run_convert

    raise typer.Exit(run_convert(flow, to, out, force=force))


@app.command("mcp-tools")
def mcp_tools(
    server: Annotated[list[str], typer.Argument(metavar="URL | -- COMMAND...", help="Its address, or what starts it.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What the flow calls it.")] = "server",
    env: Annotated[
        list[str] | None, typer.Option(metavar="VARIABLE", help="A variable that the command is given.")
    ] = None,
    token: Annotated[str, typer.Option(metavar="VARIABLE", help="The variable with the bearer token.")] = "",
) -> None:
    """Write the tools of an MCP server as a flow declares them."""
    from turnwise.cli.servers import run_mcp_tools

    raise typer.Exit(run_mcp_tools(name, server, env or (), token))


@app.command()
def test(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Scenario files, or folders with *.scenario files.")
    ],
    rewrite: Annotated[
        bool, typer.Option("--rewrite", metavar="", help="Write what came out into the files, for review.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", metavar="", help="Say which nodes, transitions and conditions were not seen.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write coverage as pages into a folder, one for each flow.")
    ] = None,
    fail_under: Annotated[
        float | None, typer.Option(metavar="PERCENT", min=0, max=100, help="Exit 1 if less was seen than this.")
    ] = None,
    as_json: JsonList = False,
    model: Named = "",
    python: Python = None,
) -> None:
    """Play scenario files. Exit 1 if something did not come out as expected."""
    from turnwise.cli.test import Wanted, run_test

    if rewrite and model:
        raise typer.BadParameter("what a model says is not written into expectations; leave out --rewrite or --model")
    wanted = Wanted(coverage, html, fail_under)
    raise typer.Exit(run_test(paths, wanted, model, python, rewrite=rewrite, as_json=as_json))


add_to(app)
