"""Parses scenario files: conversations with inputs and expected replies.

A line is `key: value`; indented lines below continue it. A line of input begins a step, and the lines after it are
what is expected of that step. Nothing is played here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import nearest
from turnwise.testing.expectations import EXPECTATIONS
from turnwise.testing.keys import HEADER, INPUTS, SCRIPTS, TITLE, Line, Problem, ScenarioKey

KEYS: Mapping[str, ScenarioKey] = {**HEADER, TITLE.name: TITLE, **INPUTS, **SCRIPTS, **EXPECTATIONS}
"""Every key of scenario files, by name."""
_WITH_SUBJECT = tuple(key.name for key in KEYS.values() if key.subject is not None)


class ScenarioError(TurnwiseError):
    """A scenario file cannot be played; the error has every problem that was found, in order."""

    def __init__(self, path: Path, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.number))
        super().__init__("\n".join(f"{path}:{problem.number}: {problem.text}" for problem in self.problems))


@dataclass(slots=True)
class StepLines:
    """The lines of one step: an input, its scripted answers, and its expectations."""

    given: Line
    """The line with the input."""
    scripts: list[Line] = field(default_factory=list[Line])
    """The lines with replies of models and results of tools."""
    expected: list[Line] = field(default_factory=list[Line])
    """The lines with expectations."""


@dataclass(slots=True)
class Scenario:
    """A scenario of a file: one conversation; it is not played if it has problems."""

    title: str
    """The title of the scenario."""
    line: int
    """The number of the line with the title, from 1."""
    steps: list[StepLines] = field(default_factory=list[StepLines])
    """The steps of the scenario, in order."""
    problems: list[Problem] = field(default_factory=list[Problem])
    """The mistakes in the lines of the scenario."""

    @property
    def is_empty(self) -> bool:
        """True if the scenario has no expectation, so that it cannot fail."""
        return not any(step.expected for step in self.steps)


@dataclass(slots=True)
class ScenarioFile:
    """A scenario file: its header, its scenarios in order, and its problems."""

    path: Path
    """The path of the file."""
    lines: list[str]
    """All lines of the file."""
    header: dict[str, Line] = field(default_factory=dict[str, Line])
    """The lines before the first scenario, keyed by their key."""
    scenarios: list[Scenario] = field(default_factory=list[Scenario])
    """The scenarios, in order."""
    problems: list[Problem] = field(default_factory=list[Problem])
    """The mistakes outside of the scenarios."""

    def add_problem(self, number: int, text: str) -> None:
        """Add a problem in line `number` (from 1) to the scenario that is read, or to the file before the first one."""
        found = self.scenarios[-1].problems if self.scenarios else self.problems
        found.append(Problem(number, text))


def read_scenarios(path: Path) -> ScenarioFile:
    """Return the scenarios of a file. Raises `TurnwiseError` if the file cannot be read."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TurnwiseError(f"{path}: cannot be read: {error}") from None
    return parse_scenarios(text, path)


def parse_scenarios(text: str, path: Path) -> ScenarioFile:
    """Return the scenarios of a text, with every problem of its lines; `path` is the path that messages name."""
    found = ScenarioFile(path, text.removesuffix("\n").split("\n") if text else [])  # other breaks are part of a text
    scripts: list[Line] = []
    for line in _read_lines(found):
        if line.key in SCRIPTS:
            scripts.append(line)
        elif line.key in INPUTS:
            if not found.scenarios:
                found.scenarios.append(Scenario(path.stem, line.number))
            found.scenarios[-1].steps.append(StepLines(line, scripts))
            scripts = []
        else:
            if line.key == TITLE.name:
                _report_unused(found, scripts)
                scripts = []
            _put(found, line)
    _report_unused(found, scripts)
    return found


def _report_unused(found: ScenarioFile, scripts: list[Line]) -> None:
    """Report scripts without an input of their scenario after them."""
    for line in scripts:
        found.add_problem(line.number, f"no input follows '{line.key}'")


def _put(found: ScenarioFile, line: Line) -> None:
    """Put a line that is neither an input nor a script where it belongs."""
    if line.key == TITLE.name:
        _title(found, line)
    elif line.key in HEADER and found.scenarios:
        found.add_problem(line.number, f"'{line.key}' is for the whole file; put it above the first scenario")
    elif line.key in HEADER:
        found.header[line.key] = line
    elif line.key not in EXPECTATIONS:
        hint = nearest(line.key, KEYS) or f"an input begins with {', '.join(INPUTS)}"
        found.add_problem(line.number, f"no line begins with '{line.key}'; {hint}")
    elif found.scenarios and found.scenarios[-1].steps:
        found.scenarios[-1].steps[-1].expected.append(line)
    else:
        found.add_problem(line.number, f"'{line.key}' is expected of no step; put an input before it")


def _title(found: ScenarioFile, line: Line) -> None:
    """Begin a scenario; report a title that another one has."""
    same = next((one for one in found.scenarios if one.title == line.value), None)
    found.scenarios.append(Scenario(line.value, line.number))
    if not line.value:
        found.add_problem(line.number, "this scenario has no title; write it like 'scenario: a late answer'")
    elif same is not None:
        found.add_problem(line.number, f"line {same.line} has a scenario of this title already")


def _read_lines(file: ScenarioFile) -> Iterator[Line]:
    """Lines with the indented lines below them; comments and blank lines are left out."""
    lines, number = file.lines, 0
    while number < len(lines):
        text = lines[number]
        number += 1
        if not text.strip() or text.startswith("#"):
            continue
        if text[0] in " \t":
            file.add_problem(number, "this is indented and belongs to no line")
            continue
        head, colon, first = text.partition(":")
        if not colon:
            file.add_problem(number, f"expected 'key: value', found {text.strip()[:40]!r}")
            continue
        end = _end_of_block(lines, number)
        block = dedent("\n".join(lines[number:end])).split("\n") if end > number else []
        parts = [first.strip(), *(line.rstrip() for line in block)]
        words = head.strip()
        key = next(
            (key.name for key in KEYS.values() if key.subject is not None and f"{words} ".startswith(f"{key.name} ")),
            words,
        )
        value = "\n".join(parts[1:] if not parts[0] and len(parts) > 1 else parts).strip("\n")
        yield Line(key, words[len(key) :].strip(), value, number, 1 + end - number)
        number = end


def _end_of_block(lines: list[str], number: int) -> int:
    """Where the indented lines end; a blank line belongs to them if more follow."""
    end = number
    for place in range(number, len(lines)):
        if lines[place].strip() and lines[place][0] not in " \t":
            break
        if lines[place].strip():
            end = place + 1
    return end
