"""The commands that work on a store (`explain`, `history`, `export` and others), and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.data_option import json_option

Json = Annotated[bool, json_option("Print one JSON document.")]
Python = Annotated[
    Path | None,
    typer.Option("--python", metavar="FILE", help="A Python file that supplies the guards which the flows name."),
]
Store = Annotated[
    str,
    typer.Option("--store", metavar="STORE", envvar="TURNWISE_STORE", help="The store: sqlite:///file.db."),
]
MaybeStore = Annotated[
    str,
    typer.Option(
        "--store", metavar="STORE", envvar="TURNWISE_STORE", help="Also look at the conversations of a store."
    ),
]
Conversation = Annotated[str, typer.Argument(metavar="CONVERSATION", help="A conversation of the store.")]
Which = Annotated[
    str | None, typer.Argument(metavar="[CONVERSATION]", help="A conversation; all of the store where none is named.")
]
Turn = Annotated[int | None, typer.Option("--turn", metavar="N", help="A turn by its number.")]
Transition = Annotated[str, typer.Option("--transition", metavar="ID", help="Only this transition.")]
Maps = Annotated[
    list[str] | None, typer.Option("--map", metavar="OLD=NEW", help="A node's new name. May be given again.")
]
MapFields = Annotated[
    list[str] | None,
    typer.Option("--map-field", metavar="OLD=NEW", help="A field's new address; 'a.b=' gives its values up."),
]


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    for name, command in _COMMANDS.items():
        app.command(name)(command)


def explain(
    store: Store,
    conversation: Conversation,
    turn: Turn = None,
    transition: Transition = "",
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Say why a turn of a stored conversation moved, or did not: the last one that decided, or any."""
    from turnwise.cli.asking import run_explain

    raise typer.Exit(
        run_explain(store, python, conversation, turn=turn, transition=transition or None, as_json=as_json)
    )


def history(
    store: Store, conversation: Which = None, transition: Transition = "", python: Python = None, as_json: Json = False
) -> None:
    """Count how often transitions were judged and held."""
    from turnwise.cli.asking import run_history

    raise typer.Exit(run_history(store, python, conversation, transition=transition or None, as_json=as_json))


def what_if(
    store: Store,
    conversation: Which = None,
    turn: Turn = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Suppose a value; 'a.b=' takes it away."),
    ] = None,
    rules: Annotated[
        list[str] | None, typer.Option("--rule", metavar="ID=GUARD", help="Suppose another guard of a transition.")
    ] = None,
    flow: Annotated[Path | None, typer.Option("--flow", metavar="FLOW", help="Suppose another flow.")] = None,
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Judge stored decisions again and list those that would have come out otherwise. No model is called."""
    from turnwise.cli.asking import run_what_if

    code = run_what_if(
        store, python, conversation, turn=turn, values=values or (), rules=rules or (), flow=flow, as_json=as_json
    )
    raise typer.Exit(code)


def replay(
    store: Store,
    conversation: Which = None,
    flow: Annotated[
        Path | None, typer.Option("--flow", metavar="FLOW", help="Run again with this flow, not with the kept one.")
    ] = None,
    folds: Annotated[bool, typer.Option("--fold", metavar="", help="Only fold; run nothing again.")] = False,
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Fold stored conversations and run them again. Exit 1 if anything comes out otherwise."""
    if folds and flow is not None:
        raise typer.BadParameter("--fold runs nothing and --flow says what to run: give one of them")
    from turnwise.cli.asking import run_replay

    raise typer.Exit(run_replay(store, python, conversation, flow=flow, folds=folds, as_json=as_json))


def export(
    store: Store,
    conversation: Conversation,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Standard output where none is named.")] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace a file that is there.")] = False,
) -> None:
    """Write a conversation into one file, with the flows that it needs and all that it knows."""
    from turnwise.cli.transfer import run_export

    raise typer.Exit(run_export(store, conversation, file, force=force))


def import_(
    store: Store,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What was exported; '-' reads standard input.")],
    name: Annotated[
        str, typer.Option("--as", metavar="CONVERSATION", help="Another name for it: then it is a copy.")
    ] = "",
    effects: Annotated[
        bool | None,
        typer.Option(
            "--effects/--no-effects",
            help="It may use tools that change the world, or not; where nothing is said, a copy may not.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Take an exported conversation into a store: all of it, or nothing."""
    from turnwise.cli.transfer import run_import

    raise typer.Exit(run_import(store, file, name or None, effects=effects))


def undo(
    store: Store,
    conversation: Conversation,
    to: Annotated[int | None, typer.Option("--to", metavar="N", help="Back to the end of this turn.")] = None,
    python: Python = None,
) -> None:
    """Take the last turn of a stored conversation back, or all after one; what was performed stays."""
    from turnwise.cli.asking import run_undo

    raise typer.Exit(run_undo(store, python, conversation, to=to))


def fork(
    store: Store,
    conversation: Conversation,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name of the new conversation.")],
    turn: Turn = None,
    effects: Annotated[bool, typer.Option("--effects", help="It may use tools that change the world.")] = False,
) -> None:
    """Begin a new conversation from another, up to the end of a turn; without tools that change the world."""
    from turnwise.cli.asking import run_fork

    raise typer.Exit(run_fork(store, conversation, new, turn=turn, effects=effects))


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A flow document, or a fingerprint of the store.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The flow document as it is now.")],
    store: MaybeStore = "",
    maps: Maps = None,
    fields: MapFields = None,
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Say what a changed flow means for waiting conversations, node by node. Exit 1 unless all can go on."""
    from turnwise.cli.migrate import run_diff

    raise typer.Exit(run_diff(old, new, store, python, maps=maps or (), fields=fields or (), as_json=as_json))


def migrate(
    store: Store,
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The flow document as it is now.")],
    conversation: Annotated[
        str | None, typer.Option("--conversation", metavar="NAME", help="Only this conversation.")
    ] = None,
    maps: Maps = None,
    fields: MapFields = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Only say what would be done.")] = False,
    python: Python = None,
    as_json: Json = False,
) -> None:
    """Move waiting conversations to a changed flow; those that do not fit go on with the old one."""
    from turnwise.cli.migrate import run_migrate

    code = run_migrate(
        store,
        new,
        python,
        conversation=conversation,
        maps=maps or (),
        fields=fields or (),
        dry_run=dry_run,
        as_json=as_json,
    )
    raise typer.Exit(code)


_COMMANDS = {
    "explain": explain,
    "history": history,
    "what-if": what_if,
    "replay": replay,
    "export": export,
    "import": import_,
    "undo": undo,
    "fork": fork,
    "diff": diff,
    "migrate": migrate,
}
