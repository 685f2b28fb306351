"""The command `draw`: prints a flow as Mermaid, DOT or SVG, with the path of a stored conversation if one is named."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from turnwise.api.open import open_archive
from turnwise.api.output import put_text, reporting_write_errors
from turnwise.cli.inputs import existing_store, flow_of, guards_of, machine_of
from turnwise.drawing import FORMATS, Format, write_graph
from turnwise.drawing.build import graph_of
from turnwise.drawing.graph import Graph
from turnwise.drawing.graph import Path as Walked
from turnwise.drawing.level import level_of
from turnwise.drawing.path import path_over_graph
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.flow.code import guards_of as carried_by
from turnwise.flow.diagnostic import nearest
from turnwise.flow.type_check import check_types

_SUFFIXES: dict[str, Format] = {
    "": "mermaid",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".md": "mermaid",
    ".txt": "mermaid",
    ".dot": "dot",
    ".gv": "dot",
    ".svg": "svg",
}


def run_draw(
    flow: Path | None,
    form: str,
    out: Path | None,
    conversation: str,
    store: str,
    guards: bool,
    scope: str,
    python: Path | None,
) -> int:
    """Print or write the drawing of a flow, or of a conversation's path over it; return the exit code."""
    chosen = _format(form, out)
    if out is not None and flow is not None:
        with reporting_write_errors(out):
            if out.exists() and flow.exists() and out.samefile(flow):
                raise TurnwiseError(f"{out} is the flow itself; name another file")
    path = None
    if conversation:
        graph, path = asyncio.run(_walked(flow, python, conversation, store, scope))
    elif flow is None:
        raise WrongUsage("there is nothing to draw; name a flow document, or --conversation and --store")
    else:
        found = check_types(flow_of(flow)).flow
        graph = _level(graph_of(found, [*guards_of(python), *carried_by(found)]), scope)
    put_text(out, write_graph(graph, chosen, path, with_tests=guards))
    return 0


def _level(graph: Graph, scope: str) -> Graph:
    """Return the whole graph, or only one scope of it."""
    return level_of(graph, scope) if scope else graph


def _format(form: str, out: Path | None) -> Format:
    """Return the format of that name, else that of the file's name."""
    if not form:
        ending = out.suffix.lower() if out is not None else ""
        if ending not in _SUFFIXES:
            raise WrongUsage(f"no drawing is named {ending}; {', '.join(_SUFFIXES)[2:]}, or add --format")
        return _SUFFIXES[ending]
    found: Format | None = next((one for one in FORMATS if one == form.lower()), None)
    if found is None:
        raise WrongUsage(f"no drawing has the format '{form}'; {nearest(form, FORMATS)}")
    return found


async def _walked(
    flow: Path | None, python: Path | None, conversation: str, store: str, scope: str
) -> tuple[Graph, Walked]:
    """Return the graph of a conversation's flow, or of the document that is named, and the path over it."""
    if not store:
        raise WrongUsage("--conversation needs --store, the address of the store that has it: sqlite:///file.db")
    archive = open_archive(existing_store(store), guards=guards_of(python))
    try:
        state = await archive.state(conversation)
        machine = machine_of(flow, python) if flow is not None else await archive.machines.shown_of_state(state)
        if machine.fingerprint != state.fingerprint:
            sys.stderr.write(
                "the conversation runs on another version of this flow; leave the flow out to draw that version\n"
            )
        graph = _level(graph_of(machine.flow, machine.code.values()), scope)
        about = f"conversation {conversation}, turn {state.turn}"
        return graph, path_over_graph(graph, machine, await archive.walk(conversation), state, about)
    finally:
        await archive.close()
