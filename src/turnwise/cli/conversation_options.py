"""The commands about conversations of a store, with their options: from `turnwise explain` to `turnwise migrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.options import (
    Against,
    AgainstTurn,
    AnyConversation,
    Conversation,
    Everything,
    Force,
    FormOfInput,
    Json,
    NewFields,
    NewFlow,
    NewNames,
    Python,
    QuestionArgument,
    QuestionModel,
    Store,
    ToNode,
    Transition,
    TurnOption,
    Usual,
    argument,
    flag,
    option,
    runs_function,
)

stored_app = typer.Typer()
"""The commands about stored conversations."""


@stored_app.command()
@runs_function("answers:run_explain")
def explain(  # noqa: PLR0913, PLR0917  the options of a command
    store: Store,
    conversation: Conversation,
    question: QuestionArgument = "",
    turn: TurnOption = None,
    transition: Transition = "",
    against: Against = "",
    against_turn: AgainstTurn = None,
    to: ToNode = "",
    usual: Usual = False,
    everything: Everything = False,
    question_model: QuestionModel = "",
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Explain why a stored conversation moved, or did not; or why anything in it is as it is."""


@stored_app.command()
@runs_function("frames:run_frames")
def frames(store: Store, conversation: Conversation, as_json: Json = False) -> None:
    """List the inner conversations of a stored conversation: who opened them, how they ended, what stays of them."""


@stored_app.command()
@runs_function("frames:run_transcript")
def transcript(
    store: Store,
    conversation: Conversation,
    frame: Annotated[str, option("--frame", "FRAME", "Only this frame: a scope such as survey, or an id.")] = "",
    as_json: Json = False,
) -> None:
    """Print what was said in a stored conversation, its inner conversations as lanes."""


@stored_app.command()
@runs_function("stored:run_history")
def history(
    store: Store,
    conversation: AnyConversation = None,
    transition: Transition = "",
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Count how often each transition was judged, held and was taken."""


@stored_app.command("what-if")
@runs_function("stored:run_what_if")
def what_if(
    store: Store,
    conversation: AnyConversation = None,
    turn: TurnOption = None,
    values: Annotated[
        list[str] | None, option("--set", "FIELD=VALUE", "Suppose a value; 'a.b=' supposes that there is none.")
    ] = None,
    rules: Annotated[list[str] | None, option("--rule", "ID=GUARD", "Suppose another guard of a transition.")] = None,
    flow: Annotated[Path | None, option("--flow", "FLOW", "Suppose another flow.")] = None,
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Judge stored decisions again and list those with another outcome. No model is called."""


@stored_app.command()
@runs_function("stored:run_replay")
def replay(
    store: Store,
    conversation: AnyConversation = None,
    flow: Annotated[
        Path | None, option("--flow", "FLOW", "Run again with this flow instead of the stored one.")
    ] = None,
    folds: Annotated[bool, flag("--fold", "Only rebuild the state from the events; run nothing again.")] = False,
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Rebuild stored conversations from their events, and run them again. Exit 1 if a result differs."""


@stored_app.command()
@runs_function("stored:run_export")
def export(
    store: Store,
    conversation: Conversation,
    file: Annotated[Path | None, argument("[FILE]", "The file to write. Default: standard output.")] = None,
    scenario: Annotated[bool, flag("--scenario", "Write a scenario, which runs again offline.")] = False,
    python: Python = None,
    force: Force = False,
) -> None:
    """Write a conversation into one file: with the flows that it needs and all its data, or as a scenario."""


@stored_app.command("import")
@runs_function("stored:run_import")
def import_(
    store: Store,
    file: Annotated[Path, argument("FILE", "An exported conversation; '-' reads standard input.")],
    name: Annotated[str, option("--as", "CONVERSATION", "Import a copy under this name.")] = "",
    effects: Annotated[
        bool | None,
        typer.Option(
            "--effects/--no-effects",
            help="Allow tools that change the world. Default: not for a copy.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Import an exported conversation into a store: all of it, or nothing."""


@stored_app.command()
@runs_function("stored:run_undo")
def undo(
    store: Store,
    conversation: Conversation,
    to: Annotated[int | None, option("--to", "N", "Go back to the end of this turn. Default: one turn back.")] = None,
    python: Python = None,
) -> None:
    """Take back the last turn of a stored conversation, or all turns after --to. Tool calls are not undone."""


@stored_app.command()
@runs_function("stored:run_fork")
def fork(
    store: Store,
    conversation: Conversation,
    new: Annotated[str, argument("NEW", "The name of the new conversation.")],
    turn: TurnOption = None,
    effects: Annotated[bool, flag("--effects", "Allow tools that change the world.")] = False,
) -> None:
    """Begin a new conversation from the last turn of another, or from --turn. By default it cannot change the world."""


@stored_app.command()
@runs_function("migrate:run_diff")
def diff(
    old: Annotated[str, argument("OLD", "A flow document, or a fingerprint of the store.")],
    new: NewFlow,
    store: Annotated[
        str, option("--store", "STORE", "Also check the conversations of this store.", envvar="TURNWISE_STORE")
    ] = "",
    maps: NewNames = None,
    fields: NewFields = None,
    python: Python = None,
    as_json: Json = False,
    form_of_input: FormOfInput = "",
) -> None:
    """Report what a changed flow means for waiting conversations, node by node. Exit 1 unless all can continue."""


@stored_app.command()
@runs_function("migrate:run_migrate")
def migrate(  # noqa: PLR0913, PLR0917  the options of a command
    store: Store,
    new: NewFlow,
    conversation: Annotated[str | None, option("--conversation", "NAME", "Only this conversation.")] = None,
    maps: NewNames = None,
    fields: NewFields = None,
    dry_run: Annotated[bool, flag("--dry-run", "Report the changes without making them.")] = False,
    python: Python = None,
    as_json: Json = False,
    form_of_input: FormOfInput = "",
) -> None:
    """Move waiting conversations to a changed flow; those that do not fit continue with the old one."""
