"""`turnwise history`: how often transitions were judged and held."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from turnwise.archive import Archive
from turnwise.cli.asked import ask, print_json, progress
from turnwise.cli.show import plain_console, put
from turnwise.core.explain.history import Edge


def run_history(
    store: str, python: Path | None, conversation: str | None, *, transition: str | None, as_json: bool
) -> int:
    """Count; gives the exit code."""

    async def work(archive: Archive) -> int:
        with progress("counting decisions") as tell:
            edges = await archive.history(conversation, transition, tell)
        if as_json:
            print_json([_data(edge) for edge in edges])
        else:
            _print(edges)
        return 0

    return ask(store, python, work, as_json=as_json)


def _data(edge: Edge) -> dict[str, Any]:
    parts = {"node": edge.node, "moment": edge.moment, "transition": edge.transition, "target": edge.target or None}
    return {**parts, "judged": edge.judged, "held": edge.held, "outcomes": edge.outcomes}


def _print(edges: tuple[Edge, ...]) -> None:
    console = plain_console()
    if not console.is_terminal:
        for edge in edges:
            put(console, f"{edge.node}  {edge.moment}  {edge.transition}: {edge.line}")
        return
    table = Table("node", "moment", "transition", "judged", "held", "taken")
    for edge in edges:
        style = "dim" if not edge.judged else "yellow" if not edge.held else ""
        cells = (edge.node, edge.moment, edge.transition, str(edge.judged), str(edge.held), str(edge.taken))
        table.add_row(*map(Text, cells), style=style)
    console.print(table)
