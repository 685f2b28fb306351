"""Scenario files: readable transcripts of what is put in and what must come out.

A line is `key: value`; what is indented below goes on with it. A line of input begins a step, the
lines after it say what is expected of that step. Nothing is played here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import nearest

INPUTS = ("user", "press", "commands", "tool", "wait", "start", "fire", "undo")
"""What a step puts in: said, a button, commands, a tool use, time, and so on."""

SCRIPTS = ("understand", "model")
"""What understanding or the model will answer in the step that follows."""

EXPECTATIONS = (
    "bot",
    "bot contains",
    "buttons",
    "node",
    "status",
    "form",
    "field",
    "decision",
    "transition",
    "missing",
    "artefact",
    "events",
    "warning",
    "refused",
    "turn",
)
HEADER = ("flow", "python", "clock", "zone")
TITLE = "scenario"
_SUBJECTS = ("field", "decision", "transition", "missing", "artefact")


class ScenarioError(TurnwiseError):
    """A scenario file that cannot be read, with file and line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its key, what the key is about (`field user.age`), its value, its place.

    `number` is counted from 1; `height` is how many lines of the file it takes.
    """

    key: str
    subject: str
    value: str
    number: int
    height: int = 1


@dataclass(slots=True)
class StepLines:
    """An input, what was scripted for it, and what is expected of it."""

    given: Line
    scripts: list[Line] = field(default_factory=list[Line])
    expected: list[Line] = field(default_factory=list[Line])


@dataclass(slots=True)
class Scenario:
    """One conversation of a file."""

    title: str
    line: int
    steps: list[StepLines] = field(default_factory=list[StepLines])


@dataclass(slots=True)
class ScenarioFile:
    """A file: its header, and its scenarios in order."""

    path: Path
    lines: list[str]
    header: dict[str, Line]
    scenarios: list[Scenario]


def read_scenarios(path: Path) -> ScenarioFile:
    """The scenarios of a file. Raises `ScenarioError`."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read: {error}") from None
    return parse_scenarios(text, path)


def parse_scenarios(text: str, path: Path) -> ScenarioFile:
    """The scenarios of a text."""
    lines = text.splitlines()
    found = ScenarioFile(path, lines, {}, [])
    scripts: list[Line] = []
    for line in _read_lines(lines, path):
        kind = _kind(line)
        if kind == "unknown":
            known = (*INPUTS, *SCRIPTS, *EXPECTATIONS, *HEADER, TITLE)
            hint = nearest(line.key, known)
            raise ScenarioError(f"{path}:{line.number}: no line begins with '{line.key}'; {hint}")
        if kind == "script":
            scripts.append(line)
        else:
            _put(found, kind, line, scripts)
            scripts = [] if kind == "input" else scripts
    if scripts:
        raise ScenarioError(f"{path}:{scripts[0].number}: no input follows '{scripts[0].key}'")
    return found


def _put(found: ScenarioFile, kind: str, line: Line, scripts: list[Line]) -> None:
    """Put a line where it belongs."""
    match kind:
        case "header":
            found.header[line.key] = line
        case "title":
            found.scenarios.append(Scenario(line.value, line.number))
        case "input":
            _scenario(found, line).steps.append(StepLines(line, scripts))
        case _:
            _last_step(found, line).expected.append(line)


def _kind(line: Line) -> str:
    kinds = (
        (HEADER, "header"),
        ((TITLE,), "title"),
        (SCRIPTS, "script"),
        (INPUTS, "input"),
        (EXPECTATIONS, "expectation"),
    )
    return next((kind for names, kind in kinds if line.key in names), "unknown")


def _scenario(found: ScenarioFile, line: Line) -> Scenario:
    if not found.scenarios:
        found.scenarios.append(Scenario(found.path.stem, line.number))
    return found.scenarios[-1]


def _last_step(found: ScenarioFile, line: Line) -> StepLines:
    if not found.scenarios or not found.scenarios[-1].steps:
        raise ScenarioError(f"{found.path}:{line.number}: '{line.key}' is expected of no step; put an input before it")
    return found.scenarios[-1].steps[-1]


def _read_lines(lines: list[str], path: Path) -> list[Line]:
    """Lines with what is indented below them; comments and blank lines are passed over."""
    found: list[Line] = []
    number = 0
    while number < len(lines):
        text = lines[number]
        number += 1
        if not text.strip() or text.startswith("#"):
            continue
        if text[0] in " \t":
            raise ScenarioError(f"{path}:{number}: this is indented and belongs to no line")
        head, colon, first = text.partition(":")
        if not colon:
            raise ScenarioError(f"{path}:{number}: expected 'key: value', found {text.strip()[:40]!r}")
        end = _end_of_block(lines, number)
        parts = [first.strip(), *_dedented(lines[number:end])]
        key, subject = _key(head)
        value = "\n".join(parts[1:] if not parts[0] and len(parts) > 1 else parts).strip("\n")
        found.append(Line(key, subject, value, number, 1 + end - number))
        number = end
    return found


def _key(head: str) -> tuple[str, str]:
    """The key of a line, and what it is about."""
    words = head.strip()
    first, _, rest = words.partition(" ")
    return (first, rest.strip()) if first in _SUBJECTS else (words, "")


def _end_of_block(lines: list[str], number: int) -> int:
    """Where the indented lines end; a blank line belongs to them if more follow."""
    end = number
    for place in range(number, len(lines)):
        if lines[place].strip() and lines[place][0] not in " \t":
            break
        if lines[place].strip():
            end = place + 1
    return end


def _dedented(lines: list[str]) -> list[str]:
    filled = [line for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    return [line[margin:].rstrip() for line in lines]
