"""Rewriting what a scenario file expects to what came out, for review; all else stays as it is."""

from __future__ import annotations

from turnwise.testing.actual import CameOut, actual
from turnwise.testing.calls import calls_of
from turnwise.testing.play import Played
from turnwise.testing.scenario import Line, ScenarioFile

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
