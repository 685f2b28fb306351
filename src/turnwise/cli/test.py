"""`turnwise test`: play scenario files, report what differs, rewrite expectations, and report coverage."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from turnwise.api.output import put_data, put_text
from turnwise.errors import TurnwiseError
from turnwise.runner.ports import StreamingModel
from turnwise.testing.coverage import Coverage
from turnwise.testing.coverage.page import make_folder, write_pages
from turnwise.testing.coverage.report import HEAD, lack, lines, lines_missing, rows
from turnwise.testing.coverage.report import as_data as coverage_data
from turnwise.testing.play import Played, play_file
from turnwise.testing.report import as_data, failures, rewritten
from turnwise.testing.scenario import read_scenarios


class Wanted(Struct, frozen=True):
    """What was asked for: coverage at all, pages in a folder, and the least share in per cent."""

    is_counted: bool = False
    html: Path | None = None
    fail_under: float | None = None

    def begin(self) -> Coverage | None:
        """Something to count with, where it was asked for. Raises `CannotWrite` before anything is played."""
        if self.html is not None:
            make_folder(self.html)
        is_wanted = self.is_counted or self.html is not None or self.fail_under is not None
        return Coverage() if is_wanted else None


def show(out: Console, coverage: Coverage) -> None:
    """Print the table, and below it everything that is missing."""
    if not (out.is_terminal and coverage.flows):
        for line in lines(coverage.flows):
            out.print(Text(line))
        return
    table = Table(*HEAD)
    for row in rows(coverage.flows):
        table.add_row(*map(Text, row))
    out.print(table)
    for line in lines_missing(coverage.flows):
        out.print(Text(line, style="yellow"))


def settle(wanted: Wanted, coverage: Coverage) -> bool:
    """Write the pages, and say whether enough was seen."""
    if wanted.html is not None:
        pages = write_pages(coverage.flows, wanted.html)
        sys.stderr.write(f"wrote {pages[-1]}\n")
    lacking = lack(coverage.flows, wanted.fail_under)
    if lacking:
        sys.stderr.write(f"{lacking}\n")
    return not lacking


SUFFIX = ".scenario"
_WORTH_A_BAR = 20

_FLOWS = (".yaml", ".yml", ".json", ".py")


def run_test(
    paths: Iterable[Path], wanted: Wanted, model: str, python: Path | None = None, *, rewrite: bool, as_json: bool
) -> int:
    """Play files; gives the exit code."""
    out, err = Console(highlight=False, soft_wrap=True), Console(stderr=True, highlight=False)
    files, speaks = _found(paths), _model(model)
    coverage = wanted.begin()
    shown = track(files, "playing", console=err, transient=True) if len(files) > _WORTH_A_BAR else files
    data: list[dict[str, Any]] = []
    passed = failed = 0
    for file in shown:
        try:
            played = _play(file, speaks, python, rewrite=rewrite)
        except TurnwiseError as error:
            failed += 1
            data.append({"file": str(file), "passed": False, "error": str(error)})
            out.print(Text(str(error), style="red")) if not as_json else None
            continue
        if coverage is not None:
            coverage.add_all(turn for one in played for turn in one.turns)
        passed += sum(one.passed for one in played)
        failed += sum(not one.passed for one in played)
        data += as_data(file, played)
        if not as_json:
            _print(out, file, played)
    if as_json:
        told = data if coverage is None else {"scenarios": data, "coverage": coverage_data(coverage.flows)}
        put_data(json.dumps(told, ensure_ascii=False))
    else:
        if coverage is not None:
            show(out, coverage)
        out.print(Text(f"{passed} passed, {failed} failed", style="red" if failed else "green"))
    is_enough = coverage is None or settle(wanted, coverage)
    return 1 if failed or not is_enough else 0


def _found(paths: Iterable[Path]) -> list[Path]:
    """The scenario files that are named, or lie below a folder that is."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = sorted(path.rglob(f"*{SUFFIX}"))
            if not below:
                raise TurnwiseError(f"{path}: there is no *{SUFFIX} file in this folder")
            found += below
        elif path.is_file() and path.suffix in _FLOWS:
            raise TurnwiseError(f"{path}: this is a flow; name the scenario files that play it, *{SUFFIX}")
        elif path.is_file():
            found.append(path)
        else:
            raise TurnwiseError(f"{path}: there is no such file or folder")
    return found


def _model(name: str) -> StreamingModel | None:
    """The model that speaks in place of the script."""
    if name in ("", "offline"):
        return None
    from turnwise.models import model_named

    return model_named(name)


def _play(file: Path, model: StreamingModel | None, python: Path | None, *, rewrite: bool) -> list[Played]:
    scenarios = read_scenarios(file)
    played = play_file(scenarios, model, python)
    if not rewrite:
        return played
    text = rewritten(scenarios, played)
    if text != file.read_text("utf-8"):
        put_text(file, text)
        sys.stderr.write(f"rewrote {file}\n")
    return play_file(read_scenarios(file), model, python)


def _print(out: Console, file: Path, played: list[Played]) -> None:
    for line in failures(file, played):
        style = "green" if line.startswith("    +") else "red" if line.startswith("    -") else ""
        out.print(Text(line, style=style))
