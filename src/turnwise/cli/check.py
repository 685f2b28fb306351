"""`turnwise check`: prints every problem of flow documents, as text or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from turnwise.api.documents import check, check_text
from turnwise.api.output import STANDARD, put_data
from turnwise.cli.supply import code_of, told_if_slow
from turnwise.flow.diagnostic import CODES, Diagnostic, Span, has_errors, render


def run_check(flows: Iterable[Path], python: Path | None, *, strict: bool, as_json: bool) -> int:
    """Check documents; gives the exit code."""
    code = code_of(python)
    found: list[tuple[str, list[str], list[Diagnostic]]] = []
    for path in flows:
        if str(path) == STANDARD:
            text = sys.stdin.buffer.read()
            found.append(("<stdin>", _lines(text), check_text(text, "<stdin>", code.guards, code)))
        else:
            with told_if_slow(path):
                found.append((str(path), _lines_of(path), check(path, code.guards, code)))
    if as_json:
        put_data(json.dumps([d.as_data() for _, _, each in found for d in each], ensure_ascii=False))
    else:
        _print(found)
    problems = [d for _, _, each in found for d in each]
    return 1 if has_errors(problems) or (strict and problems) else 0


def run_list(*, as_json: bool) -> int:
    """Print every code that a diagnostic can have; gives the exit code."""
    if as_json:
        codes = [{"code": code, "severity": of.severity, "about": of.about} for code, of in CODES.items()]
        put_data(json.dumps(codes, ensure_ascii=False))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for code, of in CODES.items():
            console.print(Text(f"{code}  {of.severity:7}  {of.about}"))
    return 0


def _print(found: list[tuple[str, list[str], list[Diagnostic]]]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for file, lines, diagnostics in found:
        for diagnostic in diagnostics:
            style = "red" if diagnostic.severity == "error" else "yellow"
            own = lines if diagnostic.span.file in ("", file) else _lines_of(Path(diagnostic.span.file))
            head, *rest = render(_nearby(diagnostic), own).split("\n")
            console.print(Text(head, style=style))
            for line in rest:
                console.print(Text(line))
        if not diagnostics:
            console.print(Text(f"{file}: no problems", style="green"))
    problems = [d for _, _, each in found for d in each]
    if [d.code for d in problems] == ["TW001"]:
        return
    if problems:
        errors = sum(d.severity == "error" for d in problems)
        console.print(Text(f"{_count(errors, 'error')}, {_count(len(problems) - errors, 'warning')}"))


def _nearby(diagnostic: Diagnostic) -> Diagnostic:
    """The problem with the name of its file as seen from here."""
    span = diagnostic.span
    folder = f"{Path.cwd()}/"
    return replace(diagnostic, span=Span(span.file.removeprefix(folder), span.line, span.column))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _lines_of(path: Path) -> list[str]:
    """The lines to show; a file that cannot be read has none, and its diagnostic says why."""
    from turnwise.authoring.source import read_source

    text = read_source(path)
    return text.splitlines() if isinstance(text, str) else []


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").splitlines()
