"""`turnwise convert`: converts a flow between YAML, JSON and Python, and lists functions that become names."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Literal

from turnwise.api.output import put_text, refuse_taken
from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import write_yaml
from turnwise.cli.supply import flow_of
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.flow.code import guards_of
from turnwise.flow.codec import write_flow
from turnwise.flow.diagnostic import FlowError, nearest
from turnwise.flow.model import Flow
from turnwise.flow.model.tools import PythonTool
from turnwise.flow.type_check import sound

Form = Literal["yaml", "json", "python"]
FORMS: tuple[Form, ...] = ("yaml", "json", "python")
_SUFFIXES: dict[str, Form] = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".py": "python"}


def run_convert(path: Path, to: str, out: Path | None, *, force: bool) -> int:
    """Write a flow in another form; gives the exit code."""
    form = _form(to, out)
    if not force:
        refuse_taken(out)
    flow = flow_of(path)
    put_text(out, converted(flow, form))
    for line in left_behind(flow, form):
        sys.stderr.write(f"{line}\n")
    return 0


def _form(to: str, out: Path | None) -> Form:
    """The form that is named, else that of the file's name."""
    if to in FORMS:
        return to
    if to:
        raise WrongUsage(f"no form is called '{to}'; {nearest(to, FORMS)}")
    found = _SUFFIXES.get(out.suffix) if out is not None else None
    if found is None:
        raise WrongUsage(f"into which form? --to takes {', '.join(FORMS)}")
    return found


def converted(flow: Flow, form: Form) -> str:
    """The flow as text. Raises `FlowError` for one that this form cannot say."""
    flow, wrong = sound(flow)
    if wrong:
        raise FlowError(wrong)
    if form == "python":
        from turnwise.authoring.python_text import write_python

        return write_python(flow)
    text = write_yaml(flow) if form == "yaml" else json.dumps(write_flow(flow), indent=2, ensure_ascii=False) + "\n"
    read, found = read_document(text, f"the flow as {form}")
    if read != flow:
        raise FlowError(found) if found else TurnwiseError(f"the flow cannot be said in {form}")
    return text


def left_behind(flow: Flow, form: Form) -> list[str]:
    """What a form can only name: functions, each with the place where it is."""
    if flow.is_read:
        return []
    tools = [one for one in flow.code if isinstance(one, PythonTool)]
    named = [("guard", one.name, one.file, one.line) for one in guards_of(flow)]
    named += [("tool", one.name, one.file, one.line) for one in tools]
    return [
        f"the {kind} '{name}' is code{f' ({file}:{line})' if line else ''}: {form} names it; "
        f"supply it with --python, or tw.open(…, {kind}s=[…])"
        for kind, name, file, line in dict.fromkeys(named)
    ]
