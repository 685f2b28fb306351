"""`turnwise draw`: draws a flow, or the path of a conversation over it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from turnwise.api.open import open_archive
from turnwise.api.output import put_text, writing
from turnwise.cli.asking import existing
from turnwise.cli.supply import flow_of, guards_of
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.drawing import FORMATS, Format, written
from turnwise.drawing.build import graph_of
from turnwise.drawing.graph import Graph
from turnwise.drawing.graph import Path as Walked
from turnwise.drawing.path import laid_over
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.flow.code import guards_of as carried_by
from turnwise.flow.diagnostic import nearest
from turnwise.flow.type_check import sound

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
    python: Path | None,
    form: str,
    out: Path | None,
    conversation: str,
    store: str,
    *,
    with_tests: bool,
) -> int:
    """Draw; gives the exit code."""
    chosen = _form(form, out)
    if out is not None and flow is not None:
        _refuse_itself(out, flow)
    if conversation:
        graph, path = asyncio.run(_of_conversation(flow, python, conversation, store))
    elif flow is None:
        raise WrongUsage("draw what? name a flow document, or a --conversation of a --store")
    else:
        graph, path = _drawn(flow, python), None
    text = written(graph, chosen, path, with_tests=with_tests)
    put_text(out, text)
    return 0


def _refuse_itself(out: Path, flow: Path) -> None:
    with writing(out):
        if out.exists() and flow.exists() and out.samefile(flow):
            raise TurnwiseError(f"{out} is the flow itself; name another file")


def _drawn(path: Path, python: Path | None) -> Graph:
    """The drawing of a flow with the functions that it is given, and those that it carries."""
    flow = sound(flow_of(path)).flow
    return graph_of(flow, [*guards_of(python), *carried_by(flow)])


def _form(form: str, out: Path | None) -> Format:
    """The form that is named, else that of the file's name."""
    if not form:
        ending = out.suffix.lower() if out is not None else ""
        if ending not in _SUFFIXES:
            raise WrongUsage(f"no drawing is named {ending}; {', '.join(_SUFFIXES)[2:]}, or say --format")
        return _SUFFIXES[ending]
    found: Format | None = next((one for one in FORMATS if one == form.lower()), None)
    if found is None:
        raise WrongUsage(f"no drawing has the format '{form}'; {nearest(form, FORMATS)}")
    return found


async def _of_conversation(
    flow: Path | None, python: Path | None, conversation: str, store: str
) -> tuple[Graph, Walked]:
    """The graph of a conversation's flow, or of the document that is named, and the path over it."""
    if not store:
        raise WrongUsage("--conversation needs --store, the address of the store that has it: sqlite:///file.db")
    guards = guards_of(python)
    archive = open_archive(existing(store), guards=guards)
    try:
        state = await archive.state(conversation)
        machine = link(flow_of(flow), guards) if flow is not None else await archive.machines.shown(state.fingerprint)
        _warn(machine, state.fingerprint)
        graph = graph_of(machine.flow, machine.code.values())
        about = f"conversation {conversation}, turn {state.turn}"
        return graph, laid_over(graph, machine, await archive.walk(conversation), state, about)
    finally:
        await archive.store.close()


def _warn(machine: Machine, fingerprint: str) -> None:
    if machine.fingerprint != fingerprint:
        sys.stderr.write(
            "this is another version of the flow than the conversation runs on; leave it out to draw that\n"
        )
