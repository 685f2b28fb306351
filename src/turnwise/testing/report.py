"""The report of a run of scenarios, and the rewriting of their expectations for review."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path
from typing import Any

from turnwise.testing.actual import CameOut, actual
from turnwise.testing.calls import calls_of
from turnwise.testing.play import Miss, Played
from turnwise.testing.scenario import Line, ScenarioFile


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


_USUAL = ("bot", "buttons")
_KEPT = ("asked contains", "asked without")


def rewritten(file: ScenarioFile, played: list[Played]) -> str:
    """The file with its expectations as they came out; a step without any gets text, buttons and calls. What must be
    contained stays as it is.

    A scenario with problems stays as it is: what it says means nothing.
    """
    lines = list(file.lines)
    changes: list[tuple[int, int, list[str]]] = []
    for one in (one for one in played if not one.problems):
        for step, came_out in zip(one.scenario.steps, one.steps, strict=False):
            rewrites = [line for line in step.expected if line.key not in _KEPT]
            changes += [(line.number - 1, line.height, written(line, actual(line, came_out))) for line in rewrites]
            if not step.expected:
                after = step.given.number - 1 + step.given.height
                changes.append((after, 0, _usual(came_out)))
    for place, height, new in sorted(changes, key=lambda change: -change[0]):
        lines[place : place + height] = new
    return "\n".join(lines) + "\n"


def _usual(came_out: CameOut) -> list[str]:
    """What is written for a step that expects nothing yet."""
    keys = (*_USUAL, "calls") if calls_of(came_out.turn) else _USUAL
    usual = [Line(key, "", "", 0) for key in keys]
    return [text for line in usual for text in written(line, actual(line, came_out))]


def written(line: Line, value: str) -> list[str]:
    """A line as it stands in a file: a value of several lines stands below its key, indented."""
    head = f"{line.key} {line.subject}" if line.subject else line.key
    if "\n" not in value and value == value.strip():
        return [f"{head}: {value}".rstrip()]
    return [f"{head}:", *(f"  {part}" if part else "" for part in value.split("\n"))]
