"""Rewriting what a scenario file expects to what came out, for review; all else stays as it is."""

from __future__ import annotations

from turnwise.testing.actual import actual
from turnwise.testing.play import Played
from turnwise.testing.scenario import Line, ScenarioFile

_USUAL = ("bot", "buttons")


def rewritten(file: ScenarioFile, played: list[Played]) -> str:
    """The file with its expectations as they came out; a step without any gets text and buttons.

    A scenario with problems stays as it is: what it says means nothing.
    """
    lines = list(file.lines)
    changes: list[tuple[int, int, list[str]]] = []
    for one in (one for one in played if not one.problems):
        for step, turn in zip(one.scenario.steps, one.turns, strict=False):
            changes += [(line.number - 1, line.height, written(line, actual(line, turn))) for line in step.expected]
            if not step.expected:
                after = step.given.number - 1 + step.given.height
                usual = [Line(key, "", "", 0) for key in _USUAL]
                new = [text for line in usual for text in written(line, actual(line, turn))]
                changes.append((after, 0, new))
    for place, height, new in sorted(changes, key=lambda change: -change[0]):
        lines[place : place + height] = new
    return "\n".join(lines) + "\n"


def written(line: Line, value: str) -> list[str]:
    """A line as it stands in a file: a value of several lines stands below its key, indented."""
    head = f"{line.key} {line.subject}" if line.subject else line.key
    if "\n" not in value and value == value.strip():
        return [f"{head}: {value}".rstrip()]
    return [f"{head}:", *(f"  {part}" if part else "" for part in value.split("\n"))]
