"""The commands `convert`, which writes a flow in another form, and `mcp-tools`, which declares a server's tools."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path

from turnwise.api.output import put_text, refuse_existing
from turnwise.api.tool_resolution import NO_PACKAGE
from turnwise.authoring.document import read_document
from turnwise.authoring.formats import WRITABLE_FORMATS, Format, format_of
from turnwise.authoring.yaml_text import write_yaml
from turnwise.cli.inputs import flow_of
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.flow.code import guards_of
from turnwise.flow.diagnostic import FlowError, nearest
from turnwise.flow.model import Flow, McpServer
from turnwise.flow.model.tools import PythonTool
from turnwise.flow.type_check import check_types


def run_convert(flow: Path, to: str, out: Path | None, force: bool) -> int:
    """Write a flow in another form; return the exit code."""
    form = _format(to, out)
    if not force:
        refuse_existing(out)
    found = flow_of(flow)
    put_text(out, converted(found, form))
    for line in _only_named(found, form):
        sys.stderr.write(f"{line}\n")
    return 0


def _format(to: str, out: Path | None) -> Format:
    """Return the format of that name, else that of the file's name."""
    if to:
        if to not in WRITABLE_FORMATS:
            raise WrongUsage(f"no form is called '{to}'; {nearest(to, WRITABLE_FORMATS)}")
        return WRITABLE_FORMATS[to]
    found = format_of(out) if out is not None else None
    if found is None or found.write is None:
        raise WrongUsage(f"name the form to write with --to: {', '.join(WRITABLE_FORMATS)}")
    return found


def converted(flow: Flow, form: Format) -> str:
    """Return a flow as text in another form. Raises `FlowError` for a flow that the form cannot express."""
    assert form.write is not None
    flow, wrong = check_types(flow)
    if wrong:
        raise FlowError(wrong)
    text = form.write(flow)
    if form.run is not None:
        return text
    name = f"the flow as {form.name}" if form.compile is None else f"flow{form.suffixes[0]}"
    read, found = read_document(text, name)
    if read != flow:
        wrong = [one for one in found if one.severity == "error"]
        raise FlowError(wrong) if wrong else TurnwiseError(f"{form.name} cannot express this flow")
    return text


def _only_named(flow: Flow, form: Format) -> list[str]:
    """Return a line about each function that the form can only name, with its place in the code."""
    if flow.is_read:
        return []
    tools = [one for one in flow.code if isinstance(one, PythonTool)]
    named = [("guard", one.name, one.file, one.line) for one in guards_of(flow)]
    named += [("tool", one.name, one.file, one.line) for one in tools]
    return [
        f"the {kind} '{name}' is code{f' ({file}:{line})' if line else ''}: {form.name} names it; "
        f"supply it with --python, or tw.open(…, {kind}s=[…])"
        for kind, name, file, line in dict.fromkeys(named)
    ]


def run_mcp_tools(server: list[str], name: str, env: list[str] | None, token: str) -> int:
    """Print YAML declarations of an MCP server and its tools; return the exit code."""
    if find_spec("mcp") is None:
        raise TurnwiseError(NO_PACKAGE)
    from turnwise.tools.mcp.declarations import declarations_of

    is_address = len(server) == 1 and server[0].startswith(("http://", "https://"))
    declared = McpServer(name, url=server[0], token=token) if is_address else McpServer(name, server, env=env or ())
    found = asyncio.run(declarations_of(declared))
    for line in found.problems:
        sys.stderr.write(f"{line}\n")
    text = write_yaml(Flow(name, start="", tools=found.tools, mcp=[declared]))
    begins = [place for key in ("tools:", "mcp:") if (place := f"\n{text}".find(f"\n{key}")) >= 0]
    sys.stdout.write(text[min(begins) :])
    return 0
