"""What a run of scenarios says to people: which passed, and for the rest a difference that helps."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path
from typing import Any

from turnwise.testing.play import Miss, Played


def failures(path: Path, played: list[Played]) -> Iterator[str]:
    """The lines that tell what was not as expected."""
    for one in played:
        if one.passed:
            continue
        yield f"{path}:{one.scenario.line}: {one.scenario.title}"
        for problem in one.problems:
            first, *more = problem.text.split("\n")
            yield f"  {path}:{problem.number}: {first}"
            yield from (f"    {line}" for line in more)
        if one.scenario.is_empty and not one.problems:
            yield "  nothing is expected here, so nothing is shown; --rewrite writes down what comes out"
        for miss in one.misses:
            yield from _miss(path, miss)


def _miss(path: Path, miss: Miss) -> Iterator[str]:
    line = miss.line
    head = f"{line.key} {line.subject}" if line.subject else line.key
    yield f"  {path}:{line.number}: {head}"
    if "\n" not in line.value and "\n" not in miss.found:
        yield f"    expected: {line.value}"
        yield f"    found:    {miss.found}"
        return
    for text in ndiff(line.value.split("\n"), miss.found.split("\n")):
        if not text.startswith("?"):
            yield f"    {text}"


def as_data(path: Path, played: list[Played]) -> list[dict[str, Any]]:
    """The run as JSON data."""
    return [
        {
            "file": str(path),
            "line": one.scenario.line,
            "scenario": one.scenario.title,
            "passed": one.passed,
            "steps": len(one.scenario.steps),
            "misses": [
                {
                    "line": miss.line.number,
                    "key": f"{miss.line.key} {miss.line.subject}".strip(),
                    "expected": miss.line.value,
                    "found": miss.found,
                }
                for miss in one.misses
            ],
            "problems": [{"line": problem.number, "text": problem.text} for problem in one.problems],
        }
        for one in played
    ]
