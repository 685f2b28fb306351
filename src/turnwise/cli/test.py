"""The command `test`: plays scenario files, reports differences and coverage, and rewrites expectations."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from turnwise.api.output import put_data, put_text
from turnwise.authoring.source import SUFFIXES
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.models import model_named
from turnwise.runner.model_port import StreamingModel
from turnwise.testing.coverage import Coverage
from turnwise.testing.coverage.page import make_folder, write_pages
from turnwise.testing.coverage.report import coverage_data, coverage_shortfall, lines, lines_missing, table
from turnwise.testing.play import PlayedScenario, play_file, recording_of
from turnwise.testing.report import failure_lines, rewrite_expectations, scenario_data
from turnwise.testing.scenario import read_scenarios

_SUFFIX = ".scenario"
_WORTH_A_BAR = 20
_NO_WORDS = (
    "--rewrite cannot write a model's words into expectations, but for a file with a recording; leave out --rewrite or"
    " --model"
)


def run_test(
    paths: list[Path],
    rewrite: bool,
    coverage: bool,
    html: Path | None,
    fail_under: float | None,
    as_json: bool,
    model: str,
    python: Path | None,
) -> int:
    """Play scenario files; return the exit code."""
    out = Console(highlight=False, soft_wrap=True, quiet=as_json)
    files = _found(paths)
    if rewrite and model not in ("", "offline") and not all(map(_has_recording, files)):
        raise WrongUsage(_NO_WORDS)
    speaker = model_named(model) if model not in ("", "offline") else None
    if html is not None:
        make_folder(html)  # raises before anything is played
    seen = Coverage() if coverage or html or fail_under is not None else None
    data: list[dict[str, Any]] = []
    for file in _with_bar(files):
        try:
            played = _play(file, speaker, python, rewrite=rewrite)
        except TurnwiseError as error:
            data.append({"file": str(file), "passed": False, "error": str(error)})
            out.print(Text(str(error), style="red"))
            continue
        if seen is not None:
            seen.add_all(turn for one in played for turn in one.turns)
        data += scenario_data(file, played)
        _print_failures(out, file, played)
    if as_json:
        report = data if seen is None else {"scenarios": data, "coverage": coverage_data(seen.flows)}
        put_data(json.dumps(report, ensure_ascii=False))
    elif seen is not None:
        _print_coverage(out, seen)
    failed = sum(not one["passed"] for one in data)
    out.print(Text(f"{len(data) - failed} passed, {failed} failed", style="red" if failed else "green"))
    is_enough = seen is None or _report_coverage(seen, html, fail_under)
    return 0 if is_enough and not failed else 1


def _with_bar(files: list[Path]) -> Iterable[Path]:
    """Show a bar in a terminal while many files are played."""
    console = Console(stderr=True, highlight=False)
    return track(files, "playing", console=console, transient=True) if len(files) > _WORTH_A_BAR else files


def _print_coverage(out: Console, coverage: Coverage) -> None:
    """Print the table, and everything that is missing."""
    if not (out.is_terminal and coverage.flows):
        for line in lines(coverage.flows):
            out.print(Text(line))
        return
    head, *rows = table(coverage.flows)
    printed = Table(*head)
    for row in rows:
        printed.add_row(*map(Text, row))
    out.print(printed)
    for line in lines_missing(coverage.flows):
        out.print(Text(line, style="yellow"))


def _report_coverage(coverage: Coverage, html: Path | None, fail_under: float | None) -> bool:
    """Write the pages; return true if enough was seen."""
    if html is not None:
        pages = write_pages(coverage.flows, html)
        sys.stderr.write(f"wrote {pages[-1]}\n")
    lacking = coverage_shortfall(coverage.flows, fail_under)
    if lacking:
        sys.stderr.write(f"{lacking}\n")
    return not lacking


def _found(paths: Iterable[Path]) -> list[Path]:
    """Return the scenario files among the paths and in their folders."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = sorted(path.rglob(f"*{_SUFFIX}"))
            if not below:
                raise TurnwiseError(f"{path}: there is no *{_SUFFIX} file in this folder")
            found += below
        elif path.is_file() and path.suffix in SUFFIXES:
            raise TurnwiseError(f"{path}: this is a flow; name the scenario files that play it, *{_SUFFIX}")
        elif path.is_file():
            found.append(path)
        else:
            raise TurnwiseError(f"{path}: there is no such file or folder")
    return found


def _has_recording(file: Path) -> bool:
    """Return whether a file has a recording, or cannot be read, which is reported when it is played."""
    try:
        return "recording" in read_scenarios(file).header
    except TurnwiseError:
        return True


def _play(file: Path, model: StreamingModel | None, python: Path | None, *, rewrite: bool) -> list[PlayedScenario]:
    """Play a file. To rewrite one with a recording keeps the model's answers, or records them anew with a `model`."""
    scenarios = read_scenarios(file)
    if not rewrite:
        return play_file(scenarios, model, python)
    recording = recording_of(scenarios, model, rewrites=True)
    played = play_file(scenarios, None, python, recording)
    if recording is not None and (model is not None or recording.save()):
        sys.stderr.write(f"rewrote {recording.path}\n")
    text = rewrite_expectations(scenarios, played)
    if text != file.read_text("utf-8"):
        put_text(file, text)
        sys.stderr.write(f"rewrote {file}\n")
    return play_file(read_scenarios(file), None, python)


def _print_failures(out: Console, file: Path, played: list[PlayedScenario]) -> None:
    for line in failure_lines(file, played):
        style = "green" if line.startswith("    +") else "red" if line.startswith("    -") else ""
        out.print(Text(line, style=style))
