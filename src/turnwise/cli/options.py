"""Options that several commands share; `runs_function` connects a declared command with the function that runs it.

It imports nothing that only a command needs, so that `turnwise --help` stays quick.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ParamSpec

import typer

from turnwise.api.output import stdout_for_data
from turnwise.cli.standard_input import choose_form, need_standard_input

P = ParamSpec("P")
"""The parameters of a command."""
FUNCTION_OF_COMMAND: dict[str, str] = {}
"""The place of the function that runs each command, by the name of the declaring function."""
FORM_OF_INPUT = "form_of_input"
"""The parameter of a command that the function which runs it does not take: `flow_of` knows its value."""


def runs_function(place: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Return a decorator by which a declared command calls the function at `place`, a module and a name.
    The function takes the same arguments and returns the exit code; it is imported when the command runs.
    """

    def connect(declared: Callable[P, None]) -> Callable[P, None]:
        @wraps(declared)
        def command(*args: P.args, **options: P.kwargs) -> None:
            if options.pop(FORM_OF_INPUT, ""):
                need_standard_input((*args, *options.values()))
            raise typer.Exit(function_at(place)(*args, **options))

        FUNCTION_OF_COMMAND[declared.__name__] = place
        return command

    return connect


def function_at(place: str) -> Callable[..., int]:
    """Import and return the function that runs a command, by module and name."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"turnwise.cli.{module}"), name)


def argument(metavar: str, about: str) -> Any:
    """Declare an argument of a command, for typer; `about` is its help."""
    return typer.Argument(metavar=metavar, help=about)


def option(name: str, metavar: str, about: str, **more: Any) -> Any:
    """Declare an option of a command with a value, for typer.
    `about` is its help, `more` are arguments of `typer.Option`.
    """
    return typer.Option(name, metavar=metavar, help=about, **more)


def flag(name: str, about: str) -> Any:
    """Declare an option of a command without a value, for typer; `about` is its help."""
    return typer.Option(name, metavar="", help=about)


def json_option(about: str) -> Any:
    """Declare the option `--json` of a command, for typer; `about` is its help.
    With it, what the code of a flow prints goes to standard error, so that data is alone on standard output.
    """

    def redirect(context: typer.Context, wanted: bool) -> bool:
        if wanted:
            context.with_resource(stdout_for_data())
        return wanted

    return typer.Option("--json", metavar="", help=about, callback=redirect)


def _check_model(context: typer.Context, name: str) -> str:
    """Refuse an empty name on the command line, such as that of a variable that is not set."""
    source = context.get_parameter_source("model")
    if source is not None and source.name != "DEFAULT" and not name.strip():
        raise typer.BadParameter("it is empty; name a model, such as openai:gpt-5-mini or offline, or leave it out")
    return name


def _choose_form(form: str) -> str:
    """Set the form of standard input."""
    return choose_form(form)


FormOfInput = Annotated[
    str,
    option("--from", "FORM", "The form of a flow on standard input: yaml, json, dygram.", callback=_choose_form),
]
"""The option `--from`: the form of a flow on standard input."""
Json = Annotated[bool, json_option("Print one JSON document.")]
JsonList = Annotated[bool, json_option("Print one JSON list.")]
JsonLines = Annotated[bool, json_option("Read messages from standard input, and print one JSON object per turn.")]
Debug = Annotated[bool, flag("--debug", "Print the verdict line of every decision.")]
Force = Annotated[bool, flag("--force", "Replace an existing file.")]
Python = Annotated[
    Path | None, option("--python", "FILE", "A Python file with the guards and tools that the flow names.")
]
Model = Annotated[
    str,
    option(
        "--model",
        "MODEL",
        "The model that speaks: openai:gpt-5-mini, ollama:llama3, offline, cassette:talk.json.",
        callback=_check_model,
    ),
]
Record = Annotated[
    Path | None,
    option(
        "--record",
        "FILE",
        "Record the talk with the model as a test: talk.scenario, and the model's answers in a file beside it.",
    ),
]
QuestionModel = Annotated[
    str,
    option(
        "--question-model",
        "MODEL",
        "The model that reads questions of why in plain words. Default: rules, offline.",
        envvar="TURNWISE_QUESTION_MODEL",
    ),
]
FlowPath = Annotated[
    Path, argument("FLOW", "A flow: DyGram, YAML, JSON, or Python (intake.py:flow); '-' reads standard input.")
]
Store = Annotated[str, option("--store", "STORE", "The store: sqlite:///file.db.", envvar="TURNWISE_STORE")]
StoreFile = Annotated[str, argument("FILE", "The file of the store, or its address (sqlite:///…).")]
Conversation = Annotated[str, argument("CONVERSATION", "A conversation of the store.")]
AnyConversation = Annotated[str | None, argument("[CONVERSATION]", "A conversation. Default: all of the store.")]
TurnOption = Annotated[int | None, option("--turn", "N", "The number of the turn.")]
Transition = Annotated[str, option("--transition", "ID", "Only this transition.")]
QuestionArgument = Annotated[
    str, argument("[SUBJECT]", "A name (field, node, transition, tool, …), a turn, 'end', or a question in words.")
]
Against = Annotated[str, option("--against", "CONVERSATION", "Where it differs from another conversation first.")]
AgainstTurn = Annotated[
    int | None, option("--against-turn", "N", "Where it differs first from a turn of --against, else of itself.")
]
Usual = Annotated[bool, flag("--usual", "Also count in how many conversations of the store that was so.")]
Everything = Annotated[bool, flag("--all", "Print all causes, also of words, results of tools and acts of persons.")]
ToNode = Annotated[
    str, option("--to", "TARGET", "The shortest ways to a node, a transition or an outcome (quiz:failed).")
]
NewFlow = Annotated[Path, argument("NEW", "The changed flow document.")]
NewNames = Annotated[
    list[str] | None, option("--map", "OLD=NEW", "The new name of a node, or of an overlay. Repeatable.")
]
NewFields = Annotated[
    list[str] | None,
    option("--map-field", "OLD=NEW", "The new address of a field; 'a.b=' drops its values. Repeatable."),
]
