"""The command `check`: prints every problem of flow documents, for people or for machines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from turnwise.api.documents import check, check_text
from turnwise.api.output import STANDARD_STREAM, put_data
from turnwise.cli.inputs import code_of, readable_flows, reports_slow_code
from turnwise.cli.standard_input import read_standard
from turnwise.errors import WrongUsage
from turnwise.flow.diagnostic import CODES, Diagnostic, Span, has_errors, render

Checked = tuple[str, list[str], list[Diagnostic]]
"""The name of a document, its lines, and its problems."""


def run_check(flows: list[Path] | None, listed: bool, strict: bool, python: Path | None, as_json: bool) -> int:
    """Check documents, or list the codes of problems; return the exit code."""
    if listed:
        return _list_codes(as_json=as_json)
    if not flows:
        raise WrongUsage("name a flow document, or --list")
    code = code_of(python)
    together = readable_flows([path for path in flows if str(path) != STANDARD_STREAM]) if python is not None else {}
    found: list[Checked] = []
    for path in flows:
        if str(path) == STANDARD_STREAM:
            text, name = read_standard()
            problems = check_text(text, name, code.guards, code)
            found.append((name, text.decode("utf-8", "replace").splitlines(), problems))
        else:
            tools = code.tools_of(together[path], together.values()) if path in together else code
            with reports_slow_code(path):
                found.append((str(path), _lines_of(path), check(path, code.guards, tools)))
    problems = [one for _, _, each in found for one in each]
    if as_json:
        put_data(json.dumps([one.as_data() for one in problems], ensure_ascii=False))
    else:
        print_checked(found, problems)
    return 1 if has_errors(problems) or (strict and problems) else 0


def _list_codes(*, as_json: bool) -> int:
    if as_json:
        codes = [{"code": code, "severity": of.severity, "about": of.about} for code, of in CODES.items()]
        put_data(json.dumps(codes, ensure_ascii=False))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for code, of in CODES.items():
            console.print(Text(f"{code}  {of.severity:7}  {of.about}"))
    return 0


def print_checked(found: list[Checked], problems: list[Diagnostic]) -> None:
    """Print the problems of documents for people, each with its line, and their number."""
    console = Console(highlight=False, soft_wrap=True)
    for file, lines, diagnostics in found:
        for diagnostic in diagnostics:
            style = "red" if diagnostic.severity == "error" else "yellow"
            own = lines if diagnostic.span.file in ("", file) else _lines_of(Path(diagnostic.span.file))
            span = diagnostic.span
            relative = Span(span.file.removeprefix(f"{Path.cwd()}/"), span.line, span.column)
            head, *rest = render(replace(diagnostic, span=relative), own).split("\n")
            console.print(Text(head, style=style))
            for line in rest:
                console.print(Text(line))
        if not diagnostics:
            console.print(Text(f"{file}: no problems", style="green"))
    if problems and [one.code for one in problems] != ["TW001"]:
        errors = sum(one.severity == "error" for one in problems)
        warnings = len(problems) - errors
        console.print(Text(f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"))


def _lines_of(path: Path) -> list[str]:
    """Return the lines of a file; none if it cannot be read, which its diagnostic reports."""
    from turnwise.authoring.source import read_source

    text = read_source(path)
    return text.splitlines() if isinstance(text, str) else []
