"""The coverage of `turnwise test`: a table and what is missing, for people or for machines, and pages."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from turnwise.testing.coverage import Coverage
from turnwise.testing.coverage.page import make_folder, write_pages
from turnwise.testing.coverage.report import HEAD, lack, lines, lines_missing, rows


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
