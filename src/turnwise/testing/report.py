"""The report of played scenarios, and the rewriting of their expectations."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path
from typing import Any

from turnwise.testing.expectations import TRANSCRIPTS, observed
from turnwise.testing.keys import Line
from turnwise.testing.notation import calls_of
from turnwise.testing.play import PlayedScenario, UnmetExpectation
from turnwise.testing.scenario import ScenarioFile


def failure_lines(path: Path, played: list[PlayedScenario]) -> Iterator[str]:
    """Yield the lines that report the unmet expectations of a file."""
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


def _miss(path: Path, miss: UnmetExpectation) -> Iterator[str]:
    line = miss.line
    yield f"  {path}:{line.number}: {line.head}"
    if "\n" not in line.value and "\n" not in miss.found:
        yield f"    expected: {line.value}"
        yield f"    found:    {miss.found}"
        yield from (f"    {'because' if at else 'why:':<9} {text}" for at, text in enumerate(miss.why))
        return
    for text in ndiff(line.value.split("\n"), miss.found.split("\n")):
        if not text.startswith("?"):
            yield f"    {text}"


def scenario_data(path: Path, played: list[PlayedScenario]) -> list[dict[str, Any]]:
    """Return the results of a file's scenarios as JSON data."""
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
                    "key": miss.line.head,
                    "expected": miss.line.value,
                    "found": miss.found,
                    "why": miss.why,
                }
                for miss in one.misses
            ],
            "problems": [{"line": problem.number, "text": problem.text} for problem in one.problems],
        }
        for one in played
    ]


_USUAL = ("bot", "buttons")
_KEPT = ("asked contains", "asked without", *TRANSCRIPTS)


def rewrite_expectations(file: ScenarioFile, played: list[PlayedScenario]) -> str:
    """Return the scenario file with the actual results as expectations.
    A step without expectations gets text, buttons and calls.

    Texts that must be contained stay as they are, and so does a scenario with problems.
    """
    lines = list(file.lines)
    changes: list[tuple[int, int, list[str]]] = []
    for one in (one for one in played if not one.problems):
        for step, result in zip(one.scenario.steps, one.steps, strict=False):
            rewrites = [line for line in step.expected if line.key not in _KEPT]
            changes += [(line.number - 1, line.height, format_line(line, observed(line, result))) for line in rewrites]
            if not step.expected and result.turn.entries:  # time may pass without a turn
                after = step.given.number - 1 + step.given.height
                keys = (*_USUAL, "calls") if calls_of(result.turn) else _USUAL
                usual = [Line(key, "", "", 0) for key in keys]
                changes.append((after, 0, [text for one in usual for text in format_line(one, observed(one, result))]))
    for place, height, new in sorted(changes, key=lambda change: -change[0]):
        lines[place : place + height] = new
    return "\n".join(lines) + "\n"


def format_line(line: Line, value: str) -> list[str]:
    """Return a line as the lines of a file: a value of several lines follows its key, indented."""
    if "\n" not in value and value == value.strip():
        return [f"{line.head}: {value}".rstrip()]
    return [f"{line.head}:", *(f"  {part}" if part else "" for part in value.split("\n"))]
